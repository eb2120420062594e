"""Transactions of replication: a source's transactions, and their write ids, are made again in another metastore.

Each of them is known by the policy that replicates it and by its id at the source. Opened twice it is one; it gets the
write ids that it has at the source, whatever has been given here: if the next one is another one, all that is known of
who had which of the table is forgotten. Who has ended it asks for nothing any more, and is told so by silence.

Source: hive/7 (rows 22, 25); `OpenTxnsFunction`, `AllocateTableWriteIdsFunction`, `CommitTxnFunction`,
`AbortTxnFunction`, `TargetTxnIdListHandler` 4.0.1 (`REPL_TXN_MAP`); live: tests/live/hive/test_replication.py.

Choices: no session of a race replicates: vectors alone ask for it. Who has write ids for some of what is asked is given
the others as if they were all.
"""

from collections.abc import Sequence

from model.hive import log, txns
from model.hive.errors import NoSuchTxn
from model.hive.rows import NEXT_WRITE_ID, OPEN, REPL_TXN_MAP, TBLS, TXNS, WRITE_ID_OF_TXN
from model.hive.rules import Rules
from model.hive.write_ids import forget_given, give
from model.ports import Transaction

Given = tuple[int, int]
"""A transaction, and its write id."""


def open_replicated(tx: Transaction, policy: str, sources: Sequence[int]) -> tuple[int, ...]:
    """Open the transactions of these at the source, unless there are some of them."""
    known = targets(tx, policy, sources)
    if known:
        return known
    for source in sources:
        tx.put(REPL_TXN_MAP, (policy, source), txns.open_txn(tx).txn)
    return targets(tx, policy, sources)


def targets(tx: Transaction, policy: str, sources: Sequence[int]) -> tuple[int, ...]:
    """The transactions here of those at the source that have some, in order."""
    found = [tx.get(REPL_TXN_MAP, (policy, source)) for source in sources]
    return tuple(sorted([txn for txn in found if txn is not None]))


def commit_replicated(tx: Transaction, rules: Rules, policy: str, source: int) -> bool:
    """Commit the transaction of the one at the source; whether there was one."""
    txn = _taken(tx, policy, source)
    return txn is not None and txns.commit_txn(tx, rules, txn).state == "c"


def abort_replicated(tx: Transaction, policy: str, source: int) -> bool:
    """Abort it; whether there was one."""
    txn = _taken(tx, policy, source)
    return txn is not None and txns.abort_txn(tx, txn).state == "a"


def allocate_replicated(tx: Transaction, policy: str, name: str, asked: Sequence[Given]) -> tuple[Given, ...]:
    """Give the transactions here the write ids that they have at the source; nothing, if one of them has ended.

    Args: `asked`: a transaction at the source, and its write id there, each.

    Raises: `NoSuchTxn`, if one is not open here.
    """
    found = targets(tx, policy, [source for source, _ in asked])
    if len(found) != len(asked):
        return ()
    for txn in found:
        row = tx.get(TXNS, txn)
        if row is None or row.state != OPEN:
            raise NoSuchTxn(f"allocation of write ids for {name}: expected transaction {txn} open, it is not")
    known = [(txn, tx.get(WRITE_ID_OF_TXN, (txn, name))) for txn in found]
    given = [(txn, write_id) for txn, write_id in known if write_id is not None]
    if len(given) == len(found):
        return tuple(given)
    first = asked[0][1]
    following: int | None = tx.lock(NEXT_WRITE_ID, name)
    if following is not None and following != first:
        forget_given(tx, name)
    made = [(txn, first + place) for place, (txn, write_id) in enumerate([one for one in known if one[1] is None])]
    tx.put(NEXT_WRITE_ID, name, first + len(made))
    for txn, write_id in made:
        give(tx, txn, name, write_id)
        log.append(tx, "ALLOC_WRITE_ID", txn=txn, name=name, table=tx.get(TBLS, name), write_id=write_id)
    return (*given, *made)


def open_but_for(tx: Transaction, *, replicated: bool) -> tuple[int, ...]:
    """The open transactions but for read-only ones, and, if `replicated`, but for those of replication.

    Source: `GetOpenTxnsRequest.excludeTxnTypes`; `REPL_CREATED`.
    """
    mine = {txn for _, txn in tx.scan(REPL_TXN_MAP)} if replicated else set()
    return tuple([txn for txn in txns.open_txns(tx).open if txn not in mine])


def _taken(tx: Transaction, policy: str, source: int) -> int | None:
    txn: int | None = tx.get(REPL_TXN_MAP, (policy, source))
    if txn is not None:
        tx.delete(REPL_TXN_MAP, (policy, source))
    return txn
