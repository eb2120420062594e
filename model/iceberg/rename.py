"""Giving a table another name. Source: `api/catalog/Catalog.java` (`renameTable`), 1.11.0."""

from model.iceberg.errors import IcebergError
from model.iceberg.metastore_tables import HiveTables
from model.iceberg.register import RegisterOperations
from model.iceberg.rest import RestOperations
from model.iceberg.result import CommandResult
from model.iceberg.table import IcebergTable


def rename_table(table: IcebergTable, name: str, to: str) -> CommandResult:
    """Rename a table of a catalog that can (a Hadoop catalog cannot), by the operations of whatever table of it.

    Raises: any `IcebergError`.
    """
    table.command = CommandResult(None)
    operations = table.ops
    renames = HiveTables | RestOperations | RegisterOperations
    assert isinstance(operations, renames), "expected a catalog that renames tables"
    try:
        operations.rename(name, to)
    except IcebergError as error:
        error.result = table.command
        raise
    return CommandResult(None)
