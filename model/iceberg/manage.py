"""Commands of the Java API that manage a table's snapshots: `manageSnapshots`, and `expireSnapshots`.

A command's calls to the catalog: load, to begin; load, commit; after a lost race load, commit again. An expiry's: load,
commit; after a lost race load, commit again; load, to clean up.

Source: `core/SnapshotManager.java` of 1.11.0: every change is an update of a transaction that nobody else uses.

Choices: one change each; a `ManageSnapshots` of several is in `manage_several`.
"""

from collections.abc import Callable

from model.iceberg.errors import IcebergError, ValidationFailed
from model.iceberg.expire import ExpireSnapshots
from model.iceberg.references import SetSnapshot
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


def seen_after(table: IcebergTable, result: CommandResult) -> CommandResult:
    """What a procedure of Spark has done, which looks at the table's columns at last: where a commit outdates what it
    knows (JDBC), it loads the table for that. Raises: as a load; what was done is done.

    Source: `spark/procedures/BaseProcedure.java` (`refreshSparkCache`), `core/BaseMetastoreTableOperations.java`
    (`current`) of 1.11.0.
    """
    try:
        tuple(table.metadata.columns)  # a look, for which it may have to be loaded
    except IcebergError as error:
        error.result = result
        raise
    return result


def publish(table: IcebergTable, ref: str) -> CommandResult:
    """Set main to where a branch or tag is. Raises: `ValidationFailed` if there is none; as `manage`.

    The ref is looked up in the table as its client has it, before the transaction loads it anew, and a snapshot is what
    is set: where the ref has gone since is not asked.

    Source: `spark/procedures/SetCurrentSnapshotProcedure.java` (`toSnapshotId`) of 1.11.0 for Spark 3.5.
    """
    target = dict(table.metadata.refs).get(ref)
    if target is None:
        error = ValidationFailed(f"publish {ref}: expected a branch or tag of the table, it has none such")
        error.result = CommandResult(table.metadata.current_snapshot_id)
        raise error
    return manage(table, lambda at: SetSnapshot(at, target, anywhere=True))


def expire(
    table: IcebergTable, *, keep: int | None = None, snapshot_id: int | None = None, cleans_metadata: bool = False
) -> CommandResult:  # fmt: skip
    """Expire one snapshot, or all but the newest `keep` of each branch, and delete their files.

    Args: `cleans_metadata`: partition specs that nobody needs go, too.
    """

    def chosen(update: ExpireSnapshots) -> None:
        if snapshot_id is not None:
            update.expire_snapshot_id(snapshot_id)
        if keep is not None:
            update.age_out(keep)
        if cleans_metadata:
            update.clean_expired_metadata()

    return _expire(table, chosen)


def expire_by_age(table: IcebergTable, *, older_than_ms: int | None, keep: int | None) -> CommandResult:
    """Expire snapshots of a table whose snapshots have times: those made before this time, but for the newest `keep` of
    each branch; None: as the table's properties say."""
    return _expire(table, lambda update: update.expire_older_than(older_than_ms, keep))


def _expire(table: IcebergTable, chosen: Callable[[ExpireSnapshots], object]) -> CommandResult:
    command = CommandResult(table.metadata.current_snapshot_id)
    try:
        update = ExpireSnapshots(table)
        chosen(update)
        update.commit()
    except IcebergError as error:
        error.result = command
        raise
    return command._replace(took_main=update.took_main)
