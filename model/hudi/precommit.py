"""What happens under the lock before COMPLETED: conflicts against a reloaded timeline, reconciliation with the markers.

Source: hudi/2.1 step 5, hudi/2.2; `BaseHoodieWriteClient.preCommit`, `HoodieTable.reconcileAgainstMarkers`.

Choices: which partitions have markers of an instant its client remembers, for nobody else makes them; Hudi lists them.
"""

from collections.abc import Iterable
from functools import partial

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.config import HudiConfig
from model.hudi.conflicts import (
    UNKNOWN,
    ConflictStrategy,
    Operation,
    completed_meanwhile,
    operation_of,
    overwritten_by_both,
    own_groups,
    touched_since_merge,
)
from model.hudi.errors import WriteConflict
from model.hudi.file_groups import CommitMetadata, RollbackPlan
from model.hudi.marker_port import TableMarkers
from model.hudi.markers import marked_path
from model.hudi.names import CLUSTERING, COMMIT, INFLIGHT, INGESTION, ROLLBACK, text
from model.hudi.rules import Rules
from model.hudi.schemas import refuse_unlike
from model.hudi.storage import TableStorage
from model.hudi.timeline import Instant, Timeline
from model.hudi.written import Written
from model.ports import World


class PreCommit:
    """The checks of one client's commits."""

    def __init__(
        self, world: World, storage: TableStorage, timeline: ActiveTimeline, markers: TableMarkers, config: HudiConfig,
        rules: Rules,
    ) -> None:  # fmt: skip
        self._world = world
        self._storage = storage
        self._timeline = timeline
        self._markers = markers
        self._lookup = partial(lookup_metadata, timeline)
        self._rules = rules
        self._config = config
        self._strategy = ConflictStrategy(config, rules)
        self._needed = config.resolves_conflicts
        self._finds_rollbacks = config.multi_writer and rules.own_rollback_is_conflict

    def resolve_conflicts(
        self, instant: int, written: Written, metadata: CommitMetadata, action: str = COMMIT
    ) -> CommitMetadata:  # fmt: skip
        """Load the timeline again and compare with every candidate (hudi/2.2).

        Returns: what the commit is to say, with its columns. Raises: SchemaConflict, WriteConflict, StorageFailed.
        """
        columns = self._config.columns
        if self._needed:
            self._timeline.claim(instant)
            seen = self._timeline.load()
            columns = refuse_unlike(written.start, seen, self._lookup, self._config, self._world.coverage)
            self._resolve_against(seen, instant, written, metadata, action)
        elif self._finds_rollbacks:
            self._find_own_rollback(instant, self._timeline.load())
        return metadata._replace(columns=columns)

    def resolve_service_conflicts(self, instant: int, written: Written) -> None:
        """As `resolve_conflicts`, for clustering, which the default strategy compares with nobody."""
        if self._strategy.services_look:
            self._timeline.claim(instant)
            self._resolve_against(self._timeline.load(), instant, written, written.metadata, CLUSTERING)

    def _resolve_against(
        self, timeline: Timeline, instant: int, written: Written, metadata: CommitMetadata, action: str = COMMIT
    ) -> None:  # fmt: skip
        if self._rules.own_rollback_is_conflict or self._strategy.sees_rollbacks:
            self._find_own_rollback(instant, timeline)
        this = Operation(instant, action, written.operation, own_groups(metadata, self._rules))
        if self._rules.conflict_window == "merge-base":
            other = touched_since_merge(timeline, metadata, self._lookup)
            if other is not None:
                self._world.coverage.hit(coverage.CONFLICT_FOUND)
                raise self._strategy.refuse(this, other, self._strategy.shared(this, other))
            return
        for candidate in self._candidates(timeline, instant, written):
            other = operation_of(candidate, self._lookup)
            if candidate.is_completed and other.operation == UNKNOWN:
                self._meets_empty(candidate)
            self._compare(this, other)

    def _meets_empty(self, candidate: Instant) -> None:
        """A candidate's completed file is empty: what it changed is not known (hudi/1.6). Raises: WriteConflict."""
        self._world.coverage.hit(coverage.EMPTY_COMPLETION)
        if self._rules.empty_completion_is_conflict:
            raise WriteConflict(f"write conflict: the completed file of {text(candidate.requested)} is empty")

    def _candidates(self, timeline: Timeline, instant: int, written: Written) -> list[Instant]:
        found = self._strategy.candidates(timeline, instant, written.start.last_completed, self._lookup)
        for meanwhile in completed_meanwhile(timeline, written.pending):
            if meanwhile not in found:
                self._world.coverage.hit(coverage.PENDING_COMPLETED)
                found.append(meanwhile)
        return found

    def _compare(self, this: Operation, other: Operation) -> None:
        shared = self._strategy.shared(this, other)
        if self._rules.overwrites_compare_partitions:
            shared = shared or overwritten_by_both(this, other)
        if not shared:
            self._world.coverage.hit(coverage.NO_CONFLICT)
        elif self._strategy.is_allowed(this, other):
            self._world.coverage.hit(coverage.CONFLICT_ALLOWED)
        else:
            self._world.coverage.hit(coverage.CONFLICT_FOUND)
            raise self._strategy.refuse(this, other, shared)

    def _find_own_rollback(self, instant: int, timeline: Timeline) -> None:
        """A rollback of my instant ends me; the strategy that prefers writers looks at pending ones only (#18089).

        Source: `PreferWriterConflictResolutionStrategy.getCandidateInstantsForRollbackConflict`.
        """
        for rollback in timeline.rollbacks:
            if rollback.requested <= instant or (rollback.is_completed and not self._rules.own_rollback_is_conflict):
                continue
            plan = self._timeline.read_requested(rollback.requested, ROLLBACK)
            if isinstance(plan, RollbackPlan) and plan.target == instant:
                self._world.coverage.hit(coverage.OWN_ROLLBACK_FOUND)
                raise WriteConflict(f"write conflict: {text(instant)} is rolled back by {text(rollback.requested)}")

    def reconcile(self, instant: int, metadata: CommitMetadata, marked: Iterable[str] = ()) -> None:
        """Delete what the markers name and the stats do not: files of failed task attempts. Raises: StorageFailed.

        Args: `marked` are the partitions in which the client has made markers.
        """
        kept = [stat.path for stat in metadata.stats]
        for partition in dict.fromkeys([*[stat.partition for stat in metadata.stats], *marked]):
            for file in self._markers.files(instant, partition):
                path = marked_path(partition, file, self._rules)
                if path not in kept:
                    self._storage.delete_marked(path)
                    if path.endswith(file.name):
                        self._world.coverage.hit(coverage.RECONCILED)


def lookup_metadata(timeline: ActiveTimeline, instant: Instant) -> CommitMetadata | None:
    """What an instant changes: completed metadata, what an inflight write has announced, or a pending plan."""
    if instant.is_completed:
        body = timeline.read_completed(instant)
    elif instant.action in INGESTION and instant.state == INFLIGHT:
        body = timeline.read_inflight(instant.requested, instant.action)
        if not isinstance(body, CommitMetadata):  # clustering as version 6 announced it: the plan is what counts
            body = timeline.read_requested(instant.requested, instant.action)
    else:
        body = timeline.read_requested(instant.requested, instant.action)
    return body if isinstance(body, CommitMetadata) else None
