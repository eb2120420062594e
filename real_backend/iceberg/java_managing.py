"""Statements that manage snapshots, branches and tags, as calls of Iceberg's Java API.

Choices: what expires by number is asked for as older than a time that is far in the future, as every snapshot is.
"""

from collections.abc import Callable, Sequence
from typing import Any

from real_backend.errors import BackendError
from real_backend.iceberg.java_files import JavaFiles
from real_backend.iceberg.java_seen import snapshots_seen
from real_backend.jvm.jvm import Jvm
from sim.iceberg.ages import ExpireOlder, Retain, RollBackToTime, time_before
from sim.iceberg.managing import (
    AppendTo,
    CherryPick,
    CreateRef,
    Expire,
    ManageSnapshots,
    Managing,
    MoveBranch,
    OfRefs,
    OverwriteIn,
    Publish,
    RemoveRef,
    RenameBranch,
    ReplaceRef,
    ReplaceTable,
    RollBack,
    Stage,
    Together,
    versions_of,
)
from sim.iceberg.workload import Rows

FAR_FUTURE_MS = 1 << 52


class Managements:
    """Prepares such statements on one table as it was loaded.

    Args: `name` begins the names of files; `replacing` is told what a transaction puts in the place of the table;
    `begun_ms`: the time that ages count from.
    """

    def __init__(
        self, jvm: Jvm, files: JavaFiles, table: Any, name: str, replacing: Callable[[Any], None] = lambda _: None,
        begun_ms: int = 0,
    ) -> None:  # fmt: skip
        self._jvm, self._files, self._table, self._name = jvm, files, table, name
        self._replacing, self._begun_ms = replacing, begun_ms

    def prepared(self, statement: Managing) -> Callable[[], object]:
        """The statement, ready to be sent: what it names is known by now."""
        match statement:
            case Expire(keep, cleans):
                below = snapshots_seen(self._table).below(1)
                return lambda: self._expired(keep, below, cleans).commit()
            case ExpireOlder():
                return lambda: self._expired_by_age(statement.age_h, statement.keep).commit()
            case RollBackToTime(age):
                at = time_before(age, self._begun_ms)
                return lambda: self._table.manageSnapshots().rollbackToTime(at).commit()
            case Retain():
                return lambda: self._retained(statement).commit()
            case RollBack(back, anywhere):
                to = snapshots_seen(self._table).below(back)
                verb = "setCurrentSnapshot" if anywhere else "rollbackTo"
                return lambda: getattr(self._table.manageSnapshots(), verb)(to).commit()
            case Publish(ref):
                return lambda: self._published(ref).commit()
            case CherryPick():
                picked = snapshots_seen(self._table).picked()
                return lambda: self._table.manageSnapshots().cherrypick(picked).commit()
            case ReplaceTable(rows):
                return lambda: self._replace(rows)
            case AppendTo() | OverwriteIn() | Stage():
                return self._beside(statement).commit  # type: ignore[no-any-return]  # a method of Java's
            case CreateRef() | RemoveRef() | ReplaceRef() | MoveBranch() | RenameBranch():
                return self._together((statement,))
            case ManageSnapshots(changes):
                return self._together(changes)
            case _:
                raise BackendError(f"workload: expected what manages snapshots of a table, got {statement}")

    def versions(self, statement: object) -> tuple[Rows, ...]:
        """The rows of the snapshots that say what a statement does to main, as `managing.versions_of` names them."""
        if isinstance(statement, Publish):
            there = self._table.refs().get(statement.ref)
            return () if there is None else (self._rows(int(there.snapshotId())),)
        return tuple([self._rows(snapshot) for snapshot in versions_of(snapshots_seen(self._table), statement)])

    def _rows(self, snapshot: int | None) -> Rows:
        return () if snapshot is None else self._files.rows(self._table, snapshot)

    def _expired(self, keep: int, below: int, cleans: bool) -> Any:
        expiry = self._table.expireSnapshots()
        if cleans:
            expiry = expiry.cleanExpiredMetadata(True)
        if keep:
            return expiry.expireOlderThan(FAR_FUTURE_MS).retainLast(keep)
        return expiry.expireSnapshotId(below)

    def _expired_by_age(self, age_h: float | None, keep: int | None) -> Any:
        expiry = self._table.expireSnapshots()
        if age_h is not None:
            expiry = expiry.expireOlderThan(time_before(age_h, self._begun_ms))
        return expiry if keep is None else expiry.retainLast(keep)

    def _replace(self, rows: Rows) -> None:
        """Source: `BaseMetastoreCatalogTableBuilder.newReplaceTableTransaction`."""
        iceberg, operations = self._jvm.iceberg, self._table.operations()
        base, order = operations.current(), iceberg.SortOrder.unsorted()
        spec = iceberg.PartitionSpec.unpartitioned()
        new = base.buildReplacement(self._files.schema, spec, order, base.location(), self._jvm.java_map({}))
        self._replacing(new)
        transaction = iceberg.Transactions.replaceTableTransaction(self._name, operations, new)
        file = self._files.data_file(self._table.io(), f"{self._name}-1", rows)
        transaction.newFastAppend().appendFile(file).commit()
        transaction.commitTransaction()

    def _retained(self, statement: Retain) -> Any:
        managing = self._table.manageSnapshots()
        said = statement.retention
        if said.min_snapshots_to_keep is not None:
            managing = managing.setMinSnapshotsToKeep(said.name, said.min_snapshots_to_keep)
        if said.max_snapshot_age_ms is not None:
            managing = managing.setMaxSnapshotAgeMs(said.name, said.max_snapshot_age_ms)
        return managing if said.max_ref_age_ms is None else managing.setMaxRefAgeMs(said.name, said.max_ref_age_ms)

    def _together(self, changes: Sequence[Together]) -> Callable[[], object]:
        """Several changes of one `ManageSnapshots`."""
        seen = snapshots_seen(self._table)
        named = [(one, seen.below(getattr(one, "back", 0))) for one in changes]

        def send() -> None:
            managing = self._table.manageSnapshots()
            for one, at in named:
                if isinstance(one, CherryPick):
                    managing = managing.cherrypick(seen.picked())
                elif isinstance(one, RollBack):
                    managing = getattr(managing, "setCurrentSnapshot" if one.anywhere else "rollbackTo")(at)
                else:
                    managing = self._changed(managing, one, at)
            managing.commit()

        return send

    def _changed(self, managing: Any, statement: OfRefs, at: int) -> Any:
        match statement:
            case CreateRef(name, tag):
                return managing.createTag(name, at) if tag else managing.createBranch(name, at)
            case ReplaceRef(name, tag):
                return managing.replaceTag(name, at) if tag else managing.replaceBranch(name, at)
            case RemoveRef(name, tag):
                return managing.removeTag(name) if tag else managing.removeBranch(name)
            case RenameBranch(name, to):
                return managing.renameBranch(name, to)
            case MoveBranch(name, to, forward):
                return managing.fastForwardBranch(name, to) if forward else managing.replaceBranch(name, to)

    def _published(self, ref: str) -> Any:
        """Where the ref is in the table as it was loaded: Java looks it up before it loads the table anew."""
        there = self._table.refs().get(ref)
        if there is None:
            raise BackendError(f"publish: expected a branch or tag {ref}, got none")
        return self._table.manageSnapshots().setCurrentSnapshot(there.snapshotId())

    def _beside(self, statement: AppendTo | OverwriteIn | Stage) -> Any:
        file = self._files.data_file(self._table.io(), f"{self._name}-1", statement.rows)
        overwrites = isinstance(statement, OverwriteIn) or (isinstance(statement, Stage) and statement.overwrites)
        replaces = isinstance(statement, Stage) and statement.replaces
        kind = "Overwrite" if overwrites else "ReplacePartitions" if replaces else "FastAppend"
        update = getattr(self._table, f"new{kind}")()
        if overwrites:
            update = update.overwriteByRowFilter(self._jvm.iceberg.expressions.Expressions.alwaysTrue())
        update = update.addFile(file) if overwrites or replaces else update.appendFile(file)
        if not isinstance(statement, Stage):
            return update.toBranch(statement.branch)
        if statement.wap:
            update = update.set("wap.id", str(statement.wap))
        return update.stageOnly()
