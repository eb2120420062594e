"""The cache update thread: follows the notification log in the order of ids and applies each event to the cache.

Write ids of a commit come from the ALLOC events if the transaction's OPEN was seen (then every ALLOC lies after it),
else from the database. The position moves in the same critical section as the effects: with each event, or when a
whole batch has been applied.

Source: hive/4.4, hive/4.5, hive/5; the design document, "Cache update", "Maintain WriteId"; `CachedStore`'s
`triggerUpdateUsingEvent`, `updateUsingNotificationEvents`, `updateStatsForAlterTable`.

Choices: a poll of one event reads and applies it in one step; a larger batch is read in one step, and applied event by
event, or, where the position moves after the batch, in one step: what a reader could see in between it sees of a batch
that was read earlier. A pull between the two applies the batch itself; upstream it waits. A replayed alter that writes
the database (R1) does so in the same step; upstream lets a moment pass between. An event that cannot be applied is
answered by a reload of its table, a gap by a rebuild of the cache; not so upstream, where the replay of a drop never
ends if the table has been made anew with partitions (R5): the replica hangs, for its writers, too; here it goes on, and
a counter says so, unless drops wait. Then a hanging replica still answers reads; upstream not those of new connections.
"""

from collections.abc import Hashable

from model.hive import coverage, log
from model.hive.cache import Cache, Entry
from model.hive.errors import (
    LogGap,
    NoAnswer,
    PollerError,
    ReplayFailed,
    ReplayHangs,
    UnknownEvent,
)
from model.hive.meanings import AppliesEvent, CannotApply, FindsGap, Hangs, PullsLog, ReadsLog, SeesNoEvent
from model.hive.prewarm import Prewarm
from model.hive.replay import replay_alter
from model.hive.rows import TXN_EVENTS, Event
from model.hive.tables import has_partitions
from model.hive.write_ids import look_up
from model.ports import Clock, Database, Memory, Transaction

Applied = tuple[int, str] | tuple[int, str, str]
"""An event's id and kind; and what else happened."""
Allocated = tuple[int, str, int]
"""A table's id, its name when the write id was allocated, the write id."""
NEVER = 1 << 60
"""An event that the log never has."""


