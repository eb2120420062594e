"""Write ids in the metastore's database: allocation, lists for a snapshot, look-up by transaction, rename, clean-up.

Ids are given in the order of allocation, not of commit: a lower one may commit later, or never.

Source: hive/1.2, hive/1.5; `AllocateTableWriteIdsFunction.java`, `GetValidWriteIdsForTableFunction.java`,
`TxnCommonUtils.createValidReaderWriteIdList`, `OnRenameFunction.java`, `CleanTxnToWriteIdTableFunction.java`.

Choices: the event of an allocation carries the table's id, which upstream's message lacks; a replica could as well keep
names by log position. It carries the write id that it takes the place of, too, which upstream's lacks as well: that one
is nobody's from then on, and lists call it committed. One table per request.
"""

from model.hive import conflicts, lock_queue, log
from model.hive.errors import ReadOnlyTxn, WriteIdsTaken
from model.hive.lists import ValidTxnList, ValidWriteIdList
from model.hive.rows import NEXT_WRITE_ID, TBLS, TXN_TO_WRITE_ID, TXNS, WRITE_ID_OF_TXN, Table
from model.hive.txns import check_open
from model.ports import Transaction


def allocate(tx: Transaction, txn: int, name: str, *, again: bool = False) -> int:
    """The transaction's write id for the table: one per transaction and table, allocated at the first call.

    Args: `again` takes another one in its place, above all that others have got since (`reallocate`, HIVE-26472).

    Raises: `NoSuchTxn`, `TxnAborted`, `ReadOnlyTxn`.
    """
    if check_open(tx, txn, f"allocation of a write id for {name}").read_only:
        raise ReadOnlyTxn(f"allocation of a write id for {name}: expected a transaction that writes, got {txn}")
    known: int | None = tx.get(WRITE_ID_OF_TXN, (txn, name))
    if known is not None and not again:
        return known
    if known is not None:
        _delete(tx, txn, name, known)
    write_id: int = tx.lock(NEXT_WRITE_ID, name) or 1
    tx.put(NEXT_WRITE_ID, name, write_id + 1)
    give(tx, txn, name, write_id)
    log.append(
        tx, "ALLOC_WRITE_ID", txn=txn, name=name, table=tx.get(TBLS, name), write_id=write_id, replaces=known or 0
    )
    return write_id


def valid_write_ids(
    tx: Transaction, txns: ValidTxnList, name: str, *, collapses: bool = True, counts_cleaned: bool = True
) -> ValidWriteIdList:
    """The snapshot `txns` in terms of one table's write ids.

    A list ends with the highest id of its transactions. One that `counts_cleaned` has those among them of which the
    cleaner has left nothing: they were committed. As shipped it ends with the highest id that is left.

    If nothing that is committed is left to be seen, a list that `collapses` has its lowest exception alone
    (HIVE-22122): `[7:7]` stands for `[12:7,8,9,10,11,12]`.
    """
    last = _last(tx, name) if counts_cleaned else _highest_left(tx, txns, name)
    given = {write_id: txn for (_, write_id), txn in _of_table(tx, name)}
    high = _highest(given, txns, last) if counts_cleaned else last
    unseen = [write_id for write_id, txn in given.items() if write_id <= high and not txns.is_valid(txn)]
    if collapses and unseen and not _shows_more(given, txns, unseen[0], high, counts_cleaned=counts_cleaned):
        high, unseen = unseen[0], unseen[:1]
    is_open = [write_id for write_id in unseen if not txns.is_aborted(given[write_id])]
    return ValidWriteIdList(name, high, is_open, [each for each in unseen if txns.is_aborted(given[each])])


def _last(tx: Transaction, name: str) -> int:
    """The last write id that was given."""
    following: int | None = tx.get(NEXT_WRITE_ID, name)
    return (following or 1) - 1


def _highest_left(tx: Transaction, txns: ValidTxnList, name: str) -> int:
    """The highest write id of the snapshot's transactions that is left; if none is, the last one."""
    seen = [write_id for (_, write_id), txn in _of_table(tx, name) if txn <= txns.high]
    return seen[-1] if seen else _last(tx, name)


