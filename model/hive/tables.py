"""Tables and partitions in the metastore's database: every change with its event, in one database transaction.

A change is visible to every reader of the database as soon as that transaction commits, long before the Hive
transaction does, and an abort of the Hive transaction does not undo it.

Source: hive/1.2 (onRename, cleanupRecords), hive/4.1, hive/4.3; `ObjectStore.java`, `HiveAlterHandler.java`; the
expected parameter: HIVE-26882, HIVE-28121 (a conditional update).

Choices: an alter replaces the whole parameter map, as upstream's does. Dropping a table drops its partitions without
events of their own. A change of a partition locks its table's row; upstream the lock manager keeps renames away.
"""

from model.hive import log
from model.hive.errors import Modified, NoSuchTable, PartitionExists, TableExists, TableReplaced
from model.hive.rows import PARTITIONS, TBLS, Event, Parameters, Partition, Partitions, Statistics, Table
from model.hive.rules import Rules
from model.hive.write_ids import forget_records, rename_records
from model.ports import Transaction

TABLE_ID = "TBL_ID"


def get(tx: Transaction, name: str) -> Table:
    """The table of this name. Raises: `NoSuchTable`."""
    table: Table | None = tx.get(TBLS, name)
    if table is None:
        raise NoSuchTable(f"table {name}: expected one, got none")
    return table


def partitions(tx: Transaction, table: Table) -> Partitions:
    """The table's partitions, by name."""
    return tuple((name, row.value) for name, row in partition_rows(tx, table))


def partition_rows(tx: Transaction, table: Table) -> tuple[tuple[str, Partition], ...]:
    """The table's partitions as the database has them, by name."""
    return tuple((name, row) for (_, name), row in tx.scan(PARTITIONS, (table.id,), (table.id + 1,)))


def written(row: Partition | None, value: str, write_id: int, *, managed: bool) -> Partition:
    """A partition after it was put: one that is new is of the write that adds it, if that has a write id."""
    if row is not None:
        return row.altered(value, managed=managed)
    return Partition(value, Statistics(None, write_id, accurate=True) if write_id else None)


def count_partitions(tx: Transaction, name: str) -> int:
    """How many partitions the table of this name has; 0 if there is no such table."""
    table: Table | None = tx.get(TBLS, name)
    return 0 if table is None else len(partitions(tx, table))


def create(tx: Transaction, name: str, parameters: Parameters, managed: bool) -> Event:
    """Make a table under an id that was never used. Raises: `TableExists`."""
    if tx.lock(TBLS, name) is not None:
        raise TableExists(f"create of {name}: expected no table, got one")
    table = Table(tx.next_value(TABLE_ID), name, managed, parameters)
    tx.put(TBLS, name, table)
    return log.append(tx, "CREATE_TABLE", name=name, table=table)


def alter(
    tx: Transaction,
    name: str,
    parameters: Parameters,
    write_id: int = 0,
    expected: tuple[str, str] | None = None,
    meant: int | None = None,
) -> Event:
    """Replace the table's parameters, if the `expected` one (key, value) is as named.

    Raises: `NoSuchTable`, `TableReplaced`, `Modified`.
    """
    table = locked(tx, name, meant)
    if expected is not None:
        key, value = expected
        found = dict(table.parameters).get(key)
        if found != value:
            raise Modified(f"table {name}: has been modified: parameter {key}: expected {value!r}, got {found!r}")
    after = table._replace(parameters=parameters, statistics=table.outdated)
    tx.put(TBLS, name, after)
    return log.append(tx, "ALTER_TABLE", name=name, table=after, write_id=write_id)


def overwrite(tx: Transaction, name: str, table: Table) -> Table:
    """Write a table's row as given, its name included, without an event: the shipped replay of an alter (R1).

    Returns: what was there.

    Whichever table has the name now is written to. Raises: `NoSuchTable` if none has, as after a rename (R2);
    `TableExists` if the name that it is to get is taken.
    """
    current = locked(tx, name)
    if table.name != name:
        if tx.lock(TBLS, table.name) is not None:
            raise TableExists(f"replay on {name}: expected no table {table.name}, got one")
        tx.delete(TBLS, name)
    after = current._replace(name=table.name, parameters=table.parameters, statistics=current.outdated)
    tx.put(TBLS, table.name, after)
    return current


