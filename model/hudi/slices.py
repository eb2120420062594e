"""File slices of a merge-on-read table: a base file, and the log files whose rows a reader merges into it.

A log file belongs to the newest base file whose instant is not larger than the time at which its delta commit was
completed. Log files are merged in the order of the delta commits' own instants, whenever these were completed: of two
that change one row, that of the larger instant counts; in the order of events, the larger value.

A file group without a base file, as non-blocking writers begin one, has log files alone. It begins with the first of
them, in that order, whoever wrote it: as long as that write is pending nobody sees the group, whatever else of it has
been committed (#19774; repaired after 1.2.0).

Source: hudi/1.3, hudi/1.5; `HoodieFileGroup.getBaseInstantTime`, `addLogFile`, `isFileSliceCommitted`,
`HoodieLogFile.LogFileComparator`, `AbstractTableFileSystemView.buildFileGroups`, `fetchMergedFileSlice` (1.2.0);
hudi/2.8.

Choices: of a file group with a base file a pending compaction is not looked at, for the slice that it begins, without a
base file as yet, is merged with the one before it.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from model.hudi.errors import StorageFailed
from model.hudi.file_groups import Changes, Group, WriteStat, latest_slices
from model.hudi.log_blocks import blocks_in_place, rows_in
from model.hudi.meanings import ReadsSlice
from model.hudi.names import BaseFile, DataFile, LogFile, parse_data_file
from model.hudi.storage import TableStorage
from model.hudi.timeline import Timeline
from model.ports import Body


class FileSlice(NamedTuple):
    """A base file, if there is one, and its log files in the order in which they are merged. `begun`: the base instant
    of one without."""

    base: BaseFile | None
    logs: tuple[LogFile, ...] = ()
    begun: int = 0

    @property
    def files(self) -> tuple[DataFile, ...]:
        """In the order in which they are merged."""
        return (*((self.base,) if self.base else ()), *self.logs)

    @property
    def file_id(self) -> str:
        """That of its file group."""
        return (self.base or self.logs[0]).file_id

    @property
    def instant(self) -> int:
        """Its base instant."""
        return self.base.instant if self.base else self.begun

    @property
    def newest(self) -> int:
        """The largest instant that wrote a file of it."""
        return max([self.instant, *[log.instant for log in self.logs]])


class CompactionPlan(NamedTuple):
    """What a compaction will do: write each of these slices, with its partition, into a base file of its own."""

    slices: tuple[tuple[str, FileSlice], ...]

    @property
    def groups(self) -> frozenset[Group]:
        """The file groups that are to be compacted."""
        return frozenset([(partition, each.file_id) for partition, each in self.slices])


def slices_named(stats: Iterable[WriteStat]) -> tuple[FileSlice, ...]:
    """The slices of a plan that names each of their files, in its order."""
    found: dict[str, FileSlice] = {}
    for stat in stats:
        file = parse_data_file(stat.path.rpartition("/")[2])
        assert file is not None, stat.path
        if isinstance(file, BaseFile):
            found[stat.file_id] = FileSlice(file)
        else:
            begun = found.get(stat.file_id) or FileSlice(None, (), stat.previous or 0)
            found[stat.file_id] = begun._replace(logs=(*begun.logs, file))
    return tuple(found.values())


@lru_cache(maxsize=1 << 16)
def file_slices(
    names: tuple[str, ...], timeline: Timeline, replaced: frozenset[str] = frozenset(),
    planned: frozenset[tuple[str, int]] = frozenset(), *, pending_log_hides: bool = True,
) -> tuple[FileSlice, ...]:  # fmt: skip
    """The newest visible slice of each group in a partition listing, by file id; none of those replaced.

    Args: `planned`: file ids of pending compactions, with the instant of the plan; `pending_log_hides`: of a group
    without a base file its first log file, if it is pending.
    """
    bases = latest_slices(names, timeline, replaced)
    logs = sorted([file for file in map(parse_data_file, names) if isinstance(file, LogFile)], key=_merging_order)
    visible_at = {instant.requested: instant.visible_at for instant in timeline.completed} if logs else {}

    def logs_of(base: BaseFile) -> tuple[LogFile, ...]:
        own = [log for log in logs if log.file_id == base.file_id]
        return tuple([log for log in own if visible_at.get(log.instant, -1) >= base.instant])

    found = [FileSlice(base, logs_of(base)) for base in bases]
    for file_id in dict.fromkeys([log.file_id for log in logs]):
        if file_id not in replaced and all(base.file_id != file_id for base in bases):
            own = [log for log in logs if log.file_id == file_id]
            begun = _begun(names, file_id, planned)
            found += _without_base(own, timeline, visible_at, begun, pending_log_hides)
    return tuple(sorted(found, key=lambda each: each.file_id))


def lacks_bases(names: tuple[str, ...], timeline: Timeline) -> bool:
    """Whether a listing has log files of file groups without a base file that is visible."""
    files = [file for file in map(parse_data_file, names) if file is not None]
    based = {file.file_id for file in files if isinstance(file, BaseFile) and timeline.has_completed(file.instant)}
    return any(file.file_id not in based for file in files)


def _begun(names: tuple[str, ...], file_id: str, planned: frozenset[tuple[str, int]]) -> dict[int, bool]:
    """The slices of a group that are there before its log files are looked at, by instant, and whether a pending
    compaction begins them: those, and those of base files that nobody has committed."""
    files = [file for file in map(parse_data_file, names) if isinstance(file, BaseFile) and file.file_id == file_id]
    plans = [instant for group, instant in planned if group == file_id]
    return {**{file.instant: False for file in files}, **dict.fromkeys(plans, True)}


def _without_base(
    logs: list[LogFile], timeline: Timeline, visible_at: dict[int, int], begun: dict[int, bool], pending_log_hides: bool
) -> list[FileSlice]:  # fmt: skip
    """A group's newest visible slice, merged with the one before it where a pending compaction begins it."""
    slices: dict[int, list[LogFile]] = {instant: [] for instant in begun}
    for log in logs:
        completed = visible_at.get(log.instant)
        if completed is None:
            instant = max(slices, default=log.instant)
        else:
            instant = max([each for each in slices if each <= completed], default=log.instant)
        slices.setdefault(instant, []).append(log)
    kept: list[LogFile] = []
    for instant in sorted(slices, reverse=True):
        committed = [log for log in slices[instant] if log.instant in visible_at]
        planned = begun.get(instant, False)
        if planned or timeline.has_completed(instant) or (committed and not pending_log_hides):
            kept += committed
            if not planned:
                return [FileSlice(None, tuple(sorted(kept, key=_merging_order)), instant)] if kept else []
    return []


