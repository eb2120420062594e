"""Filling a replica's cache from the database, where no query brings a list: the replica makes its own tags.

No snapshot spans the reads. Guarded: the log is followed from before the first read, and content events up to the one
that an entry was loaded at are skipped; the content may be newer than its tag says, never older. As designed: the log
is followed from the start of the prewarm and applied to whatever was loaded, so a table that changed twice in between
is set back to its first change while its tag includes the second (M13).

Source: hive/4.6; the design document, "Bootstrap"; `CachedStore.prewarm`, `triggerPreWarm`.

Choices: all tables are cached, and fit; what is evicted later is `Replica.evict`. The writes that are open when a table
is loaded count as unfinished: their content may be in it already. Upstream (P51) calls every prewarmed entry valid. A
tag has every open and aborted write, where upstream takes the short list that queries get (and so do the rules of P51):
of a change that comes late nobody could tell that its transaction has ended.
"""

from model.hive import coverage, log
from model.hive.cache import Cache
from model.hive.entry import Entry
from model.hive.lists import ValidTxnList, ValidWriteIdList
from model.hive.meanings import FillsCache, ListsTxns, LoadsEntry, TagsEntry
from model.hive.rows import TBLS, Partition, Partitions, Statistics, Table
from model.hive.tables import partition_rows
from model.hive.txns import open_txns, snapshot
from model.hive.write_ids import open_writers, valid_write_ids
from model.ports import Database, Memory, Transaction

Analyzed = tuple[tuple[str, Statistics], ...]
Loaded = tuple[int, Table | None, Partitions, tuple[int, ...], Analyzed]
ANOTHER_TABLE = "another table"


class Prewarm:
    """How one replica reads tables into its cache."""

    def __init__(self, replica: str, database: Database, memory: Memory, cache: Cache) -> None:
        self.replica = replica
        self.database = database
        self.memory = memory
        self.cache = cache
        self.rules = cache.rules
        self._ended = False

    def fill(self, stored: int | None = None) -> int:
        """Replace the cache by what the database has; returns the event to follow the log from.

        Args: `stored` is where the process before this one was in the log, if somebody has kept it.
        """
        again = False
        while (follows_from := self._filled(stored, again=again)) is None:
            again = True
        return follows_from

    def _filled(self, stored: int | None, *, again: bool) -> int | None:
        """None if a table was gone, and it is to be begun again, without what there was before the first time."""
        rules = self.rules
        txns = self._txns() if rules.prewarm == "outdated-list" else None
        position, names = self.database.transact("prewarm", self.replica, list_tables)
        follows_from = position if stored is None else stored
        self.cache.observer.learn(FillsCache(follows_from))
        if stored is not None:
            self.cache.observer.hit(coverage.RESUMED)
        guarded = rules.prewarm != "as-designed"
        if not again:
            self.cache.entries.clear()
        self.cache.listed_at = position if guarded else 0
        for name in filter(self.cache.objects.has, names):
            self.load(name, txns)
            if self._ended:
                self.cache.observer.hit(coverage.PREWARM_ENDED)
                return None
        return follows_from

    def load(self, name: str, txns: ValidTxnList | None = None) -> None:
        """Read one table: its tag first, so that the content is never older than the tag says; again if the name has
        gone to another table in between, whose write ids are others."""
        while self._try_load(name, txns) == ANOTHER_TABLE:
            pass
        self.cache.observer.learn(LoadsEntry(name, name in self.cache.entries))

    def _try_load(self, name: str, txns: ValidTxnList | None) -> str:
        meant, tag = self._tag(name, txns)
        self.cache.observer.learn(TagsEntry(tag))
        return self.memory.critical("prewarm_table", self.replica, lambda: self._load(name, meant, tag))

    def reload(self, name: str) -> None:
        """Read one table anew as a part of the caller's section."""
        if self.cache.objects.has(name):
            meant, tag = self._tag(name)
            self.memory.critical("prewarm_table", self.replica, lambda: self._load(name, meant, tag))

    def _load(self, name: str, meant: int, tag: ValidWriteIdList) -> str:
        loaded_at, table, parts, unfinished, analyzed = self.database.transact(
            "prewarm_table", self.replica, lambda tx: read_table(tx, name)
        )
        if table is not None and table.managed and table.id != meant and self.rules.prewarm == "guarded":
            return ANOTHER_TABLE
        self._ended = table is None and self.rules.prewarm_ends_at_gone
        if self._ended:
            return "no table"
        self.cache.entries.pop(name, None)
        if table is None:
            return "no table"
        self._put(table, parts, tag, unfinished, loaded_at)
        self.cache.entries[name].load_statistics(analyzed)
        self.cache.entries[name].know_key(table.key if self.rules.loads_constraints else None)
        return tag.short

    def _put(
        self, table: Table, parts: Partitions, tag: ValidWriteIdList, unfinished: tuple[int, ...], loaded_at: int
    ) -> None:
        if self.rules.prewarm == "as-designed":
            loaded_at, unfinished = 0, ()
        self.cache.observer.hit(coverage.PREWARMED)
        self.cache.entries[table.name] = Entry(table, parts, tag if table.managed else None, unfinished, loaded_at)

    def _txns(self) -> ValidTxnList:
        txns = self.database.transact("prewarm_txns", self.replica, lambda tx: snapshot(open_txns(tx)))
        self.cache.observer.learn(ListsTxns(txns))
        return txns

    def _tag(self, name: str, txns: ValidTxnList | None = None) -> tuple[int, ValidWriteIdList]:
        """The tag, and the id of the table that it is of (0: of none, or nobody looks)."""
        rules = self.rules
        guarded, collapses, counts = rules.prewarm == "guarded", rules.tags == "patched", rules.lists_count_cleaned_ids

        def body(tx: Transaction) -> tuple[int, ValidWriteIdList]:
            row: Table | None = tx.lock(TBLS, name) if guarded else None
            listed = txns if txns is not None else snapshot(open_txns(tx))
            tag = valid_write_ids(tx, listed, name, collapses=collapses, counts_cleaned=counts)
            return 0 if row is None else row.id, tag

        return self.database.transact("prewarm_tag", self.replica, body)


def list_tables(tx: Transaction) -> tuple[int, tuple[str, ...]]:
    """The last event, and the tables that there are."""
    return log.current_event_id(tx), tuple([name for name, _ in tx.scan(TBLS)])


def read_table(tx: Transaction, name: str) -> Loaded:
    """The last event; the table (None: there is none), its partitions, its writes that are open, and the statistics of
    its partitions."""
    loaded_at = log.current_event_id(tx)
    table: Table | None = tx.get(TBLS, name)
    if table is None:
        return loaded_at, None, (), (), ()
    rows = partition_rows(tx, table)
    parts = tuple([(each, row.value) for each, row in rows])
    return loaded_at, table, parts, open_writers(tx, name), analyzed_of(rows)


def analyzed_of(rows: tuple[tuple[str, Partition], ...]) -> Analyzed:
    """The statistics of those partitions that have some."""
    found = [(name, row.statistics) for name, row in rows]
    return tuple([(name, one) for name, one in found if one is not None and one.value is not None])
