"""A replica's cache: per table its content, a tag that says which writes that includes, and what is unfinished in it.

An entry is readable if nothing in its content belongs to a write that has not been settled. A content event makes it
unreadable, the commit or abort of the write's transaction makes it readable again; the tag moves with the write ids.

Source: hive/4.1, hive/4.4, hive/4.6, hive/4.7; the design document, "Cache update", "Maintain WriteId", "Deal with
Rename".

Choices:
* `loaded_at` is ours: the last event that the database had when the entry was read from it. Content events up to it
  are in the content already, and applying them would set it back (M13). `listed_at` says the same of tables that were
  not there.
* An `Event` of a rename has the old name, and its table the new one; in the metastore's log the row has the new name,
  and the message both (`DbNotificationListener.onAlterTable`).
* After an abort the entry stays as it is: the database keeps the change, too.
* `dirty` and `touched` are of the refreshing cache alone: what the next refresh must not overwrite (upstream's
  `isTableCacheDirty`, `isPartitionCacheDirty`), and that the replica has changed its cache since the last one began.
* Everything here is one critical section of its caller; nothing waits.
"""

from collections.abc import Hashable

from model.hive import cached_statistics, coverage
from model.hive.cached_objects import EVERYTHING, CachedObjects
from model.hive.entry import Entry, made
from model.hive.errors import UnknownEvent
from model.hive.lists import ValidWriteIdList, committed_as_patched
from model.hive.lock_queue import split
from model.hive.observer import Observer
from model.hive.rows import (
    CONSTRAINT_EVENTS,
    CONTENT_EVENTS,
    DELETE_STATISTICS,
    DELETES_STATISTICS,
    UPDATE_STATISTICS,
    Event,
    Table,
)
from model.hive.rules import Rules


