"""The metadata table's own table services: who begins to write carries them out, within the data table's lock.

What compactions somebody has left pending is carried out; then it is cleaned (`metadata_cleaning`), and compacted.

compaction: a time is drawn; if there were enough delta commits since the
last compaction, those that were completed before the instant of the new one are written into a base file with all that
the newest one says. That instant is the time that was drawn. But if there is a pending instant in the data table whose
delta commit is completed (its writer has died in between), it is a millisecond before that instant: what is
compacted cannot be rolled back (`MetadataTable.take_back`).

Source: `SparkRDDWriteClient.initializeMetadataTable`, `HoodieBackedTableMetadataWriter.performTableServices`,
`runPendingTableServicesOperationsAndRefreshTimeline`, `compactIfNecessary`, `ScheduleCompactionActionExecutor`,
`BaseHoodieCompactionPlanGenerator` (1.2.0); `hoodie.metadata.compact.max.delta.commits`.

Choices: the delta commit by which Hudi makes the table, before the first write's, counts, and is not there; if it is
made anew, it is. What an inflight compaction has written is deleted without an instant of its own. Nobody archives the
metadata table (`metadata_restoring`); log compaction, which is off by default, is left out.
"""

from collections.abc import Callable

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.config import HudiConfig
from model.hudi.errors import OutcomeUnknown, StorageFailed
from model.hudi.metadata_cleaning import MetadataCleaner
from model.hudi.metadata_records import compacted
from model.hudi.metadata_slices import (
    BASE,
    FILE_ID,
    FILES,
    MetadataSlice,
    OfMetadata,
    base_files,
    base_path,
    is_made_anew,
    newest_slice,
    read_slice,
)
from model.hudi.names import COMMIT, COMPACTION, INFLIGHT, BaseFile, text
from model.hudi.storage import TableStorage
from model.hudi.timeline import Instant, Timeline, deltas_since_compaction, last_compaction
from model.ports import World

MADE = 1
"""The delta commits by which the table is made."""


class MetadataServices:
    """One client's table services of the metadata table. Raises: StorageFailed, InstantGone, InstantExists."""

    def __init__(
        self, world: World, storage: TableStorage, own: ActiveTimeline, data: ActiveTimeline, config: HudiConfig
    ) -> None:  # fmt: skip
        self._world = world
        self._storage = storage
        self._own = own
        self._data = data
        self._after = config.metadata_compact_after
        self._cleaner = MetadataCleaner(world, storage, own, config)

    def perform(self, time_ms: Callable[[], int]) -> None:
        """Clean and compact, if it is time to. Args: `time_ms` draws a time, which nobody else draws meanwhile."""
        seen = self._own.load()
        for instant in seen.pending_compactions:
            self._resume(instant, seen, time_ms)
        if seen.pending_compactions:
            seen = self._own.load()
        self._cleaner.clean_if_necessary(seen, time_ms)
        self._compact_if_necessary(seen, time_ms)

    def _compact_if_necessary(self, seen: Timeline, time_ms: Callable[[], int]) -> None:
        instant = self._before_pending(seen, time_ms())
        made = MADE if last_compaction(seen) is None and not is_made_anew(seen) else 0
        if any(each.requested == instant and each.is_completed for each in seen.instants):
            return
        if len(deltas_since_compaction(seen)) + made < self._after:
            return
        newest = newest_slice(seen, self._storage.list(FILES))
        before = {each.requested for each in seen.completed if each.visible_at < instant}
        plan = newest._replace(logs=tuple([log for log in newest.logs if log.instant in before]))
        if plan.logs:
            self._own.create_requested(instant, COMPACTION, plan)
            self._carry_out(instant, plan, time_ms)

    def _before_pending(self, seen: Timeline, now: int) -> int:
        """The instant of a compaction: before the first pending one of the data table that is completed here."""
        done = {each.requested for each in seen.instants if each.is_completed}
        known = [instant for instant in self._pending() if instant in done]
        if not known:
            return now
        self._world.coverage.hit(coverage.METADATA_BEFORE_PENDING)
        return min(known) - 1

    def _pending(self) -> frozenset[int]:
        """The instants that are pending in the data table."""
        return frozenset([each.requested for each in self._data.load().instants if not each.is_completed])

    def _resume(self, instant: int, seen: Timeline, time_ms: Callable[[], int]) -> None:
        """Carry out what somebody has planned, and if it was begun, begin it anew."""
        plan = self._own.read_requested(instant, COMPACTION)
        if not isinstance(plan, MetadataSlice):  # the table was deleted while somebody began it
            raise StorageFailed(f"read compaction {text(instant)}: expected its plan, it is gone")
        if any(each.requested == instant and each.state == INFLIGHT for each in seen.pending):
            for file in base_files(self._storage.list(FILES)):
                if file.instant == instant:
                    self._storage.delete(base_path(file))
            self._own.delete(Instant(instant, COMPACTION, INFLIGHT), INFLIGHT)
        self._carry_out(instant, plan, time_ms)
        self._world.coverage.hit(coverage.METADATA_COMPACTION_RESUMED)

    def _carry_out(self, instant: int, plan: MetadataSlice, time_ms: Callable[[], int]) -> None:
        self._own.to_inflight(instant, COMPACTION)
        body = compacted(*read_slice(self._storage, plan, self._pending()))
        token = self._world.chance.fresh("write token")  # whoever carries a plan out writes files of other names
        self._world.notes.intend(OfMetadata(instant, COMPACTION, BASE))
        self._storage.create(base_path(BaseFile(FILE_ID, f"{token}-0-0", instant)), body)
        try:
            self._own.complete(instant, time_ms, None, COMMIT, COMPACTION)
        except OutcomeUnknown as error:
            raise StorageFailed(f"metadata table: {error}") from error
        self._world.coverage.hit(coverage.METADATA_COMPACTED)
