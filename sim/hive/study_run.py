"""One run of the study of metastore caches: one setting, one seed, in simulated time.

Writers change tables at random times and read their change back, in the next transaction; four readers read tables at
random. Every call may go to any replica, as behind a load balancer. All of it runs through `model.hive`.

Choices: a database that queues serves one call at a time, in the order in which they arrive, and each takes as long as
the setting says; what a replica answers from its memory never asks it. Reads and writes that are skewed go to table k
with a weight of 1/k, as Zipf has it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Literal

from model.hive import FIXED, Rules, Session
from model.hive.lists import ValidWriteIdList
from model.hive.replica import Answer
from model.hive.rows import Parameters
from model.hive.rules import SHIPPED
from model.hive.tables import create
from model.hive.txns import clean_txns
from model.hive.write_ids import clean_records
from model.ports import Transaction
from sim.hive.cluster import Cluster, database_of
from sim.kernel.choices import Choices
from sim.kernel.kernel import Kernel
from sim.search.strategies.random_walk import RandomWalk
from sim.world.world import HostClock

CHANGE_MS = 45  # how long a change and the read after it take, without waiting
READERS, READS, LEAST_MS, BATCH = 4, 240, 10_000, 1_000
CACHES: dict[str, Rules] = {
    "eventual": replace(FIXED, read_rule="none", checks_table_id=False, unfinished="ignored", batch=BATCH),
    "shipped 4.0": replace(SHIPPED, batch=BATCH, replay_writes_database=False),
    "synchronized": replace(FIXED, batch=BATCH, read_rule="lexicographic"),
    "set inclusion": replace(FIXED, batch=BATCH),
}
"""The reference under each rule of reading: none; what 4.0 ships, with its pull after a write; the design's comparison
of lists, which is lexicographic; whether one list includes the other."""
LATENCY_MS = {"get_table": (1, 1), "read_table": (2, 2), "poll": (2, 2), "apply": (0, 0)}
OTHER_MS = (2, 2)
FROM_MEMORY = ("get_table", "apply")
WEIGHT = 10_000


@dataclass(frozen=True, slots=True)
class Setting:
    """A cache and what it meets.

    Args: `interval_ms`: how often it polls; `writes_per_s`: of all tables; `open_ms`: how long a change waits for its
    commit; `tables`, and whether all are read and written as often (`even`) or the first most (`skewed`); `replicas`:
    how many; `service_ms`: how long the database is busy with a call, one at a time (0: it never queues).
    """

    cache: str
    interval_ms: int
    writes_per_s: int
    open_ms: int = 0
    tables: int = 8
    skew: Literal["even", "skewed"] = "even"
    replicas: int = 2
    service_ms: int = 0

    @property
    def writers(self) -> int:
        """Enough that each is at rest half of the time."""
        return max(4, 2 * self.writes_per_s * (CHANGE_MS + self.open_ms) // 1_000)

    @property
    def window_ms(self) -> int:
        """How long the readers of one seed read."""
        return max(LEAST_MS, self.interval_ms)


@dataclass(slots=True)
class Figures:
    """What was measured with one seed."""

    reads: int = 0
    hits: int = 0
    read_ms: int = 0
    behind: list[int] = field(default_factory=list)
    stale_ms: list[int] = field(default_factory=list)
    missed: int = 0
    backwards: int = 0
    own_reads: int = 0
    own_missed: int = 0


@dataclass(slots=True)
class _Change:
    """A change of a table: its event, its write id, and when it was committed (None: not yet)."""

    event: int
    write_id: int
    committed_ms: int | None = None


class Run:
    """One setting with one seed."""

    def __init__(self, setting: Setting, seed: int) -> None:
        self.kernel = Kernel(Choices(RandomWalk(seed)), latency=self._latency, max_steps=10_000_000)
        self.database = database_of()(self.kernel, None)
        self.cluster = Cluster(self.kernel, None, self.database, CACHES[setting.cache])
        self.clock = HostClock(self.kernel)
        self.figures = Figures()
        self._setting = setting
        self._tables = tuple([f"default.t{number}" for number in range(setting.tables)])
        self._replicas = tuple([f"h{number}" for number in range(1, setting.replicas + 1)])
        self._weights = tuple(accumulate([WEIGHT // number for number in range(1, setting.tables + 1)]))
        self._busy_until_ms = 0
        self.changes: dict[str, list[_Change]] = {name: [] for name in self._tables}
        self._write_gap_ms = setting.writers * 1_000 // setting.writes_per_s - CHANGE_MS - setting.open_ms
        self._read_gap_ms = setting.window_ms * READERS // READS
        self._values = 0
        self._made: dict[Parameters, int] = {}
        self._indexed = 0

    def run(self) -> Figures:
        """Play it to the end of the readers."""
        for name in self._tables:
            self.database.transact("create", "setup", lambda tx, name=name: _create(tx, name))  # type: ignore[misc]
        for number, name in enumerate(self._replicas):
            self.cluster.boot(name).start()
            self._daemon(name, lambda number=number: self._follow(number))  # type: ignore[misc]
        self._daemon("cleaner", self._clean)
        for number in range(self._setting.writers):
            self._daemon(f"w{number}", self._write)
        for number in range(READERS):
            self.kernel.start(f"r{number}", self._read)
        self.kernel.drive()
        return self.figures

    def _daemon(self, name: str, body: Callable[[], None]) -> None:
        self.kernel.start(name, body, daemon=True)

    def _follow(self, number: int) -> None:
        """Replicas are started at different times, so they poll at different times."""
        interval_ms = self._setting.interval_ms
        self.clock.sleep_ms(number * interval_ms // len(self._replicas))
        self.cluster.replicas[self._replicas[number]].poller.follow(self.clock, interval_ms)

    def _clean(self) -> None:
        while True:
            self.clock.sleep_ms(1_000)
            self.database.transact("clean", "cleaner", lambda tx: clean_records(tx, clean_txns(tx)))

    def _draw(self, name: str, bound: int) -> int:
        return self.kernel.choices.choose(name, bound)

    def _anywhere(self) -> str:
        return self._replicas[self._draw("replica", len(self._replicas))]

    def _some_table(self) -> str:
        if self._setting.skew == "even":
            return self._tables[self._draw("table", len(self._tables))]
        return self._tables[bisect_right(self._weights, self._draw("table", self._weights[-1]))]

    def _session(self) -> Session:
        return Session(self.cluster.find, self._anywhere(), self.cluster.observer)

    def _read(self) -> None:
        newest: dict[str, int] = {}
        self.clock.sleep_ms(self._setting.interval_ms)
        for _ in range(READS // READERS):
            self.clock.sleep_ms(self._draw("read gap", 2 * self._read_gap_ms))
            name = self._some_table()
            answer, writes, took_ms = self._look(name)
            self.figures.read_ms += took_ms
            self._measure(answer, writes, name, newest)

    def _write(self) -> None:
        while True:
            self.clock.sleep_ms(self._draw("write gap", 2 * self._write_gap_ms))
            name, session = self._some_table(), self._session()
            session.begin((name,))
            self._values += 1
            event = session.alter_table(name, (("v", str(self._values)),), self._anywhere())
            change = _Change(event.id, event.write_id)
            self.changes[name].append(change)
            self.clock.sleep_ms(self._setting.open_ms)
            session.commit()
            change.committed_ms = self.clock.now_ms()
            answer, _, _ = self._look(name)
            self.figures.own_reads += 1
            self.figures.own_missed += self._event_of(answer) < event.id

    def _look(self, name: str) -> tuple[Answer, ValidWriteIdList, int]:
        """Read a table in a transaction. Returns: the answer, its list, and how long the read alone took, in ms."""
        session = self._session()
        session.begin((name,), read_only=True)
        asked_ms = self.clock.now_ms()
        answer = session.get_table(name, self._anywhere())
        took_ms, writes = self.clock.now_ms() - asked_ms, session.list_of(name)
        session.commit()
        assert writes is not None
        return answer, writes, took_ms

    def _measure(self, answer: Answer, writes: ValidWriteIdList, name: str, newest: dict[str, int]) -> None:
        figures, seen = self.figures, self._event_of(answer)
        missing = [change for change in reversed(self.changes[name]) if change.event > seen]
        since = [change.committed_ms for change in missing if change.committed_ms is not None]
        figures.reads += 1
        figures.hits += answer.source == "cache"
        figures.behind.append(len(since))
        figures.stale_ms.append(self.clock.now_ms() - min(since) if since else 0)
        figures.missed += any(writes.is_valid(change.write_id) for change in missing)
        figures.backwards += seen < newest.get(name, 0)
        newest[name] = max(newest.get(name, 0), seen)

    def _latency(self, _: Choices, operation: str) -> tuple[int, int]:
        request_ms, reply_ms = LATENCY_MS.get(operation, OTHER_MS)
        if not self._setting.service_ms or operation in FROM_MEMORY:
            return request_ms, reply_ms
        now_ms = self.kernel.now
        self._busy_until_ms = max(self._busy_until_ms, now_ms + request_ms) + self._setting.service_ms
        return self._busy_until_ms - now_ms, reply_ms

    def _event_of(self, answer: Answer) -> int:
        """The event that made the content of an answer; 0 for what was there at first."""
        events = self.database.journal_rows
        for event in events[self._indexed :]:
            if event.kind == "ALTER_TABLE":
                self._made[event.table.parameters] = event.id
        self._indexed = len(events)
        return self._made.get(answer.table.parameters, 0)


def _create(tx: Transaction, name: str) -> int:
    return create(tx, name, (("v", "0"),), True).id