class Cache:
    """The entries by table name. `objects`: which tables it may hold, to be said before it is filled."""

    def __init__(self, rules: Rules, observer: Observer) -> None:
        self.rules = rules
        self.objects: CachedObjects = EVERYTHING
        self.observer = observer
        self.entries: dict[str, Entry] = {}
        self.listed_at = 0
        self.dirty = self.touched = False
        self.renamed_databases: frozenset[str] = frozenset()

    def with_id(self, table_id: int) -> Entry | None:
        """The entry of this table, under whatever name."""
        for entry in self.entries.values():
            if entry.table.id == table_id:
                return entry
        return None

    def state_key(self) -> Hashable:
        """Everything that later reads and events depend on."""
        entries = self.entries
        known = [(name, entry.state_key(), self._is_shared(entry)) for name, entry in sorted(entries.items())]
        return tuple(known), self.listed_at, self.dirty, self.touched, tuple(sorted(self.renamed_databases))

    def _is_shared(self, entry: Entry) -> bool:
        """Whether the entry is under its table's own name, so that what changes there changes wherever it is."""
        return self.entries.get(entry.table.name) is entry

    # -- databases -----------------------------------------------------------------------------------------------

    def lacks_database_of(self, table: str) -> bool:
        """Whether the cache knows this table's database by another name alone, which nobody but it has given it."""
        return split(table)[0] in self.renamed_databases

    def rename_database(self, name: str, *, own: bool = False) -> None:
        """Know a database by its new name alone. Source: `SharedCache.alterDatabaseInCache`.

        Args: `own`: the replica itself was told to.
        """
        if own or self.objects.has(f"{name}."):  # an event of a database is looked for as if of its table ""
            self.observer.hit(coverage.DATABASE_UNKNOWN)
            self.renamed_databases |= {name}

    def refresh_databases(self) -> None:
        """Know the databases as they are called. Source: `SharedCache.refreshDatabasesInCache`."""
        self.renamed_databases = frozenset()

    # -- content events ------------------------------------------------------------------------------------------

    def apply(self, event: Event) -> bool:
        """Apply a content event; False if the cache cannot tell the table's content any more and must reload it.

        Raises: `UnknownEvent`.
        """
        if event.table is None or event.kind not in CONTENT_EVENTS:
            known = ", ".join(CONTENT_EVENTS)
            raise UnknownEvent(f"event {event.id}: expected a kind out of {known}, got {event.kind!r}")
        after = event.table
        if event.kind == "ALTER_TABLE" and after.name != event.name:
            if self.rules.rename != "asks-new-name":
                return self._rename(event, after)
            event = event._replace(name=after.name)
        if event.id <= self._known_at(event.name):
            self.observer.hit(coverage.CONTENT_SKIPPED)
            self._unfinished(self._entry(event), event)
            return True
        self.observer.hit(coverage.CONTENT_APPLIED)
        if event.kind == "CREATE_TABLE":
            self.entries[event.name] = made(event.name, after, self.rules)
            return True
        entry = self._entry(event)
        if entry is None:
            return True  # not cached: nothing to keep up to date
        if event.kind == "DROP_TABLE":
            del self.entries[event.name]
            return True
        self._change(entry, event)
        self._unfinished(entry, event)
        return True

    def leaves_out(self, event: Event) -> bool:
        """Whether an event is of a table that is not to be cached, of a rename by its new name.

        As shipped the cache then keeps what it has under the old one (`updateUsingNotificationEvents`).
        """
        if self.objects.has(event.new_name):
            return False
        if self.rules.rename == "moves":
            self.entries.pop(event.name, None)
        return True

    def _entry(self, event: Event) -> Entry | None:
        entry = self.entries.get(event.name)
        if entry is not None and event.table is not None and entry.table.id != event.table.id:
            return None if self.rules.checks_table_id else entry
        return entry

    def _change(self, entry: Entry, event: Event) -> None:
        if event.kind in CONSTRAINT_EVENTS:
            entry.key_known = False
        if event.kind == DELETE_STATISTICS:
            entry.statistics = None
            return
        if event.partition is None:
            assert event.table is not None
            entry.table = event.table
            if event.kind == UPDATE_STATISTICS:
                entry.statistics = event.table.analyzed
            return
        entry.aggregates = ()
        adds, unnamed = self.rules.follows == "nothing", self.rules.takes_unnamed_statistics
        if not cached_statistics.follow(entry, event, adds=adds, takes_unnamed=unnamed):
            return
        name, value = event.partition
        entry.partitions.pop(event.old_partition, None)
        if value is None:
            entry.partitions.pop(name, None)
        else:
            entry.partitions[name] = value

    def _known_at(self, name: str) -> int:
        entry = self.entries.get(name)
        return self.listed_at if entry is None else entry.loaded_at

    def _rename(self, event: Event, after: Table) -> bool:
        entry = self._entry(event)
        if entry is None and self.rules.rename == "keeps-old-name":
            return True  # it looks for the old name alone
        if entry is None or event.id <= entry.loaded_at:
            # read from the database under its new name already, or not at all: then read it now
            return event.id <= self._known_at(after.name) or event.id <= self.listed_at
        self.observer.hit(coverage.RENAMED)
        if self.rules.rename == "moves":
            del self.entries[event.name]
        if event.id > self._known_at(after.name):
            entry.table = after
            if entry.tag is not None and self.rules.tags == "exact":
                entry.tag = entry.tag.renamed(after.name)
            self._unfinished(entry, event)
            self.entries[after.name] = entry
        return True

    def _unfinished(self, entry: Entry | None, event: Event) -> None:
        """The content now has a write that is not settled: not to be read until it is.

        A change may arrive when its transaction has ended (a call that was late): nothing is left to wait for then.
        """
        write_id = event.write_id
        if entry is None or entry.tag is None:
            return
        if self.rules.unfinished == "one-flag":
            entry.unfinished = (0,)
            return
        if not write_id or (event.kind == "DROP_PARTITION" and not self.rules.drop_tells_write_id):
            return
        if self.rules.unfinished == "ignored":
            entry.tag = entry.tag.committed(write_id)
        elif write_id not in entry.unfinished and (write_id > entry.tag.high or write_id in entry.tag.open):
            entry.unfinished = (*entry.unfinished, write_id)

    # -- the replica's own changes, of a cache that follows no log ------------------------------------------------

    def apply_own(self, event: Event) -> None:
        """Apply a change that this replica makes, and keep the refresh that may be under way from undoing it.

        Source: `CachedStore.alterTable` and others; `SharedCache.addTableToCache`, `removePartition`.
        """
        entry = self.entries.get(event.name)
        had = None if entry is None or event.partition is None else entry.partitions.get(event.partition[0])
        stays = self.objects.has(event.new_name)
        if not (stays or self.objects.has(event.name)):
            return
        self.observer.hit(coverage.OWN_CHANGE)
        if stays:
            self.apply(event)
            self._analyze_own(event)
        else:  # it has got a name that is not to be cached
            self.entries.pop(event.name, None)
        self.touched = True
        if event.kind in (*CONSTRAINT_EVENTS, *DELETES_STATISTICS):
            return
        if event.partition is None:
            self.dirty |= entry is not None or event.kind == "CREATE_TABLE"
        elif entry is not None:
            entry.dirty |= had is not None or event.partition[1] is not None

    def _analyze_own(self, event: Event) -> None:
        """Who analyzes looks for the table then, and keeps it; a rename writes its statistics anew, under its name.

        Source: `HMSHandler.updateTableColumnStatsInternal`, `HiveAlterHandler.alterTable`.
        """
        entry, table = self.entries.get(event.new_name), event.table
        assert table is not None
        if event.kind == UPDATE_STATISTICS and entry is None:
            self.keep(table, None)
        elif event.renames_table and entry is not None and table.analyzed:
            entry.statistics = table.analyzed

    def keep(self, table: Table, tag: ValidWriteIdList | None) -> bool:
        """Keep what a miss brought, without partitions (R6), if it may; returns whether it is kept."""
        if not self.objects.has(table.name):
            return False
        self.observer.hit(coverage.FILLED)
        self.entries[table.name] = Entry(table, (), tag)
        self.dirty = self.touched = self.rules.follows == "nothing"
        return True

    def lose(self, name: str) -> None:
        """Take out a table whose drop the database is about to refuse. Source: `CachedStore.dropTable`."""
        self.entries.pop(name, None)
        self.dirty = self.touched = True

    def evict(self, name: str) -> bool:
        """Give a table's memory to others; returns whether there was such an entry. Of two names (R3) one stays.

        Source: Guava's `Cache` with `maximumWeight`, as `SharedCache.initialize` makes it of
        `metastore.cached.rawstore.max.cache.memory`; the listener of removals leaves all else as it is.
        """
        if self.entries.pop(name, None) is None:
            return False
        self.observer.hit(coverage.EVICTED)
        return True

    # -- write ids -----------------------------------------------------------------------------------------------

    def open_id(self, entry: Entry, write_id: int, replaces: int = 0) -> None:
        """A write id was allocated; the one that it `replaces` is nobody's any more, and is settled in lists."""
        if entry.tag is not None and self.rules.tags == "exact":
            entry.tag = (entry.tag.committed(replaces) if replaces else entry.tag).opened(write_id)
            self._settle(entry, replaces)

    def commit_id(self, entry: Entry, write_id: int) -> None:
        """A write was committed: the tag includes it, and its content may be read."""
        if entry.tag is None:
            return
        patched = self.rules.tags == "patched"
        entry.tag = committed_as_patched(entry.tag, write_id) if patched else entry.tag.committed(write_id)
        self._settle(entry, write_id)

    def abort_id(self, entry: Entry, write_id: int) -> None:
        """A write was aborted; its content stays, as it does in the database."""
        if entry.tag is None or self.rules.tags == "patched":
            return
        self.observer.hit(coverage.ABORT_APPLIED)
        entry.tag = entry.tag.aborting(write_id)
        self._settle(entry, write_id)

    def _settle(self, entry: Entry, write_id: int) -> None:
        one = self.rules.unfinished == "one-flag"
        entry.unfinished = () if one else tuple([other for other in entry.unfinished if other != write_id])
