"""Clustering: rows of several file groups are written into a new one, which takes their place.

    client = ClusteringClient(world, config)
    instant = client.schedule(("p1",))                  the plan: names slices; pending until it is carried out
    client.commit(instant, client.execute(instant))
    client.close()

plan: lock, new instant, the slices that are in no other pending plan, of clustering or of any compaction, of partitions
that were written since the last clustering began (all, if there was none), REQUESTED with the names of their base files
and log files, unlock. cluster: INFLIGHT, the named files are read and merged, for each partition marker and file.
commit: lock, reconciliation with the markers, conflicts if the strategy prefers writers, COMPLETED as a replacecommit,
unlock; then markers are deleted. While a plan is pending, others respect it (`model.hudi.plans`). Where file groups are
buckets a plan is made all the same, and whoever is to carry it out fails before it is inflight.

Whoever finds a plan pending carries it out (`model.hudi.executing`): a writer that clusters inline before it plans
anything of its own, or a job beside those that plan alone. Nobody looks whether somebody is at it. What is inflight is
rolled back, and done anew, while its executor may go on: that fails if nothing is inflight when it commits, and commits
otherwise, files that the rollback has deleted or those that it has written since; and the other one commits as well,
if its plan is still pending when it has been taken back.

Source: `BaseHoodieTableServiceClient.scheduleTableService`, `cluster`, `completeClustering`,
`PartitionAwareClusteringPlanStrategy`, `ClusteringPlanStrategy.getFileSlicesEligibleForClustering`,
`getFileSliceInfo`, `BaseTableServicePlanActionExecutor.getIncrementalPartitions`
(`hoodie.table.services.incremental.enabled`), `SparkExecuteClusteringCommitActionExecutor`,
`ClusteringExecutionStrategy.clusteringOperationToFileSlice`, `CommonClientUtils.getPartitionToReplacedFileIds`,
`HoodieTable.rollbackInflightClustering`, `ClusteringUtils.getRequestedClusteringInstant`,
`getInflightClusteringInstant`, `BaseCommitActionExecutor.executeClustering` and
`HoodieSimpleBucketLayout.writeOperationSupported` (1.2.0).

Choices: all slices of a partition become one, without sorting (`single.group.clustering.enabled`, no limit of size);
timeline layout 2 alone, for in layout 1 a plan is a replacecommit that a clean-up of failed writes must tell from
others. A plan that was refused, or whose client died, stays pending until somebody carries it out: nobody rolls it back
(`hoodie.clustering.rollback.pending.replacecommit.on.conflict` is false; where it is true, live tests show what it
loses; `hoodie.clustering.enable.expirations` is false). The timeline is loaded once before it is inflight, where Hudi
loads it twice with nothing but reads in between; and once more then only where plans are carried out by others. Rows of
one key that two slices have (`hudi/same-new-key`) become one in the new file; upstream writes both.
"""

from model.hudi import coverage
from model.hudi.errors import ClusteringRefused, InstantGone, NothingPlanned
from model.hudi.executing import ExecutingClient
from model.hudi.file_groups import CLUSTER, CommitMetadata, WriteStat
from model.hudi.names import CLUSTERING, COMPACTION, INFLIGHT, LOG_COMPACTION, REPLACE_COMMIT, text
from model.hudi.plans import groups_in_plans
from model.hudi.timeline import Instant, Timeline
from model.hudi.written import Written


class ClusteringClient(ExecutingClient):
    """A client that clusters. Raises, from every method: LockFailed, StorageFailed; or as said."""

    ACTION = CLUSTERING
    BUSY = coverage.CLUSTERING_BUSY
    TAKEN_OVER = coverage.CLUSTERING_TAKEN_OVER

    @property
    def _beats(self) -> bool:
        return self.config.multi_writer and self.rules.clusterings_beat

    def schedule(self, partitions: tuple[str, ...]) -> int:
        """Plan to cluster all file groups; returns the instant of the plan. Raises: NothingPlanned, InstantExists."""
        return self._schedule(CLUSTERING, lambda instant: self._plan(instant, partitions))

    def _plan(self, instant: int, partitions: tuple[str, ...]) -> CommitMetadata:
        seen = self.timeline.load()
        written = self._written_since(seen, instant)
        planned = groups_in_plans(self.timeline, seen, CLUSTERING, COMPACTION, LOG_COMPACTION)
        stats = [
            WriteStat(partition, each.file_id, f"{partition}/{file.name}", each.instant)
            for partition in partitions
            if written is None or partition in written
            for each in self._data.slices(partition, seen)
            if (partition, each.file_id) not in planned
            for file in each.files
        ]
        if not stats:
            raise NothingPlanned("plan of clustering: expected a file group that is in no pending plan, got none")
        return CommitMetadata(CLUSTER, tuple(stats))

    def _written_since(self, seen: Timeline, instant: int) -> frozenset[str] | None:
        """The partitions with files of writes that were completed between the last clustering's instant and this one,
        other than itself; None if nothing has been clustered. Raises: StorageFailed."""
        replacing = [each for each in seen.completed if each.action == REPLACE_COMMIT]
        metadata = {each: self.timeline.read_completed(each) for each in replacing}
        clustered = [each for each in replacing if _operation(metadata[each]) == CLUSTER]
        if not clustered:
            return None
        last, found = clustered[-1], list[str]()
        for each in seen.completed:
            if each == last or not last.requested <= each.visible_at < instant:
                continue
            said = metadata[each] if each in metadata else self.timeline.read_completed(each)
            found += [stat.partition for stat in said.stats] if isinstance(said, CommitMetadata) else []
        return frozenset(found)

    def _carry_out(self, instant: int, seen: Timeline) -> Written:
        """Raises: ClusteringRefused, too."""
        again = self._taken_over(instant, seen)
        if self.config.bucketed:
            raise ClusteringRefused(f"clustering {text(instant)}: expected file groups that are no buckets, got some")
        self._refuse_ended(instant, again)
        plan = self.timeline.read_requested(instant, CLUSTERING)
        if not isinstance(plan, CommitMetadata):
            raise InstantGone(f"clustering {text(instant)}: expected its plan, it is gone")
        self.timeline.to_inflight(instant, CLUSTERING)
        begun = self.timeline.load() if self.config.plans_shared or self.config.evolved else again
        columns = self._columns(begun)
        self.metadata.announce_service(instant, self.times.time_ms)
        written = self._data.rewrite(plan, instant, seen)
        if self.config.plans_shared and self._state(instant, begun) != INFLIGHT:
            self._world.coverage.hit(coverage.CLUSTERING_TAKEN_BACK)
            raise InstantGone(f"clustering {text(instant)}: expected it to be inflight, somebody has taken it back")
        return written._replace(columns=columns)

    def _commit(self, instant: int, written: Written) -> Instant:
        self.transactions.begin(instant)
        return self._leaving(instant, lambda: self._checked(instant, written))

    def _checked(self, instant: int, written: Written) -> Instant:
        if self._beats and self.rules.checks_heartbeat_under_lock:
            self._assert_alive(instant)
        self._precommit.reconcile(instant, written.metadata)
        self._precommit.resolve_service_conflicts(instant, written)
        done = self._publish(instant, written.metadata, REPLACE_COMMIT, CLUSTERING)
        self._world.coverage.hit(coverage.CLUSTERED)
        return done


def _operation(metadata: object) -> str:
    return metadata.operation if isinstance(metadata, CommitMetadata) else ""
