"""Log compaction of a merge-on-read table: log files of a file group become one, whose block says what it is made of.

    client = LogCompactionClient(world, config)
    instant = client.schedule(("p1",))                  the plan: names slices; pending until it is carried out
    client.commit(instant, client.execute(instant))
    client.close()

schedule: as a compaction's, but that a slice needs so many log files, and the table so many delta commits since the
last compaction, and since the last log compaction, none of which may be pending. compact: none if a compaction has been
planned since; what somebody has begun is rolled back, with its plan; INFLIGHT, the named log files are read, without
the base file, and for each slice marker and log file are written (`model.hudi.log_blocks`). commit: lock, conflicts,
reconciliation with the markers, COMPLETED as a delta commit, unlock; then markers are deleted. No heartbeat: who finds
it begun takes it for dead; who rolls back failed writes leaves it alone. Repaired (#18305), it claims its plan as a
compaction does.

Source: `BaseHoodieTableServiceClient.scheduleTableService`, `logCompact`, `completeLogCompaction`;
`ScheduleCompactionActionExecutor.needLogCompact`, `HoodieLogCompactionPlanGenerator`,
`CompactionUtils.getDeltaCommitsSinceLatestCompletedLogCompaction`, `FileGroupReaderBasedAppendHandle`,
`SimpleConcurrentFileWritesConflictResolutionStrategy.resolveConflict` (1.2.0); RFC-48.

Choices: a log file has one block, so that the number of blocks says no more than that of files. With early
detection it looks at markers as a write does, for `WriteMarkers` leaves out compactions and replacements alone; its own
marker is one of the dead, for it has no heartbeat. A timeline server's checker looks for it as for any write
(`MarkerHandler.createMarker`), and takes its markers for those of the dead, too.
"""

from model.hudi import coverage
from model.hudi.compaction import CompactionClient
from model.hudi.errors import InstantGone, LogCompactionRefused, NothingPlanned
from model.hudi.file_groups import LOG_COMPACT, WriteStat
from model.hudi.jobs import Job
from model.hudi.log_blocks import blocks_in_place
from model.hudi.names import CLUSTERING, COMMIT, COMPACTION, DELTA_COMMIT, INFLIGHT, LOG_COMPACTION, text
from model.hudi.plans import groups_in_plans, refuse_lost_plans
from model.hudi.rollback import Cleaner
from model.hudi.slices import CompactionPlan, FileSlice, body_of, folded
from model.hudi.storage import TableStorage
from model.hudi.timeline import Instant, Timeline, deltas_since_compaction
from model.hudi.written import Written


class LogCompactionClient(CompactionClient):
    """A client that compacts log files. Raises, from every method: LockFailed, StorageFailed; or as said."""

    ACTION = LOG_COMPACTION

    @property
    def _beats(self) -> bool:
        return super()._beats and self.rules.log_compactions_beat

    def schedule(self, partitions: tuple[str, ...]) -> int:
        """Plan to compact what has log files enough; returns the plan's instant. Raises: NothingPlanned,
        InstantExists."""
        return self._schedule(LOG_COMPACTION, lambda instant: self._plan(instant, partitions))

    def _plan(self, instant: int, partitions: tuple[str, ...]) -> CompactionPlan:
        self._restores.refuse_plan()
        seen = self.timeline.load()
        refuse_lost_plans(self.timeline, seen, self.config, self.rules)
        wanted = self.config.log_compact_after_blocks
        deltas = min(len(deltas_since_compaction(seen)), _since_log_compaction(seen))
        if deltas < wanted:
            raise NothingPlanned(f"plan of log compaction: expected {wanted} delta commits by now, got {deltas}")
        planned = groups_in_plans(self.timeline, seen, CLUSTERING, COMPACTION, LOG_COMPACTION)
        slices = [
            (partition, self._completed_before(instant, each, seen))
            for partition in partitions
            for each in self._data.slices(partition, seen)
            if (partition, each.file_id) not in planned and len(each.logs) >= wanted
        ]
        found = tuple([(partition, each) for partition, each in slices if each.logs])
        if not found:
            raise NothingPlanned("plan of log compaction: expected a slice with log files enough, got none")
        return CompactionPlan(found)

    def _carry_out(self, instant: int, seen: Timeline) -> Written:
        """Carry out a plan, up to its commit. Raises: LogCompactionRefused, InstantGone, InstantExists."""
        since = [i for i in seen.instants if i.action in (COMMIT, COMPACTION) and i.requested > instant]
        if since:
            self._world.coverage.hit(coverage.LOG_COMPACTION_LATE)
            raise LogCompactionRefused(f"log compaction {text(instant)}: {text(since[0].requested)} was planned since")
        if self._state(instant, seen) == INFLIGHT:
            begun = Instant(instant, LOG_COMPACTION, INFLIGHT)
            Cleaner(self._world, self.config, self.rules, observer=self._observer, client=self).take_off(begun, seen)
            self._world.coverage.hit(coverage.LOG_COMPACTION_ENDED)
            raise LogCompactionRefused(f"log compaction {text(instant)}: somebody had begun it, it is rolled back")
        plan = self.timeline.read_requested(instant, LOG_COMPACTION)
        if not isinstance(plan, CompactionPlan) or self._state(instant, seen) is None:
            raise InstantGone(f"log compaction {text(instant)}: expected its plan to be pending, it is not")
        self.timeline.to_inflight(instant, LOG_COMPACTION)
        start, stats = self.timeline.load(), list[WriteStat]()
        self.metadata.announce_service(instant, self.times.time_ms)
        for partition, each in plan.slices:
            stats += self._data.append(self._compacted(partition, each, instant), instant, start)
        return Written(LOG_COMPACT, tuple(stats), start, start.pending_times(instant), (), (), ())

    def _compacted(self, partition: str, each: FileSlice, instant: int) -> Job:
        """The compacted block of a slice's log files."""
        storage = TableStorage(self._world, self.config)
        blocks = blocks_in_place([(log.instant, body_of(storage, partition, log)) for log in each.logs])
        rows = folded([block.rows for block in blocks], by_event_time=self.config.by_event_time)
        made_of = tuple([block.instant for block in blocks])
        return Job(partition, each.file_id, instant, tuple(sorted(rows.items())), 0, appends=True, compacted=made_of)

    def _checked(self, instant: int, written: Written) -> Instant:
        if self._beats and self.rules.checks_heartbeat_under_lock:
            self._assert_alive(instant)
        self._restores.refuse_commit(instant)
        self._precommit.resolve_conflicts(instant, written, written.metadata, LOG_COMPACTION)
        self._precommit.reconcile(instant, written.metadata)
        done = self._publish(instant, written.metadata, DELTA_COMMIT, LOG_COMPACTION)
        self._world.coverage.hit(coverage.LOGS_COMPACTED)
        return done


def _since_log_compaction(seen: Timeline) -> int:
    """How many delta commits have completed since the last log compaction was planned, but for its own; all, if there
    was none, and those that are pending; none while it is pending."""
    if not seen.log_compactions:
        return sum(each.action == DELTA_COMMIT for each in seen.instants)
    last = seen.log_compactions[-1]
    if seen.is_pending(last):
        return 0
    since = [each for each in seen.completed if each.visible_at > last and each.requested != last]
    return sum(each.action == DELTA_COMMIT for each in since)
