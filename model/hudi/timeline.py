"""The timeline: instants, their states, and the questions that writers and readers ask of it.

A timeline is what one listing of its folder showed; loading it again is another listing. An instant that has files of
several states is in the latest of them.

Source: hudi/1.1, hudi/1.3; `ActiveTimelineV2`, `CompletionTimeQueryViewV2`.

Choices: what is archived nobody looks up but who reads files (`has_completed`). In layout 1 an instant has no
completion time, and its requested time stands for it, as version 6 readers use it.
"""

from functools import lru_cache
from typing import NamedTuple

from model.hudi.names import (
    CLEANING,
    CLUSTERING,
    COMMIT,
    COMPACTION,
    COMPLETED,
    DELTA_COMMIT,
    LOG_COMPACTION,
    REPLACE_COMMIT,
    REQUESTED,
    RESTORE,
    ROLLBACK,
    SAVEPOINT,
    parse_instant_file,
    text,
)

WRITES = (COMMIT, DELTA_COMMIT, REPLACE_COMMIT, CLUSTERING)
REPLACEMENTS = (REPLACE_COMMIT, CLUSTERING)
UNCHECKED = (*REPLACEMENTS, COMPACTION)
"""What early detection leaves alone while it is pending."""
SERVICES = (CLEANING, RESTORE, ROLLBACK, SAVEPOINT)
ORDER = {REQUESTED: 0, "inflight": 1, COMPLETED: 2}


class Instant(NamedTuple):
    """An action at a time. `completed`: the completion time, None unless state is completed and the layout has one."""

    requested: int
    action: str
    state: str
    completed: int | None = None

    @property
    def is_completed(self) -> bool:
        return self.state == COMPLETED

    @property
    def visible_at(self) -> int:
        """The time by which readers order a completed instant."""
        return self.requested if self.completed is None else self.completed

    @property
    def name(self) -> str:
        """Its name as a version of the table: requested and completion time."""
        return text(self.requested) if self.completed is None else f"{text(self.requested)}_{text(self.completed)}"


class Timeline:
    """Instants in the order of their requested times. Immutable; equal listings share one object."""

    __slots__ = (
        "cleans", "completed", "completed_times", "instants", "log_compactions", "newest", "pending",
        "pending_unchecked", "restores", "rollbacks", "savepoints",
    )  # fmt: skip

    def __init__(self, instants: tuple[Instant, ...], log_compactions: tuple[int, ...] = ()) -> None:
        """Args: `log_compactions`: the times of those, pending and completed, the oldest first."""
        self.instants = instants
        self.log_compactions = log_compactions
        writes = [instant for instant in instants if instant.action in WRITES]
        self.completed = tuple([instant for instant in writes if instant.state == COMPLETED])
        self.completed_times = frozenset([instant.requested for instant in self.completed])
        self.pending = tuple([i for i in instants if i.state != COMPLETED and i.action not in SERVICES])
        self.pending_unchecked = frozenset([i.requested for i in self.pending if i.action in UNCHECKED])
        self.rollbacks = tuple([instant for instant in instants if instant.action == ROLLBACK])
        self.restores = tuple([instant for instant in instants if instant.action == RESTORE])
        self.cleans = tuple([instant for instant in instants if instant.action == CLEANING])
        self.savepoints = tuple([i for i in instants if i.action == SAVEPOINT and i.state == COMPLETED])
        self.newest = max(self.completed, key=_visible, default=None)

    @property
    def last_completed(self) -> int | None:
        """The largest requested time of a completed write, which bounds what conflicts are looked for."""
        return self.completed[-1].requested if self.completed else None

    @property
    def oldest_pending(self) -> int | None:
        """The smallest requested time of a pending write; None if there is none."""
        return min([instant.requested for instant in self.pending], default=None)

    @property
    def pending_compactions(self) -> tuple[int, ...]:
        """The requested times of the compactions that are planned or under way, the oldest first."""
        return tuple([instant.requested for instant in self.pending if instant.action == COMPACTION])

    def oldest_plan(self, action: str) -> int | None:
        """The first instant of a service's action that is planned or under way; None if there is none."""
        return next((each.requested for each in self.pending if each.action == action), None)

    def back(self, count: int) -> Instant:
        """The completed write so many before the one of the largest requested time; the first one, if there are fewer.

        Raises: IndexError if there is none.
        """
        return self.completed[max(0, len(self.completed) - 1 - count)]

    def last_before(self, time: int) -> int | None:
        """The largest requested time of a completed write before that time; None if there is none."""
        return max([instant.requested for instant in self.completed if instant.requested < time], default=None)

    def has_completed(self, requested: int) -> bool:
        """Whether a write of this time is completed, or older than all that are: then it was archived, or is taken to
        have been (`containsOrBeforeTimelineStarts`)."""
        return requested in self.completed_times or self.is_before_start(requested)

    def is_before_start(self, requested: int) -> bool:
        """Whether a time is before all completed writes."""
        return bool(self.completed) and requested < self.completed[0].requested

    def pending_times(self, without: int) -> frozenset[int]:
        """Requested times of the pending instants other than `without`: the second half of a conflict snapshot."""
        return frozenset([instant.requested for instant in self.pending if instant.requested != without])

    def is_pending(self, requested: int) -> bool:
        """Whether a write of this time is requested or inflight, and not completed."""
        return requested not in self.completed_times and any(i.requested == requested for i in self.pending)

    def in_order(self) -> tuple[Instant, ...]:
        """Completed writes in the order in which readers may see them."""
        return tuple(sorted(self.completed, key=_visible))


def _visible(instant: Instant) -> tuple[int, int]:
    return instant.visible_at, instant.requested


@lru_cache(maxsize=1 << 16)
def parse_timeline(names: tuple[str, ...]) -> Timeline:
    """The timeline that a listing shows."""
    latest: dict[tuple[int, str], Instant] = {}
    completed: list[Instant] = []
    for name in names:
        file = parse_instant_file(name)
        if file is None:
            continue
        instant = Instant(*file)
        if instant.state == COMPLETED:
            completed.append(instant)  # two completions of one instant have two names in layout 2
            continue
        key = instant.requested, instant.action
        if key not in latest or ORDER[latest[key].state] < ORDER[instant.state]:
            latest[key] = instant
    done = {instant.requested for instant in completed}
    # A compaction completes as `commit`, log compaction as `deltacommit` and clustering as `replacecommit`, so a
    # completed file of whatever action ends the pending instant of its time; a rollback's time is its own.
    pending = [instant for instant in latest.values() if instant.requested not in done]
    logs = tuple(sorted([requested for requested, action in latest if action == LOG_COMPACTION]))
    return Timeline(tuple(sorted([*pending, *completed], key=_requested)), logs)


def last_compaction(seen: Timeline) -> int | None:
    """The instant of the last completed compaction of a merge-on-read table; None if there was none."""
    return max([each.requested for each in seen.completed if each.action == COMMIT], default=None)


def deltas_since_compaction(seen: Timeline) -> list[Instant]:
    """The delta commits that were completed after the instant of the last completed compaction; all, if there was
    none.

    Source: `CompactionUtils.getCompletedDeltaCommitsSinceLatestCompaction` (1.2.0).
    """
    last = last_compaction(seen)
    return [each for each in seen.completed if each.action == DELTA_COMMIT and (last is None or each.visible_at > last)]


def _requested(instant: Instant) -> tuple[int, str, int]:
    return instant.requested, instant.action, instant.completed or 0
