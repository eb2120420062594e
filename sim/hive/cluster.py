"""Replicas of a simulated metastore: processes with caches over one database, found by name, that can die."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from checkers.histories.recorder import Recorder
from model.hive import Replica, Rules, Session
from model.hive.cached_objects import EVERYTHING, CachedObjects
from model.hive.cleaning import clean_txns, clean_write_ids, clean_write_set
from model.hive.coverage import ABORTED_CLEANED, CALL_CUT_OFF, CALLED_UNFILLED, HISTORY_CLEANED, TIMED_OUT
from model.hive.log import clean
from model.hive.retrying import Retrying
from model.hive.rows import NOTIFICATION_LOG, NOTIFICATION_SEQUENCE
from model.hive.txns import time_out
from model.ports import ConnectionLost, PortError, Transaction
from sim.hive.workload import Statement
from sim.kernel.kernel import Kernel
from sim.services.base import Interner, Service
from sim.services.database import DatabaseService
from sim.services.servers import Server
from sim.world.world import notes_of

DATABASE = "hive database"
ALL_MS = -1
"""Everybody has been silent for longer."""


def database_of(statements: bool = False) -> Callable[[Kernel, Interner | None], DatabaseService]:
    """How a simulation makes the metastore's database; use with `Simulation.attach(DATABASE, ...)`."""

    def make(kernel: Kernel, interner: Interner | None) -> DatabaseService:
        return DatabaseService(kernel, interner, statements=statements, journal=NOTIFICATION_LOG)

    return make


OWN_STEPS = frozenset({
    "poll", "apply", "prewarm", "prewarm_txns", "prewarm_tag", "prewarm_table", "load_table", "load_list",
    "load_partitions", "load_check",
})  # fmt: skip
"""What a replica does by itself when it fills its cache."""


class Metastore(Server):
    """A replica's process. It notes what it leaves without an answer, and what it answers before its cache is filled:
    then upstream answers nobody who connects or commits."""

    def __init__(self, kernel: Kernel, database: DatabaseService, name: str, filled: Callable[[], bool]) -> None:
        super().__init__(kernel, database, name)
        self._filled = filled

    def check(self, operation: str) -> None:
        """Raises: `ConnectionLost` if it has died."""
        if not self.alive:
            self.kernel.hit(CALL_CUT_OFF)
            super().check(operation)
        if operation not in OWN_STEPS and not self._filled():
            self.kernel.hit(CALLED_UNFILLED)


class RunObserver:
    """Counts the paths and keeps the annotations of a run. Implements `model.hive.observer.Observer`."""

    __slots__ = ("hit", "intend", "learn")

    def __init__(self, kernel: Kernel) -> None:
        notes = notes_of(kernel)
        self.hit, self.intend, self.learn = kernel.hit, notes.intend, notes.learn


