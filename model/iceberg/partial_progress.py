"""Spark's `rewrite_data_files` with `partial-progress.enabled`: the files of a table by their partitions, one group
each, and a commit for every so many groups.

Each commit is a rewrite of its own, validated from the snapshot that was read, and keeps that one's sequence number.
One that is refused, or whose outcome is unknown, is passed over, and the next one tried; its files are deleted where
that is safe. How many have failed is not counted, but what is missing to as many as there were to be: the groups, or
`max-commits`, whichever is less. The call fails if that is more than `max-failed-commits`, which are as many as
`max-commits` unless it is said; else it is told that it is done, also if nothing was committed.

The snapshot that was read is looked up anew for each commit: where it has expired, a `NullPointerException` takes the
place of the commit, as none that is cleanable, and the files stay.

Source: `RewriteDataFilesSparkAction.doExecuteWithPartialProgress` (3.5), `core/actions/BaseCommitService.java`,
`core/actions/RewriteDataFilesCommitManager.java` (`commitFileGroups`, `commitOrClean`),
`core/actions/BinPackRewriteFilePlanner.java` (`groupByPartition`) of 1.11.0; apache/iceberg#17202,
apache/iceberg#16971.

Choices: one group after the other (`max-concurrent-file-group-rewrites` is 1, by default 5), so that each commit is
made before the next group is read; all files of a partition are one group (`max-file-group-size-bytes`). Groups of few
files come first (`rewrite-job-order` is `files-asc`): by default their order is that of a set of Java's, another one in
each run (`StructLikeMap.entrySet`), as is that of groups of as many files; here it is that of the files.
"""

from collections.abc import Sequence
from typing import NamedTuple

from model.iceberg import coverage
from model.iceberg.api import run_commit
from model.iceberg.buckets import Bucket
from model.iceberg.errors import IcebergError, StartExpired, TooManyFailed
from model.iceberg.files import DataFile, IdRange, Partition
from model.iceberg.merging import RewriteFiles
from model.iceberg.metadata import Snapshot
from model.iceberg.partitioning import PartitionSpec
from model.iceberg.result import CommandResult
from model.iceberg.row_copies import copied, write_copies
from model.iceberg.scan import ScanTask, live_rows, plan
from model.iceberg.table import IcebergTable

Tasks = tuple[ScanTask, ...]


class Limits(NamedTuple):
    """`max-commits`, from 1, and `max-failed-commits` (None: as many)."""

    commits: int
    failed: int | None = None


class _Written(NamedTuple):
    """A group that has been written again."""

    tasks: Tasks
    files: tuple[DataFile, ...]


def rewrite_in_commits(table: IcebergTable, start: int | None, limits: Limits) -> CommandResult:
    """Rewrite all data files of the snapshot that the client knows, as far as commits succeed. Args: `start`: its id.

    Returns: the result, whose commit is the last one that was made, and `also` all others that may have been. Raises:
    `TooManyFailed`.
    """
    spec, begun = table.metadata.partitioning.spec, table.metadata.snapshot(start)
    groups = groups_of(spec, plan(table.files, table.metadata.current))
    size = _size(len(groups), limits)
    result, done, ready = CommandResult(start), 0, list[_Written]()
    for place, group in enumerate(groups, 1):
        try:
            ready.append(_rewritten(table, group, spec))
        except IcebergError:
            table.world.coverage.hit(coverage.GROUP_NOT_REWRITTEN)
        if ready and (len(ready) == size or place == len(groups)):
            result, succeeded = _committed(table, ready, start, begun, result)
            done, ready = done + succeeded, []
    failed, most = _planned(len(groups), limits) - done, limits.commits if limits.failed is None else limits.failed
    if failed > most:
        table.world.coverage.hit(coverage.TOO_MANY_FAILED)
        error = TooManyFailed(f"rewrite: expected {most} commits at most to fail, got {failed}")
        error.result = result
        raise error
    return result


def _size(groups: int, limits: Limits) -> int:
    """How many groups a commit has."""
    return -(-groups // limits.commits)


def _planned(groups: int, limits: Limits) -> int:
    """How many commits are looked for. Source: `totalCommits`; apache/iceberg#16971."""
    return min(groups, limits.commits)


def groups_of(spec: PartitionSpec, tasks: Tasks) -> tuple[Tasks, ...]:
    """The tasks by partition, those of few files first; those of files of other specs are one group."""
    groups: dict[Partition, list[ScanTask]] = {}
    for task in tasks:
        own = spec.field is not None and _spec_id(task.file.partition) == spec.spec_id
        groups.setdefault(task.file.partition if own else None, []).append(task)
    return tuple(map(tuple, _in_order([*groups.values()])))


def _in_order(groups: list[list[ScanTask]]) -> list[list[ScanTask]]:
    """Source: `RewriteFileGroup.comparator`, `FILES_ASC`."""
    return sorted(groups, key=len)


def _spec_id(partition: Partition) -> int:
    return partition.spec_id if isinstance(partition, IdRange | Bucket) else 0


def _rewritten(table: IcebergTable, tasks: Tasks, spec: PartitionSpec) -> _Written:
    kept = [copied(task, at, row) for task in tasks for at, row in live_rows(table.files, task)]
    return _Written(tasks, write_copies(table, kept, spec))


def _committed(
    table: IcebergTable, ready: Sequence[_Written], start: int | None, read: Snapshot | None, before: CommandResult
) -> tuple[CommandResult, bool]:
    """Commit these groups. Returns: the result with that commit, and whether it has succeeded."""
    earlier = before.also if before.snapshot is None else (*before.also, before.snapshot)
    command = CommandResult(start, also=earlier)
    try:
        return run_commit(_rewrite(table, ready, start, read), command), True
    except IcebergError as error:
        table.world.coverage.hit(coverage.COMMIT_PASSED_OVER)
        if error.cleanable:
            table.files.delete_quietly([file.path for group in ready for file in group.files])
        known = error.result
        if known is None or known.snapshot is None or error.definite:
            return before, False
        return before._replace(also=(*before.also, known.snapshot)), False


def _rewrite(table: IcebergTable, ready: Sequence[_Written], start: int | None, read: Snapshot | None) -> RewriteFiles:
    begun = read if table.rules.rewrite_remembers_start else table.metadata.snapshot(start)
    if begun is None:
        table.world.coverage.hit(coverage.START_EXPIRED)
        raise StartExpired(f"rewrite: expected snapshot {start} to be there, it has expired")
    producer = RewriteFiles(table).validate_from_snapshot(start).data_sequence_number(begun.sequence_number)
    for group in ready:
        for task in group.tasks:
            producer.delete_file(task.file.as_scanned())
            for vector in [one for one in task.deletes if one.is_vector]:
                producer.delete_vector(vector)
        for file in group.files:
            producer.add_file(file)
    return producer