class Poller:
    """One replica's position in the log, and what it remembers of transactions that are under way."""

    def __init__(self, name: str, database: Database, memory: Memory, cache: Cache, prewarm: Prewarm) -> None:
        self.name = name
        self.database = database
        self.memory = memory
        self.cache = cache
        self.prewarm = prewarm
        self.rules = cache.rules
        self.position = 0
        self.resumes_at: int | None = None
        self.runs = False
        self._end = 0
        self._tried = 0
        self._hangs_at = ""
        self._opened: dict[int, None] = {}
        self._allocated: dict[int, tuple[Allocated, ...]] = {}

    def state_key(self) -> Hashable:
        """Everything that later events depend on."""
        waits = self.resumes_at, self._tried, self._hangs_at
        return self.position, waits, tuple(sorted(self._opened)), tuple(sorted(self._allocated.items()))

    @property
    def waits_beyond(self) -> int:
        """The event after which there is something to do; a poller that is stuck tries again when the log has grown."""
        return NEVER if self._hangs_at else max(self.position, self._tried)

    def start(self) -> None:
        """Fill the cache and begin to follow the log."""
        self.position, self.resumes_at = self.prewarm.fill(self.resumes_at), None
        self.runs = True
        self._opened.clear()
        self._allocated.clear()

    def poll(self) -> int:
        """Read and apply what has come since, at most one batch; returns how many events were applied."""
        try:
            applied = self._poll_one() if self.rules.batch == 1 else self._poll_batch()
            if not applied:
                self._tried = self._end
                self.cache.observer.learn(SeesNoEvent())
            return applied
        except LogGap:
            self.cache.observer.hit(coverage.REBUILT)
            self.cache.observer.learn(FindsGap())
            self.start()
            return 1
        except ReplayHangs:
            self.cache.observer.learn(Hangs(self.name, self._hangs_at))
            return 0
        except PollerError:
            self.cache.observer.hit(coverage.POLLER_STUCK)
            self.cache.observer.learn(CannotApply())
            self._tried = self._end
            return 0

    def follow(self, clock: Clock, interval_ms: int) -> None:
        """Poll for ever, and sleep `interval_ms` when there is nothing to do."""
        while True:
            while self.poll():
                pass
            clock.sleep_ms(interval_ms)

    def pull(self) -> int:
        """Apply everything that has come since in one step; errors stay unheard. Source: `commitTransaction`.

        Raises: `NoAnswer` if the replica hangs.
        """
        position = self.memory.critical("pull", self.name, self._pull)
        if self._hangs_at:
            self.cache.observer.learn(Hangs(self.name, self._hangs_at))
            raise NoAnswer(f"{self.name}: expected an answer, it waits for the partitions of {self._hangs_at} to go")
        self.cache.observer.learn(PullsLog(self.name, position))
        return position

    def _pull(self) -> int:
        try:
            while not self._hangs_at and self._read_and_apply():
                pass
        except PollerError:
            self.cache.observer.hit(coverage.POLLER_STUCK)
        return self.position

    def _read(self) -> tuple[Event, ...]:
        position, limit, checks = self.position, self.rules.batch, self.rules.checks_gaps

        def body(tx: Transaction) -> tuple[tuple[Event, ...], int]:
            return log.read_after(tx, position, limit), log.current_event_id(tx)

        events, self._end = self.database.transact("poll", self.name, body)
        if checks:
            log.reject_gaps(events, position, self._end)
        return events

    def _read_and_apply(self) -> tuple[Applied, ...]:
        events = self._read()
        if self.rules.position == "after-batch":
            done, failed = self._apply_all(events)
            if failed:
                raise ReplayFailed(failed)
            return done
        return tuple([self._apply_one(event) for event in events])

    def _poll_one(self) -> int:
        """A poll as one step."""
        done = self.memory.critical("poll", self.name, self._read_and_apply)
        self._learn(done)
        return len(done)

    def _poll_batch(self) -> int:
        """A poll that reads in one step and applies in one step per event, or in one step as a whole."""
        events = self.memory.critical("poll", self.name, self._read)
        if events and self.rules.position == "after-batch":
            self.cache.observer.learn(ReadsLog(events[0].id, events[-1].id))
            done, failed = self.memory.critical("apply", self.name, lambda: self._apply_all(events))
            self._learn(done)
            if failed:
                raise ReplayFailed(failed)
            return len(events)
        for event in events:
            self._learn((self.memory.critical("apply", self.name, lambda event=event: self._apply_one(event)),))  # type: ignore[misc]
        return len(events)

    def _learn(self, done: tuple[Applied, ...]) -> None:
        for applied in done:
            self.cache.observer.learn(AppliesEvent(applied[0], applied[1], len(applied) == 3))

    def _apply_all(self, events: tuple[Event, ...]) -> tuple[tuple[Applied, ...], str]:
        """Apply a batch and move the position; returns what was applied, and why not the rest (then nothing moves).

        What a pull has applied in the meantime is not applied again.
        """
        done: list[Applied] = []
        for event in events:
            try:
                if event.id > self.position:
                    done.append(self._applied(event))
            except PollerError as error:
                return tuple(done), str(error)
        self.position = max(self.position, events[-1].id) if events else self.position
        return tuple(done), ""

    def _apply_one(self, event: Event) -> Applied:
        done = self._applied(event)
        self.position = event.id
        return done

    def _applied(self, event: Event) -> Applied:
        wrote = self._apply(event)
        return (event.id, event.kind, "written back") if wrote else (event.id, event.kind)

    # -- one event -----------------------------------------------------------------------------------------------

    def _apply(self, event: Event) -> bool:
        """Apply an event; whether the database was written, too."""
        match event.kind:
            case "INSERT":
                pass
            case kind if kind not in TXN_EVENTS:
                return not self.cache.leaves_out(event) and self._apply_content(event)
            case _ if self.rules.follows == "content":
                pass
            case "OPEN_TXN":
                self._opened[event.txn] = None
            case "ALLOC_WRITE_ID":
                self._allocate(event)
            case "COMMIT_TXN":
                for entry, write_id in self._write_ids(event.txn):
                    self.cache.commit_id(entry, write_id)
                self._forget(event.txn)
            case "ABORT_TXN":
                for entry, write_id in self._write_ids(event.txn):
                    self.cache.abort_id(entry, write_id)
                self._forget(event.txn)
        return False

    def _forget(self, txn: int) -> None:
        self._opened.pop(txn, None)
        self._allocated.pop(txn, None)

    def _apply_content(self, event: Event) -> bool:
        if event.kind == "DROP_TABLE" and self.database.transact(
            "look_for_partitions", self.name, lambda tx: has_partitions(tx, event.name)
        ):
            self.cache.observer.hit(coverage.DROP_OF_REMADE)
            if self.rules.drops_wait:
                self._hangs_at = event.name
                raise ReplayHangs(f"replay of event {event.id}: expected no partitions of {event.name}, it has some")
        try:
            applied = self.cache.apply(event)
        except UnknownEvent:
            if self.rules.bad_event == "retry":
                raise
            if self.rules.bad_event == "skip":
                return False
            applied = False
        if not applied:
            self.cache.observer.hit(coverage.RELOADED)
            for name in dict.fromkeys((event.name, event.table.name if event.table is not None else event.name)):
                self.prewarm.reload(name)
        if event.kind != "ALTER_TABLE":
            return False
        replay_alter(self.database, self.name, self.cache, event)
        return self.rules.replay_writes_database

    def _allocate(self, event: Event) -> None:
        allocated = (0 if event.table is None else event.table.id, event.name, event.write_id)
        if self._keeps_ids(event.txn):
            known = [one for one in self._allocated.get(event.txn, ()) if one[::2] != (allocated[0], event.replaces)]
            self._allocated[event.txn] = (*known, allocated)
        if (entry := self._entry(allocated)) is not None:
            self.cache.open_id(entry, event.write_id, event.replaces)

    def _keeps_ids(self, txn: int) -> bool:
        """Whether to remember the ALLOC events of a transaction for its commit."""
        return txn in self._opened or self.rules.write_ids == "unless-seen-open"

    def _ids_are_known(self, txn: int) -> bool:
        """Whether the remembered ALLOC events stand for all write ids of a transaction: where its OPEN was seen.

        Source: hive/4.5. With the document's "unless", where it was not.
        """
        return (txn in self._opened) == (self.rules.write_ids == "seen-open")

    def _write_ids(self, txn: int) -> list[tuple[Entry, int]]:
        """The cached entries that the transaction wrote to, each with its write id."""
        if self._ids_are_known(txn):
            self.cache.observer.hit(coverage.IDS_FROM_ALLOC)
            found: tuple[Allocated, ...] = self._allocated.get(txn, ())
        else:
            self.cache.observer.hit(coverage.IDS_LOOKED_UP)
            found = self.database.transact("look_up_write_ids", self.name, lambda tx: look_up(tx, txn))
            found = found[:1] if self.rules.looks_up == "first" else found
        entries = [(self._entry(allocated), allocated[2]) for allocated in found]
        return [(entry, write_id) for entry, write_id in entries if entry is not None]

    def _entry(self, allocated: Allocated) -> Entry | None:
        """The cached table that a write id belongs to: by its id, because names change hands. Source: hive/4.7."""
        if self.rules.entries_by == "name":
            return self.cache.entries.get(allocated[1])
        return self.cache.with_id(allocated[0])