class Cluster(Service):
    """The replicas of one run. Attached to the simulation, so that exhaustive search knows what they have in memory."""

    def __init__(
        self, kernel: Kernel, interner: Interner | None, database: DatabaseService, rules: Rules,
        objects: CachedObjects = EVERYTHING,
    ) -> None:  # fmt: skip
        super().__init__(kernel, interner)
        self.observer = RunObserver(kernel)
        self.database = database
        self.rules = rules
        self.objects = objects
        self.replicas: dict[str, Replica] = {}
        self.servers: dict[str, Server] = {}
        self.clients: list[str] = []
        self.sessions: dict[str, Session] = {}
        self.times_out = False
        self.asked: dict[int, Statement] = {}
        self.asked_again: set[int] = set()
        kernel.log = self

    def boot(self, name: str) -> Replica:
        """Start a replica's process, with an empty cache, and the position of the one before it if that is kept."""
        before = self.replicas[name].poller if name in self.replicas else None
        self.servers[name] = server = Metastore(self.kernel, self.database, name, lambda: replica.is_filled)
        self.replicas[name] = replica = Replica(
            name, server, server, self.observer, self.rules, lambda: int(self.kernel.now)
        )
        replica.cache.objects = self.objects
        if before is not None and self.rules.keeps_position:
            replica.poller.resumes_at = before.position if before.runs else before.resumes_at
        return replica

    def find(self, name: str) -> Replica:
        """The replica as it is now. Raises: `ConnectionLost` if it is down."""
        if not self.servers[name].alive:
            raise ConnectionLost(f"connection to {name}: expected a server, it is down")
        return self.replicas[name]

    def follow(self, name: str) -> None:
        """What a replica's update thread does: wait for events, apply them, until no more will come."""
        database, poller = self.database, self.replicas[name].poller
        while database.wait_until(lambda: (database.row(NOTIFICATION_SEQUENCE, 1) or 1) > poller.waits_beyond + 1):
            poller.poll()

    def begin_again(self, name: str) -> None:
        """What a replica does whose process died: it starts with an empty cache, and follows the log."""
        self.boot(name).start()
        self.follow(name)

    def catch_up(self, names: Sequence[str]) -> None:
        """Let these replicas see to what has come when everybody had ended: calls that were late."""
        for name in names:
            poller = self.replicas[name].poller
            while (self.database.row(NOTIFICATION_SEQUENCE, 1) or 1) > poller.waits_beyond + 1:
                poller.poll()

    def lose_next(self, reader: str) -> None:
        """Clean the log up to the next event that a replica would read. Source: hive/5, `CleanerThread`."""
        following = self.database.rows(NOTIFICATION_LOG, (self.replicas[reader].poller.position + 1,), limit=1)
        if following:
            self.kernel.hit("event cleaned unread")
            self.database.at_once(lambda tx: clean(tx, following[0][1].id + 1))

    def time_out(self, silent: str, keeper: str, record: Recorder) -> None:
        """Abort the open transaction of a silent session, with what the house keeper leaves in the log.

        It is recorded from the moment on at which it happens: nobody has asked for it. Which transaction it is is
        known then, and not when the house keeper begins to wait.
        """
        ops: list[int] = []

        def body(tx: Transaction) -> tuple[int, ...]:
            ops[:] = ops or [record.invoke(keeper, "time-out", "at=database")]
            return time_out(tx, self.rules, ALL_MS, only=(self.sessions[silent].txn,))

        late = Retrying(self.database, self.observer).transact("time_out", "database", body)
        if late:
            self.kernel.hit(TIMED_OUT)
        record.ok(ops[0], arg=f"at=database txn={late[0] if late else 0}")

    def clean_history(self, keeper: str, record: Recorder) -> None:
        """Let the house keeper forget what it may of transactions that have ended, in its three steps. Recorded when
        it has happened: nobody has asked for it."""
        database = Retrying(self.database, self.observer)
        database.transact("clean_write_set", "database", clean_write_set)
        database.transact("clean_write_ids", "database", lambda tx: clean_write_ids(tx, self.rules))
        if database.transact("clean_txns", "database", lambda tx: clean_txns(tx, self.rules)):
            self.kernel.hit(ABORTED_CLEANED)
        self.kernel.hit(HISTORY_CLEANED)
        record.ok(record.invoke(keeper, "clean-history", "at=database"))

    def evict(self, replica: str, table: str, actor: str, record: Recorder) -> None:
        """Take a table out of a replica's cache; of one that is down nothing is left to take. Recorded when it has
        happened: nobody has asked for it."""
        with suppress(PortError):
            self.find(replica).evict(table)
        record.ok(record.invoke(actor, "evict", f"at={replica} table={table}"))

    @contextmanager
    def unlocked(self, unseen: int) -> Iterator[None]:
        """Let ids be drawn without the lock on the sequence, in 2.3: as if it were `unseen` ids ago (HIVE-16886)."""
        following: int = self.database.row(NOTIFICATION_SEQUENCE, 1) or 1
        self.database.outdated = {(NOTIFICATION_SEQUENCE, 1): max(1, following - unseen)}
        yield
        self.database.outdated = {}

    def client_ended(self, actor: str) -> None:
        """After the last client, transactions time out; the update threads see to what is left, and end."""
        if actor in self.clients:
            self.clients.remove(actor)
            if not self.clients:
                if self.times_out:
                    self.database.at_once(lambda tx: time_out(tx, self.rules, ALL_MS))
                self.database.over()

    def crashed(self, process: str) -> None:
        if process in self.servers:
            self.servers[process].alive = False
        self.client_ended(process)

    def state_key(self) -> Hashable:
        """What every replica has in memory, and which of them live."""
        assert self._interner is not None
        return self._interner(
            tuple([(name, self.servers[name].alive, replica.state_key()) for name, replica in self.replicas.items()])
        )

    def _contents(self) -> Any:
        return None  # replicas are made anew in every run

    def _replace(self, contents: Any) -> None:
        return None
