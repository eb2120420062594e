"""Changes to a table's metadata alone: properties, among them the format; the sort order; and the location.

Source: `core/PropertiesUpdate.java`, `core/BaseReplaceSortOrder.java` of 1.11.0 (each refreshes in each attempt of its
retry loop: the last writer of a key, and of the order, wins).
"""

from model.iceberg import coverage
from model.iceberg.backoff import Backoff
from model.iceberg.clock_rule import built
from model.iceberg.errors import CommitFailed, InvalidOperation, ValidationFailed
from model.iceberg.formats import FORMAT, upgraded
from model.iceberg.meanings import Loads
from model.iceberg.metadata import TableMetadata
from model.iceberg.sort_orders import Fields, refuse_missing_columns
from model.iceberg.table import IcebergTable

TO_TRY, TO_RETRY = Loads("attempt"), Loads("retry")


class UpdateInLoop:
    """An update that is applied anew, in each attempt, to what is there."""

    def __init__(self, table: IcebergTable) -> None:
        self._table = table

    def applied_to(self, base: TableMetadata) -> TableMetadata:
        """The metadata with the update. Raises: any `IcebergError`."""
        raise NotImplementedError

    def commit(self) -> None:
        """Commit on whatever is there. Raises: any `IcebergError`."""
        world, known = self._table.world, self._table.ops.current.properties
        backoff = Backoff.of(world, known)
        world.notes.intend(TO_TRY)
        while True:
            base = self._table.ops.refresh()
            updated = self.applied_to(base)
            try:
                self._table.ops.commit(built(world, base, updated))
                return
            except CommitFailed:
                world.coverage.hit(coverage.RETRY)
                if not backoff.may_retry():
                    raise
                backoff.wait()
                world.notes.intend(TO_RETRY)


class UpdateProperties(UpdateInLoop):
    """Sets properties that no commit depends on, or the format, and removes some."""

    def __init__(self, table: IcebergTable) -> None:
        super().__init__(table)
        self._changes: dict[str, str] = {}
        self._removed: dict[str, None] = {}

    def set(self, name: str, value: str) -> "UpdateProperties":
        """Set a property. Raises: `InvalidOperation` if this removes it."""
        if name in self._removed:
            raise InvalidOperation(f"set {name}: expected a property that the same update does not remove")
        self._changes[name] = value
        return self

    def remove(self, name: str) -> "UpdateProperties":
        """Remove a property, if it is there. Raises: `InvalidOperation` if this sets it."""
        if name in self._changes:
            raise InvalidOperation(f"remove {name}: expected a property that the same update does not set")
        self._removed[name] = None
        return self

    def applied_to(self, base: TableMetadata) -> TableMetadata:
        """With the properties, or the format; the very same if it has them all. Source: `PropertiesUpdate.apply`,
        `TableMetadata.replaceProperties`."""
        changes = {name: value for name, value in self._changes.items() if name != FORMAT}
        kept = {name: value for name, value in base.properties.further if name not in self._removed}
        further = tuple(sorted({**kept, **changes}.items()))
        same = further == base.properties.further
        updated = base if same else base._replace(properties=base.properties._replace(further=further))
        return upgraded(updated, int(self._changes[FORMAT])) if FORMAT in self._changes else updated


class ReplaceSortOrder(UpdateInLoop):
    """Puts a sort order in the place of the default one. Raises: `ValidationFailed` if the table that the client has
    loaded lacks a column of it."""

    def __init__(self, table: IcebergTable, fields: Fields) -> None:
        super().__init__(table)
        refuse_missing_columns(fields, table.ops.current.columns)
        self._fields = fields

    def applied_to(self, base: TableMetadata) -> TableMetadata:
        """With the order; the very same if it is the default one. Raises: `ValidationFailed` if a column is gone."""
        updated = base.sort_orders.with_default(self._fields)
        try:
            refuse_missing_columns(self._fields, base.columns)
        except ValidationFailed:
            self._table.world.coverage.hit(coverage.SORT_COLUMN_GONE)
            raise
        return base if updated == base.sort_orders else base._replace(sort_orders=updated)


class UpdateLocation:
    """Has new files of the table written elsewhere; those that it has stay where they are.

    It loads the table once, and makes all its attempts on that: who loses a race loses it in each of them. Over REST
    there is none, as nothing of the table is required. Source: `SetLocation.commit`, whose loop is around `commit`
    alone.
    """

    def __init__(self, table: IcebergTable, location: str) -> None:
        self._table, self._location = table, location

    def commit(self) -> None:
        """Commit on what is there at first. Raises: any `IcebergError`."""
        world = self._table.world
        world.notes.intend(TO_TRY)
        base = self._table.ops.refresh()
        backoff = Backoff.of(world, base.properties)
        updated = base if base.location == self._location else base._replace(location=self._location)
        made = built(world, base, updated)
        while True:
            try:
                return self._table.ops.commit(made)
            except CommitFailed:
                world.coverage.hit(coverage.MOVED_IN_VAIN)
                world.coverage.hit(coverage.RETRY)
                if not backoff.may_retry():
                    raise
                backoff.wait()
