"""Changes of a metastore that takes what its cache has of a table for what there is: CachedStore in its default mode.

In event mode a change asks the database for partitions and for the table that it drops; in the default mode it asks the
cache. So a drop of what somebody else has dropped succeeds, and is logged, once more; a partition that the cache alone
has can be dropped, and neither added, altered nor renamed; and a table cannot be dropped as long as the database has
partitions of it that the cache lacks: its drop deletes those that the cache lists, and the database holds on to the
others. By then the cache has lost the table, which the next look finds again. Of a managed table, whose files a drop
deletes, the database is asked where they are, and so for all partitions: it goes with them.

Source: `HMSHandler` 4.0.1 (`drop_table_core`, `dropPartitionsAndGetLocations`, `add_partition_core`,
`drop_partition_common`), `HiveAlterHandler.alterPartition`, `CachedStore` (`getTable`, `getPartition`,
`doesPartitionExist`, `listPartitionNames`), where `canUseEvents` is false; the foreign key `PARTITIONS_FK1`.

Choices: of a table that is not to be cached nothing is believed. A client adds a partition, and alters it if there is
one: both are refused where the cache alone has it. A change that the database refuses is tried ten times upstream, with
two seconds in between (`metastore.hmshandler.retry.attempts`); here once.
"""

from model.hive import log, tables
from model.hive.cache import Cache
from model.hive.entry import Entry
from model.hive.errors import CacheAlone, NoSuchDatabase, NoSuchTable, PartitionExists, PartitionsLeft
from model.hive.rows import PARTITIONS, TBLS, Event, Partition, Table
from model.hive.write_ids import forget_records
from model.ports import Transaction


def ask_database(cache: Cache, name: str) -> None:
    """Look for a table's database. Raises: `NoSuchDatabase`, if the cache knows it by another name alone."""
    if cache.lacks_database_of(name):
        raise NoSuchDatabase(f"database of {name}: expected one, got none: the cache has another name for it")


class BelievedTables:
    """The changes of `model.hive.tables` that look at the cache first."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    def drop(self, tx: Transaction, name: str) -> Event:
        """Drop a table. Raises: `NoSuchDatabase`; `NoSuchTable`; `PartitionsLeft`."""
        ask_database(self._cache, name)
        if not self._cache.objects.has(name):
            return tables.drop(tx, name)
        entry, row = self._both(tx, name)
        if row is not None:
            left = [each for each, _ in tables.partitions(tx, row) if each not in entry.partitions]
            if left and not entry.table.managed:
                self._cache.lose(name)
                raise PartitionsLeft(f"drop of {name}: expected no partitions but the cache's, got {', '.join(left)}")
            tx.delete(TBLS, name)
            for partition, _ in tables.partitions(tx, row):
                tx.delete(PARTITIONS, (row.id, partition))
        forget_records(tx, name)
        return log.append(tx, "DROP_TABLE", name=name, table=entry.table)

    def put_partition(
        self, tx: Transaction, name: str, partition: str, value: str, write_id: int = 0, meant: int | None = None
    ) -> Event:
        """Add a partition, or alter the one of that name.

        Raises: `NoSuchTable`, `CacheAlone`; `NoSuchDatabase`, where it is added.
        """
        event = self._put_partition(tx, name, partition, value, write_id, meant)
        if event.kind == "ADD_PARTITION":
            ask_database(self._cache, name)
        return event

    def _put_partition(
        self, tx: Transaction, name: str, partition: str, value: str, write_id: int, meant: int | None
    ) -> Event:
        if not self._cache.objects.has(name):
            return tables.put_partition(tx, name, partition, value, write_id, meant)
        entry, row = self._both(tx, name)
        found: Partition | None = None if row is None else tx.get(PARTITIONS, (row.id, partition))
        if row is None or (found is None and partition in entry.partitions):
            raise CacheAlone(f"partition {partition} of {name}: expected it in the database, the cache alone has it")
        tx.put(PARTITIONS, (row.id, partition), tables.written(found, value, write_id, managed=row.managed))
        kind = "ALTER_PARTITION" if found else "ADD_PARTITION"
        return log.append(tx, kind, name=name, table=entry.table, write_id=write_id, partition=(partition, value))

    def drop_partition(
        self, tx: Transaction, name: str, partition: str, write_id: int = 0, meant: int | None = None
    ) -> Event:
        """Drop a partition. Raises: `NoSuchDatabase`; `NoSuchTable`, also for a partition that neither side has."""
        if not self._cache.objects.has(name):
            return self._asked_late(tables.drop_partition(tx, name, partition, write_id, meant))
        listed = self._cache.entries.get(name)
        row: Table | None = tx.lock(TBLS, name)
        found = row is not None and tx.get(PARTITIONS, (row.id, partition)) is not None
        if not found and (listed is None or partition not in listed.partitions):
            raise NoSuchTable(f"partition {partition} of {name}: expected one, got none")
        entry = listed or self._both(tx, name)[0]
        if row is not None and found:
            tx.delete(PARTITIONS, (row.id, partition))
        given = (partition, None)
        return self._asked_late(
            log.append(tx, "DROP_PARTITION", name=name, table=entry.table, write_id=write_id, partition=given)
        )

    def rename_partition(
        self, tx: Transaction, name: str, old: str, partition: str, value: str, write_id: int = 0,
        meant: int | None = None,
    ) -> Event:  # fmt: skip
        """Give a partition another name. Raises: `NoSuchTable`, `PartitionExists`, `CacheAlone`."""
        entry = self._cache.entries.get(name)
        row: Table | None = tx.lock(TBLS, name)
        found = row is not None and tx.get(PARTITIONS, (row.id, old)) is not None
        if entry is not None and partition in entry.partitions and (found or old in entry.partitions):
            raise PartitionExists(f"rename of partition {old} of {name}: expected no {partition}, the cache has one")
        if entry is not None and (row is None or (not found and old in entry.partitions)):
            raise CacheAlone(f"partition {old} of {name}: expected it in the database, the cache alone has it")
        return tables.rename_partition(tx, name, old, partition, value, write_id, meant)

    def _asked_late(self, event: Event) -> Event:
        """The event, if the cache knows the table's database; else the cache has made the change already, and keeps it,
        and the database takes it back.

        Raises: `NoSuchDatabase`. Source: `drop_partition_common`.
        """
        if self._cache.lacks_database_of(event.name):
            self._cache.apply_own(event)
        ask_database(self._cache, event.name)
        return event

    def _both(self, tx: Transaction, name: str) -> tuple[Entry, Table | None]:
        """The table as the change sees it, from its first look on, and the database's. A miss is kept.

        Raises: `NoSuchTable`.
        """
        entry, row = self._cache.entries.get(name), tx.lock(TBLS, name)
        if entry is None:
            entry = Entry(tables.locked(tx, name))
            self._cache.keep(entry.table, None)
        return entry, row
