"""Mutants of several changes of snapshots in one commit, of names of branches, and of properties taken away."""

from collections.abc import Iterator

from model.iceberg import changes
from model.iceberg.changes import Change, SetProperties
from model.iceberg.manage import Making
from model.iceberg.manage_several import SnapshotManager
from model.iceberg.metadata import TableMetadata
from model.iceberg.references import UpdateReferences
from model.iceberg.transaction import Transaction
from model.iceberg.updates import UpdateProperties
from tests.mutants.damage import left_out, replaced
from tests.mutants.mutant import Mutant

_change, _of_properties = SnapshotManager.change, changes._of_properties


def committed_at_once(self: SnapshotManager, making: Making) -> None:
    """Each change of main is committed by itself."""
    _change(self, making)
    self._transaction.commit()
    self._transaction = Transaction(self._transaction._table)


def removed_anyway(self: UpdateProperties, name: str) -> UpdateProperties:
    """What is set is taken away as well."""
    self._removed[name] = None
    return self


def kept(self: UpdateProperties, _: str) -> UpdateProperties:
    """Nothing is taken away."""
    return self


def but_of_removals(base: TableMetadata, updated: TableMetadata) -> Iterator[Change]:
    """What is set alone."""
    yield from [one for one in _of_properties(base, updated) if isinstance(one, SetProperties)]


SEVERAL_CHANGES: tuple[Mutant, ...] = (
    left_out("renamed-to-a-taken-name", UpdateReferences, "_refuse_taken", "a tag is lost"),
    left_out("refs-never-committed", SnapshotManager, "_commit_refs", "changes of refs are lost"),
    replaced("changes-one-by-one", SnapshotManager, "change", committed_at_once, "half of them is committed"),
    replaced("set-and-unset", UpdateProperties, "remove", removed_anyway, "kinder than upstream"),
)  # fmt: skip
UNSET: tuple[Mutant, ...] = (
    replaced("unset-stays", UpdateProperties, "remove", kept, "a property that was taken away holds"),
    replaced("removals-not-sent", changes, "_of_properties", but_of_removals, "the server keeps a property"),
)  # fmt: skip
