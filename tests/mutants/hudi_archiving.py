"""Mutants of archiving; see `tests.mutants.hudi`."""

from model.hudi import TimelineArchiver
from model.hudi.rules import COMPLETION_MINDED, SHIPPED
from model.hudi.timeline import Instant, Timeline
from tests.mutants.mutant import Mutant


def by_requested_time(archiver: TimelineArchiver, writes: list[Instant], seen: Timeline) -> list[Instant]:
    """When they completed does not matter."""
    return writes


def nothing_replaced(archiver: TimelineArchiver, seen: Timeline) -> int | None:
    """What was replaced has been cleaned."""
    return None


ARCHIVING_MUTANTS: tuple[Mutant, ...] = (
    Mutant("archives-late-commits", "a commit completes after a writer of its file group began", (
        (TimelineArchiver, "_before_pending", by_requested_time),
    ), COMPLETION_MINDED),
    Mutant("archives-what-was-replaced", "an overwrite is archived before a clean has come by", (
        (TimelineArchiver, "_first_replaced", nothing_replaced),
    ), SHIPPED),
)  # fmt: skip
