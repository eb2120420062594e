"""Mutants of sort orders, columns and locations (`model.iceberg.updates`, `model.iceberg.sort_orders`)."""

from collections.abc import Iterator

from model.iceberg import requirements, sort_changes, sort_orders, update_schema, updates
from model.iceberg.changes import Change
from model.iceberg.hadoop import HadoopOperations
from model.iceberg.metadata import TableMetadata
from model.iceberg.requirements import Requirement
from model.iceberg.rewrite_manifests import RewriteManifests
from model.iceberg.rules import Rules
from model.iceberg.sort_changes import AddSortOrder, SetDefaultSortOrder
from model.iceberg.sort_orders import Fields, SortOrder, SortOrders
from model.iceberg.table import IcebergTable
from model.iceberg.updates import UpdateInLoop, UpdateLocation
from tests.mutants.damage import left_out, nothing, replaced
from tests.mutants.mutant import Mutant

_required = requirements._required
GONE = "refuse_missing_columns"


def always_added(self: SortOrders, fields: Fields) -> SortOrders:
    """An order is new, whatever the table had."""
    new = SortOrder(max(self.ids) + 1, fields)
    return SortOrders((*self.orders, new), new.order_id)


def taken_up(self: AddSortOrder, table: TableMetadata) -> TableMetadata:
    """An order that the table has is as good as one that was added."""
    sort_orders.refuse_missing_columns(self.fields, table.columns)
    return table._replace(sort_orders=table.sort_orders.with_default(self.fields))


def but_of_orders(base: TableMetadata, change: Change, rules: Rules) -> Iterator[Requirement]:
    """Nothing is required of the default sort order."""
    return iter(()) if isinstance(change, AddSortOrder | SetDefaultSortOrder) else _required(base, change, rules)


def by_number(self: TableMetadata) -> int:
    """The last column has the last id."""
    return len(self.columns)


def where_it_was_made(self: IcebergTable) -> str:
    """Files are written where the table was made, wherever it is."""
    return self.files.location


def moved_anyway(self: HadoopOperations, updated: TableMetadata, replaces: TableMetadata | None = None) -> None:
    """A table may be elsewhere than its folder."""
    if updated is not self.seen.value or replaces is not None:
        self._take(self.seen.number + 1, self.seen.value, updated)


def looked_again(self: UpdateLocation) -> None:
    """Each attempt is made on what is there."""
    loops = UpdateInLoop(self._table)
    loops.applied_to = lambda base: base._replace(location=self._location)  # type: ignore[method-assign]
    loops.commit()


LAYOUT: tuple[Mutant, ...] = (
    Mutant(
        "sorted-columns-dropped", "the table is sorted by a column that it has not",
        tuple([(where, GONE, nothing) for where in (updates, update_schema, requirements, sort_changes)]),
    ),
    replaced("sort-orders-never-taken-up", SortOrders, "with_default", always_added, "the same order twice"),
    replaced("column-ids-given-again", TableMetadata, "last_column_id", property(by_number), "two columns of one id"),
    replaced("sort-order-not-asserted", requirements, "_required", but_of_orders, "the other's order goes unseen"),
    replaced("added-order-taken-up", AddSortOrder, "applied_to", taken_up, "kinder than upstream"),
    replaced("moved-files-stay", IcebergTable, "location", property(where_it_was_made), "nobody looks there"),
    replaced("hadoop-moves", HadoopOperations, "commit", moved_anyway, "a folder that nobody finds"),
    left_out("unknown-specs-clustered", RewriteManifests, "_refuse_unknown_spec", "kinder than upstream"),
    replaced("moves-look-again", UpdateLocation, "commit", looked_again, "kinder than upstream"),
)  # fmt: skip
BY_NAME = {mutant.name: mutant for mutant in LAYOUT}
