"""Table metadata: the value of the one register that an Iceberg table is, and the rules by which it may change.

Source: iceberg/1.1; `core/TableMetadata.java` (its Builder is the only mutator).

Choices: format version 1, 2 or 3, and changes from one to a later one. Times there are only where a table is made with
them (`model.iceberg.clock_rule`); `metadata_log` is filled by metastore catalogs only, as REST servers keep it to
themselves. Invariants that a build cannot break by construction are checked by `model.iceberg.invariants`, not on every
build.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from model.iceberg.column_types import ColumnType
from model.iceberg.errors import HistoryNeverEnds, InvalidOperation, StaleSnapshot, ValidationFailed
from model.iceberg.files import told
from model.iceberg.partitioning import UNPARTITIONED, Partitioning
from model.iceberg.sort_orders import UNSORTED, SortOrders
from model.iceberg.statistics import StatisticsFile, without_statistics
from model.iceberg.table_properties import TableProperties

MAIN = "main"
LAST = (
    "retentions", "next_row_id", "partitioning", "last_updated_ms", "dropped_columns", "sort_orders", "location",
    "statistics", "logged_ms", "types", "schema_id", "past_schemas",
)  # fmt: skip
APPEND, REPLACE, OVERWRITE, DELETE = "append", "replace", "overwrite", "delete"


class Snapshot(NamedTuple):
    """One version of the table. `summary` holds counters by their Iceberg names. `first_row_id`, and how many row
    ids it took (`model.iceberg.row_ids`): of format 3 (None: it was made for another one)."""

    snapshot_id: int
    parent_id: int | None
    sequence_number: int
    operation: str
    manifest_list: str
    summary: tuple[tuple[str, int], ...] = ()
    timestamp_ms: int = 0
    first_row_id: int | None = None
    added_rows: int = 0
    schema_id: int = 0
    """That which was current when it was made."""

    def __repr__(self) -> str:
        return told(self, "timestamp_ms", "first_row_id", "added_rows", "schema_id")


class RefRetention(NamedTuple):
    """What a ref says about its own age and its snapshots'; None: as the expiry has it. Source: `SnapshotRef`."""

    name: str
    min_snapshots_to_keep: int | None = None
    max_snapshot_age_ms: int | None = None
    max_ref_age_ms: int | None = None


class Schema(NamedTuple):
    """A schema that is not the current one (`model.iceberg.schemas`)."""

    schema_id: int
    columns: tuple[str, ...]
    types: tuple[ColumnType, ...] = ()


class TableMetadata(NamedTuple):
    """An immutable version of the table's metadata."""

    uuid: int
    format_version: int = 2
    last_sequence_number: int = 0
    snapshots: tuple[Snapshot, ...] = ()
    current_snapshot_id: int | None = None
    refs: tuple[tuple[str, int], ...] = ()
    snapshot_log: tuple[int, ...] = ()
    metadata_log: tuple[str, ...] = ()
    properties: TableProperties = TableProperties()
    columns: tuple[str, ...] = ("id", "v")
    tags: tuple[str, ...] = ()
    """Which of the refs are tags; the others are branches."""
    retentions: tuple[RefRetention, ...] = ()
    next_row_id: int = 0
    partitioning: Partitioning = UNPARTITIONED
    last_updated_ms: int = 0
    """When this version was made; 0: the table has no times."""
    dropped_columns: int = 0
    sort_orders: SortOrders = UNSORTED
    location: str = ""
    """Below which its new files are; "": where it was made."""
    statistics: tuple[StatisticsFile, ...] = ()
    logged_ms: tuple[int, ...] = ()
    """When main came to each of the first entries of the log; the others have come since the table was given times."""

    types: tuple[ColumnType, ...] = ()
    """Those of columns that came later and are no `int`, by name."""
    schema_id: int = 0
    past_schemas: tuple[Schema, ...] = ()
    """Those beside the current one, by id."""

    def __repr__(self) -> str:
        return told(self, *LAST, empty=(UNPARTITIONED, UNSORTED))

    @property
    def last_column_id(self) -> int:
        """The last field id that was given away."""
        return len(self.columns) + self.dropped_columns

    def snapshot(self, snapshot_id: int | None) -> Snapshot | None:
        """The snapshot of that id, or None. Newest first, because commands ask for recent ones."""
        for snapshot in reversed(self.snapshots):
            if snapshot.snapshot_id == snapshot_id:
                return snapshot
        return None

    @property
    def branches(self) -> tuple[str, ...]:
        """The refs that are no tags."""
        return tuple([name for name, _ in self.refs if name not in self.tags])

    @property
    def current(self) -> Snapshot | None:
        """The head of `main`."""
        return self.snapshot(self.current_snapshot_id)

    @property
    def next_sequence_number(self) -> int:
        """That of the next snapshot; 0 in format 1. Source: `TableMetadata.nextSequenceNumber`."""
        return self.last_sequence_number + 1 if self.format_version > 1 else 0

    def head(self, branch: str) -> Snapshot | None:
        """The head of a branch; of one that is not there, that of `main`. Source: `SnapshotUtil.latestSnapshot`."""
        return self.snapshot(dict(self.refs).get(branch, self.current_snapshot_id))

    @property
    def lineage(self) -> tuple[Snapshot, ...]:
        """The ancestry of `main`, oldest first."""
        return tuple(ancestors(self, self.current))[::-1]


