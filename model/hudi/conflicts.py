"""Pre-commit conflict resolution: who may have changed the same file groups, and whether that stops the commit.

By default (`Simple...`, `BucketIndex...` alike) the candidates are the writes requested after the last completed one
that the writer knew, and pending clustering and (before table version 8) compaction. `PreferWriter...` takes what was
completed after the writer's own instant was requested, whenever that was requested itself, and nothing that is pending
but a rollback of the writer's own instant. Under each, what was pending when the writer started and has completed
meanwhile is a candidate too. Clustering compares under `PreferWriter...` alone, with what is inflight as well.

Source: hudi/2.2, hudi/2.3; `TransactionUtils.resolveWriteConflictIfAny`, `ConcurrentOperation`, the strategies
`SimpleConcurrentFileWritesConflictResolutionStrategy`, `BucketIndexConcurrentFileWritesConflictResolutionStrategy`,
`PreferWriterConflictResolutionStrategy` (`findInstantsModifiedAfterByCompletionTime`). The window `merge-base` is the
TLA+ specification's: anything that touched the group after the slice that was merged.

An instant whose completed file is empty is read as metadata without an operation, and has no file groups: it conflicts
with nothing (`CommitMetadataSerDeV2.deserialize`, `MetadataConversionUtils.createMetaWrapperForEmptyInstant`).

Choices: who takes a table's schema from an empty commit fails (#17963), which is not modelled: the schema is known.
Schema conflicts, and a clustering that waits for requested writes
(`hoodie.clustering.fail.on.pending.ingestion.during.conflict.resolution`) are left out.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from model.hudi.config import HudiConfig
from model.hudi.errors import WriteConflict
from model.hudi.file_groups import CLUSTER, COMPACT, OVERWRITES, CommitMetadata, Group
from model.hudi.keys import BUCKET_CONFLICTS, PREFER_WRITER
from model.hudi.names import (
    CLUSTERING,
    COMMIT,
    COMPACTION,
    INFLIGHT,
    INGESTION,
    LOG_COMPACTION,
    REPLACE_COMMIT,
    text,
)
from model.hudi.rules import SHIPPED, Rules
from model.hudi.timeline import Instant, Timeline

Lookup = Callable[[Instant], CommitMetadata | None]
"""Metadata of a completed instant, the plan of a pending table service, the stats of an inflight overwrite."""

BUCKET_DIGITS = 8
UNKNOWN = "unknown"


class Operation(NamedTuple):
    """One side of a conflict: what it is, and the file groups that it changes."""

    requested: int
    action: str
    operation: str
    groups: frozenset[Group]


def operation_of(instant: Instant, lookup: Lookup) -> Operation:
    """The other side, as its metadata tells; of an empty file, nothing is changed (hudi/1.6)."""
    metadata = lookup(instant)
    if metadata is None:
        return Operation(instant.requested, instant.action, UNKNOWN, frozenset())
    return Operation(instant.requested, instant.action, metadata.operation, metadata.groups)


class ConflictStrategy:
    """The rules of one table: its version, its type, and how file groups are compared."""

    __slots__ = ("_buckets", "_drops_compactions", "_prefers_writers", "_sees_compactions")

    def __init__(self, config: HudiConfig, rules: Rules = SHIPPED) -> None:
        by_index = config.bucketed and rules.any_strategy_compares_buckets
        self._buckets = config.conflict_strategy == BUCKET_CONFLICTS or by_index
        self._prefers_writers = config.conflict_strategy == PREFER_WRITER
        self._drops_compactions = config.merge_on_read and config.table_version >= 8
        self._sees_compactions = config.table_version < 8

    def candidates(self, timeline: Timeline, own: int, last_completed: int | None, lookup: Lookup) -> list[Instant]:
        """The instants to compare with, in the order of their requested times, or as the strategy looks at them.

        Clustering is known by its own pending instant: it gives way to writes that are inflight
        (`getCandidateInstantsForTableServicesCommits`).
        """
        if self._prefers_writers:
            return self._completed_after(timeline, own) + self._inflight(timeline, own)
        after = -1 if last_completed is None else last_completed
        found = [instant for instant in timeline.completed if instant.requested > after]
        if self._drops_compactions:
            found = [instant for instant in found if instant.action != COMMIT]
        return found + [instant for instant in timeline.pending if self._is_pending_candidate(instant, own, lookup)]

    def _completed_after(self, timeline: Timeline, own: int) -> list[Instant]:
        """What was completed after the writer's instant was requested, in the order of completion (hudi/2.3)."""
        return [instant for instant in timeline.in_order() if instant.visible_at > own and instant.requested != own]

    def _inflight(self, timeline: Timeline, own: int) -> list[Instant]:
        """The writes that are inflight, for clustering; for everybody else none."""
        if not any(instant.requested == own and instant.action == CLUSTERING for instant in timeline.pending):
            return []
        return [i for i in timeline.pending if i.state == INFLIGHT and i.action in INGESTION]

    @property
    def services_look(self) -> bool:
        """Whether clustering compares before it commits (`isPreCommitRequired`)."""
        return self._prefers_writers

    @property
    def sees_rollbacks(self) -> bool:
        """Whether a pending rollback of the writer's own instant is a conflict (#18089)."""
        return self._prefers_writers

    def _is_pending_candidate(self, instant: Instant, own: int, lookup: Lookup) -> bool:
        if instant.action == CLUSTERING:
            return True
        if instant.action == REPLACE_COMMIT:
            return instant.requested > own or operation_of(instant, lookup).operation == CLUSTER
        return instant.action == COMPACTION and self._sees_compactions and instant.requested > own

    def shared(self, this: Operation, other: Operation) -> list[Group]:
        """The groups (or buckets) that both change, sorted; empty if they do not conflict."""
        return sorted(self._compared(this.groups) & self._compared(other.groups))

    def _compared(self, groups: frozenset[Group]) -> frozenset[Group]:
        """What two writes must not both change: file groups, or buckets (hudi/2.3)."""
        if self._buckets:
            return frozenset([(partition, file_id[:BUCKET_DIGITS]) for partition, file_id in groups])
        return groups

    def is_allowed(self, this: Operation, other: Operation) -> bool:
        """Whether overlapping writes may both stand: an older compaction, or log compaction by this one."""
        if other.operation == COMPACT:
            return other.requested < this.requested
        return this.action == LOG_COMPACTION

    def refuse(self, this: Operation, other: Operation, shared: Iterable[Group]) -> WriteConflict:
        """The error for a conflict that is not allowed."""
        groups = ", ".join([f"{partition}/{file_id}" for partition, file_id in shared])
        kind = {CLUSTER: "clustering", COMPACT: "compaction"}.get(other.operation, other.operation)
        return WriteConflict(f"write conflict: {groups} was changed by {text(other.requested)} ({kind})")


