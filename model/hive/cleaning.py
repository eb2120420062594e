"""What the house keeper deletes of transactions that have ended: it must never change what an open snapshot says.

Every function is a body of one database transaction.

Source: hive/1.7; 4.0.1's `TxnHandler.performWriteSetGC`, `MinOpenTxnIdWaterMarkFunction`,
`CleanTxnToWriteIdTableFunction`, `CompactionTxnHandler.cleanEmptyAbortedAndCommittedTxns`; the services that call them
are `AcidHouseKeeperService` and `AcidTxnCleanerService`.

Choices: `MIN_HISTORY_LEVEL` is not kept. Where a call is one step, a commit's id says as well whose snapshot may lack
it: a committed transaction that an open one overlaps with stays, with its write ids. Without that table 4.0.1 looks for
commit ids itself, in `WRITE_SET`; that of an insert is too low if somebody begins beside the commit, which is why the
reference's cleaner gives it one. Rows that are left count as older than an open may take: who calls `clean_txns` knows
that no open is under way.
"""

from model.hive.conflicts import collect_garbage, date_inserts, oldest_open
from model.hive.rows import ABORTED, COMMITTED, OPEN, TXN_COMPONENTS, TXNS, WRITE_ID_OF_TXN, WRITE_SET, Txn
from model.hive.rules import Rules
from model.hive.txns import OPEN_TXN_TIMEOUT_MS
from model.hive.write_ids import clean_records
from model.ports import Transaction


def clean_write_set(tx: Transaction) -> None:
    """Forget the changes that no open transaction can conflict with, and the inserts that none can have missed."""
    date_inserts(tx)
    collect_garbage(tx, oldest_open(tx))


def clean_write_ids(tx: Transaction, rules: Rules) -> None:
    """Forget the write ids of transactions that every snapshot in use calls committed."""
    rows = tx.scan(TXNS)
    oldest = oldest_open(tx)
    if rules.keeps_min_history:
        needed = [txn for txn, row in rows if row.state != COMMITTED or row.commit >= oldest]
    else:
        needed = [txn for txn, row in rows if row.state != COMMITTED] + [key[2] for key, _ in tx.scan(WRITE_SET)]
    if rows:
        clean_records(tx, min([rows[-1][0] + 1, *needed]))


def clean_txns(tx: Transaction, rules: Rules) -> tuple[int, ...]:
    """Forget transactions that have ended and have nothing recorded; returns the aborted ones that had write ids.

    As shipped, the write ids of an aborted one stay, and count as committed from then on: no list has it any more.
    """
    rows = tx.scan(TXNS)
    oldest = oldest_open(tx)
    had_ids: list[int] = []
    for txn, row in rows:
        has_ids = row.state == ABORTED and bool(tx.scan(WRITE_ID_OF_TXN, (txn,), (txn + 1,)))
        if txn == rows[-1][0] or _is_needed(tx, txn, row, oldest) or (has_ids and rules.cleaner_keeps_write_ids):
            tx.put(TXNS, txn, row._replace(started_ms=min(row.started_ms, tx.now_ms() - OPEN_TXN_TIMEOUT_MS)))
            continue
        tx.delete(TXNS, txn)
        had_ids += [txn] if has_ids else []
    return tuple(had_ids)


def _is_needed(tx: Transaction, txn: int, row: Txn, oldest: int) -> bool:
    """Whether a transaction is open, or may be missed by one that is, or has changes recorded."""
    if row.state == OPEN or (row.state == COMMITTED and row.commit >= oldest):
        return True
    return bool(tx.scan(TXN_COMPONENTS, (txn,), (txn + 1,)))
