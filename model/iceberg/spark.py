"""What Spark SQL's INSERT, DELETE and UPDATE make of a table: scans, files, an operation and its validation flags.

| command | operation | flags under `snapshot` | added by `serializable` |
| --- | --- | --- | --- |
| INSERT | merge append | - | - |
| DELETE provable from metrics | delete by row filter | - | - |
| DELETE, UPDATE copy-on-write | overwrite by file | start, filter, no conflicting deletes | no conflicting data |
| DELETE merge-on-read | row delta | start, filter, data files exist | no conflicting data files |
| UPDATE merge-on-read | row delta | the same, deleted files, no conflicting delete files | no conflicting data files |

Calls to the catalog: load, load, commit, load; copy-on-write DELETE and UPDATE one load more, by the scan that finds
the files to rewrite. SELECT: load, load.

Source: iceberg/4.1; `spark/v3.5/.../source/SparkWrite.java`, `SparkPositionDeltaWrite.java`, `SparkTable.java`,
`SparkCopyOnWriteScan.java`, `SparkWriteConf.java` (delete granularity `file`); call counts were measured on 1.11.0.

Choices: the catalog does not cache tables (`cache-enabled=false`). A command writes at most one data file. A command
that matches no row still commits, an empty snapshot, as Spark does. NULL ids do not exist.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from model.iceberg import coverage
from model.iceberg.api import read, run_commit
from model.iceberg.errors import IcebergError, InvalidOperation
from model.iceberg.expressions import Expression, id_equals
from model.iceberg.files import DataFile, DeleteFile, Position, Row, Rows
from model.iceberg.meanings import Loads
from model.iceberg.merging import DeleteFiles, MergeAppend
from model.iceberg.overwrite import OverwriteFiles
from model.iceberg.plans import as_reads
from model.iceberg.producer import SnapshotProducer
from model.iceberg.result import CommandResult
from model.iceberg.row_delta import RowDelta
from model.iceberg.rules import SHIPPED, Rules
from model.iceberg.scan import ScanTask, live_rows, plan
from model.iceberg.table import IcebergTable
from model.iceberg.tables import Catalog, open_table, write_data_file, write_delete_file
from model.ports import World

TO_PLAN, TO_SCAN_AGAIN = Loads("plan"), Loads("scan again")
Found = tuple[ScanTask, tuple[tuple[int, Row], ...]]


@dataclass(frozen=True, slots=True)
class SparkSql:
    """A Spark session that runs commands on one table. Every command loads the table anew, and adds it to `opened`."""

    world: World
    name: str
    mode: Literal["merge-on-read", "copy-on-write"] = "merge-on-read"
    isolation: Literal["snapshot", "serializable"] = "serializable"
    catalog: Catalog = "rest"
    rules: Rules = SHIPPED
    opened: list[IcebergTable] = field(default_factory=list)

    def insert(self, rows: Rows) -> CommandResult:
        """`INSERT INTO t VALUES rows`. It depends on no snapshot: what it adds comes after whatever is there."""
        table = self._load()
        file = write_data_file(table, rows)
        command = CommandResult(table.metadata.current_snapshot_id, writes=rows)
        return self._commit(table, MergeAppend(table).append_file(file), command, [file])

    def delete(self, row_id: int) -> CommandResult:
        """`DELETE FROM t WHERE id = row_id`."""
        table = self._load()
        row_filter = id_equals(row_id)
        tasks = plan(table.files, table.metadata.current, row_filter)
        if all(row_filter.must_match(task.file) for task in tasks):
            command = CommandResult(table.metadata.current_snapshot_id, writes=((row_id, None),))
            return self._commit(table, DeleteFiles(table).delete_from_row_filter(row_filter), command, [])
        return self._change(table, tasks, row_id, None)

    def update(self, row_id: int, value: str) -> CommandResult:
        """`UPDATE t SET v = value WHERE id = row_id`."""
        table = self._load()
        tasks = plan(table.files, table.metadata.current, id_equals(row_id))
        return self._change(table, tasks, row_id, value)

    def select(self) -> CommandResult:
        """`SELECT * FROM t`: its scan refreshes the table that its planning has loaded, and reads that."""
        table = self._load()
        self.world.notes.intend(TO_SCAN_AGAIN)
        return read(table)

    def _load(self) -> IcebergTable:
        table = open_table(self.world, self.name, catalog=self.catalog, rules=self.rules)
        self.opened.append(table)
        self.world.notes.intend(TO_PLAN)
        table.ops.refresh()
        return table

    def _change(
        self, table: IcebergTable, tasks: tuple[ScanTask, ...], row_id: int, value: str | None
    ) -> CommandResult:
        scanned = table.metadata.current_snapshot_id
        if self.mode == "copy-on-write":
            self._refresh_group_filter(table, scanned)
        found = list(_find(table, tasks, id_equals(row_id)))
        rows = tuple(row for _, matches in found for _, row in matches)
        writes = ((row_id, value),) if rows else ()
        command = CommandResult(scanned, reads=as_reads(rows, row_id), writes=writes)
        if self.mode == "copy-on-write":
            return self._copy_on_write(table, found, command, row_id, value)
        return self._merge_on_read(table, found, command, row_id, value)

    def _refresh_group_filter(self, table: IcebergTable, scanned: int | None) -> None:
        """The scan for files to rewrite refreshes the shared table; the pinned scan must still be of its snapshot.

        Source: `SparkTable.newScanBuilder` (`refreshEagerly`), `SparkCopyOnWriteScan.filter`.
        """
        self.world.notes.intend(TO_SCAN_AGAIN)
        if table.ops.refresh().current_snapshot_id != scanned:
            self.world.coverage.hit(coverage.SCAN_OUTDATED)
            error = InvalidOperation(
                f"scan of {self.name}: expected {scanned} to be current still,"
                f" got {table.metadata.current_snapshot_id}: the table has been modified concurrently"
            )
            error.result = CommandResult(scanned)
            raise error

    def _copy_on_write(
        self, table: IcebergTable, found: list[Found], command: CommandResult, row_id: int, value: str | None
    ) -> CommandResult:
        producer = OverwriteFiles(table)
        kept: list[Row] = []
        for task, _ in found:
            producer.delete_file(task.file)
            for _, row in live_rows(table.files, task):
                if row[0] != row_id:
                    kept.append(row)
                elif value is not None:
                    kept.append((row_id, value))
        written = [write_data_file(table, tuple(kept))] if kept else []
        for file in written:
            producer.add_file(file)
        producer.validate_from_snapshot(command.start).conflict_detection_filter(id_equals(row_id))
        if self.isolation == "serializable":
            producer.validate_no_conflicting_data()
        producer.validate_no_conflicting_deletes()
        return self._commit(table, producer, command, written)

    def _merge_on_read(
        self, table: IcebergTable, found: list[Found], command: CommandResult, row_id: int, value: str | None
    ) -> CommandResult:
        producer = RowDelta(table)
        written: list[DataFile | DeleteFile] = []
        for task, matches in found:
            deletes = _write_deletes(table, task, matches, producer)
            producer.add_deletes(deletes)
            written.append(deletes)
        updated = tuple((row_id, value) for _, matches in found for _ in matches) if value is not None else ()
        if updated:
            file = write_data_file(table, updated)
            producer.add_rows(file)
            written.append(file)
        producer.conflict_detection_filter(id_equals(row_id)).validate_from_snapshot(command.start)
        producer.validate_data_files_exist(task.file.path for task, _ in found)
        if value is not None:
            producer.validate_deleted_files().validate_no_conflicting_delete_files()
        elif self.rules.delete_validates_new_delete_files:
            producer.validate_no_conflicting_delete_files()
        if self.isolation == "serializable":
            producer.validate_no_conflicting_data_files()
        return self._commit(table, producer, command, written)

    def _commit(
        self,
        table: IcebergTable,
        producer: SnapshotProducer,
        command: CommandResult,
        written: list[DataFile] | list[DataFile | DeleteFile],
    ) -> CommandResult:
        try:
            return run_commit(producer, command)
        except IcebergError as error:
            self._abort(table, [file.path for file in written], error)
            raise

    def _abort(self, table: IcebergTable, paths: list[str], error: IcebergError) -> None:
        """Source: iceberg/2.4; `SparkWrite.abort`, `SparkPositionDeltaWrite.abort` (#10373)."""
        if error.cleanable:
            self.world.coverage.hit(coverage.ABORT_DELETED_FILES)
            table.files.delete_quietly(paths)
        else:
            self.world.coverage.hit(coverage.ABORT_KEPT_FILES)


def _find(table: IcebergTable, tasks: tuple[ScanTask, ...], row_filter: Expression) -> Iterator[Found]:
    """The tasks whose file holds a matching live row, with these rows and their positions."""
    for task in tasks:
        matches = tuple((at, row) for at, row in live_rows(table.files, task) if row_filter.matches(row[0]))
        if matches:
            yield task, matches


def _write_deletes(
    table: IcebergTable, task: ScanTask, matches: tuple[tuple[int, Row], ...], producer: RowDelta
) -> DeleteFile:
    """One delete file for one data file; it takes over the positions of older ones of that file, which go.

    Source: `SparkPositionDeltaWrite.broadcastRewritableDeletes` (delete granularity `file`).
    """
    positions: set[Position] = {(task.file.path, at) for at, _ in matches}
    for older in task.deletes:
        if isinstance(older, DeleteFile) and older.referenced_data_file is not None:
            positions.update(table.files.positions(older))
            producer.remove_deletes(older)
    return write_delete_file(table, tuple(sorted(positions)), task.file.partition)
