"""Compaction of a merge-on-read table: base file and log files of a file group become a base file of its own.

    client = CompactionClient(world, config)
    instant = client.schedule(("p1",))                  the plan: names slices; pending until it is carried out
    client.commit(instant, client.execute(instant))     by whoever finds it pending
    client.close()

schedule: lock, new instant, if there were enough delta commits since the last compaction the slices with log files that
are in no other pending plan, REQUESTED with their names, unlock. compact: lock, no live heartbeat of the plan's
instant, it is still pending, heartbeat, unlock; what somebody left behind inflight is rolled back, and the instant
requested again; INFLIGHT, the named files are read, for each slice marker and file. commit: lock, reconciliation with
the markers, COMPLETED as a commit, unlock; then markers and heartbeat are deleted. It conflicts with nobody: what is
written to a file group meanwhile belongs to the new slice, by the time of its completion. It says that the table has
the columns that it had when its files were begun.

Source: `BaseHoodieTableServiceClient.scheduleTableService`, `compact`, `validateHeartBeat`, `completeCompaction`,
`HoodieTable.rollbackInflightCompaction`, `ScheduleCompactionActionExecutor`, `BaseHoodieCompactionPlanGenerator`,
`CompactionUtils.getCompletedDeltaCommitsSinceLatestCompaction`, `RunCompactionActionExecutor`,
`HoodieCompactor.compact` (1.2.0).

Choices: the trigger is the number of delta commits (`hoodie.compact.inline.trigger.strategy` has others). A plan takes
every slice with a log file, without a limit of their size, and has them in the order of partitions and file ids.
"""

from model.hudi import coverage
from model.hudi.errors import InstantGone, NothingPlanned
from model.hudi.executing import ExecutingClient
from model.hudi.names import CLUSTERING, COMMIT, COMPACTION, text
from model.hudi.plans import groups_in_plans, refuse_lost_plans
from model.hudi.slices import CompactionPlan, FileSlice
from model.hudi.timeline import Instant, Timeline, deltas_since_compaction
from model.hudi.written import Written


class CompactionClient(ExecutingClient):
    """A client that compacts. Raises, from every method: LockFailed, StorageFailed; or as said."""

    ACTION = COMPACTION

    @property
    def _beats(self) -> bool:
        """Whether it has heartbeats; one writer alone has none for its compactions."""
        return self.config.multi_writer

    def schedule(self, partitions: tuple[str, ...]) -> int:
        """Plan to compact what has log files; returns the plan's instant. Raises: NothingPlanned, InstantExists."""
        return self._schedule(COMPACTION, lambda instant: self._plan(instant, partitions))

    def _plan(self, instant: int, partitions: tuple[str, ...]) -> CompactionPlan:
        self._restores.refuse_plan()
        seen = self.timeline.load()
        refuse_lost_plans(self.timeline, seen, self.config, self.rules)
        deltas, wanted = len(deltas_since_compaction(seen)), self.config.compact_after_delta_commits
        if deltas < wanted:
            raise NothingPlanned(
                f"plan of compaction: expected {wanted} delta commits since the last one, got {deltas}"
            )
        planned = groups_in_plans(self.timeline, seen, CLUSTERING, COMPACTION)
        slices = [
            (partition, self._completed_before(instant, each, seen))
            for partition in partitions
            for each in self._data.slices(partition, seen)
            if (partition, each.file_id) not in planned
        ]
        found = tuple([(partition, each) for partition, each in slices if each.logs])
        if not found:
            raise NothingPlanned("plan of compaction: expected log files that are in no pending plan, got none")
        return CompactionPlan(found)

    def _completed_before(self, instant: int, each: FileSlice, seen: Timeline) -> FileSlice:
        """A slice with those of its log files alone that were completed before a plan's instant."""
        before = {i.requested for i in seen.completed if i.visible_at < instant}
        return each._replace(logs=tuple([log for log in each.logs if log.instant in before]))

    def _carry_out(self, instant: int, seen: Timeline) -> Written:
        seen = self._taken_over(instant, seen)
        plan = self.timeline.read_requested(instant, COMPACTION)
        if not isinstance(plan, CompactionPlan):
            raise InstantGone(f"compaction {text(instant)}: expected its plan, it is gone")
        self._refuse_ended(instant, seen)
        self.timeline.to_inflight(instant, COMPACTION)
        start = self.timeline.load()
        columns = self._columns(start)
        self.metadata.announce_service(instant, self.times.time_ms)
        return self._data.compact(plan.slices, instant, start)._replace(columns=columns)

    def _commit(self, instant: int, written: Written) -> Instant:
        self.transactions.begin(instant)
        return self._leaving(instant, lambda: self._checked(instant, written))

    def _checked(self, instant: int, written: Written) -> Instant:
        if self.rules.checks_heartbeat_under_lock:
            self._assert_alive(instant)
        self._restores.refuse_commit(instant)
        self._precommit.reconcile(instant, written.metadata)
        done = self._publish(instant, written.metadata, COMMIT, COMPACTION)
        self._world.coverage.hit(coverage.COMPACTED)
        return done
