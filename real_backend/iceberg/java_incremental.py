"""Incremental scans of the real Java API, from the snapshot that a table was loaded at to the current one."""

from typing import Any

from real_backend.iceberg.java_files import JavaFiles, iterate
from real_backend.iceberg.java_seen import snapshots_seen
from real_backend.iceberg.live_run import sorted_rows
from sim.iceberg.ages import time_before
from sim.iceberg.incremental import OfPast, ReadAt, ReadSince
from sim.iceberg.workload import Rows

SIGNS = {"INSERT": "+", "DELETE": "-"}


def read_past(files: JavaFiles, table: Any, reads: OfPast, begun_ms: int) -> tuple[Rows]:
    """What came since, or what was, in the words of the model. Args: `begun_ms`: the time that ages count from.

    Raises what Java throws.
    """
    return _read_at(files, table, reads, begun_ms) if isinstance(reads, ReadAt) else _read_since(files, table, reads)


def _read_at(files: JavaFiles, table: Any, reads: ReadAt, begun_ms: int) -> tuple[Rows]:
    at = snapshots_seen(table).below(reads.back)
    table.refresh()
    if reads.ref:
        at = int(table.newScan().useRef(reads.ref).snapshot().snapshotId())
        if table.refs().get(reads.ref).isBranch():
            return (files.rows_of_branch(table, reads.ref),)
    if reads.age_h is not None:
        at = int(table.newScan().asOfTime(time_before(reads.age_h, begun_ms)).snapshot().snapshotId())
    return (files.rows(table, at),)


def _read_since(files: JavaFiles, table: Any, reads: ReadSince) -> tuple[Rows]:
    start = int(table.currentSnapshot().snapshotId())
    table.refresh()
    if int(table.currentSnapshot().snapshotId()) == start:
        return ((),)
    if reads.what == "appends":
        tasks = iterate(table.newIncrementalAppendScan().fromSnapshotExclusive(start).planFiles())
        return (sorted_rows(row for task in tasks for row in _rows(files, table, task.file())),)
    tasks = iterate(table.newIncrementalChangelogScan().fromSnapshotExclusive(start).planFiles())
    found = [
        (int(task.changeOrdinal()), key, f"{SIGNS[str(task.operation())]}{value}")
        for task in tasks
        for key, value in _rows(files, table, task.file())
    ]
    return (tuple([(key, value) for _, key, value in sorted(found)]),)


def _rows(files: JavaFiles, table: Any, file: Any) -> Rows:
    """The rows of a file that is there. Raises: Java's error if it is gone."""
    table.io().newInputFile(str(file.location())).getLength()
    return files.rows_in(file)
