"""The sort orders of a table, which of them is the default one, and how one more comes to be.

An order is for who writes: nothing that is read depends on it, and files of another order, or of none, stay as they
are. An order that the table had before is taken up again under its old id; no order at all is order 0.

Source: specification of the table format, sorting; `core/TableMetadata.java` (`Builder.addSortOrderInternal`,
`reuseOrCreateNewSortOrderId`), `api/.../SortOrder.java` (`checkCompatibility`, `sameOrder`) of 1.11.0.

Choices: fields are columns as they are (`identity`), nulls as by default: first where it ascends. A field is known by
the name of its column, as no name is given away twice. Data files do not tell by which order they were written.
"""

from typing import NamedTuple

from model.iceberg.errors import ValidationFailed


class SortField(NamedTuple):
    """A column that is sorted by."""

    column: str
    descending: bool = False


Fields = tuple[SortField, ...]


class SortOrder(NamedTuple):
    """One order: its id, and its fields."""

    order_id: int
    fields: Fields = ()


class SortOrders(NamedTuple):
    """The orders of a table, by id, and the default one."""

    orders: tuple[SortOrder, ...]
    default_id: int = 0

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of the orders."""
        return tuple([order.order_id for order in self.orders])

    @property
    def default(self) -> SortOrder:
        """The default order."""
        return next(order for order in self.orders if order.order_id == self.default_id)

    def known(self, fields: Fields) -> int | None:
        """The id of the order of these fields, if the table has one."""
        return next((order.order_id for order in self.orders if order.fields == fields), None)

    def with_default(self, fields: Fields) -> "SortOrders":
        """With the order of these fields as the default, which is added if there is none like it."""
        known = self.known(fields)
        if known is not None:
            return self._replace(default_id=known)
        new = SortOrder(max(self.ids) + 1, fields)
        return SortOrders((*self.orders, new), new.order_id)


UNSORTED = SortOrders((SortOrder(0),))


def refuse_missing_columns(fields: Fields, columns: tuple[str, ...]) -> None:
    """Raise `ValidationFailed` if a column is missing that is sorted by. Source: `SortOrder.checkCompatibility`."""
    missing = [field.column for field in fields if field.column not in columns]
    if missing:
        raise ValidationFailed(f"sort by {missing[0]}: expected a column of the table, it has {', '.join(columns)}")
