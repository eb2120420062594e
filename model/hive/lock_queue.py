"""The queue of lock requests: what is asked for, what it waits for, and what goes with its transaction.

A request has one number, and a part per object. It waits if any part of an earlier request of another transaction,
held or waiting itself, overlaps with one of its own and is in its way: first come, first served.

Source: `CheckLockFunction` 4.0.1 (its query), `InsertHiveLocksCommand`, `AbortTxnsFunction`; hive/1.6. The table of
`tests/vectors/hive_locks.json` is what metastores of 4.0.1 said.

Choices: who blocks whom (`HL_BLOCKEDBY_EXT_ID`) is not kept: nothing is decided by it. A transaction's row says whether
it has asked for locks, so that one that has not ends without looking for any.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from model.hive.rows import HIVE_LOCKS, Lock, Txn
from model.ports import Transaction

LockKind = Literal["shared-read", "shared-write", "excl-write", "exclusive"]
Operation = Literal["select", "insert", "update", "delete", "no-txn"]
KINDS: tuple[LockKind, ...] = ("shared-read", "shared-write", "excl-write", "exclusive")
SHARED_READ, SHARED_WRITE, EXCL_WRITE, EXCLUSIVE = KINDS
WAITS_FOR: Mapping[str, tuple[str, ...]] = {
    SHARED_READ: (EXCLUSIVE,),
    SHARED_WRITE: (EXCL_WRITE, EXCLUSIVE),
    EXCL_WRITE: (SHARED_WRITE, EXCL_WRITE, EXCLUSIVE),
    EXCLUSIVE: KINDS,
}
"""The kinds of earlier parts that a part of a kind waits for, if they overlap."""


class Component(NamedTuple):
    """A part of a request. `table` "default.t", or "default" for a whole database; `partition` "" is the whole table.

    `operation` is what the commit will be checked for; a `dynamic` write says later which partitions it wrote.
    """

    kind: LockKind
    table: str
    partition: str = ""
    operation: Operation = "no-txn"
    dynamic: bool = False
    transactional: bool = True


def in_words(part: Component) -> str:
    """A part as a sentence names it: "exclusive lock of default.t"."""
    return f"{part.kind} lock of {part.table}" + (f", {part.partition}" if part.partition else "")


def split(name: str) -> tuple[str, str]:
    """`default.t` as ("default", "t"); the table of a database's own name is ""."""
    database, _, table = name.partition(".")
    return database, table


def request_of(tx: Transaction, number: int) -> tuple[tuple[tuple[int, int], Lock], ...]:
    """The parts of a request; none if there is no such request (any more)."""
    return tx.scan(HIVE_LOCKS, (number,), (number + 1,))


def is_blocked(tx: Transaction, number: int) -> bool:
    """Whether an earlier request is in the way of this one."""
    earlier = tx.scan(HIVE_LOCKS, None, (number,))
    return any(in_the_way(mine, other) for _, mine in request_of(tx, number) for _, other in earlier)


def in_the_way(mine: Lock, earlier: Lock) -> bool:
    """Whether a part of an earlier request keeps this one from being granted.

    Parts of one transaction are in nobody's way; without a transaction (0) every other one is another's.
    """
    if mine.txn and mine.txn == earlier.txn:
        return False
    return overlap(mine, earlier) and earlier.kind in WAITS_FOR[mine.kind] and not _is_for_existence(mine, earlier)


def overlap(a: Lock, b: Lock) -> bool:
    """Whether two parts are of one object, or one of them has the other's in it."""
    if a.database != b.database:
        return False
    if not (a.table and b.table):
        return True
    return a.table == b.table and (not (a.partition and b.partition) or a.partition == b.partition)


def _is_for_existence(mine: Lock, earlier: Lock) -> bool:
    """A shared read of a database keeps it from being dropped, and has nothing to do with what is exclusive in it."""
    reads, excludes = (mine, earlier) if mine.kind == SHARED_READ else (earlier, mine)
    return reads.kind == SHARED_READ and not reads.table and excludes.kind == EXCLUSIVE and bool(excludes.table)


def rename_locks(tx: Transaction, old: str, new: str) -> None:
    """Let the locks of a table follow it to its new name, held or waited for. Source: `OnRenameFunction` 4.0.1."""
    there = split(new)
    for key, lock in tx.scan(HIVE_LOCKS):
        if (lock.database, lock.table) == split(old):
            tx.put(HIVE_LOCKS, key, lock._replace(database=there[0], table=there[1]))


def move_locks(tx: Transaction, database: str, to: str) -> None:
    """Let everything that is locked in a database, and the database, be called by another name of it."""
    for key, lock in tx.scan(HIVE_LOCKS):
        if lock.database == database:
            tx.put(HIVE_LOCKS, key, lock._replace(database=to))


def release(tx: Transaction, txn: int, row: Txn) -> None:
    """A transaction ends, one way or another: its locks go, held or waited for."""
    if row.locks:
        for key, lock in tx.scan(HIVE_LOCKS):
            if lock.txn == txn:
                tx.delete(HIVE_LOCKS, key)
