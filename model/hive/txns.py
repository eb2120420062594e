"""Transactions in the metastore's database: open, commit, abort, heartbeat, time out, and what a snapshot sees.

Every function is a body of one database transaction, or a part of one.

Source: hive/1.2, hive/1.4; `txn/TxnHandler.java`, `txn/jdbc/functions/OpenTxnsFunction.java`, `CommitTxnFunction.java`,
`AbortTxnsFunction.java`, `PerformTimeoutsFunction.java`, `txn/entities/OpenTxnList.java`,
`TxnCommonUtils.createValidReadTxnList`.

Choices: one transaction per open. Read-only transactions are in nobody's list, as by default (HIVE-21226). A body that
must both change rows and refuse says so in its result (`Ending`), for an exception would roll the change back.
Whatever ends a transaction releases its locks.
"""

from typing import NamedTuple

from model.hive import log
from model.hive.conflicts import UNDATED, changes, components_of, conflict_of, move_to_write_set
from model.hive.errors import NoSuchTxn, TxnAborted
from model.hive.lists import ValidTxnList
from model.hive.lock_queue import release
from model.hive.rows import ABORTED, COMMITTED, OPEN, TXNS, Txn
from model.hive.rules import Rules
from model.ports import Transaction

OPEN_TXN_TIMEOUT_MS = 1_000  # metastore.txn.opentxn.timeout
TXN_TIMEOUT_MS = 300_000  # metastore.txn.timeout
TXN_ID = "TXN_ID"


class OpenTxns(NamedTuple):
    """What is not committed: the highest id, and the open and the aborted ids below it, ascending."""

    high: int
    open: tuple[int, ...]
    aborted: tuple[int, ...]


class Opened(NamedTuple):
    """A transaction's id, or 0 if its open took so long that a snapshot may have passed it over; and since when it
    had been under way."""

    txn: int
    began_ms: int


class Ending(NamedTuple):
    """How a commit or abort ended: the transaction's state now, and why it is not what was asked for."""

    state: str
    why: str = ""


def open_txn(tx: Transaction, read_only: bool = False, *, begins_with_id: bool = True) -> Opened:
    """Open a transaction. Args: `begins_with_id`: it is as old as its id, and not as its database transaction."""
    began_ms = tx.now_ms()
    txn = tx.next_value(TXN_ID)
    started_ms = tx.now_ms() if begins_with_id else began_ms
    tx.put(TXNS, txn, Txn(OPEN, started_ms, started_ms, read_only))
    if not read_only:
        log.append(tx, "OPEN_TXN", txn=txn)
    if takes_too_long(tx.now_ms() - began_ms, read_only):
        tx.delete(TXNS, txn)
        return Opened(0, began_ms)
    return Opened(txn, began_ms)


def takes_too_long(duration_ms: int, read_only: bool) -> bool:
    """Whether snapshots may have passed over an open that took this long, and would read what is written then."""
    return not read_only and duration_ms > OPEN_TXN_TIMEOUT_MS


def withdraw(tx: Transaction, txn: int) -> None:
    """Forget a transaction whose open took too long. Source: `TxnHandler.deleteInvalidOpenTransactions`."""
    tx.delete(TXNS, txn)


def open_txns(tx: Transaction) -> OpenTxns:
    """The transactions that are not committed; missing ids that may yet turn up count as open."""
    now_ms = tx.now_ms()
    high = below = 0
    is_open: list[int] = []
    aborted: list[int] = []
    for txn, row in tx.scan(TXNS):
        if txn > below + 1 and missing_may_turn_up(row, now_ms):
            is_open += range(below + 1, txn)
        if row.state == OPEN and not row.read_only:
            is_open.append(txn)
        elif row.state == ABORTED:
            aborted.append(txn)
        high = below = txn
    return OpenTxns(high, tuple(is_open), tuple(aborted))


def missing_may_turn_up(above: Txn, now_ms: int) -> bool:
    """Whether an id that is missing below this row may belong to a transaction whose open is not committed yet.

    Missing ids below older rows never will be taken. Source: `TxnHandler.getOpenTxns`.
    """
    return now_ms - above.started_ms < OPEN_TXN_TIMEOUT_MS


def snapshot(txns: OpenTxns, own: int = 0) -> ValidTxnList:
    """What transaction `own` sees (0: nobody's). Transactions above it are not seen, even if they have committed."""
    if not own:
        return ValidTxnList(txns.high, txns.open, txns.aborted)
    high = min(own, txns.high)
    return ValidTxnList(high, [t for t in txns.open if t < own], [t for t in txns.aborted if t < own])


def highest_txn(tx: Transaction) -> int:
    """The highest transaction that there is; 0 if there is none."""
    rows = tx.scan(TXNS)
    highest: int = rows[-1][0] if rows else 0
    return highest


