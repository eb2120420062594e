"""Changes to a table's metadata alone: properties, among them the format, and a column.

Source: `core/PropertiesUpdate.java` (refreshes in each attempt of its retry loop: the last writer of a key wins),
`core/SchemaUpdate.java` (its base is that of its making, and it has no loop: any commit in between refuses it).

Choices: schemas of one level of columns, by name; a column is only ever added, and data files have none of it.
"""

from model.iceberg import coverage
from model.iceberg.backoff import Backoff
from model.iceberg.clock_rule import built
from model.iceberg.errors import CommitFailed, InvalidOperation
from model.iceberg.formats import FORMAT, upgraded
from model.iceberg.meanings import Loads
from model.iceberg.metadata import TableMetadata
from model.iceberg.table import IcebergTable

TO_TRY, TO_RETRY = Loads("attempt"), Loads("retry")


class UpdateProperties:
    """Sets properties that no commit depends on, or the format."""

    def __init__(self, table: IcebergTable) -> None:
        self._table = table
        self._changes: dict[str, str] = {}

    def set(self, name: str, value: str) -> "UpdateProperties":
        """Set a property."""
        self._changes[name] = value
        return self

    def commit(self) -> None:
        """Commit on whatever is there. Raises: any `IcebergError`."""
        world, known = self._table.world, self._table.ops.current.properties
        backoff = Backoff.of(world, known)
        world.notes.intend(TO_TRY)
        while True:
            base = self._table.ops.refresh()
            updated = self._applied_to(base)
            try:
                self._table.ops.commit(built(world, base, updated))
                return
            except CommitFailed:
                world.coverage.hit(coverage.RETRY)
                if not backoff.may_retry():
                    raise
                backoff.wait()
                world.notes.intend(TO_RETRY)

    def _applied_to(self, base: TableMetadata) -> TableMetadata:
        changes = {name: value for name, value in self._changes.items() if name != FORMAT}
        further = tuple(sorted({**dict(base.properties.further), **changes}.items()))
        updated = base._replace(properties=base.properties._replace(further=further))
        return upgraded(updated, int(self._changes[FORMAT])) if FORMAT in self._changes else updated


class UpdateSchema:
    """Adds columns to the schema that was current when this was made."""

    def __init__(self, table: IcebergTable) -> None:
        self._table = table
        self._base = table.ops.current
        self._added: list[str] = []

    def add_column(self, name: str) -> "UpdateSchema":
        """Add a column. Raises: `InvalidOperation` if there is one of that name."""
        if name in (*self._base.columns, *self._added):
            raise InvalidOperation(f"add column {name}: expected a new name, the table has it already")
        self._added.append(name)
        return self

    def commit(self) -> None:
        """Commit on the metadata that this was made with. Raises: any `IcebergError`."""
        updated = self._base._replace(columns=(*self._base.columns, *self._added))
        self._table.ops.commit(built(self._table.world, self._base, updated))