def ancestors(metadata: TableMetadata, head: Snapshot | None, down_to: int | None = None) -> Iterator[Snapshot]:
    """`head` and its ancestors, newest first, down to but without `down_to`; stops where a parent is unknown.

    Raises: `HistoryNeverEnds` where the real one goes round for good, and its client is never heard of again.

    Source: `core/util/SnapshotUtil.java` (`ancestorsBetween`, `ancestorsOf`).
    """
    met: set[int] = set()
    while head is not None and head.snapshot_id != down_to:
        if head.snapshot_id in met:
            raise HistoryNeverEnds(f"ancestors: expected each snapshot once, {head.snapshot_id} comes from itself")
        met.add(head.snapshot_id)
        yield head
        head = metadata.snapshot(head.parent_id) if head.parent_id is not None else None


def add_snapshot(base: TableMetadata, snapshot: Snapshot, *, branch: str | None = MAIN) -> TableMetadata:
    """`base` with a new snapshot at the head of `branch`, or of none: it is staged.

    Raises: `ValidationFailed` if its id is there already, or the branch is a tag; `StaleSnapshot` if its number, or its
    first row id, is not newer than the table's. Source: iceberg/1.1 (`Builder.addSnapshot`,
    `Builder.setBranchSnapshot`).
    """
    refuse_duplicate_snapshot(base, snapshot)
    refuse_stale_sequence(base, snapshot)
    refuse_stale_rows(base, snapshot)
    if branch in base.tags:
        raise ValidationFailed(f"set {branch}: expected a branch, it is a tag")
    main = branch == MAIN
    return TableMetadata(
        base.uuid,
        base.format_version,
        snapshot.sequence_number,
        (*base.snapshots, snapshot),
        snapshot.snapshot_id if main else base.current_snapshot_id,
        base.refs if branch is None else _with_ref(base.refs, branch, snapshot.snapshot_id),
        (*base.snapshot_log, snapshot.snapshot_id) if main else base.snapshot_log,
        base.metadata_log,
        base.properties,
        base.columns,
        base.tags,
        base.retentions,
        base.next_row_id + snapshot.added_rows,
        base.partitioning,
        base.last_updated_ms,
        base.dropped_columns,
        base.sort_orders,
        base.location,
        base.statistics,
        base.logged_ms,
        base.types,
        base.schema_id,
        base.past_schemas,
    )


def refuse_duplicate_snapshot(base: TableMetadata, snapshot: Snapshot) -> None:
    """Raise `ValidationFailed` if the table has a snapshot of that id. Source: iceberg/1.1, J40."""
    if base.snapshot(snapshot.snapshot_id) is not None:
        raise ValidationFailed(
            f"add snapshot {snapshot.snapshot_id}: expected an id that the table does not have, it exists already"
        )


def refuse_stale_sequence(base: TableMetadata, snapshot: Snapshot) -> None:
    """Raise `StaleSnapshot` if the number is not newer than the table's; a snapshot without parent is exempt, and so is
    a table of format 1.

    Source: iceberg/1.1 (`Builder.addSnapshot`); the exemptions are Iceberg's.
    """
    if base.format_version == 1:
        return
    if snapshot.sequence_number <= base.last_sequence_number and snapshot.parent_id is not None:
        raise StaleSnapshot(
            f"add snapshot {snapshot.snapshot_id}: expected a sequence number above {base.last_sequence_number},"
            f" got {snapshot.sequence_number}"
        )


