"""Archiving: completed instants that are old enough leave the active timeline, for a history that no writer looks into.

    archiver = TimelineArchiver(world, config)
    archiver.archive()
    archiver.close()

The timeline is loaded; lock; what is to go is chosen by that timeline, which is not loaded again for it; its instants
are written into the history, with what they say; their requested and inflight files go, one instant after the other,
and then the completed ones; unlock.
Who does not get the lock archives nothing, and says so in a log.

What goes: once there are more completed writes than `hoodie.keep.max.commits`, the oldest ones, until
`hoodie.keep.min.commits` are left. Both are larger where cleaning retains more; its hours count from the newest one.
None goes from the newest completed one on that is older than the oldest pending write; none from the first savepoint
on; none from the first replacecommit on that the last clean retains; none from the first one on that was completed
after the last compaction of the metadata table, and nothing at all while there was none. With them go the completed
cleans and rollbacks that are older than the last of them.

Source: `TimelineArchiverV2`, `ArchivalUtils.getMinAndMaxInstantsToKeep`,
`ClusteringUtils.getEarliestInstantToRetainForClustering`, `HoodieTableMetadata.getLatestCompactionTime` (1.2.0);
HUDI-5569, HUDI-7207.

Choices: timeline layout 2 alone. The history is a file for each time that somebody archives; Hudi merges them. What is
archived counts as completed for whoever reads files, as in Hudi: an instant is, that is older than the first completed
one of the active timeline. Left-over markers of archived instants stay. Nothing is archived beyond savepoints
(`hoodie.archive.beyond.savepoint` is false), and nothing at all where cleaning counts slices.
"""

from contextlib import suppress

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.clean_policies import earliest_to_retain
from model.hudi.client import HudiClient
from model.hudi.config import HudiConfig
from model.hudi.errors import LockFailed
from model.hudi.file_groups import Archived, CleanPlan
from model.hudi.names import COMPLETED, INFLIGHT, REQUESTED, history_path
from model.hudi.observer import UNOBSERVED, Observer
from model.hudi.rules import SHIPPED, Rules
from model.hudi.timeline import REPLACEMENTS, Instant, Timeline
from model.ports import World


