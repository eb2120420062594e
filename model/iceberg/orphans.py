"""Spark's `remove_orphan_files`: it lists the table's folder, and deletes what is old and what no snapshot needs.

Which snapshots there are is what the session knows: the table is loaded with the procedure, and never again, and where
the catalog caches tables it is as old as the cache has it.

Source: `spark/procedures/RemoveOrphanFilesProcedure.java`, `spark/actions/DeleteOrphanFilesSparkAction.java`
(`doExecute`, `validFileIdentDS`) of 1.11.0 for Spark 3.5.

Choices: no time passes in a race, so which files are old (three days, unless it is said) is told by who calls. Errors
of deleting are suppressed. What is not below the table's location is not looked at.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from model.iceberg import coverage
from model.iceberg.errors import IcebergError, StorageFailed
from model.iceberg.result import CommandResult
from model.iceberg.spark_files import all_needed
from model.iceberg.table import IcebergTable
from model.ports import PortError


def remove_orphans(table: IcebergTable, old: Collection[str]) -> CommandResult:
    """Delete what is old below the table's location and needed by no snapshot that is known.

    Args: `old`: the paths that are old enough. Raises: `TableUnreadable`, `StorageFailed`, before anything is deleted.
    """
    metadata = table.metadata
    try:
        found = table.world.store.list(table.location)
    except PortError as error:
        raise StorageFailed(f"list {table.location}: expected its files, got {error}") from error
    needed = frozenset(all_needed(table.files, metadata))
    for path in found:
        if path in old and path not in needed:
            table.world.coverage.hit(coverage.ORPHAN_DELETED)
            with suppress(IcebergError):
                table.files.delete(path)
    return CommandResult(metadata.current_snapshot_id)
