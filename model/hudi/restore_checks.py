"""What a write, or a reader, asks of restores: whoever starts a write is refused beside one that is pending.

As shipped the timeline is asked that was loaded before the lock was asked for, and nobody asks when he commits. So who
waits for the lock while a restore is planned starts beside it, and who had begun before goes on. Repaired, both look
under the lock for a restore since the write began. Who plans or commits a compaction looks for none as shipped;
repaired, it does. Who reads looks for none as shipped (the documentation says that reads could fail beside a restore);
repaired, he does when he has read.

Source: `BaseHoodieWriteClient.startCommit`, `BaseHoodieTableServiceClient.scheduleTableService` (1.2.0).

Choices: the timeline is loaded only where anybody may restore; nothing else is asked of it.
"""

from collections.abc import Iterable

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.config import HudiConfig
from model.hudi.errors import RestorePending
from model.hudi.names import text
from model.hudi.rules import Rules
from model.hudi.timeline import Instant, Timeline
from model.ports import World


class RestoreChecks:
    """Those of one client. Raises, from every method: StorageFailed; or as said."""

    def __init__(self, world: World, timeline: ActiveTimeline, config: HudiConfig, rules: Rules) -> None:
        self._world = world
        self._timeline = timeline
        self._needed = config.restored
        self._fences = rules.restores_fence_writers
        self._fences_readers = rules.restores_fence_readers
        self._seen: Timeline | None = None

    def load(self) -> None:
        """Load the timeline that a start is to be compared with, before the lock is asked for."""
        self._seen = self._timeline.load() if self._needed else None

    def refuse_start(self) -> None:
        """Look for a pending restore. Raises: RestorePending."""
        if self._needed:
            seen = self._timeline.load() if self._fences or self._seen is None else self._seen
            self._refuse("start", [each for each in seen.restores if not each.is_completed])

    def refuse_plan(self) -> None:
        """Look for a pending restore before a service is planned; as shipped nobody does. Raises: RestorePending."""
        if self._needed and self._fences:
            restores = self._timeline.load().restores
            self._refuse("plan", [each for each in restores if not each.is_completed])

    def refuse_commit(self, instant: int) -> None:
        """Look for a restore since a write began; as shipped nobody does. Raises: RestorePending."""
        if self._needed and self._fences:
            restores = self._timeline.load().restores
            self._refuse(f"commit {text(instant)}", [each for each in restores if each.requested > instant])

    def refuse_read(self, seen: Timeline) -> None:
        """Look for a restore that had not ended when a timeline was `seen`, by which a reader went; as shipped nobody
        does. Raises: RestorePending."""
        if self._needed and self._fences_readers:
            known = {each.requested for each in seen.restores if each.is_completed}
            restores = self._timeline.load().restores
            self._refuse("read", [each for each in restores if each.requested not in known])

    def _refuse(self, what: str, restores: Iterable[Instant]) -> None:
        for restore in restores:
            self._world.coverage.hit(coverage.RESTORE_RESPECTED)
            raise RestorePending(f"{what}: expected no restore, there is {text(restore.requested)}")
