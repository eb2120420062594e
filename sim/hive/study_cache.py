"""What a metastore's cache saves and what it costs, over poll interval and write rate: eventual against synchronized.

Two replicas with eight tables. Four writers change tables at random times and read their change back, in the next
transaction; four readers read tables at random. Every call may go to either replica, as behind a load balancer. All of
it runs through `model.hive` in simulated time.

A read falls through if the database had to answer it. It is behind by the changes that were committed when it was
answered and are missing in the answer, and stale by the time since the first of them was committed. Anomalies: a read
that lacks a write which its own list calls committed; one that goes backwards for its session; one by a writer that
lacks the change which that writer has just committed.

Source: hive/2.2, hive/4.8; latencies are round numbers for one data centre; shares and ratios are what to look at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from model.hive import FIXED, Rules, Session
from model.hive.lists import ValidWriteIdList
from model.hive.replica import Answer
from model.hive.rows import Parameters
from model.hive.tables import create
from model.hive.txns import clean_txns
from model.hive.write_ids import clean_records
from model.ports import Transaction
from sim.hive.cluster import Cluster, database_of
from sim.kernel.choices import Choices
from sim.kernel.kernel import Kernel
from sim.search.strategies.random_walk import RandomWalk
from sim.search.study import Cell, Chart, Progress, Study, Table
from sim.world.world import HostClock

TABLES = tuple(f"default.t{number}" for number in range(8))
REPLICAS = ("h1", "h2")
POLL_INTERVALS_MS = (100, 1_000, 10_000)
WRITES_PER_S = (1, 10, 50)
CHANGE_MS = 45  # how long a change and the read after it take, without waiting
CLIENTS, READS, READ_GAP_MS, SEED, BATCH = 4, 2_400, 60, 7, 1_000
MODES: dict[str, Rules] = {
    "eventual": replace(FIXED, read_rule="none", checks_table_id=False, unfinished="ignored", batch=BATCH),
    "synchronized": replace(FIXED, batch=BATCH),
}
LATENCY_MS = {"get_table": (1, 1), "read_table": (2, 2), "poll": (2, 2), "apply": (0, 0)}
OTHER_MS = (2, 2)


@dataclass(slots=True)
class _Figures:
    """What was measured in one setting."""

    reads: int = 0
    hits: int = 0
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


class _Setting:
    """One run: a mode, a poll interval, a write rate."""

    def __init__(self, rules: Rules, interval_ms: int, writes_per_s: int) -> None:
        self.kernel = Kernel(Choices(RandomWalk(SEED)), latency=_latency, max_steps=10_000_000)
        self.database = database_of()(self.kernel, None)
        self.cluster = Cluster(self.kernel, None, self.database, rules)
        self.clock = HostClock(self.kernel)
        self.figures = _Figures()
        self.changes: dict[str, list[_Change]] = {name: [] for name in TABLES}
        self._write_gap_ms = max(1, CLIENTS * 1_000 // writes_per_s - CHANGE_MS)
        self._values = 0
        self._interval_ms = interval_ms
        self._made: dict[Parameters, int] = {}
        self._indexed = 0

    def run(self) -> _Figures:
        """Play it to the end of the readers."""
        for name in TABLES:
            self.database.transact("create", "setup", lambda tx, name=name: _create(tx, name))  # type: ignore[misc]
        for number, name in enumerate(REPLICAS):
            self.cluster.boot(name).start()
            self._daemon(name, lambda number=number: self._follow(number))  # type: ignore[misc]
        self._daemon("cleaner", self._clean)
        for number in range(CLIENTS):
            self._daemon(f"w{number}", self._write)
            self.kernel.start(f"r{number}", self._read)
        self.kernel.drive()
        return self.figures

    def _daemon(self, name: str, body: Callable[[], None]) -> None:
        self.kernel.start(name, body, daemon=True)

    def _follow(self, number: int) -> None:
        """Replicas are started at different times, so they poll at different times."""
        self.clock.sleep_ms(number * self._interval_ms // len(REPLICAS))
        self.cluster.replicas[REPLICAS[number]].poller.follow(self.clock, self._interval_ms)

    def _clean(self) -> None:
        while True:
            self.clock.sleep_ms(1_000)
            self.database.transact("clean", "cleaner", lambda tx: clean_records(tx, clean_txns(tx)))

    def _draw(self, name: str, bound: int) -> int:
        return self.kernel.choices.choose(name, bound)

    def _anywhere(self) -> str:
        return REPLICAS[self._draw("replica", len(REPLICAS))]

    def _session(self) -> Session:
        return Session(self.cluster.find, self._anywhere(), self.cluster.observer)

    def _read(self) -> None:
        newest: dict[str, int] = {}
        for _ in range(READS // CLIENTS):
            self.clock.sleep_ms(self._draw("read gap", 2 * READ_GAP_MS))
            name = TABLES[self._draw("table", len(TABLES))]
            answer, writes = self._look(name)
            self._measure(answer, writes, name, newest)

    def _write(self) -> None:
        while True:
            self.clock.sleep_ms(self._draw("write gap", 2 * self._write_gap_ms))
            name, session = TABLES[self._draw("table", len(TABLES))], self._session()
            session.begin((name,))
            self._values += 1
            event = session.alter_table(name, (("v", str(self._values)),), self._anywhere())
            change = _Change(event.id, event.write_id)
            self.changes[name].append(change)
            session.commit()
            change.committed_ms = self.clock.now_ms()
            answer, _ = self._look(name)
            self.figures.own_reads += 1
            self.figures.own_missed += self._event_of(answer) < event.id

    def _look(self, name: str) -> tuple[Answer, ValidWriteIdList]:
        session = self._session()
        session.begin((name,), read_only=True)
        answer, writes = session.get_table(name, self._anywhere()), session.list_of(name)
        session.commit()
        assert writes is not None
        return answer, writes

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


def _latency(choices: Choices, operation: str) -> tuple[int, int]:
    request_ms, reply_ms = LATENCY_MS.get(operation, OTHER_MS)
    return request_ms, reply_ms


def _per_million(number: int, of: int) -> int | None:
    return round(1_000_000 * number / of) if of else None


def measure(mode: str, interval_ms: int, writes_per_s: int) -> tuple[Cell, ...]:
    """One row of the study's table."""
    figures = _Setting(MODES[mode], interval_ms, writes_per_s).run()
    stale_ms, reads = sorted(figures.stale_ms), figures.reads
    return (
        f"{mode}, {writes_per_s} writes/s", writes_per_s, interval_ms, reads, round(100 * figures.hits / reads, 1),
        round(100 * (reads - figures.hits) / reads, 1), round(sum(stale_ms) / reads, 1), stale_ms[reads * 99 // 100],
        round(sum(figures.behind) / reads, 3), max(figures.behind), _per_million(figures.missed, reads),
        _per_million(figures.backwards, reads), _per_million(figures.own_missed, figures.own_reads),
    )  # fmt: skip


COLUMNS = (
    "setting", "write rate, per s", "poll interval, ms", "reads", "hit rate, %", "fell through, %",
    "staleness mean, ms", "staleness p99, ms", "behind mean, versions", "behind max, versions",
    "write of its list missed, per million reads", "backwards, per million reads",
    "own write missed, per million own reads",
)  # fmt: skip
NOTES = (
    "Two replicas, eight tables, four writers, four readers, every call to either replica; simulated time.",
    "Own reads are the writers', each right after the change that it should show; all other figures are the readers'.",
    "A synchronized cache can be behind what is committed now, never behind its reader's snapshot.",
    "One seed; the rates of rare anomalies have no error bars.",
)


def _run(progress: Progress | None = None) -> Table:
    rows = []
    for mode in MODES:
        for writes_per_s in WRITES_PER_S:
            for interval_ms in POLL_INTERVALS_MS:
                rows.append(measure(mode, interval_ms, writes_per_s))
                if progress is not None:
                    progress(1)
    return Table("Hit rate, staleness and anomalies of a metastore cache", COLUMNS, tuple(rows), NOTES)


STUDY = Study(
    "hive-cache",
    "Hit rate, reads that fall through, staleness and anomalies of a metastore's cache: eventual and synchronized.",
    len(MODES) * len(WRITES_PER_S) * len(POLL_INTERVALS_MS),
    _run,
    (
        Chart(
            "poll interval, ms",
            ("hit rate, %", "staleness mean, ms", "write of its list missed, per million reads"),
            "setting",
        ),
    ),
)
