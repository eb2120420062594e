"""Drops with purge: Spark's `DROP TABLE t PURGE`, and `dropTable` of the Java API. The table of that name is dropped,
and the files go of the one that the session has, or the catalog has loaded before.

Which table that is, and which snapshots it has, is what the session has loaded, or caches; what is dropped is whatever
has the name by then. So a session that caches a table deletes the files of one that has another name since. Over REST
the Java API asks the server (`purgeRequested`), which drops a table and deletes its files at once; but a request that
is sent again does so to whatever has the name by then.

Source: `spark/SparkCatalog.java` (`purgeTable`, `dropTableWithoutPurging`), `core/CachingCatalog.java` (`loadTable`,
`dropTable`), `spark/actions/DeleteReachableFilesSparkAction.java` of 1.11.0 for Spark 3.5; `core/jdbc/JdbcCatalog.java`
(`dropTable`), `core/inmemory/InMemoryCatalog.java` (`dropTable`), `hive/HiveCatalog.java` (`dropTable`),
`core/rest/RESTSessionCatalog.java` and `core/rest/CatalogHandlers.java` (`purgeTable`), `core/CatalogUtil.java`
(`dropTableData`) of 1.11.0.

Choices: `gc.enabled` is as by default. The JSON files go live, too; but for the Hive catalog's they are none here, as
the catalog keeps the metadata itself. Errors of reading what there is to delete, and of deleting, are suppressed: the
table is dropped by then. A server of REST is Iceberg's own, over a catalog in memory: what it does in one request, it
does at once. On Hadoop nobody purges: a drop takes the folder with it anyway.
"""

from collections.abc import Callable
from contextlib import suppress

from model.iceberg import coverage
from model.iceberg.api import TO_READ
from model.iceberg.errors import IcebergError, TableUnreadable
from model.iceberg.jdbc import JdbcOperations
from model.iceberg.metadata import TableMetadata
from model.iceberg.metastore_tables import HiveTables
from model.iceberg.new_table import dropped
from model.iceberg.register import RegisterOperations
from model.iceberg.rest import RestOperations
from model.iceberg.result import CommandResult
from model.iceberg.spark_files import all_needed
from model.iceberg.storage import TableFiles
from model.iceberg.table import IcebergTable


def purge_table(table: IcebergTable) -> CommandResult:
    """Drop the table of that name, if there is one, and delete the files that the table as it is known needs.

    Returns: as a drop. Raises: any `IcebergError` of the drop, before any file is deleted.
    """
    operations = table.ops
    assert isinstance(operations, RestOperations), "expected a REST catalog"
    known = table.metadata
    meant = known.uuid if table.rules.purge_compares else None
    result, there = dropped(table, lambda by: operations.drop(by, meant))
    if there:
        table.world.coverage.hit(coverage.PURGED)
        delete_quietly(table.files, lambda: all_needed(table.files, known))
    return result


def drop_with_files(table: IcebergTable) -> CommandResult:
    """Load the table, drop whatever has its name by then, and delete the files that what was loaded needs; over REST
    ask the server to.

    Returns: as a drop. Raises: any `IcebergError` of the load or the drop.
    """
    operations = table.ops
    if isinstance(operations, RestOperations):
        return _asked_of_server(table, operations)
    assert isinstance(operations, RegisterOperations | HiveTables), "expected a catalog that purges"
    table.world.notes.intend(TO_READ)
    known, jsons = _found(operations)
    result, there = dropped(table, _drop_of(table, operations, known))
    if there and known is not None:
        table.world.coverage.hit(coverage.PURGED)
        delete_quietly(table.files, lambda: (*data_and_manifests(table.files, known), *jsons))
    return result


def _asked_of_server(table: IcebergTable, operations: RestOperations) -> CommandResult:
    return dropped(table, operations.purge)[0]


def _found(operations: RegisterOperations | HiveTables) -> tuple[TableMetadata | None, tuple[str, ...]]:
    """The table (None: it is not there, or its JSON file is not), and its JSON files, where there are any.

    Source: `HiveCatalog.dropTable` ("continuing drop without purge").
    """
    try:
        known = operations.find()
    except TableUnreadable:
        return None, ()
    if known is None or not isinstance(operations, HiveTables):
        return known, ()
    return known, (*known.metadata_log, operations.seen.location)


def _drop_of(
    table: IcebergTable, operations: RegisterOperations | HiveTables, known: TableMetadata | None
) -> Callable[[int], bool]:
    """The drop, which on JDBC compares the table's uuid if it is to."""
    if not isinstance(operations, JdbcOperations) or known is None or not table.rules.purge_compares:
        return operations.drop
    return lambda by: operations.drop(by, known.uuid)


def data_and_manifests(files: TableFiles, metadata: TableMetadata) -> tuple[str, ...]:
    """What a table's metadata names: all files of its manifests, also those that were removed, the manifests, lists and
    statistics. Raises: as reading them. Source: `CatalogUtil.dropTableData` (`ManifestReader.entries`)."""
    manifests = {one.path: one for snapshot in metadata.snapshots for one in files.manifests(snapshot)}
    named = dict.fromkeys([entry.location for one in manifests.values() for entry in files.entries(one)])
    lists = [snapshot.manifest_list for snapshot in metadata.snapshots]
    return (*named, *manifests, *lists, *[each.path for each in metadata.statistics])


def delete_quietly(files: TableFiles, found: Callable[[], tuple[str, ...]]) -> None:
    """Delete what is found; errors are suppressed."""
    with suppress(IcebergError):
        for path in found():
            with suppress(IcebergError):
                files.delete(path)
