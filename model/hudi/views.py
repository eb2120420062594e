"""What a reader or a writer sees of a partition: a listing, by a timeline, with the pending compactions of its groups.

Source: `AbstractTableFileSystemView.buildFileGroups`, `CompactionUtils.getAllPendingCompactionOperations` (1.2.0).

Choices: plans are read where they make a difference alone: where a file group has no base file. Hudi reads them all.
"""

from model.hudi.active_timeline import ActiveTimeline
from model.hudi.metadata_table import AnyListing
from model.hudi.names import COMPACTION
from model.hudi.rules import Rules
from model.hudi.slices import CompactionPlan, FileSlice, file_slices, lacks_bases
from model.hudi.timeline import Timeline


def slices_seen(
    timeline: ActiveTimeline, listing: AnyListing, seen: Timeline, partition: str, rules: Rules
) -> tuple[FileSlice, ...]:  # fmt: skip
    """The newest slice of each file group of a partition that is not hidden. Raises: StorageFailed."""
    names = timeline.committed_files(seen, partition) if rules.lists_committed_files else listing.list(partition)
    if rules.history_tells_completion:
        names = timeline.committed_at_all(seen, names)
    replaced = timeline.replaced(seen, partition)
    planned = frozenset[tuple[str, int]]()
    if seen.pending_compactions and lacks_bases(names, seen):
        planned = _planned(timeline, seen, partition)
    return file_slices(names, seen, replaced, planned, pending_log_hides=rules.pending_log_hides_group)


def _planned(timeline: ActiveTimeline, seen: Timeline, partition: str) -> frozenset[tuple[str, int]]:
    """The file ids of pending compactions, with the instant of the plan."""
    plans = [(instant, timeline.read_requested(instant, COMPACTION)) for instant in seen.pending_compactions]
    return frozenset([
        (file_id, instant)
        for instant, plan in plans if isinstance(plan, CompactionPlan)
        for name, file_id in plan.groups if name == partition
    ])  # fmt: skip
