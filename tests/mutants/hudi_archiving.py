"""Mutants of archiving; see `tests.mutants.hudi`."""

from model.hudi import SavepointClient, TimelineArchiver
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.keys import MOST
from model.hudi.metadata_table import MetadataTable
from model.hudi.rules import SHIPPED
from model.hudi.timeline import Instant, Timeline
from model.hudi.variants import ARCHIVING_LOCKED, COMPLETION_MINDED, HISTORY_READ
from tests.mutants.mutant import Mutant


def by_requested_time(archiver: TimelineArchiver, writes: list[Instant], seen: Timeline) -> list[Instant]:
    """When they completed does not matter."""
    return writes


def nothing_replaced(archiver: TimelineArchiver, seen: Timeline) -> int | None:
    """What was replaced has been cleaned."""
    return None


def all_that_is_there(timeline: ActiveTimeline, seen: Timeline, names: tuple[str, ...]) -> tuple[str, ...]:
    """Whoever made it."""
    return names


def not_waited_for(table: MetadataTable) -> int:
    """A metadata table counts as compacted at all times."""
    return MOST


def as_seen_before(archiver: TimelineArchiver, seen: Timeline) -> Timeline:
    """The timeline from before the lock."""
    return seen


def lock_for_its_end(client: SavepointClient, back: int = 0) -> None:
    """The lock is had when the commit has been looked for."""
    client._make(back, client._client.with_own_lock)


ARCHIVING_MUTANTS: tuple[Mutant, ...] = (
    Mutant("archives-late-commits", "a commit completes after a writer of its file group began", (
        (TimelineArchiver, "_before_pending", by_requested_time),
    ), COMPLETION_MINDED),
    Mutant("reads-what-is-older", "a write that was rolled back goes on to write, and others are archived", (
        (ActiveTimeline, "committed_at_all", all_that_is_there),
    ), HISTORY_READ),
    Mutant("archives-what-was-replaced", "an overwrite is archived before a clean has come by", (
        (TimelineArchiver, "_first_replaced", nothing_replaced),
    ), SHIPPED),
    Mutant("archives-uncompacted", "what the metadata table was not compacted after is archived", (
        (MetadataTable, "last_compaction", not_waited_for),
    ), SHIPPED),
    Mutant("archives-by-older-timeline", "a savepoint is made, and restored to, while somebody waits to archive", (
        (TimelineArchiver, "_chosen_by", as_seen_before),
    ), ARCHIVING_LOCKED),
    Mutant("saves-what-is-being-archived", "a savepoint of a commit that is archived meanwhile", (
        (SavepointClient, "savepoint", lock_for_its_end),
    ), ARCHIVING_LOCKED),
)  # fmt: skip
