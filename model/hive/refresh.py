"""The cache update thread in CachedStore's default mode: a timer reads the whole database anew, and no event.

First all tables: their names, each of them, then, if the replica has changed its cache meanwhile, all that once more;
else they replace those in the cache. Each entry that there was is changed in place and keeps its partitions; what the
database does not have is gone. Then, table by table, the partitions: read, and put in the place of those in the entry,
unless the replica has changed partitions of it since the last refresh, which takes the flag away, and nothing else.

Three things follow. What the replica changes between the look at the flag and the replacement is undone until the next
refresh. An entry that a rename has left under two names (R3) stays one entry, though another metastore makes a new
table of the old name: each refresh writes both into it, one after the other. And a table that is dropped between its
name and its read ends the refresh (an error that nobody catches before the timer).

Source: hive/3.1; `CachedStore.CacheUpdateMasterWork` (`update`, `updateTables`, `updateTablePartitions`),
`SharedCache.java` (`refreshTablesInCache`, `TableWrapper.refreshPartitions`), the same in 3.1 and 4.0.1.

Choices: tables are listed by their names, upstream as the database has them. The look at the flag is a step of its own;
entries are changed in place in the step that replaces them, which upstream does just before. Statistics of partitions
are read, and put in place, in the step that puts the partitions; and so are constraints (`model.hive.constraints`);
their aggregates are not modelled. Of databases it is whether they have another name (`model.hive.databases`), and they
are read with the first names of tables; upstream reads them just before, and again if the replica has touched one
(`updateDatabases`). The timer may go off at any time, and does so as long as there is something to do: the
database has had events since, the replica has changed its cache, or the last refresh has left something out. What the
replica's own changes take the cache's word for is in `model.hive.believed`.
"""

from collections.abc import Hashable

from model.hive import cached_statistics, coverage
from model.hive.aggregates import of_all
from model.hive.entry import Entry
from model.hive.meanings import (
    FillsCache,
    LoadsEntry,
    LooksAtFlag,
    ReadsNames,
    ReadsTable,
    ReplacesPartitions,
    ReplacesTables,
)
from model.hive.poller import Poller
from model.hive.prewarm import Analyzed, analyzed_of, list_tables, read_table
from model.hive.rows import TBLS, Partitions, Table
from model.hive.tables import partition_rows, partitions
from model.ports import Transaction

MOST_TRIES = 10  # CachedStore.MAX_RETRIES
OWN = "it has changed them itself"


