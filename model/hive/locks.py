"""The lock manager's calls: lock, check, unlock, heartbeat, time out, and the partitions of a dynamic write.

Every function is a body of one database transaction, or a part of one.

Source: 4.0.1's `TxnHandler` (`lock`, `checkLock`, `unlock`, `heartbeat`, `addDynamicPartitions`),
`DefaultTxnLockManager`, `EnqueueLockFunction`, `EnsureValidTxnFunction`, `CheckLockFunction`, `HeartbeatLockFunction`,
`InsertTxnComponentsCommand`, `PerformTimeoutsFunction.timeOutLocks`.

Choices: a request that does not wait (`zeroWaitReadEnabled`, `exclusiveCTAS`) is left out. `CheckLockFunction` has an
abort of whoever wants what was committed meanwhile, which nothing of 4.0.1 reaches (`isPartOfDynamicPartitionInsert` is
always true): it is left out, too. Dynamic inserts are recorded nowhere. Who unlocks what he holds in a transaction is
refused, who unlocks nothing is not.
"""

from collections.abc import Sequence
from typing import NamedTuple

from model.hive import lock_queue, txns
from model.hive.conflicts import DELETE, UPDATE, record_component, record_insert
from model.hive.errors import NoSuchLock, TxnOpen
from model.hive.lock_queue import Component, Operation, request_of, split
from model.hive.rows import COMMITTED, HIVE_LOCKS, NEXT_LOCK_ID, OPEN, TXN_COMPONENTS, TXNS, Lock
from model.hive.rules import Rules
from model.ports import Transaction

CHANGES = {"update": UPDATE, "delete": DELETE}
"""What a commit is checked for."""


class Locked(NamedTuple):
    """What a request was told: its number, and whether it has all that it asked for, or none."""

    number: int
    held: bool


def lock(tx: Transaction, rules: Rules, txn: int, components: Sequence[Component]) -> Locked:
    """Ask for locks, for a transaction or for none (0). Raises: `NoSuchTxn`, `TxnAborted`.

    As shipped, a transaction that has committed gets them, too, and nothing will ever take them away: it has no end any
    more, nor does it time out. A call that was late is enough.
    """
    if txn:
        row = tx.lock(TXNS, txn)
        if rules.locks_need_open_txn or row is None or row.state != COMMITTED:
            txns.check_open(tx, txn, "lock")
        _record(tx, txn, components)
        tx.put(TXNS, txn, tx.get(TXNS, txn)._replace(locks=True))
    number: int = tx.lock(NEXT_LOCK_ID, 1) or 1
    tx.put(NEXT_LOCK_ID, 1, number + 1)
    beat = 0 if txn else tx.now_ms()
    for place, part in enumerate(components, 1):
        where = (*split(part.table), part.partition)
        tx.put(HIVE_LOCKS, (number, place), Lock(txn, *where, part.kind, False, beat))
    return _granted(tx, number)


def check_lock(tx: Transaction, number: int) -> Locked:
    """Ask again, which is a sign of life, too. Raises: `NoSuchLock`, `NoSuchTxn`, `TxnAborted`."""
    parts = request_of(tx, number)
    if not parts:
        raise NoSuchLock(f"lock {number}: expected one, got none")
    if parts[0][1].txn:
        txns.heartbeat(tx, parts[0][1].txn)
    else:
        heartbeat(tx, number)
    return _granted(tx, number)


def unlock(tx: Transaction, number: int) -> None:
    """Give up waiting, or what is held outside of a transaction. Raises: `TxnOpen`."""
    for key, part in request_of(tx, number):
        if part.txn and part.held:
            raise TxnOpen(f"unlock of {number}: expected no transaction, got {part.txn}, which holds it to its end")
        tx.delete(HIVE_LOCKS, key)


def ended_in_the_way(tx: Transaction, number: int) -> int:
    """A transaction that has ended, or is forgotten, and whose lock this request waits for; 0 if there is none.

    One that ends while this looks takes its lock with it: whether the lock is there is asked again, when it has ended.
    """
    earlier = tx.scan(HIVE_LOCKS, None, (number,))
    for _, part in request_of(tx, number):
        for key, other in earlier:
            if other.txn and lock_queue.in_the_way(part, other):
                row = tx.get(TXNS, other.txn)
                if (row is None or row.state != OPEN) and tx.get(HIVE_LOCKS, key) is not None:
                    ended: int = other.txn
                    return ended
    return 0


def heartbeat(tx: Transaction, number: int) -> None:
    """Keep a request alive that has no transaction. Raises: `NoSuchLock`."""
    parts = request_of(tx, number)
    if not parts:
        raise NoSuchLock(f"heartbeat of lock {number}: expected one, got none")
    for key, part in parts:
        tx.put(HIVE_LOCKS, key, part._replace(heartbeat_ms=tx.now_ms()))


def time_out(tx: Transaction, timeout_ms: int = txns.TXN_TIMEOUT_MS) -> tuple[int, ...]:
    """Take the locks without a transaction whose holders have been silent for longer; returns their numbers."""
    before_ms = tx.now_ms() - timeout_ms
    late = [key for key, part in tx.scan(HIVE_LOCKS) if not part.txn and part.heartbeat_ms < before_ms]
    for key in late:
        tx.delete(HIVE_LOCKS, key)
    return tuple(dict.fromkeys([number for number, _ in late]))


def add_dynamic_partitions(
    tx: Transaction, txn: int, table: str, partitions: Sequence[str], operation: Operation
) -> None:
    """Say which partitions a dynamic write wrote; they stand for the table from then on.

    Raises: `NoSuchTxn`, `TxnAborted`.
    """
    tx.lock(TXNS, txn)
    txns.check_open(tx, txn, "dynamic partitions")
    if operation in CHANGES:
        for partition in partitions:
            record_component(tx, txn, table, partition, CHANGES[operation])
    tx.delete(TXN_COMPONENTS, (txn, table, ""))


def _granted(tx: Transaction, number: int) -> Locked:
    """Grant all parts of a request, or none."""
    if lock_queue.is_blocked(tx, number):
        return Locked(number, False)
    for key, part in request_of(tx, number):
        tx.put(HIVE_LOCKS, key, part._replace(held=True))
    return Locked(number, True)


def _record(tx: Transaction, txn: int, components: Sequence[Component]) -> None:
    """Note what a commit will be checked for: of dynamic writes the table, once, until the partitions are known."""
    changed = {part.table for part in components if part.dynamic and part.operation in CHANGES}
    seen: set[str] = set()
    for part in components:
        if not part.transactional or part.operation in ("select", "no-txn"):
            continue
        if not part.dynamic and part.operation in CHANGES:
            record_component(tx, txn, part.table, part.partition, CHANGES[part.operation])
        elif not part.dynamic:
            record_insert(tx, txn, part.table, part.partition)
        elif part.table not in seen and part.table in changed:
            record_component(tx, txn, part.table, "", UPDATE)
        seen.add(part.table)