def rename(tx: Transaction, rules: Rules, name: str, to: str, write_id: int = 0, meant: int | None = None) -> Event:
    """Give the table another name; its write ids follow. Raises: `NoSuchTable`, `TableReplaced`, `TableExists`."""
    table = locked(tx, name, meant)
    if tx.lock(TBLS, to) is not None:
        raise TableExists(f"rename of {name} to {to}: expected no table {to}, got one")
    after = table._replace(name=to, statistics=table.outdated)
    tx.delete(TBLS, name)
    tx.put(TBLS, to, after)
    if rules.rename_moves_write_ids_with_it and table.managed:
        rename_records(tx, name, to)
    return log.append(tx, "ALTER_TABLE", name=name, table=after, write_id=write_id)


def drop(tx: Transaction, name: str) -> Event:
    """Drop the table, its partitions and its write ids. Raises: `NoSuchTable`."""
    table = locked(tx, name)
    tx.delete(TBLS, name)
    for partition, _ in partitions(tx, table):
        tx.delete(PARTITIONS, (table.id, partition))
    forget_records(tx, name)
    return log.append(tx, "DROP_TABLE", name=name, table=table)


def put_partition(
    tx: Transaction, name: str, partition: str, value: str, write_id: int = 0, meant: int | None = None
) -> Event:
    """Add a partition, or alter the one of that name. Raises: `NoSuchTable`, `TableReplaced`."""
    table = locked(tx, name, meant)
    row: Partition | None = tx.get(PARTITIONS, (table.id, partition))
    kind = "ADD_PARTITION" if row is None else "ALTER_PARTITION"
    tx.put(PARTITIONS, (table.id, partition), written(row, value, write_id, managed=table.managed))
    return log.append(tx, kind, name=name, table=table, write_id=write_id, partition=(partition, value))


def rename_partition(
    tx: Transaction, name: str, old: str, partition: str, value: str, write_id: int = 0, meant: int | None = None
) -> Event:
    """Give a partition another name, and what the request says of it: it sends the whole partition.

    Raises: `NoSuchTable`, also if there is none of the old name; `PartitionExists`; `TableReplaced`.
    """
    table = locked(tx, name, meant)
    row: Partition | None = tx.get(PARTITIONS, (table.id, old))
    if row is None:
        raise NoSuchTable(f"partition {old} of {name}: expected one, got none")
    if tx.get(PARTITIONS, (table.id, partition)) is not None:
        raise PartitionExists(f"rename of partition {old} of {name}: expected no partition {partition}, got one")
    tx.delete(PARTITIONS, (table.id, old))
    tx.put(PARTITIONS, (table.id, partition), row.altered(value, managed=table.managed))
    change = (partition, value)
    return log.append(
        tx, "ALTER_PARTITION", name=name, table=table, write_id=write_id, partition=change, old_partition=old
    )


def drop_partition(tx: Transaction, name: str, partition: str, write_id: int = 0, meant: int | None = None) -> Event:
    """Drop a partition. Raises: `NoSuchTable`, also for a partition that is not there; `TableReplaced`."""
    table = locked(tx, name, meant)
    if tx.get(PARTITIONS, (table.id, partition)) is None:
        raise NoSuchTable(f"partition {partition} of {name}: expected one, got none")
    tx.delete(PARTITIONS, (table.id, partition))
    return log.append(tx, "DROP_PARTITION", name=name, table=table, write_id=write_id, partition=(partition, None))


def locked(tx: Transaction, name: str, meant: int | None = None) -> Table:
    """The table of this name, which nobody else changes until the transaction ends.

    Args: `meant` is the id of the one that is meant (0: there was none; None: whichever has the name).

    Raises: `NoSuchTable`; `TableReplaced` if the name is another managed table's.
    """
    table: Table | None = tx.lock(TBLS, name)
    if table is None:
        raise NoSuchTable(f"table {name}: expected one, got none")
    if meant is not None and meant != table.id and table.managed:
        expected = f"the one of id {meant}" if meant else "none"
        raise TableReplaced(f"table {name}: expected {expected}, got the one of id {table.id}")
    return table
