"""Mutants of merge-on-read tables and compaction; see `tests.mutants.hudi`."""

from typing import Any

from model.hudi import markers, views
from model.hudi.compaction import CompactionClient
from model.hudi.names import BaseFile, DataFile, LogFile, parse_data_file
from model.hudi.rules import SHIPPED
from model.hudi.slices import FileSlice, file_slices
from model.hudi.timeline import Timeline
from model.hudi.write import DataWriter
from model.hudi.written import Written
from tests.mutants.mutant import Mutant, Patch

COMPACT, MARKED = DataWriter.compact, markers.marked_files
Names = tuple[str, ...]


def backwards(names: Names, *given: Any, **more: Any) -> tuple[FileSlice, ...]:
    """The first log file is merged last."""
    return tuple([each._replace(logs=each.logs[::-1]) for each in file_slices(names, *given, **more)])


def by_request(names: Names, *given: Any, **more: Any) -> tuple[FileSlice, ...]:
    """A log file belongs to the slice that was the newest when its write began."""
    found = file_slices(names, *given, **more)
    return tuple([FileSlice(one.base, tuple([log for log in one.logs if log.instant >= one.instant])) for one in found])


def bases_alone(names: Names, *given: Any, **more: Any) -> tuple[FileSlice, ...]:
    """Nobody merges."""
    return tuple([FileSlice(each.base) for each in file_slices(names, *given, **more) if each.base])


def whoever_wrote(names: Names, *given: Any, **more: Any) -> tuple[FileSlice, ...]:
    """Log files count from when they are there."""
    logs = [file for file in map(parse_data_file, names) if isinstance(file, LogFile)]
    found = file_slices(names, *given, **more)
    own = [[log for log in logs if log.file_id == one.file_id and log not in one.logs] for one in found]
    return tuple([FileSlice(each.base, (*each.logs, *more)) for each, more in zip(found, own, strict=True)])


def without_logs(
    writer: DataWriter, slices: tuple[tuple[str, FileSlice], ...], instant: int, start: Timeline
) -> Written:  # fmt: skip
    """A compaction writes the base file once more."""
    return COMPACT(writer, tuple([(name, FileSlice(each.base)) for name, each in slices]), instant, start)


def unclaimed(client: CompactionClient, instant: int) -> Timeline:
    """Whoever finds a plan carries it out."""
    return client.timeline.load()


def bases_marked(names: tuple[str, ...]) -> tuple[DataFile, ...]:
    """The markers of log files are not known."""
    return tuple([file for file in MARKED(names) if isinstance(file, BaseFile)])


def nothing(client: CompactionClient, instant: int) -> None:
    """It stays."""


def _merging(variant: Any) -> tuple[Patch, ...]:
    return ((views, "file_slices", variant),)


MERGE_ON_READ_MUTANTS: tuple[Mutant, ...] = (
    Mutant("logs-merged-backwards", "an older value is merged over a newer one", _merging(backwards), SHIPPED),
    Mutant("log-in-older-slice", "what was under way when a compaction was planned is lost", (
        *_merging(by_request),
    ), SHIPPED),
    Mutant("reader-forgets-logs", "what is not compacted is lost", _merging(bases_alone), SHIPPED),
    Mutant("uncommitted-logs-merged", "what was refused is read", _merging(whoever_wrote), SHIPPED),
    Mutant("compacts-without-logs", "what is compacted is lost", ((DataWriter, "compact", without_logs),), SHIPPED),
    Mutant("executors-do-not-look", "two carry out one plan", ((CompactionClient, "_claimed", unclaimed),), SHIPPED),
    Mutant("rollback-leaves-logs", "log files stay", ((markers, "marked_files", bases_marked),), SHIPPED),
    Mutant("compaction-heartbeat-stays", "a plan's heartbeat stays", (
        (CompactionClient, "_delete_heartbeat", nothing),
    ), SHIPPED),
    Mutant("compaction-markers-stay", "markers stay", ((CompactionClient, "_delete_markers", nothing),), SHIPPED),
)  # fmt: skip
