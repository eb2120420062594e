"""How a copy-on-write command of Spark SQL finds the files that it rewrites: by another scan, of what is current then.

That scan refreshes the table that the command has planned on; its pinned scan must still be of the snapshot that it
compares itself with, and keeps, of its own files, those in which the other one has found rows. Where the other one is
of another snapshot, it may keep none, and the command writes nothing, or inserts what it has not found.

Source: for Spark 3.5 of 1.11.0 `SparkTable.newScanBuilder` (`refreshEagerly`), `SparkCopyOnWriteScan.filter`; Spark's
`RowLevelOperationRuntimeGroupFiltering`.

Choices: what such a command was to do is told by the rows that its other scan has found.
"""

from collections.abc import Iterable
from typing import NamedTuple

from model.iceberg import coverage
from model.iceberg.errors import InvalidOperation
from model.iceberg.files import Rows
from model.iceberg.metadata import TableMetadata
from model.iceberg.result import CommandResult
from model.iceberg.scan import ScanTask, plan
from model.iceberg.spark_changes import Change, Found, find, rows_of
from model.iceberg.spark_target import Target
from model.iceberg.table import IcebergTable


class Filtered(NamedTuple):
    """What is left of a pinned scan. Fields: the tasks with rows; the snapshot of the other scan, and its rows."""

    found: list[Found]
    start: int | None
    rows: Rows


def unfiltered(found: Iterable[Found], start: int | None) -> Filtered:
    """What a scan of one snapshot has found."""
    tasks = list(found)
    return Filtered(tasks, start, rows_of(tasks))


def filter_groups(
    table: IcebergTable, target: Target, planned: TableMetadata, tasks: tuple[ScanTask, ...], change: Change
) -> Filtered:
    """The tasks of the pinned scan that stay, of a table that has been loaded again.

    Args: `planned`: the table as the pinned scan was planned on it; `tasks`: of that. Raises: `InvalidOperation` if
    its snapshot is not current any more.
    """
    scanned = target.seen(planned).current_snapshot_id
    pinned = target if table.rules.pinned_scan_asks_again else target.pinned(planned)
    current = pinned.seen(table.metadata).current_snapshot_id
    if current != scanned:
        table.world.coverage.hit(coverage.SCAN_OUTDATED)
        error = InvalidOperation(
            f"scan of {table.location}: expected {scanned} to be current still,"
            f" got {current}: the table has been modified concurrently"
        )
        error.result = CommandResult(scanned)
        raise error
    other = target.seen(table.metadata)
    if other.current_snapshot_id == scanned:
        return unfiltered(find(table, tasks, change), scanned)
    table.world.coverage.hit(coverage.FILTERED_BY_ANOTHER_SNAPSHOT)
    by_other = list(find(table, plan(table.files, other.current, change.row_filter), change))
    paths = {task.file.path for task, _ in by_other}
    kept = tuple([task for task in tasks if task.file.path in paths])
    return Filtered(list(find(table, kept, change)), other.current_snapshot_id, rows_of(by_other))
