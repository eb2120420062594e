"""Statistics of a table's column, or a partition's, in the metastore's database: who may use them, with which list.

They belong to the write id that wrote them, and may be used with a list that has it as valid: one that has it as open
or aborted, or is older, may not. Whoever writes them without having seen the write before theirs, other than as an
aborted one, leaves them inaccurate, for nobody to use; so does a change of the table's parameters, one of which says
that they are accurate. That is for good: statistics of a column do not say anew that those of its files are accurate.
Of a table without write ids they may be used by everybody, and of any by who sends no list.

They can be deleted, of one column or without naming any; not of a table with write ids.

Source: hive/3.2, hive/7 (row 49); `ObjectStore.isCurrentStatsValidForTheQuery`, `updateTableColumnStatistics`,
`CachedStore.adjustColStatForGet`, `HMSHandler.delete_table_column_statistics` 4.0.1; live:
tests/live/hive/test_statistics_replays.py.

Choices: one column, of which one number is known, as text. A partition is of the write that adds it; an alter moves
that no more than a table's, and a rename takes its statistics along, inaccurate. A table's statistics are accurate from
its beginning. The parameters that an alter or a rename sends say nothing of them, and they move no write id: Hive's own
ANALYZE sends an alter that does before it analyzes columns (`BasicStatsTask`).
"""

from model.hive import log
from model.hive.errors import NoSuchTable, Transactional
from model.hive.lists import ValidWriteIdList
from model.hive.rows import (
    DELETE_PARTITION_STATISTICS,
    DELETE_STATISTICS,
    NEVER_ANALYZED,
    PARTITIONS,
    TBLS,
    UPDATE_PARTITION_STATISTICS,
    UPDATE_STATISTICS,
    Event,
    Partition,
    Statistics,
    Table,
)
from model.hive.tables import locked
from model.ports import Transaction


def update(
    tx: Transaction, name: str, value: str, write_id: int, writes: ValidWriteIdList | None, meant: int | None = None
) -> Event:
    """Write a table's statistics. Raises: `NoSuchTable`, `TableReplaced`."""
    table = locked(tx, name, meant)
    after = table._replace(statistics=_written(table.statistics, value, write_id, writes))
    tx.put(TBLS, name, after)
    return log.append(tx, UPDATE_STATISTICS, name=name, table=after, write_id=write_id)


def update_partition(
    tx: Transaction, name: str, partition: str, value: str, write_id: int, writes: ValidWriteIdList | None,
    meant: int | None = None,
) -> Event:  # fmt: skip
    """Write a partition's statistics. Raises: `NoSuchTable`, also if there is no such partition; `TableReplaced`."""
    table = locked(tx, name, meant)
    row = _partition(tx, table, partition)
    after = _written(row.statistics, value, write_id, writes)
    tx.put(PARTITIONS, (table.id, partition), Partition(row.value, after))
    return log.append(
        tx, UPDATE_PARTITION_STATISTICS, name=name, table=table, write_id=write_id, partition=(partition, row.value),
        analyzed=after,
    )  # fmt: skip


def delete(tx: Transaction, name: str, meant: int | None = None, *, unnamed: bool = False) -> Event:
    """Delete a table's statistics. Args: `unnamed`: of all columns, of which there may be none with any.

    Raises: `NoSuchTable`, also if there are none of the column; `TableReplaced`, `Transactional`.
    """
    table = _deletable(tx, name, meant)
    after = table._replace(statistics=_deleted(name, table.statistics, unnamed=unnamed))
    tx.put(TBLS, name, after)
    return log.append(tx, DELETE_STATISTICS, name=name, table=after, unnamed=unnamed)


def delete_partition(
    tx: Transaction, name: str, partition: str, meant: int | None = None, *, unnamed: bool = False
) -> Event:  # fmt: skip
    """The same of a partition. Raises: the same, and `NoSuchTable` if there is no such partition."""
    table = _deletable(tx, name, meant)
    row = _partition(tx, table, partition)
    after = _deleted(f"partition {partition} of {name}", row.statistics, unnamed=unnamed)
    tx.put(PARTITIONS, (table.id, partition), Partition(row.value, after))
    return log.append(
        tx, DELETE_PARTITION_STATISTICS, name=name, table=table, partition=(partition, row.value), unnamed=unnamed
    )


def _deletable(tx: Transaction, name: str, meant: int | None) -> Table:
    table = locked(tx, name, meant)
    if table.managed:
        raise Transactional(f"deletion of statistics of {name}: expected a table without write ids, got one with them")
    return table


def _deleted(whose: str, before: Statistics | None, *, unnamed: bool) -> Statistics | None:
    if not unnamed and (before is None or before.value is None):
        raise NoSuchTable(f"statistics of {whose}: expected some, got none")
    return None if before is None else before._replace(value=None)


def _partition(tx: Transaction, table: Table, partition: str) -> Partition:
    row: Partition | None = tx.get(PARTITIONS, (table.id, partition))
    if row is None:
        raise NoSuchTable(f"partition {partition} of {table.name}: expected one, got none")
    return row


def _written(
    before: Statistics | None, value: str, write_id: int, writes: ValidWriteIdList | None
) -> Statistics:  # fmt: skip
    """What a writer with this list makes of statistics."""
    before = before or NEVER_ANALYZED
    return Statistics(value, write_id, before.accurate and _has_seen(before, writes))


def _has_seen(before: Statistics, writes: ValidWriteIdList | None) -> bool:
    """Whether a writer with this list may write over these. Source: `isCompleteStatsWriter`."""
    if before.write_id < 1:
        return True
    return writes is not None and (writes.is_valid(before.write_id) or writes.is_aborted(before.write_id))


def is_compliant(statistics: Statistics, writes: ValidWriteIdList | None) -> bool:
    """Whether who has this list may use them."""
    if statistics.write_id < 1 or writes is None:
        return True
    return statistics.accurate and writes.is_valid(statistics.write_id)
