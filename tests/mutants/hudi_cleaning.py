"""Mutants of cleaning; see `tests.mutants.hudi`."""

from model.hudi import cleaning
from model.hudi.names import parse_base_file
from model.hudi.rules import NAMED_FILES_CLEANED, SHIPPED
from model.hudi.timeline import Timeline
from tests.mutants.mutant import Mutant


def pending_too(name: str, names: tuple[str, ...], hidden: dict[str, int], seen: Timeline, earliest: int) -> bool:
    """A file that no commit names yet goes as well."""
    file = parse_base_file(name)
    unknown = file is not None and file.instant not in seen.completed_times
    return unknown or GOES(name, names, hidden, seen, earliest)


def newest_too(name: str, names: tuple[str, ...], hidden: dict[str, int], seen: Timeline, earliest: int) -> bool:
    """A slice older than what is retained goes, though there is none newer."""
    file = parse_base_file(name)
    return file is not None and file.instant in seen.completed_times and file.instant < earliest


def hidden_alone(names: tuple[str, ...], hidden: dict[str, int], earliest: int) -> bool:
    """A partition is empty if no committed file is in it."""
    files = [file for name in names if (file := parse_base_file(name)) is not None]
    return any(file.file_id in hidden and hidden[file.file_id] < earliest for file in files)


GOES = cleaning._goes
CLEANING_MUTANTS: tuple[Mutant, ...] = (
    Mutant("cleans-pending-files", "what is being written goes", (
        (cleaning, "_goes", pending_too),
    ), NAMED_FILES_CLEANED),
    Mutant("cleans-newest-slice", "an old slice is the newest one", ((cleaning, "_goes", newest_too),), SHIPPED),
    Mutant("cleans-partition-in-use", "a partition is deleted that holds new rows", (
        (cleaning, "_is_empty", hidden_alone),
    ), SHIPPED),
)  # fmt: skip
