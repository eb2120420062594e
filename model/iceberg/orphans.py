"""Spark's `remove_orphan_files`: it lists the table's folder, and deletes what is old and what no snapshot names.

Which snapshots there are is what the session knows: the table is loaded with the procedure, and never again, and where
the catalog caches tables it is as old as the cache has it.

Source: `spark/procedures/RemoveOrphanFilesProcedure.java`, `spark/actions/DeleteOrphanFilesSparkAction.java`
(`doExecute`, `validFileIdentDS`), `BaseSparkAction.java` (`loadMetadataTable`) of 1.11.0 for Spark 3.5.

Choices: no time passes in a race, so which files are old (three days, unless it is said) is told by who calls. Errors
of deleting are suppressed. What is not below the table's location, and files of statistics, there are none.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from model.iceberg import coverage
from model.iceberg.errors import IcebergError, StorageFailed
from model.iceberg.metadata import TableMetadata
from model.iceberg.result import CommandResult
from model.iceberg.storage import TableFiles
from model.iceberg.table import IcebergTable
from model.ports import PortError


def remove_orphans(table: IcebergTable, old: Collection[str]) -> CommandResult:
    """Delete what is old below the table's location and in no snapshot that is known.

    Args: `old`: the paths that are old enough. Raises: `TableUnreadable`, `StorageFailed`, before anything is deleted.
    """
    metadata = table.metadata
    try:
        found = table.world.store.list(table.files.location)
    except PortError as error:
        raise StorageFailed(f"list {table.files.location}: expected its files, got {error}") from error
    named = frozenset(named_files(table.files, metadata))
    for path in found:
        if path in old and path not in named:
            table.world.coverage.hit(coverage.ORPHAN_DELETED)
            with suppress(IcebergError):
                table.files.delete(path)
    return CommandResult(metadata.current_snapshot_id)


def named_files(files: TableFiles, metadata: TableMetadata) -> tuple[str, ...]:
    """The files that any snapshot names: lists, manifests, and what is in them, live or not."""
    named: dict[str, None] = {}
    for snapshot in metadata.snapshots:
        named[snapshot.manifest_list] = None
        for manifest in files.manifests(snapshot):
            if manifest.path not in named:
                named |= dict.fromkeys([manifest.path, *[entry.file.path for entry in files.entries(manifest)]])
    return tuple(named)
