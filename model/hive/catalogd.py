"""A catalog daemon of Impala in the place of a metastore's cache: it loads what it is asked for, and follows the log.

Who asks for a table that is loaded, with a list that is no newer than its own, is answered from it; else the daemon
loads the table and keeps it, unless what is there has changed meanwhile and is no older. An event of a table loads it
anew, in place.

Two things follow that no ticket names. A change between two calls of a load may be in the list and not in the table:
the old table is served as if it were new, until its event comes; where the last event is asked for with the list
(`enable_sync_to_latest_event_on_ddls`), for ever. And what an event has loaded is lost if somebody who asked for the
table has put another one in its place meanwhile.

Source: hive/4.9; Impala `CatalogServiceCatalog.getOrLoadTable`, `replaceTableIfUnchanged`, `reloadTable`;
`MetastoreEventsProcessor.java`; `CatalogMetastoreServiceHandler.java` (what it cannot answer goes to the metastore,
`fallback_to_hms_on_errors`).

Choices: all tables are loaded at the start, as by `load_in_background`. Requests carry the table's id, as those of a
front end may; those of the metastore endpoint do not (a rule of its own, `checks_table_id`). An answer has all of what
was loaded: upstream's files are those of the request's list. While an event loads a table, readers are answered with
what was there; upstream they wait. A change that is made through the daemon does not wait for the table's lock: the
load is made again.
"""

from collections.abc import Hashable
from typing import NamedTuple

from model.hive import coverage
from model.hive.cache import Cache
from model.hive.catalog import Catalog, Known, Unapplied, WriteIdOf
from model.hive.catalog_loads import Loaded, Loader
from model.hive.catalogd_batches import merged
from model.hive.catalogd_rules import CatalogRules
from model.hive.comparison import compare
from model.hive.entry import Entry
from model.hive.errors import LogGap
from model.hive.meanings import CannotApply, FillsCache, FindsGap, KeepsAnswer, LooksUpTable, ReadsLog, SeesNoEvent
from model.hive.poller import NEVER, Poller
from model.hive.prewarm import Prewarm, list_tables
from model.hive.rows import Event, Partitions, Table
from model.hive.write_ids import look_up
from model.ports import Database, Memory

ENDS = ("COMMIT_TXN", "ABORT_TXN")


class Found(NamedTuple):
    """What somebody is answered who asked for a table that had to be loaded."""

    table: Table
    parts: Partitions