def commit_txn(tx: Transaction, rules: Rules, txn: int, seen: int | None = None) -> Ending:
    """Commit, first committer winning: a write conflict aborts instead, unless writes are exclusive by their locks.

    Args: `seen`: the highest transaction as of before, which is the commit id of one that inserts alone.

    Raises: `NoSuchTxn`. Committing twice is no error.
    """
    row = _locked(tx, txn)
    if row.state != OPEN:
        return Ending(row.state, "it was aborted before" if row.state == ABORTED else "")
    components = components_of(tx, txn)
    rival = None if rules.exclusive_writes else conflict_of(tx, txn, components)
    release(tx, txn, row)
    if rival is not None:
        tx.put(TXNS, txn, row._replace(state=ABORTED))
        if rules.conflict_abort_is_logged:
            log.append(tx, "ABORT_TXN", txn=txn)
        return Ending(ABORTED, rival)
    highest = highest_txn(tx)
    dated = UNDATED if rules.cleaner_dates_inserts else highest if seen is None or changes(components) else seen
    move_to_write_set(tx, txn, components, highest, inserts=None if rules.keeps_min_history else dated)
    tx.put(TXNS, txn, row._replace(state=COMMITTED, commit=highest))
    if not row.read_only:
        log_commit(tx, txn)
    return Ending(COMMITTED)


def log_commit(tx: Transaction, txn: int) -> None:
    """Append a commit's event, in the database transaction of the commit. Source: `CommitTxnFunction.java`."""
    log.append(tx, "COMMIT_TXN", txn=txn)


def abort_txn(tx: Transaction, txn: int) -> Ending:
    """Abort. Content that was changed stays changed (the database has no versions). Aborting twice is no error.

    Raises: `NoSuchTxn`, also if the transaction has committed.
    """
    row = _locked(tx, txn)
    if row.state == COMMITTED:
        raise NoSuchTxn(f"abort of transaction {txn}: expected it open, got one that has committed")
    if row.state == OPEN:
        release(tx, txn, row)
        tx.put(TXNS, txn, row._replace(state=ABORTED))
        if not row.read_only:
            log.append(tx, "ABORT_TXN", txn=txn)
    return Ending(ABORTED)


def heartbeat(tx: Transaction, txn: int) -> None:
    """Keep a transaction alive. Raises: `TxnAborted`, `NoSuchTxn`."""
    row = _locked(tx, txn)
    if row.state == ABORTED:
        raise TxnAborted(f"heartbeat of transaction {txn}: expected it open, got one that was aborted")
    if row.state == COMMITTED:
        raise NoSuchTxn(f"heartbeat of transaction {txn}: expected it open, got one that has committed")
    tx.put(TXNS, txn, row._replace(heartbeat_ms=tx.now_ms()))


def heartbeat_range(tx: Transaction, first: int, last: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Keep a range alive; returns (those that do not exist or have committed, those that were aborted).

    No workload's session sends heartbeats; the upstream tests of `tests/vectors` (row 15) do.
    """
    gone: list[int] = []
    aborted: list[int] = []
    for txn in range(first, last + 1):
        try:
            heartbeat(tx, txn)
        except TxnAborted:
            aborted.append(txn)
        except NoSuchTxn:
            gone.append(txn)
    return tuple(gone), tuple(aborted)


def time_out(
    tx: Transaction, rules: Rules, timeout_ms: int = TXN_TIMEOUT_MS, only: tuple[int, ...] = ()
) -> tuple[int, ...]:
    """Abort the open transactions whose last heartbeat is older than `timeout_ms`; returns them.

    Args: `only`: no others, if any are named.
    """
    now_ms = tx.now_ms()
    late: list[int] = []
    for txn, seen in tx.scan(TXNS):
        if (only and txn not in only) or seen.state != OPEN or now_ms - seen.heartbeat_ms <= timeout_ms:
            continue
        row = tx.lock(TXNS, txn)  # a heartbeat may have come in between
        if row.state == OPEN and now_ms - row.heartbeat_ms > timeout_ms:
            late.append(txn)
            release(tx, txn, row)
            tx.put(TXNS, txn, row._replace(state=ABORTED))
            if rules.timeout_abort_is_logged and not row.read_only:
                log.append(tx, "ABORT_TXN", txn=txn)
    return tuple(late)


def clean_txns(tx: Transaction) -> int:
    """Forget committed transactions that no snapshot can miss; returns the lowest id that is kept.

    Source: `cleanEmptyAbortedAndCommittedTxns`: never inside the open timeout, never the highest id.
    """
    rows = tx.scan(TXNS)
    old_ms = tx.now_ms() - OPEN_TXN_TIMEOUT_MS
    kept = [txn for txn, row in rows if row.state != COMMITTED or row.started_ms >= old_ms]
    lowest = min([*kept, rows[-1][0]]) if rows else 1
    for txn, row in rows:
        if row.state == COMMITTED and row.started_ms < old_ms and txn != rows[-1][0]:
            tx.delete(TXNS, txn)
    return lowest


def check_open(tx: Transaction, txn: int, what: str) -> Txn:
    """The transaction's row. Raises: `TxnAborted` or `NoSuchTxn` unless it is open."""
    row: Txn | None = tx.get(TXNS, txn)
    if row is None or row.state == COMMITTED:
        raise NoSuchTxn(f"{what}: expected transaction {txn} to be open, got {'none' if row is None else 'committed'}")
    if row.state == ABORTED:
        raise TxnAborted(f"{what}: expected transaction {txn} to be open, got one that was aborted")
    return row


def _locked(tx: Transaction, txn: int) -> Txn:
    row: Txn | None = tx.lock(TXNS, txn)
    if row is None:
        raise NoSuchTxn(f"transaction {txn}: expected one, got none")
    return row
