"""Updates of sort orders as a commit over REST asks for them; `model.iceberg.changes` has the others.

Source: `core/MetadataUpdate.java` (`AddSortOrder`, `SetDefaultSortOrder`), `core/TableMetadata.java`
(`Builder.addSortOrderInternal`, `setDefaultSortOrder`) of 1.11.0.
"""

from typing import TYPE_CHECKING, NamedTuple

from model.iceberg.errors import ValidationFailed
from model.iceberg.sort_orders import Fields, SortOrders, refuse_missing_columns

if TYPE_CHECKING:
    from model.iceberg.metadata import TableMetadata


class AddSortOrder(NamedTuple):
    """`add-sort-order`, and `set-default-sort-order` to the one that was added last (-1)."""

    fields: Fields

    def applied_to(self, table: "TableMetadata") -> "TableMetadata":
        """The table with an order of these fields as its default.

        Raises: `ValidationFailed` if it lacks a column of theirs; or if it has such an order already, by somebody who
        has set another default since: then none was added last.
        """
        refuse_missing_columns(self.fields, table.columns)
        if table.sort_orders.known(self.fields) is not None:
            raise ValidationFailed("set default sort order: expected that one was added, the table has it already")
        return table._replace(sort_orders=table.sort_orders.with_default(self.fields))


class SetDefaultSortOrder(NamedTuple):
    """`set-default-sort-order` to one that the table has."""

    order_id: int

    def applied_to(self, table: "TableMetadata") -> "TableMetadata":
        """The table with that default: orders never go."""
        return table._replace(sort_orders=table.sort_orders._replace(default_id=self.order_id))


OfSortOrders = AddSortOrder | SetDefaultSortOrder


def changes_of_sort_orders(base: SortOrders, updated: SortOrders) -> tuple[OfSortOrders, ...]:
    """The updates that make `updated` of `base`."""
    added = [order for order in updated.orders if order.order_id not in base.ids]
    default_id = added[-1].order_id if added else base.default_id
    found: list[OfSortOrders] = [AddSortOrder(order.fields) for order in added]
    return (*found, *([] if updated.default_id == default_id else [SetDefaultSortOrder(updated.default_id)]))
