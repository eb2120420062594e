"""Restore: the table is taken back to a savepoint, one later write after the other.

    client = RestoreClient(world, config)
    client.restore()                    to the newest savepoint
    client.close()

The timeline is loaded; there must be a completed savepoint. A pending restore to it is gone on with. Else lock, new
instant, plan by the timeline that was loaded before the lock, REQUESTED with the plan, unlock; INFLIGHT. The plan is
every write that is pending, then those that completed after the savepoint's commit, the newest first. Of each that is
still there when the plan has been announced: lock, a rollback instant with the names of its files, unlock; INFLIGHT;
its completed file goes, then its data files, its other files on the timeline, and its markers: without the lock, and
whoever is at work on it. That rollback is never completed. In the end lock, the metadata table is taken
back (`metadata_restoring`), unlock; lock, COMPLETED, unlock; the
rollbacks since the restore's instant go; and the newest completed write has to be the savepoint's. Of a pending write
that is only requested its requested file goes, and nothing else, though it may be inflight by then.

Who starts a write is refused beside a pending restore, by the timeline that it loaded before it asked for the lock
(`HudiClient`). No commit looks for restores.

Source: `BaseHoodieWriteClient.restoreToSavepoint`, `restoreToInstant`, `scheduleAndGetRestorePlan`, `startCommit`;
`RestorePlanActionExecutor`, `RestoreInstantComparatorFactory`, `InstantComparators.CompletionTimeBasedComparator`;
`BaseRestoreActionExecutor`, `CopyOnWriteRestoreActionExecutor`, `BaseRollbackActionExecutor`,
`CopyOnWriteRollbackActionExecutor`, `SavepointHelpers.validateSavepointRestore`, and
`MergeOnReadRestoreActionExecutor`, `MergeOnReadRollbackActionExecutor` (1.2.0).

On a merge-on-read table what completed as a commit is a compaction, and goes with its plan; the log files that it
merged are still there.

Choices: tables of layout 2 alone; nobody cleans or clusters beside a restore. Before the lock the timeline is loaded
once, where Hudi loads it twice with nothing in between, unless there is a metadata table. Files are deleted one after
the other. Only the newest savepoint is gone back to; Hudi takes any, and fails half-way if there is a newer one, as
this does if a target is saved meanwhile.
"""

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.client import HudiClient
from model.hudi.config import HudiConfig
from model.hudi.errors import RestoreFailed, SavepointRefused, StorageFailed
from model.hudi.file_groups import RestorePlan, RollbackPlan
from model.hudi.meanings import DeletesData
from model.hudi.names import (
    COMMIT,
    COMPACTION,
    COMPLETED,
    DELTA_COMMIT,
    INFLIGHT,
    LOG_COMPACTION,
    REQUESTED,
    RESTORE,
    ROLLBACK,
    parse_data_file,
    text,
)
from model.hudi.observer import UNOBSERVED, Observer
from model.hudi.plans import refuse_unlisted
from model.hudi.rules import SHIPPED, Rules
from model.hudi.storage import TableStorage
from model.hudi.taking_back import committed_paths, is_saved
from model.hudi.timeline import Instant, Timeline
from model.ports import World

TABLES_OPENED = 2
"""How often a restore opens the table before it plans; the second time it goes by what it sees."""
COMPACTIONS = (COMPACTION, COMMIT)
"""The actions of compactions on a merge-on-read table, pending and completed."""


