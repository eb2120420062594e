"""The files of the metadata table's `files` partition, and which of them are its newest slice.

A slice is a base file, which a compaction has written, and the log files of the delta commits that were completed at
its instant or later. A base file whose compaction is not completed is none.

Source: hudi/1.3; `HoodieFileGroup.addLogFile`, `HoodieTableMetadataUtil.getPartitionLatestMergedFileSlices`,
`getValidInstantTimestamps`, `CompactHelpers.getInstantRange` (1.2.0).

Choices: one file group, one log file for each delta commit; a base file is named as those of the data table are, where
Hudi's is an HFile.
"""

from typing import NamedTuple

from model.hudi.metadata_records import Compacted, FilesRecord
from model.hudi.names import COMMIT, DELTA_COMMIT, BaseFile, LogFile, parse_data_file
from model.hudi.storage import TableStorage
from model.hudi.timeline import Timeline

LOG, BASE = "log", "base"
FILES, FILE_ID, TOKEN = "files", "files-0000-0", "0-0-0"


class OfMetadata(NamedTuple):
    """A step on the metadata table: the file of a state of one of its instants."""

    instant: int
    action: str
    state: str


class MetadataSlice(NamedTuple):
    """A base file, if there is one, and log files in the order of their instants. It is also a compaction's plan."""

    base: BaseFile | None
    logs: tuple[LogFile, ...]

    @property
    def instant(self) -> int:
        """Its base instant; that of the table's first delta commit, if it has no base file."""
        return 0 if self.base is None else self.base.instant


def is_made_anew(own: Timeline) -> bool:
    """Whether the table is not the one that was there from the beginning."""
    return any(each.requested == 0 and each.visible_at > 0 for each in own.completed)


def log_path(instant: int, number: int = 1) -> str:
    """The log file of a delta commit; each executor of one instant has one of its own."""
    return f"{FILES}/{LogFile(FILE_ID, TOKEN, instant, number).name}"


def logs_of(instant: int, names: tuple[str, ...]) -> tuple[str, ...]:
    """The log files of a delta commit in a listing."""
    files = [file for name in names if isinstance(file := parse_data_file(name), LogFile)]
    return tuple([f"{FILES}/{file.name}" for file in files if file.instant == instant])


def base_path(file: BaseFile) -> str:
    """The path of a base file."""
    return f"{FILES}/{file.name}"


def paths_of(each: MetadataSlice) -> tuple[str, ...]:
    """The files of a slice."""
    base = () if each.base is None else (base_path(each.base),)
    return (*base, *[f"{FILES}/{log.name}" for log in each.logs])


def base_files(names: tuple[str, ...]) -> list[BaseFile]:
    """The base files of a listing."""
    return [file for name in names if isinstance(file := parse_data_file(name), BaseFile)]


def newest_slice(own: Timeline, names: tuple[str, ...]) -> MetadataSlice:
    """The newest slice of a listing, by the metadata table's own timeline."""
    done = {each.requested for each in own.completed if each.action == COMMIT}
    base = max([file for file in base_files(names) if file.instant in done], key=_instant, default=None)
    times = {each.requested: each.visible_at for each in own.completed if each.action == DELTA_COMMIT}
    since = -1 if base is None else base.instant
    files = [file for name in names if isinstance(file := parse_data_file(name), LogFile)]
    logs = [file for file in files if file.instant in times and _belongs(file, times[file.instant], since)]
    return MetadataSlice(base, tuple(sorted(logs, key=_instant)))


def slices_of(own: Timeline, names: tuple[str, ...]) -> list[MetadataSlice]:
    """The slices of a listing, the oldest first. The first one that there ever was is without a base file."""
    newest = newest_slice(own, names)
    if newest.base is None:
        return [newest] if newest.logs else []
    before = [name for name in names if name not in (newest.base.name, *[log.name for log in newest.logs])]
    return [*slices_of(own, tuple(before)), newest]


def read_slice(
    storage: TableStorage, each: MetadataSlice, pending: frozenset[int]
) -> tuple[list[FilesRecord], Compacted | None]:
    """What a slice's log files say, but for those of instants that are pending in the data table, and its base file.

    Raises: StorageFailed.
    """
    base = None if each.base is None else storage.read_existing(base_path(each.base))
    assert base is None or isinstance(base, Compacted), each
    records = [storage.read_existing(f"{FILES}/{log.name}") for log in each.logs if log.instant not in pending]
    return records, base


def _belongs(log: LogFile, completed: int, since: int) -> bool:
    """Whether a log file is in the slice that begins then: it is its completion that counts."""
    return completed >= since


def _instant(file: BaseFile | LogFile) -> int:
    return file.instant
