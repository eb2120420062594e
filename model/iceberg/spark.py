"""What Spark SQL's commands make of a table: what they scan, an operation, and its validation flags.

| command | operation | flags |
| --- | --- | --- |
| INSERT | merge append | - |
| MERGE without `WHEN MATCHED` | merge append of what is not there | -, whatever the isolation level |
| DELETE provable from metrics, TRUNCATE, DELETE of everything | delete by row filter | - |
| other DELETE, UPDATE, MERGE | as `model.iceberg.spark_changes` says | by the isolation level |
| INSERT OVERWRITE, static | overwrite by the row filter `true` | - |
| INSERT OVERWRITE, dynamic | replace partitions | - |
| `rewrite_data_files` | rewrite at the starting sequence number | start |
| `rewrite_position_delete_files` | rewrite of delete files | - |

Calls to the catalog: load, load, commit, load; one load more where the command scans again what it has planned on:
copy-on-write DELETE, UPDATE and MERGE, to find the files to rewrite, and MERGE without `WHEN MATCHED` and
`rewrite_data_files`, whose only scan is of what the second load finds; so is that of `DELETE FROM t`. SELECT: load,
load. `remove_orphan_files`: load. `rewrite_manifests`, `rewrite_position_delete_files`: load, load, commit, load, as
`INSERT`; `expire_snapshots` too; what manages snapshots (`model.iceberg.manage`): load, load, load, commit. `DROP TABLE
t PURGE`: load, load, commit. `ALTER TABLE t ADD`, `DROP` or `REPLACE PARTITION FIELD`: load, commit.

A command writes by the partition spec that its session has when the write is built: that of the load that it plans on,
copy-on-write too (its second load comes later), but for MERGE without `WHEN MATCHED`, whose scan comes first.

Source: iceberg/4.1; for Spark 3.5 of 1.11.0 `SparkWrite.java`, `SparkTable.java`, `SparkCopyOnWriteScan.java`,
`SparkWriteConf.java` (`isolationLevel` is a write option, which SQL cannot say), `RewriteDataFilesSparkAction.java`;
Spark's `RewriteMergeIntoTable` (an append of an anti-join); call counts were measured.

A catalog that caches tables (`cache-enabled`, which is so unless it is set) loads one once: its session plans and scans
on the table as it has it, whoever has committed since, until it commits itself, or asks to, which loads it again. So
the loads to plan and to scan again are left out but for the first. Source: `SparkCatalog.load` and `initialize`,
`SparkTable.newScanBuilder` (`refreshEagerly`), `core/CachingCatalog.java`.

Choices: a session uses its table again before the cache forgets it (30 s without a use). A command writes at most one
data file, one a partition. A command that matches no row still commits, an empty snapshot, as Spark does;
`rewrite_data_files` of no file does not. What an overwrite takes away is not said: it writes the rows that it has.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal

from model.iceberg import coverage, plans
from model.iceberg.api import run, run_commit
from model.iceberg.errors import IcebergError
from model.iceberg.expressions import TRUE, Expression, id_equals
from model.iceberg.files import Rows, container
from model.iceberg.given_manifests import rewrite_manifests
from model.iceberg.group_filter import filter_groups, unfiltered
from model.iceberg.meanings import Loads
from model.iceberg.merging import DeleteFiles, MergeAppend, MergingProducer
from model.iceberg.metadata import TableMetadata
from model.iceberg.orphans import remove_orphans
from model.iceberg.partial_progress import Limits, rewrite_in_commits
from model.iceberg.partitioning import Field
from model.iceberg.plans import Planned, as_reads
from model.iceberg.producer import SnapshotProducer
from model.iceberg.purge import purge_table
from model.iceberg.result import CommandResult
from model.iceberg.rewrite_position_deletes import rewrite_position_deletes
from model.iceberg.rules import SHIPPED, Rules
from model.iceberg.scan import ScanTask, plan, read_rows
from model.iceberg.spark_changes import (
    Change,
    Isolation,
    Matched,
    Written,
    change_row,
    copy_on_write,
    find,
    merge,
    merge_on_read,
)
from model.iceberg.spark_expire import Chosen, expire_snapshots
from model.iceberg.spark_reads import At, By, Since, read_between, read_version
from model.iceberg.spark_target import MAIN_ALONE, Target
from model.iceberg.table import IcebergTable
from model.iceberg.tables import Catalog, open_table, write_data_files
from model.ports import World

TO_PLAN, TO_SCAN_AGAIN = Loads("plan"), Loads("scan again")


@dataclass(frozen=True, slots=True)
class SparkSql:
    """A Spark session that runs commands on one table, and adds it to `opened`.

    Args: `cache`: what its catalog keeps of commands before (None: nothing); `target`: what it reads and writes.
    """

    world: World
    name: str
    mode: Literal["merge-on-read", "copy-on-write"] = "merge-on-read"
    isolation: Isolation = "serializable"
    catalog: Catalog = "rest"
    rules: Rules = SHIPPED
    opened: list[IcebergTable] = field(default_factory=list)
    cache: list[IcebergTable] | None = None
    target: Target = MAIN_ALONE

    def insert(self, rows: Rows) -> CommandResult:
        """`INSERT INTO t VALUES rows`. It depends on no snapshot: what it adds comes after whatever is there."""
        table = self._load()
        return self._append(table, rows, CommandResult(self._seen(table).current_snapshot_id, writes=rows))

    def delete(self, row_id: int) -> CommandResult:
        """`DELETE FROM t WHERE id = row_id`."""
        table = self._load()
        row_filter = id_equals(row_id)
        tasks = plan(table.files, self._seen(table).current, row_filter)
        if all(row_filter.must_match(task.file) for task in tasks):
            return self._delete_files(table, row_filter, (row_id,))
        return self._change(table, tasks, change_row(row_id, None))

    def truncate(self, ids: tuple[int, ...], by_delete: bool = False) -> CommandResult:
        """`TRUNCATE TABLE t`, or `DELETE FROM t`, which builds a scan, too, that nobody makes.

        Args: `ids`: those that may be there when it is committed.
        """
        table = self._load()
        if by_delete:
            self._scan_again(table)
        return self._delete_files(table, TRUE, ids)

    def update(self, row_id: int, value: str) -> CommandResult:
        """`UPDATE t SET v = value WHERE id = row_id`."""
        table = self._load()
        tasks = plan(table.files, self._seen(table).current, id_equals(row_id))
        return self._change(table, tasks, change_row(row_id, value))

    def merge(self, rows: Rows, matched: Matched = "update", inserts: bool = True) -> CommandResult:
        """`MERGE INTO t USING rows`: rows that are there are updated, deleted or left, others inserted or not."""
        table = self._load()
        if matched == "nothing":
            return self._insert_missing(table, rows)
        return self._change(table, plan(table.files, self._seen(table).current), merge(rows, matched, inserts))

    def insert_overwrite(self, rows: Rows, dynamic: bool = False) -> CommandResult:
        """`INSERT OVERWRITE t VALUES rows`: of everything, or of the partitions of these rows (`dynamic`)."""
        table = self._load()
        if dynamic:
            return self._run(table, plans.replace_partitions(table, rows, "none", None))
        return self._run(table, plans.overwrite(table, rows, "none", "filter", (), None))

    def rewrite_data_files(self, limits: Limits | None = None) -> CommandResult:
        """`CALL system.rewrite_data_files(t)` of all data files. Args: `limits`: of partial progress (None: none)."""
        table = self._load()
        start = self._scan_again(table).current_snapshot_id
        if limits:
            return rewrite_in_commits(table, start, limits)
        if not plan(table.files, table.metadata.current):
            return CommandResult(start)
        return self._run(table, plans.compact(table, start, pinned=True, in_spark=True))

    def rewrite_position_delete_files(self) -> CommandResult:
        """`CALL system.rewrite_position_delete_files(t)` of all position delete files."""
        table = self._load()
        command, planned = CommandResult(table.metadata.current_snapshot_id), rewrite_position_deletes(table)
        return command if planned is None else self._commit(table, planned[0], command, planned[1])

    def rewrite_manifests(self) -> CommandResult:
        """`CALL system.rewrite_manifests(t)`."""
        return rewrite_manifests(self.loaded())

    def expire_snapshots(self, chosen: Chosen) -> CommandResult:
        """`CALL system.expire_snapshots(t)`. Args: `chosen` says which."""
        return expire_snapshots(self.loaded(), chosen)

    def drop_table_purge(self) -> CommandResult:
        """`DROP TABLE t PURGE`: it looks whether there is a table, and loads it; the cache forgets it."""
        table = self._load()
        self._scan_again(table)
        if self.cache is not None:
            self.cache.clear()
        return purge_table(table)

    def alter_partition_field(self, dropped: Field | None, added: Field | None) -> CommandResult:
        """`ALTER TABLE t DROP PARTITION FIELD dropped`, `ADD PARTITION FIELD added`, or `REPLACE` of one by the other.

        Source: `DropPartitionFieldExec`, `AddPartitionFieldExec`, `ReplacePartitionFieldExec`.
        """
        table = self._load()
        return run(plans.alter_spec(table, dropped, added), table)

    def loaded(self) -> IcebergTable:
        """The table as a procedure is given it: loaded, or as the session has it."""
        return self._load()

    def remove_orphan_files(self, old: Collection[str]) -> CommandResult:
        """`CALL system.remove_orphan_files(t)`. Args: `old`: the paths that are old enough to go."""
        return remove_orphans(self.loaded(), old)

    def select(self) -> CommandResult:
        """`SELECT * FROM t`: its scan refreshes the table that its planning has loaded, and reads that."""
        table = self._load()
        metadata = self.target.seen(self._scan_again(table))
        return CommandResult(metadata.current_snapshot_id, reads=as_reads(read_rows(table.files, metadata)))

    def read_at(self, at: At, by: By) -> CommandResult:
        """`SELECT * FROM t VERSION AS OF at`, a snapshot or a ref, or `TIMESTAMP AS OF` a time."""
        table = self._load()
        return read_version(table, at, by, lambda: self._scan_again(table))

    def read_since(self, what: Since, start: int, end: int | None) -> CommandResult:
        """SELECT with the options `start-snapshot-id` and, if it is said, `end-snapshot-id`."""
        table = self._load()
        return read_between(table, what, start, end, lambda: self._scan_again(table))

    def _load(self) -> IcebergTable:
        if self.cache:
            self.world.coverage.hit(coverage.TABLE_CACHED)
            table = self.cache[0]
            table.command = None  # of the one before
            self.opened.append(table)
            return table
        table = open_table(self.world, self.name, catalog=self.catalog, rules=self.rules)
        self.opened.append(table)
        self.world.notes.intend(TO_PLAN)
        self.target.require(table.ops.refresh())
        if self.cache is not None:
            self.cache.append(table)
        return table

    def _scan_again(self, table: IcebergTable) -> TableMetadata:
        """The table as a scan finds it that is built behind the first one."""
        if self.cache is not None:
            return table.metadata
        self.world.notes.intend(TO_SCAN_AGAIN)
        return table.ops.refresh()

    def _delete_files(self, table: IcebergTable, row_filter: Expression, ids: tuple[int, ...]) -> CommandResult:
        command = CommandResult(self._seen(table).current_snapshot_id, writes=tuple([(key, None) for key in ids]))
        return self._commit(table, DeleteFiles(table).delete_from_row_filter(row_filter), command, [])

    def _append(self, table: IcebergTable, rows: Rows, command: CommandResult) -> CommandResult:
        """A merge append of these rows, if any. A command that has read starts where it has read."""
        producer = MergeAppend(table)
        producer.starts_at_commit = not command.reads
        files = write_data_files(table, rows) if rows else ()
        for file in files:
            producer.append_file(file)
        return self._commit(table, producer, command, [*files])

    def _insert_missing(self, table: IcebergTable, rows: Rows) -> CommandResult:
        """An append of the rows whose ids a scan does not find. Nothing compares what others have added since.

        Source: Spark's `RewriteMergeIntoTable`: `AppendData` of a left anti join; iceberg#12653.
        """
        metadata = self.target.seen(self._scan_again(table))
        change = merge(rows, "nothing", inserts=True)
        found = tuple([row for row in read_rows(table.files, metadata) if row[0] in change.ids])
        missing = change.missing(found)
        reads = as_reads(found, *change.ids)
        return self._append(table, missing, CommandResult(metadata.current_snapshot_id, reads=reads, writes=missing))

    def _run(self, table: IcebergTable, planned: Planned) -> CommandResult:
        """Commit what has been planned with the files that it adds."""
        assert isinstance(planned.update, MergingProducer)
        command = planned.command._replace(start=self._seen(table).current_snapshot_id)
        return self._commit(table, planned.update, command, [*planned.update.added_data.values()])

    def _change(self, table: IcebergTable, tasks: tuple[ScanTask, ...], change: Change) -> CommandResult:
        planned, spec = table.metadata, table.metadata.partitioning.spec
        scanned = self._seen(table).current_snapshot_id
        producer: SnapshotProducer
        if self.mode == "copy-on-write":
            self._scan_again(table)
            found, start, rows = filter_groups(table, self.target, planned, tasks, change)
            producer, written = copy_on_write(table, found, change, scanned, self.isolation, spec)
        else:
            found, start, rows = unfiltered(find(table, tasks, change), scanned)
            producer, written = merge_on_read(table, found, change, scanned, self.isolation, self.rules)
        command = CommandResult(start, reads=as_reads(rows, *change.ids), writes=change.writes(rows))
        try:
            return self._commit(table, producer, command, written)
        except IcebergError as error:
            if error.definite and error.result:
                error.result = error.result._replace(start=scanned)  # refused for what came since its pinned scan
            raise

    def _seen(self, table: IcebergTable) -> TableMetadata:
        return self.target.seen(table.metadata)

    def _commit(
        self, table: IcebergTable, producer: SnapshotProducer, command: CommandResult, written: Written
    ) -> CommandResult:
        self.target.aim(producer)
        try:
            return run_commit(producer, command)
        except IcebergError as error:
            self.abort(table, list(dict.fromkeys([container(file.path) for file in written])), error)
            raise

    def abort(self, table: IcebergTable, paths: list[str], error: IcebergError) -> None:
        """Clean up. Source: iceberg/2.4; `SparkWrite.abort`, `SparkPositionDeltaWrite.abort` (#10373)."""
        if error.cleanable:
            self.world.coverage.hit(coverage.ABORT_DELETED_FILES)
            table.files.delete_quietly(paths)
        else:
            self.world.coverage.hit(coverage.ABORT_KEPT_FILES)