class Catalogd(Poller):
    """One daemon. `position`: the last event that was processed."""

    def __init__(self, name: str, database: Database, memory: Memory, cache: Cache, prewarm: Prewarm) -> None:
        super().__init__(name, database, memory, cache, prewarm)
        self.options = self.rules.catalogd or CatalogRules()
        self.catalog = Catalog(cache, self.options)
        self.loader = Loader(
            name, database, cache.observer, self.options, counts_cleaned=self.rules.lists_count_cleaned_ids
        )
        self._taken: dict[int, tuple[WriteIdOf, ...]] = {}
        self._stopped = False
        self._loading: Entry | None = None

    def state_key(self) -> Hashable:
        """Everything that later answers and events depend on."""
        taken = tuple(sorted(self._taken.items()))
        loading = None if self._loading is None else self._loading.state_key()
        return self.position, self._tried, self._stopped, taken, loading, self.catalog.state_key()

    @property
    def waits_beyond(self) -> int:
        """The event after which there is something to do."""
        return NEVER if self._stopped else max(self.position, self._tried)

    def start(self) -> None:
        """Begin anew with the tables that there are. Source: `CatalogServiceCatalog.reset`."""
        self.position, names = self.database.transact("prewarm", self.name, list_tables)
        self.cache.observer.learn(FillsCache(self.position))
        self.catalog.clear()
        self._taken.clear()
        self._stopped = False
        for name in names:
            self.catalog.add(name, 0)
        for name in names:
            self.on_miss(name, 0)
        self.runs = True

    # -- what is asked for ---------------------------------------------------------------------------------------

    def on_miss(self, name: str, table_id: int) -> Found | None:
        """Load a table that was asked for; returns what is there then, or None if the metastore has to be asked.

        Source: `getOrLoadTable`.
        """
        known = self.catalog.known.get(name)
        if known is None:
            return None
        version, began = known.version, self.position
        loaded = self.loader.load(name, known.created)
        if loaded is None:
            return None
        as_of = max(loaded.listed.event, began)  # in 2.3 the log's own end may lie before what was processed
        kept, late = self.memory.critical(
            "fill", self.name, lambda: self._keep(name, loaded, known, version, table_id, as_of)
        )
        self.cache.observer.learn(KeepsAnswer())
        if late:
            return self.on_miss(name, table_id)
        whatever = self.options.answers == "kept" or loaded.tag is None
        return kept if whatever else Found(loaded.table, loaded.parts)

    def _keep(
        self, name: str, loaded: Loaded, before: Known, version: int, table_id: int, as_of: int
    ) -> tuple[Found | None, bool]:
        """Returns: what is there then; and whether the load was too late: events have passed that it may not have,
        which are those after `as_of`."""
        if self.options.loads == "list-first" and self.position > as_of:
            return None, True
        entry = self._replace(name, loaded, before, version, table_id)
        return None if entry is None else Found(entry.table, tuple(sorted(entry.partitions.items()))), False

    def _replace(self, name: str, loaded: Loaded, before: Known, version: int, table_id: int) -> Entry | None:
        """Keep what was loaded, unless what is there is no older. Source: `replaceTableIfUnchanged`."""
        known, entry = self.catalog.known.get(name), self.cache.entries.get(name)
        if known is None:
            return None
        if known is not before or known.version != version:
            if entry is None or loaded.tag is None or entry.tag is None:
                return entry
            if entry.table.id == table_id and compare(entry.tag, loaded.tag) >= 0:
                return entry
        entry = self.catalog.put(name, loaded.table, loaded.parts, loaded.tag)
        entry.base = loaded.base
        known.created = max(known.created, loaded.listed.created)
        known.synced = loaded.listed.event if self.knows_events else 0
        return entry

    @property
    def knows_events(self) -> bool:
        """Whether a load asks for the last event."""
        return self.options.own_changes == "synced" or self.options.loads == "list-first"

    # -- the log -------------------------------------------------------------------------------------------------

    def poll(self) -> int:
        """Read what has come since, and process it, event by event; returns how many events were processed."""
        try:
            events = () if self._stopped else self.memory.critical("poll", self.name, self._read)
        except LogGap:
            self.cache.observer.hit(coverage.REBUILT)
            self.cache.observer.learn(FindsGap())
            self.start()
            return 1
        if not events:
            self._tried = self._end
            self.cache.observer.learn(SeesNoEvent())
            return 0
        self.cache.observer.learn(ReadsLog(events[0].id, events[-1].id))
        for event in self._in_order(events):
            self._process(event)
            if self._stopped:
                self.cache.observer.learn(CannotApply())
                return 0
        return len(events)

    def _in_order(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """The events as they are processed: what is merged in the place of its last event."""
        if not self.options.merges:
            return events
        synced = {name: known.synced for name, known in self.catalog.known.items()}
        return tuple([event for batch in merged(events, synced) for event in batch])

    def _read(self) -> tuple[Event, ...]:
        """Read events, and take their write ids down: upstream in the constructors of what processes them."""
        events = super()._read()
        for event in events:
            self.take_down(event)
        return events

    def take_down(self, event: Event) -> None:
        """Remember whose write id was allocated, and which ones a transaction had that ends."""
        if event.kind == "ALLOC_WRITE_ID":
            self.catalog.allocated(event)
        elif event.truncates:
            self.catalog.truncated(event)
        elif event.kind in ENDS and event.id not in self._taken:
            ids = self.catalog.write_ids.pop(event.txn, ())
            self._taken[event.id] = tuple(dict.fromkeys((*ids, *self._look_up(event.txn))))

    def _look_up(self, txn: int) -> tuple[WriteIdOf, ...]:
        if self.options.unseen_ids == "unknown":
            return ()
        found = self.database.transact("look_up_write_ids", self.name, lambda tx: look_up(tx, txn))
        return tuple([(name, write_id) for _, name, write_id in found])

    def _process(self, event: Event) -> None:
        if not self.memory.critical("apply", self.name, lambda: self._begin(event)):
            self.cache.observer.learn(LooksUpTable(event.name))
            while not self._reload(event):
                pass
        self._learn(((event.id, event.kind),))

    def _begin(self, event: Event) -> bool:
        """Apply an event; or, if its table has to be loaded anew, remember what for: the event is not done."""
        self._loading = self.apply_event(event)
        if self._loading is None:
            self.position = max(self.position, event.id)
        return self._loading is None

    def _reload(self, event: Event) -> bool:
        """Load a table for an event; False if a change of the daemon's own came in between, which its lock forbids."""
        known = self.catalog.known.get(event.name)
        created, version = (0, 0) if known is None else (known.created, known.version)
        loaded = self.loader.load(event.name, created)
        return self.memory.critical("apply", self.name, lambda: self._finish(event, loaded, known, version))

    def _finish(self, event: Event, loaded: Loaded | None, before: Known | None, version: int) -> bool:
        entry, known = self._loading, self.catalog.known.get(event.name)
        same = entry is not None and known is before and self.cache.entries.get(event.name) is entry
        if same and known is not None and known.version != version:
            return False
        if entry is not None:
            self.install(event, entry, loaded)
        self._loading = None
        self.position = max(self.position, event.id)
        return True

    def apply_event(self, event: Event) -> Entry | None:
        """Apply an event; or return what is to be loaded anew. Part of a critical section."""
        if event.kind == "ALTER_TABLE" and not event.renames_table:
            return self.cache.entries[event.name] if self.catalog.needs_load(event) else None
        ids = self._taken.pop(event.id, ())
        try:
            if event.kind in ENDS:
                self.catalog.end(event.kind, ids, event.id)
            else:
                self.catalog.apply(event)
        except Unapplied:
            self.cache.observer.hit(coverage.POLLER_STUCK)
            self._stopped = self.options.failures == "stop"
            for name, _ in ids:
                self.catalog.forget(name)
        return None

    def install(self, event: Event, entry: Entry, loaded: Loaded | None) -> None:
        """Change what is loaded in place. Whoever has put something else there meanwhile does not have it."""
        known = self.catalog.known.get(event.name)
        if loaded is None and self.options.loads == "list-first":
            self.catalog.forget(event.name)
        if loaded is None or known is None:
            return
        entry.table, entry.tag = loaded.table, loaded.tag
        entry.partitions = dict(loaded.parts)
        entry.base = loaded.base
        if self.cache.entries.get(event.name) is not entry:
            self.cache.observer.hit(coverage.LOAD_LOST)
            return
        self.cache.observer.hit(coverage.RELOADED)
        known.version += 1
        known.synced = max(known.synced, loaded.listed.event if self.knows_events else event.id)
