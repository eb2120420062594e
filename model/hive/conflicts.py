"""First committer wins: which committed transaction's update or delete overlaps with one that wants to commit.

A transaction is an interval from its id to its commit id, the highest id that existed when it committed. Two updates or
deletes of one table and partition conflict if the intervals overlap.

Source: hive/1.6; `CommitTxnFunction.java`, `performWriteSetGC`.

Choices: components are recorded by name, as upstream records them, and follow a rename (`OnRenameFunction`). Inserts
never conflict; they are recorded for the cleaner, and of a place that is changed, too, the change is. A commit of
changes keeps out other such commits, and
opens, by the lock on the log's sequence, which they all take before they end; upstream has a lock of its own for that
(`acquireTxnLock`).
"""

from model.hive.rows import NOTIFICATION_SEQUENCE, TXN_COMPONENTS, TXNS, WRITE_SET, WriteSet
from model.ports import Transaction

UPDATE, DELETE, INSERT = "u", "d", "i"
UNDATED = 1 << 60
"""The commit id of what the cleaner has not seen yet: above all transactions."""
Components = tuple[tuple[tuple[int, str, str], str], ...]
"""((transaction, table, partition), operation), in order."""


def record_component(tx: Transaction, txn: int, table: str, partition: str, operation: str) -> None:
    """Note what a transaction writes; `partition` is empty for an unpartitioned table."""
    tx.put(TXN_COMPONENTS, (txn, table, partition), operation)


def record_insert(tx: Transaction, txn: int, table: str, partition: str) -> None:
    """Note that a transaction inserts, unless it is known to change more there."""
    if tx.get(TXN_COMPONENTS, (txn, table, partition)) is None:
        record_component(tx, txn, table, partition, INSERT)


def components_of(tx: Transaction, txn: int) -> Components:
    """What the transaction changes. Other commits of changes, and opens, are kept out from now on if it does.

    So its commit id is above all whose snapshots have it open, whether or not conflicts are looked for.
    """
    found = _components(tx, txn)
    if changes(found):
        tx.lock(NOTIFICATION_SEQUENCE, 1)
    return found


def changes(components: Components) -> bool:
    """Whether there is more among them than inserts."""
    return any(operation in (UPDATE, DELETE) for _, operation in components)


def conflict_of(tx: Transaction, txn: int, components: Components) -> str | None:
    """What stands against committing the transaction now, in words, or None."""
    changes = [(key, operation) for key, operation in components if operation in (UPDATE, DELETE)]
    for (_, table, partition), operation in changes:
        for (_, _, other), row in tx.scan(WRITE_SET, (table, partition), (table, partition + "\0")):
            if row.commit >= txn and row.operation in (UPDATE, DELETE):
                place = table + (f"/{partition}" if partition else "")
                return (
                    f"write conflict on {place}, committed by [txnid:{other},{row.commit}] {operation}/{row.operation}"
                )
    return None


def latest_conflict(tx: Transaction, txn: int) -> int:
    """The latest committed transaction whose changes this one's overlap with; 0 if there is none.

    A dynamic write, which has not said yet which partitions it wrote, meets whoever changed any of the table.
    Source: `LatestTxnIdInConflictHandler` 4.0.1.
    """
    latest = 0
    for (_, table, partition), operation in _components(tx, txn):
        place = (table, partition) if partition else (table,)
        for (_, _, other), row in tx.scan(WRITE_SET, place, (*place[:-1], place[-1] + "\0")):
            if operation in (UPDATE, DELETE) and row.operation != INSERT and row.commit >= txn:
                latest = max(latest, other)
    return latest


def rename_components(tx: Transaction, old: str, new: str) -> None:
    """Let what open transactions change, and what committed ones have changed, follow a table to its new name."""
    for key, operation in tx.scan(TXN_COMPONENTS):
        if key[1] == old:
            tx.delete(TXN_COMPONENTS, key)
            tx.put(TXN_COMPONENTS, (key[0], new, key[2]), operation)
    for key, row in tx.scan(WRITE_SET, (old,), (old + "\0",)):
        tx.delete(WRITE_SET, key)
        tx.put(WRITE_SET, (new, *key[1:]), row)


def changed_tables(tx: Transaction) -> tuple[str, ...]:
    """The names of the tables of which it is known that somebody has changed them, or will have."""
    named = [name for (_, name, _), _ in tx.scan(TXN_COMPONENTS)] + [name for (name, _, _), _ in tx.scan(WRITE_SET)]
    return tuple(sorted(set(named)))


def move_to_write_set(
    tx: Transaction, txn: int, components: Components, commit: int, *, inserts: int | None = None
) -> None:  # fmt: skip
    """At a commit: keep the updates and deletes for the transactions that it overlaps with, forget the components.

    Args: `inserts`: keep them, too, with this commit id, so that the cleaner knows who has committed them when.
    """
    for key, operation in components:
        dated = commit if operation in (UPDATE, DELETE) else inserts
        if dated is not None:
            tx.put(WRITE_SET, (key[1], key[2], txn), WriteSet(dated, operation))
        tx.delete(TXN_COMPONENTS, key)


def collect_garbage(tx: Transaction, oldest_open: int) -> None:
    """Forget what no open transaction can conflict with. `oldest_open`: the lowest open id, or the next one.

    No replica runs it by itself; the upstream tests of `tests/vectors` (row 28) do.
    """
    for key, row in tx.scan(WRITE_SET):
        if row.commit < oldest_open:
            tx.delete(WRITE_SET, key)


def date_inserts(tx: Transaction) -> None:
    """Whoever may have missed an insert that is committed now has begun by now: note the highest transaction.

    Committed inserts are looked for first: who begins after that has seen them.
    """
    undated = [(key, row) for key, row in tx.scan(WRITE_SET) if row.commit == UNDATED]
    if undated:
        highest = tx.scan(TXNS)[-1][0]
        for key, row in undated:
            tx.put(WRITE_SET, key, row._replace(commit=highest))


def oldest_open(tx: Transaction) -> int:
    """The lowest open transaction; one more than the highest if none is."""
    rows = tx.scan(TXNS)
    return next((txn for txn, row in rows if row.state == "o"), rows[-1][0] + 1 if rows else 1)


def _components(tx: Transaction, txn: int) -> Components:
    return tx.scan(TXN_COMPONENTS, (txn,), (txn + 1,))
