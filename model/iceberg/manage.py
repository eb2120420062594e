"""Commands of the Java API that manage a table's snapshots: `manageSnapshots`, and `expireSnapshots`.

A command's calls to the catalog: load, to begin; load, commit; after a lost race load, commit again. An expiry's: load,
commit; after a lost race load, commit again; load, to clean up.

Source: `core/SnapshotManager.java` of 1.11.0: every change is an update of a transaction that nobody else uses.

Choices: one change each, where a `ManageSnapshots` may have several.
"""

from collections.abc import Callable

from model.iceberg.errors import IcebergError
from model.iceberg.expire import ExpireSnapshots
from model.iceberg.result import CommandResult
from model.iceberg.table import IcebergTable
from model.iceberg.transaction import PendingUpdate, Transaction

Making = Callable[[IcebergTable], PendingUpdate]
"""Makes a change on the table as a transaction has it; it may refuse."""


def manage(table: IcebergTable, making: Making) -> CommandResult:
    """Make one change, and commit it. Returns: its result, whose `commit` is where main is then, if it has moved main.

    Raises: as the change, or the commit of a transaction.
    """
    transaction = Transaction(table)
    begun = transaction.current.current_snapshot_id
    try:
        update = making(transaction.table())
        transaction.add(update)
        update.commit()
        transaction.commit()
    except IcebergError as error:
        error.result = CommandResult(begun)
        raise
    moved = transaction.base.current_snapshot_id != transaction.current.current_snapshot_id
    return CommandResult(begun, commit=transaction.current.current_snapshot_id if moved else None)


def expire(
    table: IcebergTable, *, keep: int | None = None, snapshot_id: int | None = None, older_than_ms: int | None = None
) -> CommandResult:
    """Expire one snapshot, or all but the newest `keep` of each branch, and delete their files.

    Args: `older_than_ms`: those alone that were made before this time; of a table whose snapshots have times.
    """
    command = CommandResult(table.metadata.current_snapshot_id)
    update = ExpireSnapshots(table)
    if snapshot_id is not None:
        update.expire_snapshot_id(snapshot_id)
    if keep is not None and older_than_ms is not None:
        update.expire_older_than(older_than_ms, keep)
    elif keep is not None:
        update.age_out(keep)
    try:
        update.commit()
    except IcebergError as error:
        error.result = command
        raise
    return command._replace(took_main=update.took_main)
