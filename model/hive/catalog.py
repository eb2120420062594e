"""What a catalog daemon of Impala knows of tables: their names, what is loaded of them, and what events do to both.

A name is in the catalog from the event that made its table to the one that took it away; the table is loaded when
somebody asks for it. An event of a table reloads it as the metastore has it now; those of partitions are applied as
they say. Write ids are kept by the name that a table had when they were allocated, from the event of their allocation
to that of their transaction's end, whatever is loaded.

Source: hive/4.9; Impala `CatalogServiceCatalog.addWriteIdsToTable`, `removeTable`, `renameTable`;
`CatalogOpExecutor.addTableIfNotRemovedLater`, `removeTableIfNotAddedLater`, `addPartitionsIfNotRemovedLater`,
`removePartitionsIfNotAddedLater`, `reloadPartitionsFromEvent`; `MetastoreEvents.AllocWriteIdEvent`, `AbortTxnEvent`;
`MetastoreShim.CommitTxnEvent`; `MutableValidReaderWriteIdList.java`, whose moves are those of
`model.hive.lists.ValidWriteIdList`.

Choices: every table counts as partitioned: of others Impala keeps no write ids. Of files it is known which truncate
they are of, and nothing else: compactions (IMPALA-10801) are not modelled. The write ids of a commit are those whose
allocation was seen; upstream asks the metastore for the rows that were written, too. What is remembered of a partition
is its value.
"""

from collections.abc import Hashable

from model.hive import coverage
from model.hive.cache import Cache
from model.hive.catalogd_rules import CatalogRules
from model.hive.entry import Entry
from model.hive.lists import ValidWriteIdList
from model.hive.rows import Event, Partitions, Table

WriteIdOf = tuple[str, int]
"""A table's name when the write id was allocated, and the id."""


MARK = "impala.events.catalogVersion:"
"""What the parameter begins with that says whose change a change was; the daemon's name follows."""


class Unapplied(Exception):
    """An event does not fit what is loaded: upstream a failed check."""


class Known:
    """A name in the catalog: the event that made it (0: there from the start), how often what is loaded of it has
    changed, and the last event that it is known to have."""

    __slots__ = ("created", "synced", "version")

    def __init__(self, created: int = 0) -> None:
        self.created = created
        self.synced = 0
        self.version = 0


