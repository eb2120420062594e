"""Statements of a workload as updates of Iceberg's Java API: on a table, or within a transaction.

Choices: a transaction's own table cannot be scanned (`TransactionTable.newScan`), so what an update in one works on is
read from a table on the transaction's operations, which have what its earlier updates have made.
"""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from real_backend.errors import BackendError
from real_backend.iceberg.java_by_hand import Elsewhere, checked, refused_at_once
from real_backend.iceberg.java_files import JavaFiles, is_equality, iterate
from real_backend.iceberg.java_filters import any_of, remove_where
from real_backend.iceberg.java_manifests import append_manifest, by_manifests, rewrite_manifests
from real_backend.iceberg.java_specs import update_layout, update_spec
from real_backend.iceberg.java_statistics import update_statistics
from real_backend.jvm.jvm import Jvm
from sim.iceberg.by_hand import (
    AddPartitions,
    AppendGiven,
    AppendOnce,
    ByHand,
    CompactWith,
    DeleteAndRemove,
    DeleteElsewhere,
    OverwriteWhere,
    ReplaceManifests,
    SetAndUnset,
)
from sim.iceberg.layout import Layout, OfStatistics
from sim.iceberg.manifests import AppendManifest, ClusterManifests
from sim.iceberg.workload import (
    AddColumn,
    Append,
    ChangeRow,
    Compact,
    Copy,
    DeleteRow,
    DeleteWhere,
    Overwrite,
    RemoveFile,
    RemoveWhere,
    Replace,
    ReplacePartitions,
    Rows,
    SetProperty,
    Statement,
    Transaction,
    UpdateSpec,
    Upsert,
)