def refuse_stale_rows(base: TableMetadata, snapshot: Snapshot) -> None:
    """Raise `StaleSnapshot` if row ids from the snapshot's first on have been given away; one without parent is not
    exempt. Raise `ValidationFailed` if it has none. Source: `Builder.addSnapshot` (1.11.0), of format 3."""
    if base.format_version < 3:
        return
    if snapshot.first_row_id is None:
        raise ValidationFailed(f"add snapshot {snapshot.snapshot_id}: expected a first row id, got none")  # of format 2
    if snapshot.first_row_id < base.next_row_id:
        raise StaleSnapshot(
            f"add snapshot {snapshot.snapshot_id}: expected a first row id from {base.next_row_id} on,"
            f" got {snapshot.first_row_id}"
        )


def move_branch(base: TableMetadata, snapshot_id: int, branch: str = MAIN) -> TableMetadata:
    """`base` with `branch` at an existing snapshot; `base` itself if it is there already.

    Raises: `InvalidOperation` if the snapshot is unknown: every ref resolves.
    Source: iceberg/1.1 (`Builder.setBranchSnapshot(long, String)`, `Builder.setRef`).
    """
    if dict(base.refs).get(branch) == snapshot_id:
        return base
    if base.snapshot(snapshot_id) is None:
        raise InvalidOperation(f"set {branch}: expected a snapshot of the table, got unknown id {snapshot_id}")
    if branch != MAIN:
        return base._replace(refs=_with_ref(base.refs, branch, snapshot_id))
    return base._replace(
        refs=_with_ref(base.refs, branch, snapshot_id),
        current_snapshot_id=snapshot_id,
        snapshot_log=(*base.snapshot_log, snapshot_id),
    )


def remove_snapshots(base: TableMetadata, ids: Collection[int]) -> TableMetadata:
    """`base` without these snapshots, their statistics, and refs that point to one; `base` itself if it has none of
    them. Log entries up to the last one of theirs go, too.

    Raises: as `refuse_too_many`.
    Source: iceberg/1.1; `Builder.rewriteSnapshotsInternal`, `Builder.updateSnapshotLog`.
    """
    refuse_too_many(base, ids)
    kept = tuple([each for each in base.snapshots if each.snapshot_id not in ids])
    if len(kept) == len(base.snapshots):
        return base
    log, removed = base.snapshot_log, [each.snapshot_id for each in base.snapshots if each.snapshot_id in ids]
    gone = [place for place, logged in enumerate(log) if logged in ids]
    refs = tuple([ref for ref in base.refs if ref[1] not in ids])
    return base._replace(
        snapshots=kept,
        snapshot_log=log[gone[-1] + 1 :] if gone else log,
        logged_ms=base.logged_ms[gone[-1] + 1 :] if gone else base.logged_ms,
        refs=refs,
        tags=tuple([name for name in base.tags if name in dict(refs)]),
        retentions=tuple([each for each in base.retentions if each.name in dict(refs)]),
        current_snapshot_id=dict(refs).get(MAIN),
        statistics=without_statistics(base.statistics, removed),
    )


def refuse_too_many(base: TableMetadata, ids: Collection[int]) -> None:
    """Raise `InvalidOperation` if more are to go than there are, as an expiry that is tried again may name those that
    are gone. Source: `Builder.rewriteSnapshotsInternal` ("arraySize cannot be negative", of a list for what is left).
    """
    if len(ids) > len(base.snapshots):
        raise InvalidOperation(f"expire: expected at most {len(base.snapshots)} snapshots to go, got {len(ids)}")


def retention_of(metadata: TableMetadata, name: str) -> RefRetention:
    """What a ref says about ages."""
    return next((each for each in metadata.retentions if each.name == name), RefRetention(name))


def _with_ref(refs: tuple[tuple[str, int], ...], name: str, snapshot_id: int) -> tuple[tuple[str, int], ...]:
    if len(refs) == 1 and refs[0][0] == name:
        return ((name, snapshot_id),)
    others = tuple(ref for ref in refs if ref[0] != name)
    return tuple(sorted((*others, (name, snapshot_id))))