def _merging_order(log: LogFile) -> tuple[int, int, str]:
    return log.instant, log.number, log.token


def merged_rows(storage: TableStorage, partition: str, each: FileSlice, *, by_event_time: bool) -> dict[str, str]:
    """The rows of a slice: those of its base file, and over them those of its log files. Raises: StorageFailed."""
    return merged(each, lambda file: body_of(storage, partition, file), by_event_time=by_event_time)


def merged(each: FileSlice, read: Callable[[DataFile], Body], *, by_event_time: bool) -> dict[str, str]:
    """The rows of a slice. Args: `read`: a file's content."""
    base = rows_in(read(each.base)) if each.base else ()
    blocks = blocks_in_place([(log.instant, read(log)) for log in each.logs])
    found = folded([base, *[block.rows for block in blocks]], by_event_time=by_event_time)
    return {key: value for key, value in found.items() if value is not None}


def folded(bodies: Iterable[Changes], *, by_event_time: bool) -> dict[str, str | None]:
    """The rows of files and blocks, and those that are deleted. Args: `bodies`: theirs, in the order in which they are
    merged."""
    rows: dict[str, str | None] = {}
    for body in bodies:
        for key, value in body:
            known = rows.get(key)
            rows[key] = max(value, known) if by_event_time and value is not None and known is not None else value
    return rows


def rows_of(storage: TableStorage, partition: str, file: BaseFile) -> dict[str, str]:
    """The rows of a base file that is visible. Raises: StorageFailed, also if it is gone by now."""
    return {key: value for key, value in rows_in(body_of(storage, partition, file)) if value is not None}


def body_of(storage: TableStorage, partition: str, file: DataFile) -> Body:
    """What a data file that is visible holds. Raises: StorageFailed, also if it is gone by now."""
    path = f"{partition}/{file.name}"
    storage.notes.intend(ReadsSlice(file))
    body: Body = storage.read(path)
    if body is None:
        raise StorageFailed(f"read {path}: expected the file of a visible slice, it is gone")
    return body
