"""Plans of clustering and compaction that are pending, and who is refused because of one before anything is written.

An upsert of a file group in a plan of clustering is, unless `SparkAllowUpdateStrategy` lets it go on to the check
before its commit; a deletion of a partition with a file group in any plan is, always; inserts and overwrites are not
(#18830).

Who reads or writes asks each compaction, clustering and replacement that is pending for its plan, and fails if the file
of its announcement is gone. A restore deletes that file alone of what was not inflight when it planned, and a rollback
of what was not when it looked. Either may do so while it becomes inflight: then nobody can read the table any more, nor
write to it, clean it, or plan anything.

A rollback that lists files reads what its target announced when it became inflight, and fails at an overwrite and at a
deletion: they announce what any write does, and it is read as what a completed replacement says (from table version 8
on, where files of the timeline are Avro).

Source: `BaseSparkCommitActionExecutor.clusteringHandleUpdate`, `SparkRejectUpdateStrategy`, `SparkAllowUpdateStrategy`,
`DeletePartitionUtils.checkForPendingTableServiceActions`; `CompactionUtils.getCompactionPlansByTimeline`,
`ClusteringUtils.getAllPendingClusteringPlans`, `getRequestedReplaceMetadata`;
`ListingBasedRollbackStrategy.getRollbackRequests`, `MetadataConversionUtils.convertReplaceCommitMetadataToPojo`,
`BaseCommitActionExecutor.saveWorkloadProfileMetadataToInflight` (1.2.0).

Choices: both errors have one name, where Hudi has `HoodieClusteringUpdateException` for the one and
`HoodieDeletePartitionPendingTableServiceException` for the other. Whether plans are gone is looked at only where
somebody may restore, or clean beside replacements, for nobody else deletes any.
"""

from collections.abc import Collection, Iterable

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.config import HudiConfig
from model.hudi.errors import PlanPending, RollbackUnplanned, StorageFailed
from model.hudi.file_groups import CommitMetadata, Group
from model.hudi.names import CLUSTERING, COMPACTION, INFLIGHT, LOG_COMPACTION, REPLACE_COMMIT, text
from model.hudi.rules import Rules
from model.hudi.slices import CompactionPlan
from model.hudi.timeline import Instant, Timeline
from model.ports import Coverage

PLANNED = (CLUSTERING, COMPACTION, LOG_COMPACTION, REPLACE_COMMIT)
"""The actions whose announcements are read as plans."""


def groups_in_plans(timeline: ActiveTimeline, seen: Timeline, *actions: str) -> frozenset[Group]:
    """The file groups that pending clustering is to replace; or services of other actions to write.

    Raises: StorageFailed.
    """
    pending = [instant for instant in seen.pending if instant.action in (actions or (CLUSTERING,))]
    plans = [timeline.read_requested(instant.requested, instant.action) for instant in pending]
    return frozenset(
        [group for plan in plans if isinstance(plan, CommitMetadata | CompactionPlan) for group in plan.groups]
    )


def refuse_lost_plans(timeline: ActiveTimeline, seen: Timeline, config: HudiConfig, rules: Rules) -> None:
    """Fail if an instant is pending whose plan is gone. Raises: StorageFailed."""
    for each in seen.pending if config.plans_may_go and rules.lost_plans_stop_all else ():
        if each.action in PLANNED and not timeline.is_announced(each):
            raise StorageFailed(f"read {text(each.requested)}: expected the plan of a {each.action}, it is gone")


def refuse_unlisted(target: Instant, config: HudiConfig, rules: Rules, counts: Coverage) -> None:
    """Fail to plan the rollback of a replacement that is inflight, by listing its files. Raises: RollbackUnplanned."""
    stops = rules.unlisted_replacements_stop_rollbacks and config.layout != 1
    if stops and target.action == REPLACE_COMMIT and target.state == INFLIGHT:
        counts.hit(coverage.ROLLBACK_UNPLANNED)
        raise RollbackUnplanned(f"rollback {text(target.requested)}: expected groups that it replaces, it names none")


def refuse_update(changed: Iterable[Group], planned: Collection[Group], counts: Coverage) -> None:
    """Refuse to change a file group that is in a plan. Raises: PlanPending."""
    for group in changed:
        if group in planned:
            counts.hit(coverage.PLAN_RESPECTED)
            raise PlanPending(f"write: {'/'.join(group)} is in a pending plan")


def refuse_deletion(partitions: tuple[str, ...], planned: frozenset[Group], counts: Coverage) -> None:
    """Refuse to delete a partition that has a file group in a plan. Raises: PlanPending."""
    refuse_update(sorted([group for group in planned if group[0] in partitions]), planned, counts)
