"""What a commit over REST asks to be changed: the updates that lead from the metadata which a client has loaded to that
which it wants, each of which a server applies to whatever metadata it has.

Source: iceberg/3.3; `core/MetadataUpdate.java` (`applyTo`), `core/TableMetadata.java` (`Builder`) of 1.11.0.

Choices: the updates are found by comparison, each move of main by the history; upstream notes them when they are made.
Snapshots come before refs, where upstream has each ref behind its snapshot: the ref is asserted once, and the history
has the last one alone, either way.
A schema is its columns, and made the current one by the update that adds it, as a partition spec is made the default
one, and a sort order.
"""

from collections.abc import Iterator
from typing import NamedTuple

from model.iceberg.column_types import ColumnType
from model.iceberg.errors import ValidationFailed
from model.iceberg.formats import upgraded
from model.iceberg.metadata import (
    MAIN,
    RefRetention,
    Snapshot,
    TableMetadata,
    add_snapshot,
    remove_snapshots,
    retention_of,
)
from model.iceberg.ref_ages import set_ref
from model.iceberg.schemas import RemoveSchemas, changes_of_schemas, schema_ids, with_schema
from model.iceberg.sort_changes import OfSortOrders, changes_of_sort_orders
from model.iceberg.spec_changes import OfSpecs, changes_of_specs
from model.iceberg.statistics_changes import OfStatistics, changes_of_statistics


class AddSnapshot(NamedTuple):
    """`add-snapshot`."""

    snapshot: Snapshot

    def applied_to(self, table: TableMetadata) -> TableMetadata:
        """The table with it, at the head of nothing. Raises: `ValidationFailed`, `StaleSnapshot`."""
        return add_snapshot(table, self.snapshot, branch=None)


class SetSnapshotRef(NamedTuple):
    """`set-snapshot-ref`."""

    name: str
    snapshot_id: int
    tag: bool
    retention: RefRetention | None = None
    """What the ref says of ages as its client had loaded it; None: nothing."""

    def applied_to(self, table: TableMetadata) -> TableMetadata:
        """The table with the ref at that snapshot. Raises: `ValidationFailed` if the table does not have it."""
        if table.snapshot(self.snapshot_id) is None:
            raise ValidationFailed(f"set {self.name}: expected a snapshot of the table, got {self.snapshot_id}")
        moved = set_ref(table, self.name, self.snapshot_id, self.retention)
        if self.tag == (self.name in table.tags):
            return moved
        kept = [name for name in table.tags if name != self.name]
        return moved._replace(tags=tuple(sorted([*kept, self.name] if self.tag else kept)))


class RemoveSnapshots(NamedTuple):
    """`remove-snapshots`: refs that point to one of them go, too, and nobody is asked.

    Source: `Builder.rewriteSnapshotsInternal` ("remove any refs that are no longer valid").
    """

    ids: tuple[int, ...]

    def applied_to(self, table: TableMetadata) -> TableMetadata:
        """The table without them."""
        return remove_snapshots(table, self.ids)


class RemoveSnapshotRef(NamedTuple):
    """`remove-snapshot-ref`; the history of main stays."""

    name: str

    def applied_to(self, table: TableMetadata) -> TableMetadata:
        """The table without the ref."""
        kept = table._replace(
            refs=tuple([ref for ref in table.refs if ref[0] != self.name]),
            tags=tuple([name for name in table.tags if name != self.name]),
            retentions=tuple([each for each in table.retentions if each.name != self.name]),
        )
        return kept._replace(current_snapshot_id=None) if self.name == MAIN else kept


class SetProperties(NamedTuple):
    """`set-properties`, of those that no commit depends on."""

    further: tuple[tuple[str, str], ...]

    def applied_to(self, table: TableMetadata) -> TableMetadata:
        """The table with them; others stay."""
        further = tuple(sorted({**dict(table.properties.further), **dict(self.further)}.items()))
        return table._replace(properties=table.properties._replace(further=further))


class RemoveProperties(NamedTuple):
    """`remove-properties`: those that the table does not have any more are passed over."""

    names: tuple[str, ...]

    def applied_to(self, table: TableMetadata) -> TableMetadata:
        """The table without them."""
        further = tuple([one for one in table.properties.further if one[0] not in self.names])
        return table._replace(properties=table.properties._replace(further=further))


class AddSchema(NamedTuple):
    """`add-schema`, and `set-current-schema` to it."""

    columns: tuple[str, ...]
    last_column_id: int
    types: tuple[ColumnType, ...] = ()

    def applied_to(self, table: TableMetadata) -> TableMetadata:
        """The table with these columns."""
        last = max(self.last_column_id, table.last_column_id)
        dropped = last - len(self.columns)
        return with_schema(table, self.columns, self.types, dropped)


