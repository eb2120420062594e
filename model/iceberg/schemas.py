"""The schemas of a table: the current one, and those that it had before, which old snapshots name.

A schema that the table had before is taken up again under its old id. A snapshot names the schema that was current
when it was made; an expiry removes those that nothing names any more, if it is asked to.

A snapshot that is read as it was, by its id, a tag or a time, is read by its schema: if that is gone, it is not read.
The table, and a branch, are read by the current schema.

Source: specification of the table format, schemas; `core/TableMetadata.java` (`Builder.addSchemaInternal`,
`reuseOrCreateNewSchemaId`, `removeSchemas`), `core/RemoveSnapshots.java` (`cleanExpiredMetadata`),
`core/util/SnapshotUtil.java` (`schemaFor`) of 1.11.0.

Choices: schemas are the same if names, their order and types are; upstream compares field ids, too.
"""

from collections.abc import Collection
from typing import NamedTuple

from model.iceberg.column_types import ColumnType
from model.iceberg.errors import InvalidOperation, UnknownSchema
from model.iceberg.metadata import Schema, Snapshot, TableMetadata


def with_schema(
    table: TableMetadata, columns: tuple[str, ...], types: tuple[ColumnType, ...], dropped_columns: int
) -> TableMetadata:
    """The table with these columns. Args: `dropped_columns`: how many field ids none of them has."""
    table = table._replace(dropped_columns=dropped_columns)
    if (columns, types) == (table.columns, table.types):
        return table
    before = Schema(table.schema_id, table.columns, table.types)
    again = next((one for one in table.past_schemas if one[1:] == (columns, types)), None)
    newest = max([table.schema_id, *[one.schema_id for one in table.past_schemas]])
    return table._replace(
        columns=columns,
        types=types,
        schema_id=newest + 1 if again is None else again.schema_id,
        past_schemas=tuple(sorted([before, *[one for one in table.past_schemas if one is not again]])),
    )


def schema_ids(table: TableMetadata) -> set[int]:
    """The ids of all schemas."""
    return {table.schema_id, *[one.schema_id for one in table.past_schemas]}


def without_unused(table: TableMetadata) -> TableMetadata:
    """The table without the schemas that neither it nor a snapshot has; itself if there are none."""
    used = {each.schema_id for each in table.snapshots}
    kept = tuple([one for one in table.past_schemas if one.schema_id in used])
    return table if kept == table.past_schemas else table._replace(past_schemas=kept)


def refuse_unknown_schema(table: TableMetadata, snapshot: Snapshot) -> None:
    """Raise `UnknownSchema` if a snapshot that is read as it was is one of them.

    Source: `core/SnapshotScan.java` (`useSnapshot`, `useRef` of a tag, `asOfTime`).
    """
    if snapshot.schema_id not in schema_ids(table):
        got = f"schema {snapshot.schema_id}"
        raise UnknownSchema(f"read {snapshot.snapshot_id}: expected a schema of the table, got {got}")


class RemoveSchemas(NamedTuple):
    """`remove-schemas`, as a commit over REST asks for it: whether a snapshot is of one is not asked."""

    ids: tuple[int, ...]

    def applied_to(self, table: TableMetadata) -> TableMetadata:
        """The table without them. Raises: `InvalidOperation` if one is its current one."""
        if table.schema_id in self.ids:
            raise InvalidOperation(f"remove schemas {self.ids}: expected none that is the current one")
        return table._replace(past_schemas=tuple([one for one in table.past_schemas if one.schema_id not in self.ids]))


def changes_of_schemas(base: TableMetadata, updated: TableMetadata) -> Collection[RemoveSchemas]:
    """The update by which schemas of `base` are not in `updated`, if any is not."""
    gone = tuple(sorted(schema_ids(base) - schema_ids(updated)))
    return (RemoveSchemas(gone),) if gone else ()
