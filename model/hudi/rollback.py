"""Rollback of failed writes: lazy, as a cleaner does it before it cleans, or eager (`model.hudi.eager`).

Detect: pending instants whose heartbeat is expired, looked for again in a reloaded timeline. Schedule: under the lock,
a rollback instant whose plan names the marked files, or those that a listing finds (`hoodie.rollback.using.markers`
false). Execute: delete those files without the lock. Finish: under the lock take the target off the timeline and
complete the rollback; then delete markers and heartbeat.

Source: hudi/4 (rollback of failed writes), G-6; `BaseHoodieTableServiceClient.rollbackFailedWrites`,
`BaseRollbackPlanActionExecutor`, `MarkerBasedRollbackStrategy`, `ListingBasedRollbackStrategy`,
`BaseRollbackActionExecutor`, `CopyOnWriteRollbackActionExecutor.executeRollback`; rollbacks of compactions and of
clustering are left to who carries them out anew, as `getPendingRollbackInfos` leaves them: by the action that their
plans name, be the target completed by now.

A target is rolled back as it was when it was looked at, before the lock and without it. Of one that was only requested
no file is planned to go, and its requested file is all that goes from the timeline: if it has become inflight since,
its inflight file stays, with nothing to say what it was to do (`model.hudi.plans`), and so does what it has written.
One that has completed by then, of which somebody has planned the rollback before, or which was looked at while
another one was rolled back, is made inflight again before its files go: its commit is taken back. It must have no
savepoint; and where the metadata table has been compacted since, it stays inflight, and its rollback fails each time
that it is tried.

Choices: one cleaner at a time, so the heartbeat that gives a rollback to one executor (#18448) is left out; a rollback
that an earlier cleaner left pending is executed again from its plan. Before the first target the timeline is loaded
once, where Hudi loads it twice with nothing but reads in between.
"""

from typing import NamedTuple

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.cleaning import SliceCleaner
from model.hudi.client import HudiClient
from model.hudi.config import HudiConfig
from model.hudi.errors import CommitSaved, StorageFailed
from model.hudi.file_groups import RollbackPlan
from model.hudi.keys import EAGER, LAZY
from model.hudi.names import (
    CLUSTERING,
    COMMIT,
    COMPACTION,
    INFLIGHT,
    INGESTION,
    REQUESTED,
    ROLLBACK,
    text,
)
from model.hudi.observer import UNOBSERVED, Observer
from model.hudi.plans import refuse_lost_plans, refuse_unlisted
from model.hudi.rules import SHIPPED, Rules
from model.hudi.storage import TableStorage
from model.hudi.taking_back import committed_paths, is_saved
from model.hudi.timeline import Instant, Timeline
from model.ports import World

EXECUTORS = (CLUSTERING, COMPACTION)
"""The actions whose executors alone go on with a rollback that somebody left pending."""


class _Planned(NamedTuple):
    """A rollback instant that is pending, and what it is to do."""

    instant: int
    plan: RollbackPlan
    is_inflight: bool


