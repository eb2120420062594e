"""One metastore process: answers reads from its cache where the tag allows it, all else from the database.

Source: hive/4.2, hive/4.3; the design document, "Read", "Write"; `CachedStore.java`, `SharedCache.getTableFromCache`
(P51); Impala `CatalogServiceCatalog.getOrLoadTable`. Changes are `ChangeService`.

Choices: a read looks into the cache in one step, and asks the database, if it must, in another; one without a list then
looks again, for the entry may have been loaded in between, from an older state of the database. Requests carry lists as
values, not as text. A list query (all partitions) is judged by its table's tag.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Literal, NamedTuple

from model.hive import aggregates, cached_statistics, coverage, meanings, tables
from model.hive.believed import BelievedTables
from model.hive.cache import Cache
from model.hive.catalogd_changes import ChangingCatalogd
from model.hive.changes import ChangeService
from model.hive.comparison import RULES
from model.hive.entry import Entry
from model.hive.errors import NullList
from model.hive.lists import ValidWriteIdList
from model.hive.observer import Observer
from model.hive.poller import Poller
from model.hive.prewarm import Prewarm
from model.hive.refresh import Refresher
from model.hive.retrying import Retrying
from model.hive.rows import NEVER_ANALYZED, PARTITIONS, Partition, Partitions, Table
from model.hive.rules import Rules
from model.hive.statistics import is_compliant
from model.ports import Database, Memory, Transaction


class Request(NamedTuple):
    """A read of one table. `table_id` 0 and `writes` None: the client is an old one, or the table is external."""

    name: str
    table_id: int = 0
    writes: ValidWriteIdList | None = None


class Answer(NamedTuple):
    """A table with its partitions, and where they came from. `tag`: what the cache said that it includes, if it has
    tags: a cache that looks at no list has none."""

    table: Table
    partitions: Partitions
    source: Literal["cache", "database"]
    tag: ValidWriteIdList | None = None


class Told(NamedTuple):
    """Statistics that may be used (None: none are), of which table, and where they came from."""

    table: Table
    value: str | None
    source: Literal["cache", "database"]


class Aggregate(NamedTuple):
    """The statistics of some partitions together (None: none are known), how many of them have some, and the source."""

    table: Table
    value: str | None
    found: int
    source: Literal["cache", "database"]


class Replica(ChangeService):
    """A metastore with a cache, over a database that it shares with others."""

    def __init__(
        self, name: str, database: Database, memory: Memory, observer: Observer, rules: Rules, watch: Callable[[], int]
    ) -> None:
        """Args: `watch` shows how many milliseconds have passed, which says how long a call of the database took."""
        database = Retrying(database, observer)
        super().__init__(name, database, observer, rules, watch)
        self.memory = memory
        self.cache = Cache(rules, observer)
        prewarm = Prewarm(name, database, memory, self.cache)
        self.catalogd = (
            None if rules.catalogd is None else ChangingCatalogd(name, database, memory, self.cache, prewarm)
        )
        updates = Refresher if rules.follows == "nothing" else Poller
        self.poller: Poller = self.catalogd or updates(name, database, memory, self.cache, prewarm)
        self._rule = RULES[rules.read_rule]
        self._tables = BelievedTables(self.cache) if rules.changes_believe_cache else tables

    def start(self) -> None:
        """Prewarm, if there is a cache; from then on `poller.poll` keeps it up to date."""
        if self.rules.caches:
            self.poller.start()

    @property
    def is_filled(self) -> bool:
        """Whether its cache has been filled, if it has one."""
        return not self.rules.caches or self.poller.runs

    def state_key(self) -> Hashable:
        """Everything that later answers depend on."""
        return self.cache.state_key(), self.poller.state_key()

    # -- reads ---------------------------------------------------------------------------------------------------

    def get_table(self, request: Request) -> Answer:
        """The table. Raises: `NoSuchTable`, `NullList`, `OtherTable`."""
        return self._read("get_table", request)

    def get_partitions(self, request: Request) -> Answer:
        """The table with all its partitions: a list query. Raises: as `get_table`."""
        return self._read("get_partitions", request)

    def _read(self, operation: str, request: Request) -> Answer:
        missed: list[str] = []
        found = self.memory.critical(operation, self.name, lambda: self.look(request, missed))
        if found is not None:
            self.observer.learn(meanings.CacheAnswers(found.table, found.partitions, found.tag))
            return found
        self.observer.learn(meanings.CacheMisses(missed[0]))
        loaded = self._loaded(request, missed[0])
        if loaded is not None:
            return loaded
        answer = self.database.transact("read_table", self.name, lambda tx: self._from_database(tx, request))
        self.observer.learn(meanings.DatabaseAnswers(answer.table, answer.partitions))
        if self.rules.looks_again and request.writes is None and request.name in self.cache.entries:
            found = self.memory.critical(operation, self.name, lambda: self.look(request))
            if found is not None:
                self.observer.learn(meanings.CacheAnswers(found.table, found.partitions, found.tag))
                return found
        fills = self.rules.fills_on_miss and operation == "get_table"
        if fills and self.memory.critical("fill", self.name, lambda: self._fill(answer, request)):
            self.observer.learn(meanings.KeepsAnswer())
        return answer

    def _loaded(self, request: Request, missed: str) -> Answer | None:
        """What a catalog daemon loads for the request. Source: `getOrLoadTable`."""
        if self.catalogd is None or missed == coverage.NO_LIST:
            return None
        found = self.catalogd.on_miss(request.name, request.table_id)
        if found is None:
            return None
        answer = Answer(found.table, found.parts, "database")
        self.observer.learn(meanings.DatabaseAnswers(answer.table, answer.partitions))
        return answer

    def settle(self, request: Request) -> Answer | None:
        """What the cache answers when it has been asked before. Source: `getOrLoadTable`."""
        found = self.look(request)
        if found is None and self.catalogd is not None:
            self.catalogd.on_miss(request.name, request.table_id)
            return self.look(request)
        return found

    def look(self, request: Request, missed: list[str] | None = None) -> Answer | None:
        """What the cache answers by itself; None if it must not. Part of a critical section.

        Args: `missed` takes the name of the counter that says why not.
        """
        entry = self.cache.entries.get(request.name)
        absent = coverage.NOT_CACHED if self.cache.objects.has(request.name) else coverage.NOT_TO_BE_CACHED
        why_not = absent if entry is None else self._why_not(entry, request)
        if entry is None or why_not is not None:
            why = why_not or absent
            self.observer.hit(why)
            if missed is not None:
                missed.append(why)
            return None
        self.observer.hit(coverage.HIT)
        parts = tuple(sorted(entry.partitions.items()))
        return Answer(entry.table, parts, "cache", entry.tag if self.rules.read_rule != "none" else None)

    def get_statistics(self, request: Request, partition: str = "") -> Told:
        """What may be used of a table's statistics, or its partition's. Raises: `NoSuchTable`, `NullList`."""
        found = self.memory.critical("get_statistics", self.name, lambda: self.cached_statistics(request, partition))
        if found is None:
            found = self.database.transact(
                "read_statistics", self.name, lambda tx: self._statistics(tx, request, partition)
            )
        which = f"partition {partition} of {request.name}" if partition else request.name
        self.observer.learn(meanings.TellsStatistics(which, found.value, found.source))
        return found

    def cached_statistics(self, request: Request, partition: str = "") -> Told | None:
        """What the cache says of them by itself; None if it must not. Part of a critical section.

        Source: `CachedStore.getTableColumnStatistics`, `SharedCache.getTableColStatsFromCache`, `getPartColStatsList`.
        """
        answer = self.look(request)
        if answer is None:
            return None
        entry = self.cache.entries[request.name]
        if partition:
            of = entry.partition_statistics.get(partition)
            if of is None:
                return None
            usable = cached_statistics.usable(of, request.writes, by_list=self.rules.partition_statistics_by_list)
            return Told(answer.table, of.value if usable else None, "cache")
        known = entry.statistics
        if known is None and self.rules.asks_for_statistics:
            return None
        usable = is_compliant(answer.table.statistics or NEVER_ANALYZED, request.writes)
        return Told(answer.table, known if usable else None, "cache")

    def _statistics(self, tx: Transaction, request: Request, partition: str) -> Told:
        table = self._from_database(tx, request).table
        row: Partition | None = tx.get(PARTITIONS, (table.id, partition)) if partition else None
        known = (row.statistics if row is not None else None if partition else table.statistics) or NEVER_ANALYZED
        return Told(table, known.value if is_compliant(known, request.writes) else None, "database")

    def get_key(self, request: Request) -> Told:
        """What a table's primary key is called. Source: `CachedStore.getPrimaryKeys`. Raises: `NoSuchTable`."""

        def look() -> Told | None:
            answer = self.look(request)
            entry = self.cache.entries.get(request.name)
            known = answer is not None and entry is not None and entry.key_known
            return Told(answer.table, entry.key, "cache") if answer and entry and known else None

        def body(tx: Transaction) -> Told:
            table = self._from_database(tx, request).table
            return Told(table, table.key, "database")

        found = self.memory.critical("get_key", self.name, look)
        found = found or self.database.transact("read_key", self.name, body)
        self.observer.learn(meanings.TellsKey(request.name, found.value, found.source))
        return found

    def get_aggregate(self, request: Request, partitions: Sequence[str]) -> Aggregate:
        """The statistics of some of a table's partitions together. Raises: `NoAggregate`, `NoSuchTable`, `NullList`."""
        found = self.memory.critical("get_statistics", self.name, lambda: self._cached_aggregate(request, partitions))
        if found is None:

            def body(tx: Transaction) -> Aggregate:
                table = self._from_database(tx, request).table
                told = aggregates.of_rows(dict(tables.partition_rows(tx, table)), partitions, request.writes)
                return Aggregate(table, *told, "database")

            found = self.database.transact("read_statistics", self.name, body)
        which = f"partitions {' and '.join(partitions)} of {request.name}"
        self.observer.learn(meanings.TellsStatistics(which, found.value, found.source))
        return found

    def _cached_aggregate(self, request: Request, partitions: Sequence[str]) -> Aggregate | None:
        """What the cache says of them by itself; None if it must not. Part of a critical section."""
        answer = self.look(request)
        if answer is None:
            return None
        entry = self.cache.entries[request.name]
        names = self.database.transact(
            "read_statistics", self.name, lambda tx: tables.count_partitions(tx, request.name)
        )
        told = aggregates.of_entry(entry, self.rules, partitions, names, request.writes)
        return None if told is None else Aggregate(answer.table, *told, "cache")

    def _why_not(self, entry: Entry, request: Request) -> str | None:
        """Source: hive/4.2 step 5: another incarnation, an unfinished write, or a tag that is behind."""
        rules, writes = self.rules, request.writes
        if writes is None:
            if entry.table.managed:
                self._null_list(request.name)
            if not rules.caches_external or (entry.table.managed and rules.null_list_on_managed == "database"):
                return coverage.NO_LIST
            self.observer.hit(coverage.EVENTUAL)
            return None
        if rules.checks_table_id and request.table_id != entry.table.id:
            return coverage.OTHER_ID
        if entry.unfinished and rules.unfinished != "ignored":
            return coverage.UNFINISHED
        if rules.read_rule != "none" and (entry.tag is None or not self._rule(entry.tag, writes)):
            return coverage.STALE
        return None

    def _null_list(self, name: str) -> None:
        if self.rules.null_list_on_managed == "error":
            self.observer.hit(coverage.NULL_LIST)
            raise NullList(f"read of {name}: expected a list of valid write ids (the table is managed), got none")

    def _from_database(self, tx: Transaction, request: Request) -> Answer:
        table = tables.get(tx, request.name)
        if table.managed and request.writes is None:
            self._null_list(request.name)
        return Answer(table, tables.partitions(tx, table), "database")

    def _fill(self, answer: Answer, request: Request) -> bool:
        """Keep what a miss brought, though the log may have gone on since, and without partitions (R6)."""
        return self.cache.keep(answer.table, request.writes)

    def evict(self, name: str) -> None:
        """Take a table out of the cache, as one that is full does."""
        found = self.memory.critical("evict", self.name, lambda: self.cache.evict(name))
        self.observer.learn(meanings.EvictsTable(name, found))
