"""File slices of a merge-on-read table: a base file, and the log files whose rows a reader merges into it.

A log file belongs to the newest base file whose instant is not larger than the time at which its delta commit was
completed. Log files are merged in the order of the delta commits' own instants, whenever these were completed: of two
that change one row, that of the larger instant counts.

Source: hudi/1.3, hudi/1.5; `HoodieFileGroup.getBaseInstantTime`, `addLogFile`, `HoodieLogFile.LogFileComparator`,
`AbstractTableFileSystemView.fetchMergedFileSlice` (1.2.0).

Choices: a pending compaction is not looked at, for the slice that it begins, without a base file as yet, is merged with
the one before it. A log file without a base file is shown to nobody; the simple index names no such file group.
"""

from functools import lru_cache
from typing import NamedTuple

from model.hudi.errors import StorageFailed
from model.hudi.file_groups import Group, latest_slices
from model.hudi.meanings import ReadsSlice
from model.hudi.names import BaseFile, DataFile, LogFile, parse_data_file
from model.hudi.storage import TableStorage
from model.hudi.timeline import Timeline


class FileSlice(NamedTuple):
    """A base file, and its log files in the order in which they are merged."""

    base: BaseFile
    logs: tuple[LogFile, ...] = ()


class CompactionPlan(NamedTuple):
    """What a compaction will do: write each of these slices, with its partition, into a base file of its own."""

    slices: tuple[tuple[str, FileSlice], ...]

    @property
    def groups(self) -> frozenset[Group]:
        """The file groups that are to be compacted."""
        return frozenset([(partition, each.base.file_id) for partition, each in self.slices])


@lru_cache(maxsize=1 << 16)
def file_slices(
    names: tuple[str, ...], timeline: Timeline, replaced: frozenset[str] = frozenset()
) -> tuple[FileSlice, ...]:
    """The newest visible slice of each group in a partition listing, by file id; none of those replaced."""
    bases = latest_slices(names, timeline, replaced)
    logs = sorted([file for file in map(parse_data_file, names) if isinstance(file, LogFile)], key=_merging_order)
    visible_at = {instant.requested: instant.visible_at for instant in timeline.completed} if logs else {}

    def logs_of(base: BaseFile) -> tuple[LogFile, ...]:
        own = [log for log in logs if log.file_id == base.file_id]
        return tuple([log for log in own if visible_at.get(log.instant, -1) >= base.instant])

    return tuple([FileSlice(base, logs_of(base)) for base in bases])


def _merging_order(log: LogFile) -> tuple[int, int, str]:
    return log.instant, log.number, log.token


def merged_rows(storage: TableStorage, partition: str, each: FileSlice) -> dict[str, str]:
    """The rows of a slice: those of its base file, and over them those of its log files. Raises: StorageFailed."""
    rows = rows_of(storage, partition, each.base)
    for log in each.logs:
        rows |= rows_of(storage, partition, log)
    return rows


def rows_of(storage: TableStorage, partition: str, file: DataFile) -> dict[str, str]:
    """The rows of a data file that is visible. Raises: StorageFailed, also if it is gone by now."""
    path = f"{partition}/{file.name}"
    storage.notes.intend(ReadsSlice(file))
    rows = storage.read(path)
    if rows is None:
        raise StorageFailed(f"read {path}: expected the file of a visible slice, it is gone")
    return dict(rows)
