"""Drops with purge: Spark's `DROP TABLE t PURGE`, and `dropTable` of the Java API on the JDBC catalog. The table of
that name is dropped, and the files go of the one that the session has, or the catalog has loaded before.

Which table that is, and which snapshots it has, is what the session has loaded, or caches; what is dropped is whatever
has the name by then. So a session that caches a table deletes the files of one that has another name since.

Source: `spark/SparkCatalog.java` (`purgeTable`, `dropTableWithoutPurging`), `core/CachingCatalog.java` (`loadTable`,
`dropTable`), `spark/actions/DeleteReachableFilesSparkAction.java` of 1.11.0 for Spark 3.5; `core/jdbc/JdbcCatalog.java`
(`dropTable`), `core/CatalogUtil.java` (`dropTableData`) of 1.11.0.

Choices: `gc.enabled` is as by default. The JSON files go live, too; here the catalog keeps the metadata itself. Errors
of reading what there is to delete, and of deleting, are suppressed: the table is dropped by then.
"""

from collections.abc import Callable
from contextlib import suppress

from model.iceberg import coverage
from model.iceberg.api import TO_READ
from model.iceberg.errors import IcebergError
from model.iceberg.jdbc import JdbcOperations
from model.iceberg.metadata import TableMetadata
from model.iceberg.new_table import dropped
from model.iceberg.rest import RestOperations
from model.iceberg.result import CommandResult
from model.iceberg.spark_files import all_needed
from model.iceberg.table import IcebergTable


def purge_table(table: IcebergTable) -> CommandResult:
    """Drop the table of that name, if there is one, and delete the files that the table as it is known needs.

    Returns: as a drop. Raises: any `IcebergError` of the drop, before any file is deleted.
    """
    operations = table.ops
    assert isinstance(operations, RestOperations), "expected a REST catalog"
    return _purged(table, table.metadata, operations.drop)


def drop_with_files(table: IcebergTable) -> CommandResult:
    """Load the table, drop whatever has its name by then, and delete the files that what was loaded needs.

    Returns: as a drop. Raises: any `IcebergError` of the load or the drop.
    """
    operations = table.ops
    assert isinstance(operations, JdbcOperations), "expected a JDBC catalog"
    table.world.notes.intend(TO_READ)
    return _purged(table, operations.find(), operations.drop)


def _purged(
    table: IcebergTable, known: TableMetadata | None, drop: Callable[[int, int | None], bool]
) -> CommandResult:  # fmt: skip
    """Drop what has the name, and delete the files of the table as it is `known` (None: it is not there)."""
    meant = known.uuid if known is not None and table.rules.purge_compares else None
    result, there = dropped(table, lambda by: drop(by, meant))
    if there and known is not None:
        _delete_reachable(table, known)
    return result


def _delete_reachable(table: IcebergTable, known: TableMetadata) -> None:
    table.world.coverage.hit(coverage.PURGED)
    with suppress(IcebergError):
        for path in all_needed(table.files, known):
            with suppress(IcebergError):
                table.files.delete(path)
