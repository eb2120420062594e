"""Carrying out a plan of a table service, whoever made it: the one that planned, or somebody who finds it pending.

    client = CompactionClient(world, config)
    client.oldest_plan()                                the instant of a plan that is pending

What somebody left behind inflight is rolled back first, and the instant requested again. Nothing in that says whether
its executor is dead. A compaction has a heartbeat for it from 1.2.0 on: who carries one out claims its plan under the
lock, and whoever comes while that heartbeat lives is refused. Clustering and log compaction have none: whoever finds
them inflight takes their executor for dead.

Source: `BaseHoodieTableServiceClient.compact`, `validateHeartBeat`, `cluster`, `logCompact`,
`runAnyPendingCompactions`, `runAnyPendingClustering`, `HoodieTable.rollbackInflightInstant` (1.2.0);
`HoodieClusteringJob.doCluster` and `HoodieCompactor.doCompact`, which take the oldest plan.
"""

from typing import ClassVar

from model.hudi import coverage
from model.hudi.client import HudiClient
from model.hudi.errors import HudiError, InstantGone, LockFailed, NothingPlanned
from model.hudi.names import INFLIGHT, text
from model.hudi.rollback import Cleaner
from model.hudi.schemas import Columns, columns_of_table, read_commit
from model.hudi.timeline import Instant, Timeline
from model.hudi.written import Written


class ExecutingClient(HudiClient):
    """A client that carries out plans of one action. Raises, from every method: LockFailed, StorageFailed; or as said.

    `BUSY`, `TAKEN_OVER`: the names of the paths on which it is refused for another one, and goes on after it.
    """

    ACTION: ClassVar[str]
    BUSY: ClassVar[str] = coverage.COMPACTION_BUSY
    TAKEN_OVER: ClassVar[str] = coverage.COMPACTION_TAKEN_OVER

    @property
    def _beats(self) -> bool:
        """Whether it has heartbeats."""
        raise NotImplementedError

    def oldest_plan(self) -> int:
        """The instant of the oldest plan that is pending, whoever made it. Raises: NothingPlanned."""
        plan = self.timeline.load().oldest_plan(self.ACTION)
        if plan is None:
            raise NothingPlanned(f"{self.ACTION}: expected a plan that is pending, got none")
        return plan

    def execute(self, instant: int) -> Written:
        """Carry out a plan, up to its commit. Raises: InstantGone, InstantExists; LockFailed if somebody is at it; as
        the service."""
        seen = self._claimed(instant) if self._beats else self.timeline.load()
        try:
            return self._carry_out(instant, seen)
        except HudiError as error:
            self._gave_up(instant, error)
            raise

    def _carry_out(self, instant: int, seen: Timeline) -> Written:
        """Carry out a plan by the timeline that was seen."""
        raise NotImplementedError

    def _claimed(self, instant: int) -> Timeline:
        """Be the only one that carries out a plan, as long as the own heartbeat lives (#18012).

        Returns: the timeline then.
        """
        self.timeline.load()  # `createTable`, of which nothing is kept
        self.transactions.begin(instant)
        try:
            if not self.heartbeats.is_expired(instant):
                self._world.coverage.hit(self.BUSY)
                raise LockFailed(f"{self.ACTION} {text(instant)}: expected no live heartbeat of it, somebody is at it")
            seen = self.timeline.load()
            self._refuse_ended(instant, seen)
            self.heartbeats.start(instant, self._world.clock.now_ms())
        finally:
            self.transactions.end(instant)
        return seen

    def _taken_over(self, instant: int, seen: Timeline) -> Timeline:
        """What somebody has begun is rolled back, and requested again. Returns: the timeline then, or as it was."""
        if self._state(instant, seen) != INFLIGHT:
            return seen
        rollbacks = Cleaner(self._world, self.config, self.rules, observer=self._observer, client=self)
        rollbacks.take_back(Instant(instant, self.ACTION, INFLIGHT), seen)
        self._world.coverage.hit(self.TAKEN_OVER)
        return self.timeline.load()

    def _columns(self, begun: Timeline) -> Columns:
        """Those of the table when the files are begun. Raises: StorageFailed."""
        if not self.config.evolved:
            return ()
        return columns_of_table(begun, lambda instant: read_commit(self.timeline, instant), self.rules)

    def _refuse_ended(self, instant: int, seen: Timeline) -> None:
        """Refuse to carry out what is not pending. Raises: InstantGone."""
        if self._state(instant, seen) is None:
            raise InstantGone(f"{self.ACTION} {text(instant)}: expected its plan to be pending, it is not")

    def _state(self, instant: int, seen: Timeline) -> str | None:
        """How far a plan has come; None if it is not pending."""
        return next((i.state for i in seen.pending if i.requested == instant and i.action == self.ACTION), None)

    def _clean_up(self, instant: int) -> None:
        self._delete_markers(instant)
        self._delete_heartbeat(instant)

    def _delete_heartbeat(self, instant: int) -> None:
        if self._beats:
            super()._delete_heartbeat(instant)

    def _lost_commit(self, instant: int, error: HudiError) -> None:
        """The heartbeat goes when the error reaches the caller."""

    def _gave_up(self, instant: int, error: HudiError) -> None:
        self._delete_heartbeat(instant)