def own_groups(metadata: CommitMetadata, rules: Rules) -> frozenset[Group]:
    """What the committing write itself changes: of a deletion of partitions nothing, as shipped.

    Source: `ConcurrentOperation.init` (1.2.0): of metadata that is not read from the timeline, the replaced file ids
    count if the operation is clustering or `WriteOperationType.isOverwrite`, which a deletion of partitions is not. Who
    meets one that has completed reads its replaced ids from the timeline, and compares them.
    """
    if metadata.operation in (CLUSTER, *OVERWRITES) or rules.deletion_compares_replaced:
        return metadata.groups
    return frozenset([stat.group for stat in metadata.stats])


def overwritten_by_both(this: Operation, other: Operation) -> list[Group]:
    """The new file groups of two overwrites in a partition that both have written to (#19720)."""
    if this.operation not in OVERWRITES or other.operation not in OVERWRITES:
        return []
    partitions = {partition for partition, _ in this.groups}
    return sorted([group for group in other.groups if group[0] in partitions])


def completed_meanwhile(timeline: Timeline, pending_at_start: frozenset[int]) -> list[Instant]:
    """The instants that were pending when the writer started and are completed now (HUDI-3355)."""
    return [instant for instant in timeline.completed if instant.requested in pending_at_start]


def touched_since_merge(timeline: Timeline, this: CommitMetadata, lookup: Lookup) -> Operation | None:
    """A completed write of one of this one's groups, newer than the slice that was merged (window `merge-base`)."""
    merged = {stat.group: stat.previous if stat.previous is not None else 0 for stat in this.stats}
    for instant in timeline.completed:
        if instant.requested > min(merged.values(), default=0):
            other = operation_of(instant, lookup)
            if any(instant.requested > merged[group] for group in other.groups if group in merged):
                return other
    return None
