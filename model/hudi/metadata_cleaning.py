"""Cleaning of the metadata table: old slices of its `files` partition are deleted, base files with their log files.

It goes by the policy of the data table, and keeps a fifth more: of the last commits at least 20, commits being delta
commits and compactions of the metadata table; or so many slices; or the slices of so many hours. It waits until three
instants were completed whose times are later than that of the last compaction, for the sake of who reads what that has
made old. A clean that somebody has left pending is carried out first.

Source: `HoodieMetadataWriteUtils.createMetadataWriteConfig`, `hoodie.metadata.derive.from.datatable.clean.policy`
(true), `HoodieBackedTableMetadataWriter.cleanIfNecessary`, `CleanPlanner` (1.2.0).

Choices: as in Hudi a reader who has looked which files there are, and reads them when they were deleted, fails. Two
slices are kept, in place of all this, by releases before 1.2.0, and where the policy is told not to be derived.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from math import ceil

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.clean_policies import earliest_to_retain
from model.hudi.config import HudiConfig
from model.hudi.errors import OutcomeUnknown, StorageFailed
from model.hudi.file_groups import CleanPlan
from model.hudi.metadata_slices import FILES, MetadataSlice, OfMetadata, paths_of, slices_of
from model.hudi.names import CLEANING, INFLIGHT, text
from model.hudi.storage import TableStorage
from model.hudi.timeline import Instant, Timeline, last_compaction
from model.ports import World

LATER, LEAST_COMMITS, MORE = 3, 20, 1.2
GONE = "gone"
"""What is said of a file that is deleted."""


def policy_of(data: HudiConfig) -> HudiConfig:
    """The settings of cleaning, by those of the data table."""
    return replace(
        data,
        commits_retained=int(max(LEAST_COMMITS, MORE * data.commits_retained)),
        versions_retained=ceil(MORE * data.versions_retained),
        hours_retained=ceil(MORE * data.hours_retained),
    )


class MetadataCleaner:
    """One client's cleaning of the metadata table. Raises: StorageFailed, InstantGone, InstantExists."""

    def __init__(self, world: World, storage: TableStorage, own: ActiveTimeline, config: HudiConfig) -> None:
        self._world = world
        self._storage = storage
        self._own = own
        self._policy = policy_of(config)

    def clean_if_necessary(self, seen: Timeline, time_ms: Callable[[], int]) -> None:
        """Clean by a timeline that was `seen`, unless it is too early."""
        last = last_compaction(seen)
        later = [each for each in seen.instants if each.is_completed and last is not None and each.requested > last]
        if last is not None and len(later) < LATER:
            return
        pending = [each for each in seen.cleans if not each.is_completed]
        if not pending:
            pending = self._announced(seen, time_ms)
        for clean in pending:
            self._execute(clean, time_ms)

    def _announced(self, seen: Timeline, time_ms: Callable[[], int]) -> list[Instant]:
        """Plan by the timeline; none, if nothing is old enough."""
        earliest = self._earliest(seen)
        if not self._policy.keeps_versions and earliest is None:
            return []
        paths = [path for each in self._old(seen, earliest) for path in paths_of(each)]
        if not paths:
            return []
        instant = time_ms()
        self._own.create_requested(
            instant, CLEANING, CleanPlan(earliest, seen.completed[-1].requested, tuple(paths), ())
        )
        return [each for each in self._own.load().cleans if each.requested == instant]

    def _earliest(self, seen: Timeline) -> int | None:
        """The earliest instant to retain; none where slices are counted."""
        if self._policy.keeps_versions:
            return None
        return earliest_to_retain(seen, self._policy, self._world.clock.now_ms())

    def _old(self, seen: Timeline, earliest: int | None) -> list[MetadataSlice]:
        """The slices that go, the oldest first."""
        slices = slices_of(seen, self._storage.list(FILES))
        if earliest is None:
            return slices[: max(0, len(slices) - self._policy.versions_retained)]
        return [each for each, newer in pairwise(slices) if newer.instant < earliest]

    def _execute(self, clean: Instant, time_ms: Callable[[], int]) -> None:
        plan = self._own.read_requested(clean.requested, CLEANING)
        if not isinstance(plan, CleanPlan):  # the table was deleted while somebody began it
            raise StorageFailed(f"read clean {text(clean.requested)}: expected its plan, it is gone")
        if clean.state != INFLIGHT:
            self._own.to_inflight(clean.requested, CLEANING)
        for path in plan.paths:
            self._world.notes.intend(OfMetadata(clean.requested, CLEANING, GONE))
            self._storage.delete(path)
        try:
            self._own.complete(clean.requested, time_ms, plan, CLEANING)
        except OutcomeUnknown as error:
            raise StorageFailed(f"metadata table: {error}") from error
        self._world.coverage.hit(coverage.METADATA_CLEANED)