class Updates:
    """Builds updates on one table as it was loaded.

    Args: `name` begins the names of the files that are written; `known`: the rows of snapshots that have been read.
    """

    def __init__(
        self, jvm: Jvm, files: JavaFiles, table: Any, name: str, known: Mapping[int, Rows] = MappingProxyType({})
    ) -> None:
        self._jvm, self._files, self._table, self._name = jvm, files, table, name
        self.start = int(table.currentSnapshot().snapshotId())
        self._known = dict(known)
        self._made = 0
        self._at = table
        """The table as the maker of the update at hand has it: what is scanned, and by whose default spec files are
        written."""

    @property
    def rows(self) -> Rows:
        """The rows, as the updates so far have left them."""
        at = int(self._at.currentSnapshot().snapshotId())
        if at not in self._known:
            self._known[at] = self._files.rows(self._at)
        return self._known[at]

    def update(self, maker: Any, operation: Statement, start: int) -> Any:
        """The operation as a Java update that is ready to be committed.

        Args: `maker`: the Java table or transaction; `start`: the snapshot that validations begin from.
        """
        self._at = self._table
        if maker is not self._table:
            self._at = self._jvm.iceberg.BaseTable(maker.table().operations(), self._name)
        match operation:
            case Append(rows, merge):
                return self._with(maker.newAppend() if merge else maker.newFastAppend(), "appendFile", rows)
            case Overwrite():
                return self._overwrite(maker, operation, start)
            case ReplacePartitions(rows, level):
                return self._replace_partitions(maker, rows, level, start)
            case Replace(key, rows, level):
                covers = (key,) if level == "serializable" else ()
                return self._validated(self._replace(maker, key, rows), level, start, covers)
            case ChangeRow(key, value, level):
                return self._validated(self._change(maker, key, value), level, start, (key,))
            case Copy(source, target, level):
                update = self._change(maker, target, dict(self.rows).get(source))
                return self._validated(update, level, start, operation.filter)
            case DeleteRow(level=level):
                return self._row_delta(maker, start, operation.ids, level, removes=False, apart=operation.apart)
            case DeleteWhere(key, level):
                return self._by_equality(maker, start, key, level)
            case Upsert(key, value, level):
                return self._with(self._by_equality(maker, start, key, level), "addRows", ((key, value),))
            case RemoveFile(key, level):
                return self._remove(maker, key, level)
            case RemoveWhere(ids):
                return remove_where(self._jvm, maker, ids)
            case Compact(number):
                return self._compact(maker, start, number == "starting")
            case SetProperty(name, value):
                return maker.updateProperties().set(name, value)
            case AddColumn(name):
                return maker.updateSchema().addColumn(name, self._jvm.iceberg.types.Types.IntegerType.get())
            case _ if isinstance(operation, Layout):
                if isinstance(operation, OfStatistics):
                    return update_statistics(self._jvm, self._files, maker, self._at, operation)
                return update_layout(self._jvm, maker, operation)
            case UpdateSpec():
                return update_spec(self._jvm, maker, self._at.spec(), operation)
            case ClusterManifests() | ReplaceManifests():
                return rewrite_manifests(self._jvm, maker, self._at, self._name, operation)
            case AppendManifest():
                made = self._new_files(operation.rows)
                return append_manifest(self._jvm, maker, self._at, f"{self._name}-{self._made}", made, operation)
            case _ if isinstance(operation, ByHand):
                return self._by_hand(maker, operation, start)
            case _:
                raise BackendError(f"workload: expected operations of the Java API only, got {operation}")

    def _by_hand(self, maker: Any, operation: ByHand, start: int) -> Any:
        match operation:
            case DeleteAndRemove(key):
                return self._row_delta(maker, start, (key,), "snapshot", removes=True, apart=False)
            case CompactWith(rows, "none"):
                return self._with(maker.newRewrite().validateFromSnapshot(start), "addFile", rows)
            case CompactWith(rows):
                return self._compact(maker, start, pinned=False, further=rows)
            case AppendOnce() | OverwriteWhere() | AddPartitions():
                return self._with(*checked(self._jvm, maker, operation))
            case DeleteElsewhere(key):
                twice = Elsewhere(self._jvm, maker, self._at)
                return self._row_delta(twice, start, (key,), "none", removes=False, apart=False)
            case AppendGiven() | SetAndUnset():
                return refused_at_once(self._jvm, self._at, self._name, self._new_files, operation)

    def transact(self, transaction: Any, given: Transaction) -> None:
        """Build and commit the operations of a transaction one after the other, and commit it."""
        for place, step in enumerate(given.steps):
            own = int(transaction.table().currentSnapshot().snapshotId())
            update = self.update(transaction, step, own if given.start == "own" else self.start)
            if not (given.left_open and place == len(given.steps) - 1):
                update.commit()
        transaction.commitTransaction()

    def _with(self, update: Any, add: str, rows: Rows) -> Any:
        """The update with new files of these rows, which it is given by its method `add`."""
        for file in self._new_files(rows) if rows else ():
            update = getattr(update, add)(file)
        return update

    def _new_files(self, rows: Rows) -> Iterable[Any]:
        self._made += 1
        return self._files.data_files(self._table.io(), f"{self._name}-{self._made}", rows, self._at.spec())

    def _replace_partitions(self, maker: Any, rows: Rows, level: str, start: int) -> Any:
        update = self._with(maker.newReplacePartitions(), "addFile", rows)
        return self._flagged(update if level == "none" else update.validateFromSnapshot(start), level)

    def _overwrite(self, maker: Any, given: Overwrite, start: int) -> Any:
        always = self._jvm.iceberg.expressions.Expressions.alwaysTrue()
        update = maker.newOverwrite()
        by_filter = given.by == "filter"
        update = update.overwriteByRowFilter(always) if by_filter else self._without(update, self._all())
        update = self._with(update, "addFile", given.rows)
        if given.level != "none":
            update = update.validateFromSnapshot(start).conflictDetectionFilter(always)
        return self._flagged(update, given.level)

    def _replace(self, maker: Any, key: int, rows: Rows) -> Any:
        update = self._without(maker.newOverwrite(), self._having(key))
        return self._with(update, "addFile", rows) if rows else update

    def _change(self, maker: Any, key: int, value: str | None) -> Any:
        """The files of a row by one of their live rows; nothing if there is no such row, or no value for it."""
        files = list(self._having(key))  # who looks for a row plans a scan, whether or not it is known to be there
        if value is None or key not in dict(self.rows):
            return maker.newOverwrite()
        rows = [
            row for file in files for row in self._files.rows_in(file) if row in self.rows
        ]  # a row may be there twice
        update = self._without(maker.newOverwrite(), files)
        return self._with(update, "addFile", tuple([(one, value if one == key else old) for one, old in rows]))

    def _remove(self, maker: Any, key: int, level: str) -> Any:
        """The files of a row go, with all rows that they have; at a level they must be there."""
        update = self._without(maker.newDelete(), self._having(key))
        return update if level == "none" else update.validateFilesExist()

    def _validated(self, update: Any, level: str, start: int, covers: tuple[int, ...]) -> Any:
        if level == "none":
            return update
        update = update.validateFromSnapshot(start)
        if covers:
            update = update.conflictDetectionFilter(any_of(self._jvm, covers))
        return self._flagged(update, level)

    def _flagged(self, update: Any, level: str) -> Any:
        if level == "serializable":
            update = update.validateNoConflictingData()
        return update if level == "none" else update.validateNoConflictingDeletes()

    def _row_delta(self, maker: Any, start: int, ids: tuple[int, ...], level: str, removes: bool, apart: bool) -> Any:
        update = maker.newRowDelta().validateFromSnapshot(start)
        if level == "serializable":
            update = update.conflictDetectionFilter(any_of(self._jvm, ids)).validateNoConflictingDataFiles()
        self._made += 1
        files = {str(file.location()): file for key in ids for file in self._having(key)}
        found = [(file, live) for file in files.values() if (live := self._live(file, ids))]
        for place, some in enumerate([(key,) for key in ids] if apart else [ids]):
            of_these = [(file, own) for file, live in found if (own := tuple([key for key in live if key in some]))]
            update = self._deleting(update, f"{self._name}-{self._made}{place or ''}", of_these)
        for file in files.values() if removes else ():
            update = update.removeRows(file)
        named = list(files.values()) if removes else [file for file, _ in found]
        if level != "none" and named:
            paths = self._jvm.java.java.util.ArrayList([str(file.location()) for file in named])
            update = update.validateDataFilesExist(paths)
        return update

    def _deleting(self, update: Any, name: str, parts: list[tuple[Any, tuple[int, ...]]]) -> Any:
        """With what one task writes that deletes these rows of these files."""
        if not self._has_vectors:
            for file, live in parts:
                spec, io = self._at.specs().get(file.specId()), self._table.io()
                update = update.addDeletes(self._files.position_deletes(io, name, file, live, spec))
            return update
        vectors = [(file, live, self._vectors_of(file)) for file, live in parts]
        for vector in self._files.deletion_vectors(self._at, name, vectors) if vectors else ():
            update = update.addDeletes(vector)
        for older in [one for _, _, taken in vectors for one in taken]:
            update = update.removeDeletes(older)
        return update

    def _live(self, file: Any, ids: tuple[int, ...]) -> tuple[int, ...]:
        """Those of these ids of which the file has a row that no earlier delete has taken out."""
        there = {row[0] for row in self._files.rows_in(file) if row in self.rows}
        return tuple([key for key in ids if key in there])

    @property
    def _has_vectors(self) -> bool:
        """Whether the table's format has deletion vectors in place of position delete files."""
        return int(self._table.operations().current().formatVersion()) >= 3

    def _vectors_of(self, file: Any) -> list[Any]:
        """The deletion vectors of a data file of the table."""
        if not self._has_vectors:
            return []
        path = str(file.location())
        tasks = [task for task in iterate(self._at.newScan().planFiles()) if str(task.file().location()) == path]
        return [deletes for task in tasks for deletes in task.deletes() if not is_equality(deletes)]

    def _by_equality(self, maker: Any, start: int, key: int, level: str) -> Any:
        self._made += 1
        name = f"{self._name}-{self._made}"
        deletes = self._files.equality_delete(self._table.io(), name, key, self._at.spec())
        update = maker.newRowDelta().addDeletes(deletes)
        if level != "none":
            same_id = self._jvm.iceberg.expressions.Expressions.equal("id", key)
            update = update.validateFromSnapshot(start).conflictDetectionFilter(same_id)
            update = update.validateNoConflictingDeleteFiles()
        return update.validateNoConflictingDataFiles() if level == "serializable" else update

    def _compact(self, maker: Any, start: int, pinned: bool, further: Rows = ()) -> Any:
        old, rows = by_manifests(self._at, self._files, self._all(), (*self.rows, *further))
        update = self._without(maker.newRewrite().validateFromSnapshot(start), old)
        if pinned:
            update = update.dataSequenceNumber(self._at.snapshot(start).sequenceNumber())
        return self._with(update, "addFile", rows) if rows else update

    def _without(self, update: Any, files: Any) -> Any:
        for file in files:
            update = update.deleteFile(file)
        return update

    def _having(self, key: int) -> Iterator[Any]:
        """The files that may hold a row."""
        same_id = self._jvm.iceberg.expressions.Expressions.equal("id", key)
        yield from self._scanned(self._at.newScan().filter(same_id))

    def _all(self) -> Iterator[Any]:
        yield from self._scanned(self._at.newScan())

    def _scanned(self, scan: Any) -> Iterator[Any]:
        for task in iterate(scan.planFiles()):
            yield task.file()
