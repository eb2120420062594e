"""Spark's `expire_snapshots`: the expiry of the Java API, and a clean-up of its own behind it.

What it deletes are the files that snapshots need which have gone between the table as the session had it before and the
table as it is loaded after, and which none needs that is left. A snapshot that was committed in between and has gone at
once is in neither: its files stay for ever. With `expiry_cleans_as_committed` it is the table that the expiry changed.

Source: `spark/actions/ExpireSnapshotsSparkAction.java` (`expireFiles`: `ops.current()`, `cleanupLevel(NONE)`,
`ops.refresh()`, `findExpiredSnapshotIds`) of 1.11.0 for Spark 3.5.

Choices: as those of `model.iceberg.expire`. A list or a manifest that cannot be read ends it, although the expiry is
committed.
"""

from collections.abc import Callable
from contextlib import suppress

from model.iceberg import coverage
from model.iceberg.errors import IcebergError
from model.iceberg.expire import TO_CLEAN, ExpireSnapshots
from model.iceberg.result import CommandResult
from model.iceberg.spark_files import needed_by
from model.iceberg.table import IcebergTable

Chosen = Callable[[ExpireSnapshots], object]
"""Says which snapshots expire."""


def expire_snapshots(table: IcebergTable, chosen: Chosen) -> CommandResult:
    """`CALL system.expire_snapshots(t)`. Raises: as an expiry, or as reading the files of what has expired."""
    before, command = table.metadata, CommandResult(table.metadata.current_snapshot_id)
    try:
        update = ExpireSnapshots(table)
        chosen(update)
        update.commit(cleans=False)
        table.world.notes.intend(TO_CLEAN)
        after = update.as_committed()
        before = update.base if table.rules.expiry_cleans_as_committed else before
        left = {each.snapshot_id for each in after.snapshots}
        expired = [each for each in before.snapshots if each.snapshot_id not in left]
        if expired:
            table.world.coverage.hit(coverage.CLEANED_BY_SPARK)
        needed = frozenset(needed_by(table.files, after.snapshots))
        gone = [path for path in needed_by(table.files, expired) if path not in needed]
    except IcebergError as error:
        error.result = command
        raise
    for path in gone:
        with suppress(IcebergError):
            table.files.delete(path)
    return command._replace(took_main=update.took_main)