class RestoreClient:
    """A client that restores. `instant`: that of its restore, once it is planned or found; `taken`: the commits that it
    has taken back.

    Raises, from every method: LockFailed, StorageFailed; or as said.
    """

    def __init__(
        self, world: World, config: HudiConfig, rules: Rules = SHIPPED, *, owner: str = "",
        observer: Observer = UNOBSERVED,
    ) -> None:  # fmt: skip
        self._client = HudiClient(world, config, rules, owner=owner, observer=observer)
        self._storage = TableStorage(world, config)
        self._timeline: ActiveTimeline = self._client.timeline
        self._world = world
        self._merges = config.merge_on_read
        self._lists_by_metadata = config.metadata
        self._rules = rules
        self._fences = rules.restores_fence_writers
        self._stops = rules.log_plans_stop_restores
        self.instant: int | None = None
        self.taken: list[int] = []

    def restore(self) -> None:
        """Take the table back to the newest savepoint.

        Raises: SavepointRefused, InstantExists, InstantGone, RestoreFailed, OutcomeUnknown.
        """
        seen = self._timeline.load()
        if not seen.savepoints:
            raise SavepointRefused("restore: expected a savepoint, there is none")
        savepoint = seen.savepoints[-1].requested
        if self._lists_by_metadata:
            self._client.metadata.begin_restore(savepoint)
            seen = [self._open() for _ in range(TABLES_OPENED)][-1]
        found = self._pending(seen, savepoint)
        instant, plan, seen = found or self._announce(seen, savepoint)
        self.instant = instant.requested
        there = self._still_there(plan, seen)
        if instant.state == REQUESTED:
            self._timeline.to_inflight(instant.requested, RESTORE)
        for target in there:
            seen = self._undo(target)
        self._finish(instant.requested, plan, seen)
        self._look(savepoint)

    def _open(self) -> Timeline:
        """Load the timeline, and have the lock for the metadata table and its services (`initTable`)."""
        seen = self._timeline.load()
        self._client.transactions.begin()
        try:
            self._client.metadata.perform_services(self._client.times.time_ms)
        finally:
            self._client.transactions.end()
        return seen

    def close(self) -> None:
        """What every client does in the end."""
        self._client.close()

    # -- the plan ------------------------------------------------------------------------------------------------

    def _pending(self, seen: Timeline, savepoint: int) -> tuple[Instant, RestorePlan, Timeline] | None:
        """The last pending restore, if it is to this savepoint."""
        pending = [each for each in seen.restores if not each.is_completed]
        plan = self._timeline.read_requested(pending[-1].requested, RESTORE) if pending else None
        if not isinstance(plan, RestorePlan) or plan.savepoint != savepoint:
            return None
        self._world.coverage.hit(coverage.RESTORE_RESUMED)
        return pending[-1], plan, seen

    def _announce(self, seen: Timeline, savepoint: int) -> tuple[Instant, RestorePlan, Timeline]:
        """Announce under the lock what is planned by a timeline that was `seen` before."""
        self._client.transactions.begin()
        try:
            seen = self._planned_by(seen)
            instant = self._client.times.time_ms()
            plan = RestorePlan(
                savepoint, tuple([(each.requested, each.action) for each in self._later(seen, savepoint)])
            )
            self._timeline.create_requested(instant, RESTORE, plan)
            return Instant(instant, RESTORE, REQUESTED), plan, self._timeline.load()
        finally:
            self._client.transactions.end()

    def _later(self, seen: Timeline, savepoint: int) -> tuple[Instant, ...]:
        """What it undoes; of compactions of a merge-on-read table those that were planned after the savepoint's commit
        began, whenever they completed.

        Source: `RestoreInstantComparatorFactory.createComparator` (1.2.0).
        """
        if not self._merges:
            return later(seen, savepoint)
        done = [each for each in reversed(seen.in_order()) if each.action == COMMIT and each.requested > savepoint]
        found = later(seen, savepoint)
        kept = [each for each in found if each.action not in COMPACTIONS or each.requested > savepoint]
        return (*kept, *[each for each in done if each not in kept])

    def _planned_by(self, seen: Timeline) -> Timeline:
        """The timeline that a plan goes by: as shipped, what was seen before the lock."""
        return self._timeline.load() if self._fences else seen

    def _still_there(self, plan: RestorePlan, seen: Timeline) -> tuple[Instant, ...]:
        """The targets of a plan as they are; one whose action is another by now counts as undone already."""
        known = {(each.requested, each.action): each for each in (*seen.pending, *seen.completed)}
        return tuple([known[target] for target in plan.targets if target in known])

    # -- carrying it out -----------------------------------------------------------------------------------------

    def _undo(self, target: Instant) -> Timeline:
        """Roll a target back, as it was when the plan was announced; returns the timeline as it was seen then.

        Of a log compaction that is pending nobody knows how (`MergeOnReadRestoreActionExecutor.rollbackInstant`).
        """
        if target.action == LOG_COMPACTION and self._stops:
            self._world.coverage.hit(coverage.RESTORE_STUCK)
            raise RestoreFailed(f"restore: expected no pending log compaction, there is {text(target.requested)}")
        rollback, paths = self._plan_rollback(target)
        seen = self._timeline.load()
        self._timeline.to_inflight(rollback, ROLLBACK)
        self._refuse_saved(target, seen)
        begun = self._begun(target, seen)
        if target.is_completed and not self._timeline.revert(target, begun):
            raise StorageFailed(f"delete {text(target.requested)}: expected its completed file, there is none")
        self.taken += [target.requested] if target.is_completed else []
        for path in paths:
            self._world.notes.intend(DeletesData(parse_data_file(path.rpartition("/")[2])))
            self._storage.delete(path)
        self._remove(begun, *((REQUESTED,) if target.state == REQUESTED else (INFLIGHT, REQUESTED)))
        self._client.markers.delete(target.requested)
        self._world.coverage.hit(coverage.TAKEN_BACK if target.is_completed else coverage.PENDING_TAKEN_BACK)
        return seen

    def _begun(self, target: Instant, seen: Timeline) -> Instant:
        """A target as it was announced: what is a commit of a merge-on-read table was a compaction, and a delta commit
        may have been a log compaction (`TimelineUtils.getInflightInstant`)."""
        if self._merges and target.action == COMMIT:
            return target._replace(action=COMPACTION)
        logs = target.action == DELTA_COMMIT and target.requested in seen.log_compactions
        return target._replace(action=LOG_COMPACTION) if logs else target

    def _plan_rollback(self, target: Instant) -> tuple[int, tuple[str, ...]]:
        """Announce under the lock which files of a target go; returns the rollback's instant, and their paths."""
        self._client.transactions.begin()
        try:
            instant = self._client.times.time_ms()
            paths = () if target.state == REQUESTED else self._paths(target)
            self._timeline.create_requested(instant, ROLLBACK, RollbackPlan(target.requested, paths, target.action))
        finally:
            self._client.transactions.end()
        return instant, paths

    def _paths(self, target: Instant) -> tuple[str, ...]:
        """The files of a target: those that its commit names and that exist, or those that a listing finds."""
        if not target.is_completed:
            refuse_unlisted(target, self._client.config, self._rules, self._world.coverage)
            return self._storage.files_of(target.requested)
        return committed_paths(target, self._timeline, self._storage)

    def _refuse_saved(self, target: Instant, seen: Timeline) -> None:
        """A commit with a savepoint is not rolled back, not even by a restore to an older one."""
        if is_saved(target, seen):
            raise RestoreFailed(f"restore: expected no savepoint of {text(target.requested)}, there is one")

    def _remove(self, target: Instant, *states: str) -> None:
        """Delete files of a target's states. Raises: StorageFailed, also if one is not there."""
        for state in states:
            if not self._timeline.delete(target, state):
                raise StorageFailed(f"delete {text(target.requested)} {state}: expected its file, there is none")

    def _finish(self, instant: int, plan: RestorePlan, seen: Timeline) -> None:
        """Complete the restore, and take its rollbacks off the timeline, and all others since its instant."""
        time_ms = self._client.times.time_ms
        self._client.transactions.begin(instant)
        try:
            self._client.metadata.restore(plan.savepoint, instant, time_ms)
        finally:
            self._client.transactions.end(instant)
        self._client.with_own_lock(lambda: self._timeline.complete(instant, time_ms, plan, RESTORE))
        for rollback in reversed([each for each in seen.rollbacks if each.requested > instant]):
            self._remove(rollback, *((COMPLETED,) if rollback.is_completed else ()), INFLIGHT, REQUESTED)
        self._world.coverage.hit(coverage.RESTORED)

    def _last(self, seen: Timeline) -> Instant | None:
        """The last write; of a merge-on-read table compactions count by when they were planned, pending ones as well.

        Source: `SavepointHelpers.validateSavepointRestore`: a maximum in the order of the timeline (1.2.0).
        """
        if not self._merges:
            return seen.newest
        last: Instant | None = None
        for each in seen.instants:
            if each.action == COMPACTION or each in seen.completed:
                planned = last is not None and (each.action in COMPACTIONS or last.action in COMPACTIONS)
                if last is None or planned or each.visible_at > last.visible_at:
                    last = each
        return last

    def _look(self, savepoint: int) -> None:
        """The newest completed write has to be the savepoint's (`validateSavepointRestore`)."""
        newest = self._last(self._timeline.load())
        if newest is None or newest.requested != savepoint:
            self._world.coverage.hit(coverage.RESTORE_UNLIKE)
            found = "none" if newest is None else text(newest.requested)
            raise RestoreFailed(f"restore: expected {text(savepoint)} to be the last commit, got {found}")


def later(seen: Timeline, savepoint: int) -> tuple[Instant, ...]:
    """What a restore undoes, in its order: every pending write, for none has a completion time, and what completed
    after the savepoint's commit; where that is archived, after the savepoint itself, whose instant is the same one.

    Source: `CompletionTimeQueryViewV2.getCompletionTime` (1.2.0), which goes by requested times. Raises: StorageFailed
    if neither is there.
    """
    saved = [each.visible_at for each in (*seen.completed, *seen.savepoints) if each.requested == savepoint]
    if not saved:
        raise StorageFailed(f"restore: expected savepoint {text(savepoint)}, it is not on the timeline")
    done = [each for each in reversed(seen.in_order()) if each.visible_at > saved[0]]
    return (*reversed(seen.pending), *done)
