"""What each actor of a workload does on the real table, and the journal of what it was told.

Choices: as in the simulator, every statement has a client of its own, which is closed at its end, whatever came of it.
A file group of the workload is a partition of the live table: Hudi draws file ids at random and writes the groups of
one partition in their order, and a schedule has to mean one order. A client whose process has died is closed when the
run is over, for its threads are ours.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import NamedTuple

import pyarrow.parquet as parquet

from model.hudi.config import HudiConfig, parse_options
from real_backend.errors import Abandoned
from real_backend.gating.gate import Gate
from real_backend.hudi.client import Record, SplitClient
from real_backend.hudi.exceptions import root_cause
from real_backend.hudi.interposition import MUTEX, TIMELINE_ROLE
from real_backend.hudi.live_run import CRASHED, OK, Command, Seen
from real_backend.hudi.storage import StorageGate, Ungated
from real_backend.hudi.table import LiveTable, Rows
from sim.hudi.live import LIST, SLEEP, locks_groups
from sim.hudi.workload import Clean, HudiWorkload, Insert, Read, Statement, Upsert

SLEEP_MORE_MS = 200  # a heartbeat's age is measured from the end of the beat
NewClient = Callable[[], SplitClient]


class Told(NamedTuple):
    """What a client learnt from one statement."""

    outcome: str
    instant: str | None = None
    seen: Seen | None = None
    asked: bool = False
    rows: Rows | None = None


class Race:
    """The actors of one run."""

    def __init__(
        self,
        workload: HudiWorkload,
        config: HudiConfig,
        table: LiveTable,
        storage: StorageGate | Ungated,
        new_client: NewClient,
    ) -> None:
        self.gate = Gate(())
        self.makers: dict[str, str] = {}
        self.unclosed: list[SplitClient] = []
        self._workload = workload
        self._config = config
        self._tolerance_ms = parse_options(dict(workload.options)).tolerance_ms
        self._table = table
        self._storage = storage
        self._new_client = new_client
        self._partitions = partitions_of(workload)
        self._lock = threading.Lock()
        self._order = 0
        self._begun = time.perf_counter()
        self._commands: list[Command] = []

    # -- the actors ----------------------------------------------------------------------------------------------

    def body(self, actor: str, statements: tuple[Statement, ...]) -> Callable[[], None]:
        """What one actor does; it raises nothing."""

        def run() -> None:
            self._storage.act(actor)
            for statement in statements:
                if isinstance(statement, Clean) and statement.after_ms:
                    self._sleep(actor, statement.after_ms)
                order, at_ms = self._next(), self._now_ms()
                told = self._do(actor, statement)
                completed = None if told.outcome == CRASHED else self._next()
                command = Command(actor, statement, *told, order, completed, at_ms, self._now_ms())
                with self._lock:
                    self._commands.append(command)
                if completed is None:
                    return

        return run

    def _do(self, actor: str, statement: Statement) -> Told:
        match statement:
            case Read():
                rows, unreadable = self._table.rows()
                return Told(OK if unreadable is None else unreadable, rows=rows)
            case Clean():
                return self._clean(actor)
            case _:
                return self._write(actor, statement)

    def _write(self, actor: str, statement: Upsert | Insert) -> Told:
        client, seen, asked = self._new_client(), None, False
        try:
            self.gate.hold(actor, "start")
            with self._alone(actor):
                self.makers[client.start()] = actor
            self.gate.hold(actor, LIST, TIMELINE_ROLE)
            seen = self.seen(statement.rows)
            write = client.upsert if isinstance(statement, Upsert) else client.insert
            write(records(self._partitions, statement.rows), self._next())
            self.gate.hold(actor, "commit")
            asked = True
            with self._alone(actor):
                client.commit()
            outcome: str = OK
        except Exception as error:
            outcome = root_cause(error)
        return Told(self._closed(actor, client, outcome), client.instant, seen, asked)

    @contextmanager
    def _alone(self, actor: str) -> Iterator[None]:
        """Where the lock is ZooKeeper's, which is not gated: a step before a call that takes it, so that none waits."""
        if not locks_groups(self._config):
            yield
            return
        self.gate.hold(actor, "try_lock", MUTEX)
        self._storage.enter(actor)
        try:
            yield
        finally:
            self._storage.leave()

    def _clean(self, actor: str) -> Told:
        client = self._new_client()
        try:
            self.gate.hold(actor, LIST, TIMELINE_ROLE)
            client.clean()
            outcome: str = OK
        except Exception as error:
            outcome = root_cause(error)
        return Told(self._closed(actor, client, outcome))

    def _closed(self, actor: str, client: SplitClient, outcome: str) -> str:
        if self._storage.is_dead(actor):
            self.unclosed.append(client)
            return CRASHED
        with suppress(Abandoned):  # its timers must not survive the run
            self.gate.hold(actor, "close")
        with suppress(Exception):  # what close could not do stays for others to meet
            client.close()
        return outcome

    def close_dead(self) -> None:
        """Stop the threads of clients whose process died."""
        for client in self.unclosed:
            with suppress(Exception):
                client.close()

    def _sleep(self, actor: str, duration_ms: int) -> None:
        """Let real time pass, in proportion to the heartbeats' tolerance; from now on timers stop at the gate.

        Beyond the tolerance it makes no difference how long, and an actor that is held meanwhile has less to spare.
        """
        self.gate.hold(actor, SLEEP)
        self.gate.hold_helpers()
        share = min(1.0, duration_ms / self._tolerance_ms)
        time.sleep((share * self._config.tolerance_ms + SLEEP_MORE_MS) / 1000)

    # -- what they see -------------------------------------------------------------------------------------------

    def seen(self, rows: tuple[tuple[int, str], ...]) -> Seen:
        """What a write that starts now finds; nobody else moves until its next step."""
        bases, values, keys = [], dict[str, str](), {str(key) for key, _ in rows}
        for partition in dict.fromkeys(partition for _, partition, _ in records(self._partitions, rows)):
            for file in self._table.visible(partition):
                content = parquet.read_table(self._table.path / partition / file.name, columns=["id", "v"])
                held = dict(zip(content["id"].to_pylist(), content["v"].to_pylist(), strict=True))
                values |= held
                bases += [(file.file_id, str(file.instant))] if keys & set(held) else []
        timeline = self._table.timeline()
        newest = timeline.newest.name if timeline.newest else None
        return Seen(newest, tuple(bases), tuple((str(key), values.get(str(key))) for key, _ in rows))

    # -- the journal ---------------------------------------------------------------------------------------------

    @property
    def commands(self) -> tuple[Command, ...]:
        """In the order in which they were sent."""
        with self._lock:
            return tuple(sorted(self._commands, key=lambda command: command.invoked))

    @property
    def seconds(self) -> float:
        """Since the race was made."""
        return time.perf_counter() - self._begun

    def outcomes(self) -> tuple[tuple[str, str], ...]:
        """Per actor: the first outcome that is not "ok", else "ok"."""
        bad: dict[str, str] = {}
        for command in self.commands:
            if command.outcome != OK:
                bad.setdefault(command.actor, command.outcome)
        return tuple((actor, bad.get(actor, OK)) for actor in self._workload.actors)

    def _next(self) -> int:
        with self._lock:
            self._order += 1
            return self._order

    def _now_ms(self) -> int:
        return int(self.seconds * 1000)


def partitions_of(workload: HudiWorkload) -> dict[str, str]:
    """The partition of each initial key: one for each file group."""
    return {str(key): f"p{n}" for n, (_, rows) in enumerate(workload.groups, 1) for key, _ in rows}


def records(partitions: Mapping[str, str], rows: tuple[tuple[int, str], ...]) -> tuple[Record, ...]:
    """Rows as Hudi's records: a new key goes where the workload's first group is."""
    return tuple((str(key), partitions.get(str(key), "p1"), value) for key, value in rows)