def _highest(given: dict[int, int], txns: ValidTxnList, last: int) -> int:
    """The highest write id up to the `last` one that is of the snapshot's transactions, what is cleaned among them; if
    none is left of them, the last one. That was read first: what has been given since is not missing.
    """
    if not any(txn <= txns.high for txn in given.values()):
        return last
    return next((write_id for write_id in range(last, 0, -1) if given.get(write_id, 0) <= txns.high), 0)


def _shows_more(given: dict[int, int], txns: ValidTxnList, lowest: int, high: int, *, counts_cleaned: bool) -> bool:
    """Whether a list has something else to say than that its lowest exception is not to be seen."""
    if any(write_id <= high and txns.is_valid(txn) for write_id, txn in given.items()):
        return True
    return counts_cleaned and any(write_id not in given for write_id in range(lowest, high + 1))


def look_up(tx: Transaction, txn: int) -> tuple[tuple[int, str, int], ...]:
    """The transaction's write ids: (table id, current table name, write id); id 0 if there is no such table now."""
    found = []
    for (_, name), write_id in tx.scan(WRITE_ID_OF_TXN, (txn,), (txn + 1,)):
        table: Table | None = tx.get(TBLS, name)
        found.append((0 if table is None else table.id, name, write_id))
    return tuple(found)


def open_writers(tx: Transaction, name: str) -> tuple[int, ...]:
    """The write ids of the table whose transactions are open."""
    found = []
    for (_, write_id), txn in _of_table(tx, name):
        row = tx.get(TXNS, txn)
        if row is not None and row.state == "o":
            found.append(write_id)
    return tuple(found)


def rename_records(tx: Transaction, old: str, new: str) -> None:
    """Let a table's write ids follow it to its new name, and its locks, and what is changed of it.

    Raises: `WriteIdsTaken`, if that has some: the database has one row a name.
    """
    following = tx.get(NEXT_WRITE_ID, old)
    if following is not None and tx.get(NEXT_WRITE_ID, new) is not None:
        raise WriteIdsTaken(f"rename of {old} to {new}: expected no write ids of {new}, got some")
    conflicts.rename_components(tx, old, new)
    lock_queue.rename_locks(tx, old, new)
    for (_, write_id), txn in _of_table(tx, old):
        _delete(tx, txn, old, write_id)
        give(tx, txn, new, write_id)
    if following is not None:
        tx.delete(NEXT_WRITE_ID, old)
        tx.put(NEXT_WRITE_ID, new, following)


def forget_records(tx: Transaction, name: str) -> None:
    """Delete a dropped table's write ids: a table made under this name starts again at 1."""
    forget_given(tx, name)
    if tx.get(NEXT_WRITE_ID, name) is not None:
        tx.delete(NEXT_WRITE_ID, name)


def forget_given(tx: Transaction, name: str) -> None:
    """Forget who has had which write id of a table, and not which one is next."""
    for (_, write_id), txn in _of_table(tx, name):
        _delete(tx, txn, name, write_id)


def give(tx: Transaction, txn: int, name: str, write_id: int) -> None:
    """Note whose a write id is."""
    tx.put(TXN_TO_WRITE_ID, (name, write_id), txn)
    tx.put(WRITE_ID_OF_TXN, (txn, name), write_id)


def clean_records(tx: Transaction, before: int) -> None:
    """Delete the write ids of transactions below `before`: no snapshot that is still in use needs them."""
    for (name, write_id), txn in tx.scan(TXN_TO_WRITE_ID):
        if txn < before:
            _delete(tx, txn, name, write_id)


def _of_table(tx: Transaction, name: str) -> tuple[tuple[tuple[str, int], int], ...]:
    return tx.scan(TXN_TO_WRITE_ID, (name,), (name + "\0",))


def _delete(tx: Transaction, txn: int, name: str, write_id: int) -> None:
    tx.delete(TXN_TO_WRITE_ID, (name, write_id))
    tx.delete(WRITE_ID_OF_TXN, (txn, name))
