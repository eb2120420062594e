"""Mutants of what manages snapshots, branches and tags. Source: `model.iceberg.references`, `cherry_pick`, `expire`."""

from typing import Any

from model.iceberg import manage, metadata
from model.iceberg.cherry_pick import CherryPick
from model.iceberg.expire import ExpireSnapshots
from model.iceberg.files import ManifestFile
from model.iceberg.metadata import MAIN, Snapshot, TableMetadata
from model.iceberg.producer import SnapshotProducer
from model.iceberg.references import SetSnapshot, UpdateReferences
from model.iceberg.rest import RestOperations
from model.iceberg.result import CommandResult
from model.iceberg.retention import Retention
from model.iceberg.rules import ROLL_BACK_NEEDS_HEAD
from model.iceberg.table import IcebergTable
from sim.iceberg import managing_calls
from tests.mutants.damage import left_out, replaced
from tests.mutants.mutant import Mutant


def begins_at_main(self: TableMetadata, _: str) -> Snapshot | None:
    """Main's head, whatever the branch."""
    return self.current


def of_main_alone(self: Retention, base: TableMetadata, name: str, chain: tuple[Snapshot, ...]) -> list[int]:
    """The past of main, and of no other branch."""
    return _of_branch(self, base, name, chain) if name == MAIN else []


def everything_live(self: ExpireSnapshots, unused: tuple[ManifestFile, ...], _: TableMetadata) -> tuple[str, ...]:
    """All files of the manifests that go, whoever else has them."""
    return tuple([entry.file.path for one in unused for entry in self._table.files.live_entries(one)])


def always(*_: Any) -> bool:
    """An answer without looking."""
    return True


def published_anew(table: IcebergTable, ref: str) -> CommandResult:
    """The ref is looked up in the table as the transaction loads it."""
    return manage.manage(table, lambda at: SetSnapshot(at, dict(at.metadata.refs)[ref], anywhere=True))


def forgets(self: ExpireSnapshots) -> None:
    """Each attempt chooses anew."""
    self._ids.clear()
    _attempt(self)


def sent_if_changed(self: RestOperations, updated: TableMetadata, replaces: TableMetadata | None = None) -> None:
    """As catalogs of one pointer do."""
    if updated is not self.current or replaces is not None:
        _commit(self, updated, replaces)


_attempt, _commit, _of_branch = ExpireSnapshots._attempt, RestOperations.commit, Retention._of_branch

MANAGING: tuple[Mutant, ...] = (
    left_out("roll-back-to-any", SetSnapshot, "_refuse_no_ancestor", "main goes to what it never had"),
    Mutant("head-not-needed", "the repair repairs nothing", ((SetSnapshot, "_meet", lambda *_: None),),
           ROLL_BACK_NEEDS_HEAD),
    Mutant("publishes-what-is-there", "a publish is kinder than upstream's",
           ((manage, "publish", published_anew), (managing_calls, "publish", published_anew))),
    left_out("fast-forward-anyway", UpdateReferences, "_refuse_no_fast_forward", "main loses what the branch has not"),
    replaced("branches-begin-at-main", TableMetadata, "head", begins_at_main, "the second commit drops the first"),
    replaced("staged-on-main", SnapshotProducer, "stage_only", lambda self: self.to_branch(MAIN), "published unseen"),
    left_out("picked-twice", CherryPick, "_refuse_twice", "rows are there twice"),
    left_out("published-wap-id-allowed", CherryPick, "_refuse_published", "one WAP id is published twice"),
    left_out("overwrite-picked-anyway", CherryPick, "_refuse_unless_forward", "main loses what was committed since"),
    left_out("expired-picked", CherryPick, "_require_picked", "files that have gone are committed"),
    left_out("expires-more-than-there", metadata, "refuse_too_many", "an expiry is kinder than upstream's"),
    replaced("nothing-not-sent", RestOperations, "commit", sent_if_changed, "a commit without changes is not sent"),
    left_out("expires-what-refs-point-to", ExpireSnapshots, "_refuse_referenced", "a ref to nothing"),
    replaced("branches-not-kept", Retention, "_of_branch", of_main_alone, "a branch loses its past"),
    replaced("always-incremental", ExpireSnapshots, "_only_main", always, "files go that a branch has"),
    replaced("reachable-files-deleted", ExpireSnapshots, "_unreachable", everything_live, "files go that main has"),
    replaced("expiry-forgets", ExpireSnapshots, "_attempt", forgets, "an expiry is kinder than upstream's"),
)  # fmt: skip