class TimelineArchiver:
    """A client that archives. Raises, from every method: StorageFailed, InstantExists."""

    def __init__(
        self, world: World, config: HudiConfig, rules: Rules = SHIPPED, *, owner: str = "",
        observer: Observer = UNOBSERVED,
    ) -> None:  # fmt: skip
        self._client = HudiClient(world, config, rules, owner=owner, observer=observer)
        self._timeline: ActiveTimeline = self._client.timeline
        self._world = world
        self._config = config
        self._minds_completion = rules.archiving_minds_completion
        self._takes_lock = rules.archiving_takes_lock

    def archive(self) -> None:
        """Archive what is old enough, if there is more than enough."""
        self.archive_by(self._timeline.load())

    def archive_by(self, seen: Timeline) -> None:
        """The same by a timeline that was loaded before."""
        with suppress(LockFailed):
            self._client.transactions.begin()
            try:
                self._archive(self._chosen(self._chosen_by(seen)))
            finally:
                self._client.transactions.end()

    def close(self) -> None:
        """What every client does in the end."""
        self._client.close()

    def _archive(self, chosen: tuple[Instant, ...]) -> None:
        """Those of the instants that nobody else has archived meanwhile."""
        if not chosen:
            return
        there = self._timeline.load().instants
        going = [instant for instant in chosen if instant in there]
        if not going:
            return
        bodies = tuple([(instant, self._timeline.read_completed(instant)) for instant in going])
        self._timeline.write_history(history_path(going[0].requested, going[-1].requested), Archived(bodies))
        for instant in going:
            self._timeline.delete(instant, REQUESTED, INFLIGHT)
        for instant in going:
            self._timeline.delete(instant, COMPLETED)
        self._world.coverage.hit(coverage.ARCHIVED)

    def _chosen_by(self, seen: Timeline) -> Timeline:
        """The timeline that the choice goes by: as shipped, what was seen before the lock."""
        return self._timeline.load() if self._takes_lock else seen

    # -- what goes -----------------------------------------------------------------------------------------------

    def _chosen(self, seen: Timeline) -> tuple[Instant, ...]:
        """The instants to archive, by their requested times; none of a timeline on which nothing is completed."""
        if not seen.completed:
            return ()
        least, most = self._limits(seen)
        if len(seen.completed) <= most:
            return ()
        compacted = self._client.metadata.last_compaction()
        if compacted is None:
            self._world.coverage.hit(coverage.ARCHIVING_UNCOMPACTED)
            return ()
        end = self._first_retained(seen, compacted)
        writes = [each for each in seen.completed if end is None or each.requested < end]
        writes = self._before_pending(writes, seen)[: len(seen.completed) - least]
        if not writes:
            return ()
        others = [each for each in (*seen.cleans, *seen.rollbacks) if each.is_completed]
        older = [each for each in others if each.requested < writes[-1].requested]
        return tuple(sorted([*writes, *older]))

    def _limits(self, seen: Timeline) -> tuple[int, int]:
        """How many completed writes stay at least, and at most."""
        least, most = self._config.keep_min_commits, self._config.keep_max_commits
        earliest = earliest_to_retain(seen, self._config, seen.completed[-1].requested)
        cleaned = 0 if earliest is None else sum(each.requested > earliest for each in seen.completed) + 2
        return max(least, cleaned), max(least, cleaned) + most - least

    def _first_retained(self, seen: Timeline, compacted: int) -> int | None:
        """The instant from which on everything stays, as what was completed after the metadata table was `compacted`
        does; None if nothing has to."""
        held = _before_oldest_pending(seen)
        if held is not None:
            self._world.coverage.hit(coverage.ARCHIVING_HELD)
        later = [each.requested for each in seen.completed if each.visible_at > compacted][:1]
        found = [held, self._first_replaced(seen), *later, *[each.requested for each in seen.savepoints[:1]]]
        return min([each for each in found if each is not None], default=None)

    def _first_replaced(self, seen: Timeline) -> int | None:
        """The first replacecommit or clustering whose replaced files may not have been cleaned."""
        replacing = [each.requested for each in seen.instants if each.action in REPLACEMENTS]
        done = [clean for clean in seen.cleans if clean.is_completed]
        plan = self._timeline.read_completed(done[-1]) if replacing and done else None
        bound = self._bound(plan, seen) if isinstance(plan, CleanPlan) else 0
        return min([each for each in replacing if each >= bound], default=None)

    def _bound(self, plan: CleanPlan, seen: Timeline) -> int:
        """What the last clean retains, or its first savepoint, if something was replaced between the two."""
        assert plan.earliest is not None, "nobody archives where cleaning counts slices"
        first = min(plan.savepoints, default=plan.earliest)
        replaced = [each.requested for each in seen.completed if each.action in REPLACEMENTS]
        return first if any(first <= each <= plan.earliest for each in replaced) else plan.earliest

    def _before_pending(self, writes: list[Instant], seen: Timeline) -> list[Instant]:
        """All of them, as shipped; repaired, those before the first that completed after a pending write had begun."""
        oldest = seen.oldest_pending
        if not self._minds_completion or oldest is None:
            return writes
        late = [number for number, each in enumerate(writes) if each.visible_at > oldest]
        return writes[: late[0]] if late else writes


def _before_oldest_pending(seen: Timeline) -> int | None:
    """The newest completed write older than the oldest pending one, or if there is none that one (HUDI-5569)."""
    oldest = seen.oldest_pending
    if oldest is None:
        return None
    before = seen.last_before(oldest)
    return oldest if before is None else before