class Catalog:
    """The names, over the cache with what is loaded. Everything here is part of its caller's critical section."""

    def __init__(self, cache: Cache, rules: CatalogRules) -> None:
        self.cache = cache
        self.rules = rules
        self.known: dict[str, Known] = {}
        self.removed: dict[str, int] = {}
        self.write_ids: dict[int, tuple[WriteIdOf, ...]] = {}
        self.truncates: dict[WriteIdOf, None] = {}
        self.in_flight: dict[str, tuple[tuple[str, str], ...]] = {}

    def state_key(self) -> Hashable:
        """Everything that later events and loads depend on."""
        known = [(name, one.created, one.synced, one.version) for name, one in sorted(self.known.items())]
        flight = tuple(sorted(self.in_flight.items()))
        ids = tuple(sorted(self.write_ids.items())), tuple(sorted(self.truncates))
        return tuple(known), tuple(sorted(self.removed.items())), ids, flight

    def clear(self) -> None:
        """Know nothing."""
        self.cache.entries.clear()
        for part in (self.known, self.removed, self.write_ids, self.truncates, self.in_flight):
            part.clear()

    # -- names ---------------------------------------------------------------------------------------------------

    def add(self, name: str, event: int) -> None:
        """A table has this name, unless the catalog knows of a later drop."""
        if name not in self.known and self.removed.get(name, 0) <= event:
            self.known[name] = Known(event)

    def remove(self, name: str, event: int) -> None:
        """No table has this name, unless the catalog knows of a later one."""
        known = self.known.get(name)
        if known is not None and event > known.created:
            del self.known[name]
            self.cache.entries.pop(name, None)

    def forget(self, name: str) -> None:
        """Unload a table: who asks for it next loads it. Source: `invalidateTable`."""
        if self.cache.entries.pop(name, None) is not None:
            self.known[name].version += 1

    def put(self, name: str, table: Table, parts: Partitions, tag: ValidWriteIdList | None) -> Entry:
        """Have a table loaded, in the place of what was."""
        self.cache.observer.hit(coverage.PREWARMED)
        entry = self.cache.entries[name] = Entry(table, parts, tag)
        self.known[name].version += 1
        return entry

    # -- events --------------------------------------------------------------------------------------------------

    def needs_load(self, event: Event) -> bool:
        """Whether an event makes the catalog load its table anew: a change of one that is loaded, and not its own."""
        name, known = event.name, self.known.get(event.name)
        if known is None or name not in self.cache.entries or event.id <= known.created:
            return False
        return not (self._is_own(event) or self._is_older(event, known))

    def apply(self, event: Event) -> None:
        """Apply an event that says all there is to say. Raises: `Unapplied`."""
        match event.kind:
            case "CREATE_TABLE":
                self.add(event.name, event.id)
            case "DROP_TABLE":
                self.remove(event.name, event.id)
            case "ALTER_TABLE" if event.table is not None and event.table.name != event.name:
                self.remove(event.name, event.id)
                self.add(event.table.name, event.id)
            case "ADD_PARTITION" | "ALTER_PARTITION" | "DROP_PARTITION":
                self._apply_partition(event)
            case "ALLOC_WRITE_ID":
                self._mark("opened", ((event.name, event.write_id),), event.id)

    def _apply_partition(self, event: Event) -> None:
        entry, known = self.cache.entries.get(event.name), self.known.get(event.name)
        if entry is None or known is None or self._is_older(event, known):
            return
        assert event.partition is not None
        name, value = event.partition
        moves = event.old_partition if self.rules.renamed_partitions == "moved" else ""
        if event.kind == "ADD_PARTITION":
            if value is not None and self.removed.get(event.name, 0) <= event.id:
                entry.partitions.setdefault(name, value)
        elif value is None:
            if event.id > known.created:
                entry.partitions.pop(name, None)
        elif (moves or name) in entry.partitions and (self.rules.old_partitions == "taken" or event.id > known.created):
            entry.partitions.pop(moves, None)
            entry.partitions[name] = value
        self.cache.observer.hit(coverage.CONTENT_APPLIED)
        known.version += 1

    def _is_older(self, event: Event, known: Known) -> bool:
        """Whether the table is known to have the event already. Source: `isOlderEvent`, `getLastSyncedEventId`."""
        by_flag = self.rules.older_events == "skipped" or self.rules.own_changes == "synced"
        older = by_flag and event.id <= known.synced
        if older:
            self.cache.observer.hit(coverage.CONTENT_SKIPPED)
        return older

    def _is_own(self, event: Event) -> bool:
        """Whether the event is of a change that is in flight, which it then is no longer. Source: `isSelfEvent`."""
        found = [mark for mark in self.in_flight.get(event.name, ()) if event.table and mark in marks_of(event.table)]
        for mark in found:
            self.in_flight[event.name] = tuple([other for other in self.in_flight[event.name] if other != mark])
            self.cache.observer.hit(coverage.OWN_EVENT)
        return bool(found)

    # -- write ids -----------------------------------------------------------------------------------------------

    def allocated(self, event: Event) -> None:
        """Remember whose write id it is, as soon as the event is read."""
        if self.rules.allocations == "all" or event.name in self.cache.entries:
            found = self.write_ids.get(event.txn, ())
            if (event.name, event.write_id) not in found:
                self.write_ids[event.txn] = (*found, (event.name, event.write_id))

    def truncated(self, event: Event) -> None:
        """Remember whose write id is a truncate's, as soon as the event is read. Source: `trackTruncateOp`."""
        if event.write_id and self.rules.truncates == "remembered":
            self.truncates[event.name, event.write_id] = None

    def end(self, kind: str, ids: tuple[WriteIdOf, ...], event: int) -> None:
        """A transaction has committed or was aborted. Raises: `Unapplied`."""
        self._mark("committed" if kind == "COMMIT_TXN" else "aborting", ids, event)

    def _mark(self, how: str, ids: tuple[WriteIdOf, ...], event: int) -> None:
        for name, write_id in ids:
            ended = how != "opened" and (name, write_id) in self.truncates
            if ended:
                del self.truncates[name, write_id]
            entry, known = self.cache.entries.get(name), self.known.get(name)
            if entry is None or known is None or entry.tag is None or event <= known.created or known.synced > event:
                continue
            if how == "committed" and entry.tag.is_aborted(write_id):
                raise Unapplied(f"commit of write id {write_id} of {name}: expected it open, it was aborted")
            refuses = how == "aborting" and self.rules.unknown_aborts == "refused"
            if refuses and entry.tag.is_valid(write_id):
                raise Unapplied(
                    f"abort of write id {write_id} of {name}: expected it among the exceptions, it is valid"
                )
            entry.tag = getattr(entry.tag, how)(write_id)
            if ended and how == "committed":
                entry.base = max(entry.base, write_id)
            known.version += 1


def marks_of(table: Table) -> tuple[tuple[str, str], ...]:
    """What catalog daemons have left in a table's parameters. Source: `impala.events.catalogVersion`."""
    return tuple([pair for pair in table.parameters if pair[0].startswith(MARK)])
