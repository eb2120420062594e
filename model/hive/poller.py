"""The cache update thread: follows the notification log in the order of ids and applies each event to the cache.

What it remembers of write ids is `model.hive.log_write_ids`. The position moves in the same critical section as the
effects: with each event, or when a whole batch has been applied.

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
from model.hive.cache import Cache
from model.hive.errors import (
    LogGap,
    NoAnswer,
    PollerError,
    ReplayFailed,
    ReplayHangs,
    UnknownEvent,
)
from model.hive.log_write_ids import LogWriteIds
from model.hive.meanings import AppliesEvent, CannotApply, FindsGap, Hangs, PullsLog, ReadsLog, SeesNoEvent
from model.hive.prewarm import Prewarm
from model.hive.replay import replay_alter
from model.hive.rows import TXN_EVENTS, Event
from model.hive.tables import count_partitions
from model.ports import Clock, Database, Memory, Transaction

Applied = tuple[int, str] | tuple[int, str, str]
"""An event's id and kind; and what else happened."""
NEVER = 1 << 60
"""An event that the log never has."""


class Poller:
    """One replica's position in the log, and how it moves."""

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
        self._ids = LogWriteIds(name, database, cache, prewarm)

    def state_key(self) -> Hashable:
        """Everything that later events depend on."""
        waits = self.resumes_at, self._tried, self._hangs_at
        return self.position, waits, *self._ids.state_key()

    @property
    def waits_beyond(self) -> int:
        """The event after which there is something to do; a poller that is stuck tries again when the log has grown."""
        return NEVER if self._hangs_at else max(self.position, self._tried)

    def start(self) -> None:
        """Fill the cache and begin to follow the log."""
        self.position, self.resumes_at = self.prewarm.fill(self.resumes_at), None
        self.runs = True
        self._ids.clear()

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
            case "ALTER_DATABASE":
                if self.rules.follows == "content":
                    self.cache.rename_database(event.name)
            case kind if kind not in TXN_EVENTS:
                return not self.cache.leaves_out(event) and self._apply_content(event)
            case _ if self.rules.follows == "content":
                pass
            case "OPEN_TXN":
                self._ids.open(event.txn)
            case "ALLOC_WRITE_ID":
                self._ids.allocate(event)
            case "COMMIT_TXN":
                for entry, write_id in self._ids.end(event.txn):
                    self.cache.commit_id(entry, write_id)
            case "ABORT_TXN":
                for entry, write_id in self._ids.end(event.txn):
                    self.cache.abort_id(entry, write_id)
        return False

    def _apply_content(self, event: Event) -> bool:
        if event.kind == "DROP_TABLE" and self.database.transact(
            "look_for_partitions", self.name, lambda tx: count_partitions(tx, event.name)
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