class Refresher(Poller):
    """One replica's timer. `position`: the event up to which the last refresh that left nothing out has everything."""

    under_way = False
    """A refresh has begun and has not ended: if its thread has died, there is something to do."""

    def state_key(self) -> Hashable:
        """Everything that decides whether there is something to do."""
        return self.position, self.under_way

    @property
    def waits_beyond(self) -> int:
        """The event after which there is something to do; -1 if there is in any case."""
        return -1 if self.cache.touched or self.under_way else self.position

    def start(self) -> None:
        """Fill the cache. Source: `prewarm`."""
        again = False
        while not self._prewarm(again=again):
            again = True
        self.cache.dirty = False
        self.runs = True

    def _prewarm(self, *, again: bool) -> bool:
        """Whether it came to its end; one that is begun again has what the one before it has loaded."""
        self.position, names = self.database.transact("prewarm", self.name, list_tables)
        self.cache.observer.learn(FillsCache(self.position))
        if not again:
            self.cache.entries.clear()
        for name in filter(self.cache.objects.has, names):
            found = self.memory.critical("prewarm_table", self.name, lambda name=name: self._load(name))  # type: ignore[misc]
            self.cache.observer.learn(LoadsEntry(name, found))
            if not found and self.rules.prewarm_ends_at_gone:
                self.cache.observer.hit(coverage.PREWARM_ENDED)
                return False
        return True

    def _load(self, name: str) -> bool:
        _, table, parts, _, analyzed = self.database.transact(
            "prewarm_table", self.name, lambda tx: read_table(tx, name)
        )
        if table is not None:
            self.cache.observer.hit(coverage.PREWARMED)
            self.cache.entries[name] = entry = Entry(table, parts)
            entry.load_statistics(analyzed)
            entry.know_key(table.key if self.rules.loads_constraints else None)
        return table is not None

    def poll(self) -> int:
        """Refresh the cache once; returns 1 if something was left out, else 0."""
        self.under_way = True
        position, whole = self._refresh_tables()
        for name in filter(self.cache.objects.has, self._names("refresh_names")[1] if whole else ()):
            whole &= self._refresh_partitions(name)
        if whole:
            self.position = position
        else:
            self.cache.touched = True
        self.under_way = False
        return int(not whole)

    # -- tables --------------------------------------------------------------------------------------------------

    def _refresh_tables(self) -> tuple[int, bool]:
        """Returns: the last event before the tables were read, and whether they have replaced those in the cache."""
        position = 0
        for tried in range(MOST_TRIES):
            position, names = self._names("poll", first=not tried)
            tables = tuple([self._read_table(name) for name in filter(self.cache.objects.has, names)])
            dirty = self.memory.critical("refresh_check", self.name, self._takes_flag)
            self.cache.observer.learn(LooksAtFlag(dirty))
            if dirty:
                self.cache.observer.hit(coverage.REFRESH_RETRIED)
                continue
            whole = self.memory.critical("apply", self.name, lambda: self._replace(tables))  # noqa: B023
            self.cache.observer.learn(ReplacesTables("" if whole else "one of them is gone"))
            return position, whole
        return position, False

    def _names(self, operation: str, *, first: bool = False) -> tuple[int, tuple[str, ...]]:
        def body() -> tuple[int, tuple[str, ...]]:
            if first:
                self.cache.refresh_databases()
            if operation == "poll":
                self.cache.touched = False
            return self.database.transact(operation, self.name, list_tables)

        found = self.memory.critical(operation, self.name, body)
        self.cache.observer.learn(ReadsNames(found[1]))
        return found

    def _read_table(self, name: str) -> Table | None:
        table: Table | None = self.database.transact("refresh_table", self.name, lambda tx: tx.get(TBLS, name))
        self.cache.observer.learn(ReadsTable(name, table is not None))
        return table

    def _takes_flag(self) -> bool:
        dirty, self.cache.dirty = self.cache.dirty, False
        return dirty

    def _replace(self, tables: tuple[Table | None, ...]) -> bool:
        """Put the tables in the place of those in the cache; not so if one of them is gone."""
        cache, found = self.cache, {}
        for table in tables:
            if table is None:
                cache.observer.hit(coverage.REFRESH_FAILED)
                return False
            entry = cache.entries.get(table.name)
            if entry is None:
                entry = Entry(table)
            entry.table = table
            found[table.name] = entry
        cache.observer.hit(coverage.REFRESHED)
        cache.entries = found
        return True

    # -- partitions ----------------------------------------------------------------------------------------------

    def _refresh_partitions(self, name: str) -> bool:
        """Returns: whether the entry has those of the database. A table that is gone has none."""

        def body(tx: Transaction) -> Partitions | None:
            table: Table | None = tx.get(TBLS, name)
            return None if table is None else partitions(tx, table)

        parts = self.database.transact("refresh_partitions", self.name, body)
        self.cache.observer.learn(ReadsTable(f"the partitions of {name}", parts is not None))
        replaced = self.memory.critical("apply", self.name, lambda: self._put_all(name, parts or ()))
        self.cache.observer.learn(ReplacesPartitions(name, "" if replaced else OWN))
        return replaced

    def _put_all(self, name: str, parts: Partitions) -> bool:
        """The partitions, and then their statistics as the database has them by then."""
        replaced = self._put(name, parts)
        entry = self.cache.entries.get(name)
        if entry is not None:
            entry.know_key(self._key_of(name) if self.rules.loads_constraints else None)
        if entry is None or not (parts or entry.partition_statistics):
            return replaced

        def body(tx: Transaction) -> Analyzed:
            table: Table | None = tx.get(TBLS, name)
            return () if table is None else analyzed_of(partition_rows(tx, table))

        found = self.database.transact("refresh_statistics", self.name, body)
        entry.aggregates = of_all(dict(found))
        return cached_statistics.refresh(entry, dict(found)) and replaced

    def _key_of(self, name: str) -> str | None:
        table: Table | None = self.database.transact("refresh_keys", self.name, lambda tx: tx.get(TBLS, name))
        return None if table is None else table.key

    def _put(self, name: str, parts: Partitions) -> bool:
        """The flag is looked at once there is a partition to put: without any, all are taken away."""
        entry = self.cache.entries.get(name)
        if entry is None:
            return True
        if parts and entry.dirty:
            entry.dirty = False
            self.cache.observer.hit(coverage.PARTITIONS_SKIPPED)
            return False
        entry.partitions = dict(parts)
        return True
