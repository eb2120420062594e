"""What a statement of Spark SQL asks of a session: the model's call for each."""

from __future__ import annotations

from collections.abc import Callable, Collection

from model.iceberg import CommandResult, SparkSql
from sim.iceberg.sql_statements import (
    Delete,
    Insert,
    InsertOverwrite,
    Merge,
    RemoveOrphanFiles,
    RewriteDataFiles,
    Select,
    Sql,
    Truncate,
    Update,
)


def call_sql(
    sql: SparkSql, statement: Sql, ids: tuple[int, ...], committed: Callable[[], Collection[str]]
) -> CommandResult:
    """Carry out a statement.

    Args: `ids`: those of all rows that the race may know; `committed`: finds the files that the table names now.
    Raises: `IcebergError`.
    """
    match statement:
        case Insert(rows):
            return sql.insert(rows)
        case Delete(key):
            return sql.delete(key)
        case Update(key, value):
            return sql.update(key, value)
        case Select():
            return sql.select()
        case Merge(rows, matched, inserts):
            return sql.merge(rows, matched, inserts)
        case InsertOverwrite(rows, dynamic):
            return sql.insert_overwrite(rows, dynamic)
        case Truncate(by):
            return sql.truncate(ids, by == "DELETE FROM")
        case RemoveOrphanFiles():
            return sql.remove_orphan_files(committed())
        case RewriteDataFiles():
            return sql.rewrite_data_files()
