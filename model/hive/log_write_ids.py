"""What a replica remembers of the write ids of transactions that are under way, and where it gets the others.

Write ids of a commit come from the ALLOC events if the transaction's OPEN was seen (then every ALLOC lies after it),
else from the database. There they may have been cleaned by then: the ids that the tags still call open may be theirs,
and what has such a tag is read anew.

Source: hive/4.4, hive/4.5, hive/1.7 (`CleanTxnToWriteIdTableFunction`); the design document, "Maintain WriteId".

Choices: that a transaction has written nothing, and that its write ids are forgotten, is the same answer: both cost a
load of what is open. No tag that was made after the cleaning has an id open that is forgotten.
"""

from collections.abc import Hashable

from model.hive import coverage
from model.hive.cache import Cache
from model.hive.entry import Entry
from model.hive.prewarm import Prewarm
from model.hive.rows import Event
from model.hive.write_ids import look_up
from model.ports import Database

Allocated = tuple[int, str, int]
"""A table's id, its name when the write id was allocated, the write id."""


class LogWriteIds:
    """One replica's notes, from the log."""

    def __init__(self, name: str, database: Database, cache: Cache, prewarm: Prewarm) -> None:
        self.name = name
        self.database = database
        self.cache = cache
        self.prewarm = prewarm
        self.rules = cache.rules
        self._opened: dict[int, None] = {}
        self._allocated: dict[int, tuple[Allocated, ...]] = {}

    def state_key(self) -> tuple[Hashable, Hashable]:
        """Everything that later events depend on."""
        return tuple(sorted(self._opened)), tuple(sorted(self._allocated.items()))

    def clear(self) -> None:
        """Forget everything: the cache is filled anew."""
        self._opened.clear()
        self._allocated.clear()

    def open(self, txn: int) -> None:
        """A transaction has begun: all its ALLOC events are yet to come."""
        self._opened[txn] = None

    def allocate(self, event: Event) -> None:
        """A transaction has got a write id, which the tag of its table has open from now on."""
        allocated = (0 if event.table is None else event.table.id, event.name, event.write_id)
        if self._keeps_ids(event.txn):
            known = [one for one in self._allocated.get(event.txn, ()) if one[::2] != (allocated[0], event.replaces)]
            self._allocated[event.txn] = (*known, allocated)
        if (entry := self._entry(allocated)) is not None:
            self.cache.open_id(entry, event.write_id, event.replaces)

    def end(self, txn: int) -> list[tuple[Entry, int]]:
        """A transaction has ended, and is forgotten. Returns: the cached entries that it wrote to, each with its write
        id."""
        if self._ids_are_known(txn):
            self.cache.observer.hit(coverage.IDS_FROM_ALLOC)
            found: tuple[Allocated, ...] = self._allocated.get(txn, ())
        else:
            self.cache.observer.hit(coverage.IDS_LOOKED_UP)
            found = self.database.transact("look_up_write_ids", self.name, lambda tx: look_up(tx, txn))
            if not found and self.rules.reloads_forgotten:
                self._reload_open()
            found = found[:1] if self.rules.looks_up == "first" else found
        self._opened.pop(txn, None)
        self._allocated.pop(txn, None)
        entries = [(self._entry(allocated), allocated[2]) for allocated in found]
        return [(entry, write_id) for entry, write_id in entries if entry is not None]

    def _keeps_ids(self, txn: int) -> bool:
        """Whether to remember the ALLOC events of a transaction for its commit."""
        return txn in self._opened or self.rules.write_ids == "unless-seen-open"

    def _ids_are_known(self, txn: int) -> bool:
        """Whether the remembered ALLOC events stand for all write ids of a transaction: where its OPEN was seen.

        Source: hive/4.5. With the document's "unless", where it was not.
        """
        return (txn in self._opened) == (self.rules.write_ids == "seen-open")

    def _reload_open(self) -> None:
        """Read what may have writes of a transaction of which the database knows none."""
        for name in [name for name, entry in self.cache.entries.items() if entry.tag is not None and entry.tag.open]:
            self.cache.observer.hit(coverage.IDS_FORGOTTEN)
            self.prewarm.reload(name)

    def _entry(self, allocated: Allocated) -> Entry | None:
        """The cached table that a write id belongs to: by its id, because names change hands. Source: hive/4.7."""
        if self.rules.entries_by == "name":
            return self.cache.entries.get(allocated[1])
        return self.cache.with_id(allocated[0])