class SetLocation(NamedTuple):
    """`set-location`."""

    location: str

    def applied_to(self, table: TableMetadata) -> TableMetadata:
        """The table with that location."""
        return table._replace(location=self.location)


class UpgradeFormatVersion(NamedTuple):
    """`upgrade-format-version`."""

    version: int

    def applied_to(self, table: TableMetadata) -> TableMetadata:
        """The table in that format. Raises: `InvalidOperation` if it has a later one."""
        return upgraded(table, self.version)


OfSnapshots = AddSnapshot | SetSnapshotRef | RemoveSnapshots | RemoveSnapshotRef
OfProperties = SetProperties | RemoveProperties
Change = (
    OfSnapshots
    | OfProperties
    | AddSchema
    | RemoveSchemas
    | UpgradeFormatVersion
    | OfSpecs
    | OfSortOrders
    | SetLocation
    | OfStatistics
)


def changes_between(base: TableMetadata, updated: TableMetadata) -> tuple[Change, ...]:
    """The updates that make `updated` of `base`."""
    found: list[Change] = []
    if updated.format_version != base.format_version:
        found.append(UpgradeFormatVersion(updated.format_version))
    found += _of_schema(base, updated)
    found += changes_of_schemas(base, updated)
    found += changes_of_specs(base.partitioning, updated.partitioning)
    found += changes_of_sort_orders(base.sort_orders, updated.sort_orders)
    if updated.location != base.location:
        found.append(SetLocation(updated.location))
    found += _of_properties(base, updated)
    before = {each.snapshot_id for each in base.snapshots}
    after = {each.snapshot_id for each in updated.snapshots}
    found += [AddSnapshot(each) for each in updated.snapshots if each.snapshot_id not in before]
    if not before <= after:
        gone = tuple([each.snapshot_id for each in base.snapshots if each.snapshot_id not in after])
        found.append(RemoveSnapshots(gone))
    return (*found, *changes_of_statistics(base, updated), *_of_refs(base, updated))


def _of_schema(base: TableMetadata, updated: TableMetadata) -> Iterator[Change]:
    """Every schema that the table came to have, the current one last. Source: `TableMetadata.changes`."""
    known, last = schema_ids(base), updated.last_column_id
    between = [one for one in updated.past_schemas if one.schema_id not in known]
    yield from [AddSchema(one.columns, last, one.types) for one in between]
    if between or (updated.columns, updated.types) != (base.columns, base.types):
        yield AddSchema(updated.columns, last, updated.types)


def _of_properties(base: TableMetadata, updated: TableMetadata) -> Iterator[Change]:
    """Source: `TableMetadata.replaceProperties`: what is set comes first."""
    known, wanted = dict(base.properties.further), dict(updated.properties.further)
    if changed := tuple([one for one in wanted.items() if known.get(one[0]) != one[1]]):
        yield SetProperties(changed)
    if gone := tuple([name for name in known if name not in wanted]):
        yield RemoveProperties(gone)


def _of_refs(base: TableMetadata, updated: TableMetadata) -> tuple[Change, ...]:
    known, kept, log = dict(base.refs), dict(updated.refs), updated.snapshot_log
    moved = log[len(base.snapshot_log) :] if log[: len(base.snapshot_log)] == base.snapshot_log else ()
    places = [(MAIN, each) for each in moved]
    if (updated.refs, updated.tags, updated.retentions) != (base.refs, base.tags, base.retentions):
        places += [each for each in updated.refs if not (moved and each[0] == MAIN) and _is_set(base, updated, *each)]
    found: list[Change] = [
        SetSnapshotRef(name, target, name in updated.tags, retention_of(updated, name)) for name, target in places
    ]
    return (*found, *[RemoveSnapshotRef(name) for name in known if name not in kept and name != MAIN])


def _is_set(base: TableMetadata, updated: TableMetadata, name: str, target: int) -> bool:
    """Whether a ref is at another snapshot, or says another thing of ages."""
    return (dict(base.refs).get(name), retention_of(base, name)) != (target, retention_of(updated, name))


def only_snapshot(changes: tuple[Change, ...]) -> int | None:
    """The snapshot that they add to main or stage, if that is all that they do.

    Source: `RESTTableOperations.expectedSnapshotIdIfSnapshotAddOnly`.
    """
    added = [change.snapshot.snapshot_id for change in changes if isinstance(change, AddSnapshot)]
    refs = [change for change in changes if isinstance(change, SetSnapshotRef)]
    if len(added) != 1 or len(added) + len(refs) != len(changes):
        return None
    return added[0] if all((each.name, each.snapshot_id) == (MAIN, added[0]) for each in refs) else None