class Cleaner:
    """One table service client. Raises: as `HudiClient`, from every method."""

    def __init__(
        self, world: World, config: HudiConfig, rules: Rules = SHIPPED, *, owner: str = "",
        observer: Observer = UNOBSERVED, client: HudiClient | None = None,
    ) -> None:  # fmt: skip
        self._client = client or HudiClient(world, config, rules, owner=owner, observer=observer)
        self._storage = TableStorage(world, config)
        self._timeline: ActiveTimeline = self._client.timeline
        self._slices = SliceCleaner(world, self._client, self._storage, rules)
        self._world = world
        self._rules = rules

    def clean(self) -> None:
        """Roll back failed writes, then clean old slices, if there can be any; by a timeline that is loaded anew if
        anything was rolled back."""
        timeline = self._timeline.load()
        may_clean, config = self._slices.may_clean(timeline), self._client.config
        if config.clean_policy == LAZY and self._rollback(timeline) and (may_clean or config.plans_may_go):
            timeline = self._timeline.load()
            refuse_lost_plans(self._timeline, timeline, config, self._rules)
        if may_clean:
            self._slices.clean(timeline)

    def rollback_failed_writes(self) -> tuple[int, ...]:
        """Roll back every failed write, the newest first; returns the instants that were rolled back: none, where that
        is not a cleaner's to do."""
        return self._rollback(self._timeline.load()) if self._client.config.clean_policy == LAZY else ()

    def rollback_pending(self) -> tuple[int, ...]:
        """Roll back all that is pending, as who begins a write does where that is the policy."""
        return self._rollback(self._timeline.load())

    def _rollback(self, timeline: Timeline) -> tuple[int, ...]:
        refuse_lost_plans(self._timeline, timeline, self._client.config, self._rules)
        every = self._pending_rollbacks(timeline)
        pending = {target: planned for target, planned in every.items() if planned.plan.action not in EXECUTORS}
        failed, seen = self._failed(timeline)
        done: list[int] = []
        for target in sorted(dict.fromkeys([*failed, *pending]), reverse=True):
            if target in pending:
                self._world.coverage.hit(coverage.ROLLBACK_RESUMED)
            looked = self._timeline.load() if done else seen
            begun = next((each for each in (*looked.pending, *looked.completed) if each.requested == target), None)
            planned = pending.get(target) or self._schedule(target, begun)
            if planned is not None:
                self._execute(planned, begun)
                self._client.heartbeats.delete(target)
                done.append(target)
        return tuple(done)

    def take_back(self, begun: Instant, seen: Timeline) -> None:
        """Roll back what an inflight compaction or clustering has written, and make it requested again.

        Source: `HoodieTable.rollbackInflightInstant` (1.2.0). Its heartbeat stays: it is the caller's by now.
        """
        target = begun.requested
        planned = self._pending_rollbacks(seen).get(target) or self._schedule(target, action=begun.action)
        if planned is not None:
            self._execute(planned)
            self._timeline.delete(begun, INFLIGHT)

    def take_off(self, log_compaction: Instant, seen: Timeline) -> None:
        """Roll back what an inflight log compaction has written, and its plan.

        Source: `HoodieTable.rollbackInflightLogCompaction` (1.2.0).
        """
        target = log_compaction.requested
        planned = self._pending_rollbacks(seen).get(target) or self._schedule(target)
        if planned is not None:
            self._execute(planned, log_compaction)

    def close(self) -> None:
        """What every client does in the end."""
        self._client.close()

    def _pending_rollbacks(self, timeline: Timeline) -> dict[int, _Planned]:
        pending = {}
        for rollback in timeline.rollbacks:
            if not rollback.is_completed:
                plan = self._timeline.read_requested(rollback.requested, ROLLBACK)
                if isinstance(plan, RollbackPlan):
                    pending[plan.target] = _Planned(rollback.requested, plan, rollback.state == INFLIGHT)
        return pending

    def _failed(self, timeline: Timeline) -> tuple[list[int], Timeline]:
        """The writes whose heartbeats are expired, or all that are pending, and the timeline as it was when that was
        known."""
        if self._client.config.clean_policy == EAGER:
            return [i.requested for i in timeline.pending if i.action in INGESTION], timeline
        expired = [
            i.requested
            for i in timeline.pending
            if i.action in INGESTION and self._client.heartbeats.is_expired(i.requested)
        ]
        looked = self._timeline.load() if expired else timeline
        return self._still_pending(expired, looked), looked

    def _still_pending(self, targets: list[int], timeline: Timeline) -> list[int]:
        """Those that have not completed since they were looked at: completion deletes the heartbeat (HUDI-5675)."""
        pending = [target for target in targets if timeline.is_pending(target)]
        if len(pending) < len(targets):
            self._world.coverage.hit(coverage.ROLLBACK_SKIPPED)
        return pending

    def _schedule(self, target: int, begun: Instant | None = None, action: str = COMMIT) -> _Planned | None:
        """Plan the rollback under the lock (hudi/4) of what had `begun` when it was looked at; of what was only
        requested then, no files."""
        self._client.transactions.begin()
        try:
            return self._plan(target, begun, begun.action if begun else action)
        finally:
            self._client.transactions.end()

    def _plan(self, target: int, begun: Instant | None = None, action: str = COMMIT) -> _Planned | None:
        self._timeline.settle()
        if self._rules.rollback_rechecks_under_lock and self._has_completed(target):
            self._world.coverage.hit(coverage.ROLLBACK_SKIPPED)
            return None
        only_requested = begun is not None and begun.state == REQUESTED
        plan = RollbackPlan(target, () if only_requested else self._paths(target, begun), action)
        instant = self._client.times.time_ms()
        self._timeline.create_requested(instant, ROLLBACK, plan)
        return _Planned(instant, plan, is_inflight=False)

    def _has_completed(self, target: int) -> bool:
        """Whether a target is not pending any more, by the timeline as it is under the lock (G-6)."""
        return not self._timeline.load().is_pending(target)

    def _paths(self, target: int, begun: Instant | None) -> tuple[str, ...]:
        """The files of a target: those that are marked, or those that a listing finds; if it has completed, those that
        its commit names and that exist. Raises: StorageFailed, RollbackUnplanned."""
        if begun is not None and begun.is_completed:
            return committed_paths(begun, self._timeline, self._storage)
        if not self._client.config.rollback_using_markers:
            if begun is not None:
                refuse_unlisted(begun, self._client.config, self._rules, self._world.coverage)
            return self._storage.files_of(target)
        return self._client.markers.paths(target)

    def _execute(self, planned: _Planned, begun: Instant | None = None) -> None:
        """Carry out a rollback, which takes its target off the timeline, as that had `begun` when it was looked at."""
        instant, plan, is_inflight = planned
        if not is_inflight:
            self._timeline.to_inflight(instant, ROLLBACK)
        if begun is not None and begun.is_completed:
            self._unpublish(begun)
        self._delete_data(plan)
        self._client.transactions.begin(instant)
        try:
            self._client.metadata.take_back(plan.target, self._client.times.time_ms)
            if begun is not None:
                self._remove(begun)
            self._timeline.complete(instant, self._client.times.time_ms, plan, ROLLBACK)
        finally:
            self._client.transactions.end(instant)
        self._world.coverage.hit(coverage.ROLLED_BACK)
        self._delete_markers(plan.target)

    def _unpublish(self, target: Instant) -> None:
        """Make inflight again what has completed. Raises: CommitSaved, StorageFailed."""
        if is_saved(target, self._timeline.load()):
            raise CommitSaved(f"rollback: expected no savepoint of {text(target.requested)}, there is one")
        if not self._timeline.revert(target, target):
            raise StorageFailed(f"delete {text(target.requested)}: expected its completed file, there is none")
        self._world.coverage.hit(coverage.COMMIT_ROLLED_BACK)

    def _remove(self, begun: Instant) -> None:
        """Delete the files of its state, and of the one before. Raises: StorageFailed, also if one is not there."""
        for state in (REQUESTED,) if begun.state == REQUESTED else (INFLIGHT, REQUESTED):
            if not self._timeline.delete(begun, state):
                raise StorageFailed(f"delete {text(begun.requested)} {state}: expected its file, there is none")

    def _delete_data(self, plan: RollbackPlan) -> None:
        """Delete what the plan names, without the lock (hudi/4)."""
        for path in plan.paths:
            self._storage.delete_marked(path)

    def _delete_markers(self, target: int) -> None:
        """Delete the markers, which the next rollback of the target would go by (hudi/4)."""
        self._client.markers.delete(target)
