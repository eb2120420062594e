"""A table that is truncated: what its row, or those of its partitions, are afterwards, and which of them are reached.

4.0.1 reads the table, and of one with partition keys its partitions, before it begins; from its cache, if that has the
table. It deletes the files of what it has read, and writes that back, whole. So what another metastore has changed is
taken back, of the table's columns or its partitions' places, too; and the partitions of which the cache has not heard
keep their rows. A table that its cache lacks it reads from the database, and has none of its partitions then (R6):
nothing is truncated, and that is acknowledged.

In event mode it does not get beyond the first of several partitions: the replica follows the log when that one has been
changed, which ends the time limit of the call, and without one the next change is refused. By then the files of all of
them are deleted, and the log has the event of the second one with the mark of a truncate.

Source: hive/7 (row 52); `HMSHandler.truncateTableInternal`, `getLocationsForTruncate`, `alterTableStatsForTruncate`,
`alterPartitionForTruncate`, `CachedStore.updateUsingNotificationEvents`, `HiveAlterHandler.alterPartition`,
`Deadline.stopTimer`, `checkTimeout` 4.0.1; live: tests/live/hive/test_truncates.py.

Choices: a truncate that is refused when it reads is so in its second step, which is that of the call: live it is one.
A change of a table with write ids has one. Upstream logs two events of each change, the first one in a
transaction of its own, with the mark of a truncate, before the change; here there is one, with the mark. Partitions are
changed together; upstream one after the other. Rows are not modelled, so which partitions were reached is what a
truncate tells. Of files it is known which truncates have left a folder for a table, whatever its partitions: a reader
of files reads none of before the last one that its list has.
"""

from typing import NamedTuple, NoReturn

from model.hive import log
from model.hive.errors import NoSuchTable, NoTimeLimit
from model.hive.rows import BASES, PARTITIONS, TBLS, Event, Partition, Partitions, Table
from model.hive.tables import locked, partitions
from model.ports import Transaction


class Seen(NamedTuple):
    """A table and its partitions as a truncate has read them."""

    table: Table
    parts: Partitions


class Cut(NamedTuple):
    """A partition that a truncate was about to change when its time limit had ended."""

    table: Table
    part: str
    value: str


def until_pull(seen: Seen) -> tuple[Seen, Cut]:
    """What a truncate changes before its replica follows the log, and what it goes on to then."""
    return seen._replace(parts=seen.parts[:1]), Cut(seen.table, *seen.parts[1])


def announce(tx: Transaction, cut: Cut, write_id: int) -> None:
    """Log the truncate of a partition, before it is looked whether there is a time limit."""
    log.append(
        tx, "ALTER_PARTITION", name=cut.table.name, table=cut.table, write_id=write_id, partition=(cut.part, cut.value),
        truncates=True,
    )  # fmt: skip


def refuse(cut: Cut) -> NoReturn:
    """Raises: `NoTimeLimit`."""
    raise NoTimeLimit(f"truncate of {cut.table.name}: expected a time limit at partition {cut.part}, it has ended")


def truncate(
    tx: Transaction, name: str, seen: Seen | NoSuchTable | None, write_id: int = 0, meant: int | None = None, *,
    partitioned: bool,
) -> tuple[Event, ...]:  # fmt: skip
    """Truncate a table, or all of its partitions. Returns: the event of each change.

    Args: `seen`: what was read before, or what refuses it since then (None: what is there).

    Raises: `NoSuchTable`, also if a partition is not there any more; `TableReplaced`.
    """
    if isinstance(seen, NoSuchTable):
        raise seen
    table = locked(tx, name, meant)
    if write_id:
        tx.put(BASES, (table.id, write_id), True)
    if seen is None:
        seen = Seen(table, partitions(tx, table))
    if not partitioned:
        after = table._replace(parameters=seen.table.parameters, statistics=table.outdated)
        tx.put(TBLS, name, after)
        return (log.append(tx, "ALTER_TABLE", name=name, table=after, write_id=write_id, truncates=True),)
    return tuple([_truncate(tx, table, part, value, write_id) for part, value in seen.parts])


def _truncate(tx: Transaction, table: Table, part: str, value: str, write_id: int) -> Event:
    row: Partition | None = tx.get(PARTITIONS, (table.id, part))
    if row is None:
        raise NoSuchTable(f"partition {part} of {table.name}: expected one, got none")
    tx.put(PARTITIONS, (table.id, part), row.altered(value, managed=table.managed))
    return log.append(
        tx, "ALTER_PARTITION", name=table.name, table=table, write_id=write_id, partition=(part, value), truncates=True
    )
