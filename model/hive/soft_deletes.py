"""What a drop leaves in the metastore if it leaves the files: rows for the cleaner, and, of a table, its write ids.

With `hive.acid.lockless.reads.enabled` nobody who reads is locked out by a drop: the files stay until no reader can
have them in his list, and who drops says by which transaction that is. The write ids of a table that was dropped so
stay, too, for its readers' lists; a table that is made under the name goes on behind them. Who drops a database leaves
the files of its tables, and forgets their write ids: a reader who takes his list after it finds it empty.

Source: hive/7 (row 37); `AcidEventListener`, `CompactionTxnHandler.submitForCleanup`, `HMSHandler.drop_database_core`
4.0.1; live: tests/live/hive/test_soft_deletes.py.

Choices: no session of a race drops so: vectors alone ask for it, and no cleaner comes. The row of a table tells the
write id of the table's last change; tables have none here, and none live unless a client says it with the table.
"""

from typing import NamedTuple

from model.hive import log, tables
from model.hive.rows import COMPACTION_QUEUE, PARTITIONS, TBLS, Event, Table
from model.hive.write_ids import forget_records
from model.ports import Transaction

_ID = "CQ_ID"


class Cleanup(NamedTuple):
    """Files that the cleaner may delete when nobody reads what was before a transaction: a table's, or a partition's,
    up to a write id (0: none is told)."""

    table: str
    partition: str
    write_id: int
    txn: int


def drop_table(tx: Transaction, name: str, txn: int) -> Event:
    """Drop a table, and leave its files and its write ids. Args: `txn`: 0: nobody says. Raises: `NoSuchTable`."""
    table = tables.locked(tx, name)
    _remove(tx, table)
    if table.managed and txn:
        _submit(tx, Cleanup(name, "", 0, txn))
    return log.append(tx, "DROP_TABLE", name=name, table=table)


def drop_partition(tx: Transaction, name: str, partition: str, txn: int, write_id: int) -> Event:
    """Drop a partition, and leave its files. Raises: `NoSuchTable`."""
    event = tables.drop_partition(tx, name, partition, write_id, None)
    _of_partition(tx, event, partition, txn, write_id)
    return event


def clone_partition(tx: Transaction, name: str, old: str, partition: str, txn: int, write_id: int) -> Event:
    """Give a partition another name, with files of its own. Raises: `NoSuchTable`, `PartitionExists`."""
    value = dict(tables.partitions(tx, tables.get(tx, name)))[old]
    event = tables.rename_partition(tx, name, old, partition, value, write_id)
    _of_partition(tx, event, old, txn, write_id)
    return event


def drop_database(tx: Transaction, database: str, txn: int) -> tuple[Event, ...]:
    """Drop all tables of a database, leave the files of those with write ids, and forget the write ids."""
    events = []
    for name, _ in tx.scan(TBLS, f"{database}.", f"{database}.\uffff"):
        events.append(drop_table(tx, name, txn))
        forget_records(tx, name)
    return tuple(events)


def queue(tx: Transaction) -> tuple[Cleanup, ...]:
    """What waits for the cleaner, in order."""
    return tuple([row for _, row in tx.scan(COMPACTION_QUEUE)])


def _of_partition(tx: Transaction, event: Event, partition: str, txn: int, write_id: int) -> None:
    if event.table is not None and event.table.managed and txn:
        _submit(tx, Cleanup(event.name, partition, write_id, txn))


def _remove(tx: Transaction, table: Table) -> None:
    tx.delete(TBLS, table.name)
    for partition, _ in tables.partitions(tx, table):
        tx.delete(PARTITIONS, (table.id, partition))


def _submit(tx: Transaction, cleanup: Cleanup) -> None:
    tx.put(COMPACTION_QUEUE, tx.next_value(_ID), cleanup)
