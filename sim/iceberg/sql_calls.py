"""What a statement of Spark SQL asks of a session: the model's call for each."""

from __future__ import annotations

from model.iceberg import CommandResult, SparkSql
from sim.iceberg.sql_statements import (
    Delete,
    Insert,
    InsertOverwrite,
    Merge,
    RewriteDataFiles,
    Select,
    Sql,
    Truncate,
    Update,
)


def call_sql(sql: SparkSql, statement: Sql, ids: tuple[int, ...]) -> CommandResult:
    """Carry out a statement. Args: `ids`: those of all rows that the race may know. Raises: `IcebergError`."""
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
        case RewriteDataFiles():
            return sql.rewrite_data_files()
