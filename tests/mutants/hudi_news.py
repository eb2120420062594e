"""Mutants of incremental reads and of time travel; see `tests.mutants.hudi`."""

from typing import Any

from model.hudi.file_groups import CleanPlan
from model.hudi.incremental import Consumer
from model.hudi.rules import SHIPPED
from model.hudi.time_travel import TimeTravel
from model.hudi.timeline import Instant, Timeline
from tests.mutants.mutant import Mutant


def requested(consumer: Consumer, each: Instant) -> int:
    """Whatever the table's version, times of requests count."""
    return each.requested


def completed(consumer: Consumer, seen: Timeline) -> tuple[Instant, ...]:
    """All that is completed, with holes between."""
    return seen.completed


def all_known(consumer: Consumer, came: Any, seen: Timeline) -> list[Any]:
    """Rows of all commits, whenever they came."""
    return [consumer._came(each) for each in seen.completed]


def everything(travel: TimeTravel, plan: CleanPlan, as_of: int) -> int:
    """Whatever a clean says, all is retained."""
    return 0


def completed_by(travel: TimeTravel, seen: Timeline, as_of: int) -> Timeline:
    """What was completed when a commit was, or before."""
    until = max([each.visible_at for each in seen.completed if each.requested == as_of], default=as_of)
    return Timeline(tuple([each for each in seen.instants if each.visible_at <= until]))


def none_archived(consumer: Consumer, seen: Timeline, until: int) -> list[Any]:
    """The history is not looked into."""
    return []


def as_they_are(travel: TimeTravel, names: Any, seen: Timeline, then: Timeline, as_of: int) -> tuple[Any, Timeline]:
    """What is archived is not committed."""
    return names, then


NEWS_MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "news-by-request", "what is completed late is missed in any version", ((Consumer, "_time_of", requested),),
        SHIPPED,
    ),
    Mutant("news-past-holes", "a hole is passed by", ((Consumer, "_without_holes", completed),), SHIPPED),
    Mutant(
        "travels-by-completion", "what was requested later is there", ((TimeTravel, "_then", completed_by),), SHIPPED,
    ),
    Mutant("travels-behind-cleans", "cleaned rows are missing", ((TimeTravel, "_retained", everything),), SHIPPED),
    Mutant("news-of-whole-files", "rows of other commits are told", ((Consumer, "_bearing", all_known),), SHIPPED),
    Mutant("archived-news-missed", "what is archived is missed", ((Consumer, "_archived", none_archived),), SHIPPED),
    Mutant("archived-past-missing", "archived rows are missing", ((TimeTravel, "_within", as_they_are),), SHIPPED),
)  # fmt: skip
