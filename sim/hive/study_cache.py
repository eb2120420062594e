"""What a metastore's cache saves and what it costs: eventual, shipped and synchronized caches.

Two replicas with eight tables. Writers change tables at random times and read their change back, in the next
transaction; four readers read tables at random. Every call may go to either replica, as behind a load balancer. All of
it runs through `model.hive` in simulated time.

A read falls through if the database had to answer it. It is behind by the changes that were committed when it was
answered and are missing in the answer, and stale by the time since the first of them was committed. Anomalies: a read
that lacks a write which its own list calls committed; one that goes backwards for its session; one by a writer that
lacks the change which that writer has just committed.

Source: hive/2.2, hive/4.8; latencies are round numbers for one data centre; shares and ratios are what to look at.

Choices:
* One axis at a time: poll interval, write rate, and how long a transaction stays open after its change.
* A seed's readers start after one poll interval and go on for one more, at least ten seconds, so that every age of a
  cache is met as often as it is in the long run; a run is short, and figures are over all seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

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
from sim.search.study import SEEDS, Cell, Chart, Progress, Study, Table, estimate, over_seeds, share
from sim.world.world import HostClock

TABLES = tuple(f"default.t{number}" for number in range(8))
REPLICAS = ("h1", "h2")
CHANGE_MS = 45  # how long a change and the read after it take, without waiting
READERS, READS, LEAST_MS, BATCH = 4, 240, 10_000, 1_000
CACHES: dict[str, Rules] = {
    "eventual": replace(FIXED, read_rule="none", checks_table_id=False, unfinished="ignored", batch=BATCH),
    "shipped 4.0": replace(SHIPPED, batch=BATCH, replay_writes_database=False),
    "synchronized": replace(FIXED, batch=BATCH),
}
LATENCY_MS = {"get_table": (1, 1), "read_table": (2, 2), "poll": (2, 2), "apply": (0, 0)}
OTHER_MS = (2, 2)


@dataclass(frozen=True, slots=True)
class Setting:
    """A cache, how often it polls, how often tables change, and how long a change waits for its commit."""

    cache: str
    interval_ms: int
    writes_per_s: int
    open_ms: int = 0

    @property
    def writers(self) -> int:
        """Enough that each is at rest half of the time."""
        return max(4, 2 * self.writes_per_s * (CHANGE_MS + self.open_ms) // 1_000)

    @property
    def window_ms(self) -> int:
        """How long the readers of one seed read."""
        return max(LEAST_MS, self.interval_ms)


def settings() -> tuple[Setting, ...]:
    """Every cache along each axis; what two axes share is measured once."""
    found = [Setting(cache, interval_ms, 1) for cache in CACHES for interval_ms in (100, 1_000, 10_000, 60_000)]
    found += [Setting(cache, 1_000, writes_per_s) for cache in CACHES for writes_per_s in (10, 50)]
    found += [Setting(cache, 1_000, 10, open_ms) for cache in CACHES for open_ms in (100, 500)]
    return tuple(found)


@dataclass(slots=True)
class _Figures:
    """What was measured with one seed."""

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


class _Run:
    """One setting with one seed."""

    def __init__(self, setting: Setting, seed: int) -> None:
        self.kernel = Kernel(Choices(RandomWalk(seed)), latency=_latency, max_steps=10_000_000)
        self.database = database_of()(self.kernel, None)
        self.cluster = Cluster(self.kernel, None, self.database, CACHES[setting.cache])
        self.clock = HostClock(self.kernel)
        self.figures = _Figures()
        self.changes: dict[str, list[_Change]] = {name: [] for name in TABLES}
        self._setting = setting
        self._write_gap_ms = setting.writers * 1_000 // setting.writes_per_s - CHANGE_MS - setting.open_ms
        self._read_gap_ms = setting.window_ms * READERS // READS
        self._values = 0
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
        self.clock.sleep_ms(number * interval_ms // len(REPLICAS))
        self.cluster.replicas[REPLICAS[number]].poller.follow(self.clock, interval_ms)

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
        self.clock.sleep_ms(self._setting.interval_ms)
        for _ in range(READS // READERS):
            self.clock.sleep_ms(self._draw("read gap", 2 * self._read_gap_ms))
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
            self.clock.sleep_ms(self._setting.open_ms)
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


def measure(setting: Setting, seeds: Iterable[int]) -> tuple[Cell, ...]:
    """One row of the study's table."""
    runs = [_Run(setting, seed).run() for seed in seeds]
    reads, own = [run.reads for run in runs], [run.own_reads for run in runs]
    return (
        setting.cache, setting.interval_ms, setting.writes_per_s, setting.open_ms, sum(reads),
        share([run.reads - run.hits for run in runs], reads),
        estimate(sum(run.stale_ms) / run.reads for run in runs),
        estimate(sorted(run.stale_ms)[run.reads * 99 // 100] for run in runs),
        estimate(sum(run.behind) / run.reads for run in runs),
        share([run.missed for run in runs], reads), share([run.backwards for run in runs], reads),
        share([run.own_missed for run in runs], own),
    )  # fmt: skip


INTERVAL, RATE, OPEN = "poll interval, ms", "write rate, per s", "open after the change, ms"
FELL, STALE, MISSED = "fell through, % of reads", "staleness mean, ms", "write of its list missed, % of reads"
BACKWARDS, OWN = "backwards, % of reads", "own write missed, % of own reads"
COLUMNS = (
    "cache", INTERVAL, RATE, OPEN, "reads", FELL, STALE, "staleness p99, ms", "behind mean, versions", MISSED,
    BACKWARDS, OWN,
)  # fmt: skip
PANELS = (FELL, STALE, MISSED, OWN)


def notes_of(seeds: int) -> tuple[str, ...]:
    """What was assumed, and measured over how many seeds."""
    intervals = " (Student's t over seeds; where none or all was seen, the rule of three over all reads)"
    return (
        "Two replicas, eight tables, four readers, every call to either replica; simulated time.",
        f"{over_seeds(seeds)}{intervals if seeds > 1 else ''}.",
        f"A seed has {READS} reads, after one poll interval and over one more, at least {LEAST_MS // 1_000} s: short "
        "runs of many seeds instead of one long one.",
        "Own reads are the writers', each right after the change that it should show; all other figures are the "
        "readers'.",
        "Shipped 4.0 follows the log after its own changes; its replays' writes to the database are left out, since "
        "they undo changes and no staleness could be told.",
        "A synchronized cache can be behind what is committed now, never behind its reader's snapshot.",
    )


def table_of(plan: Iterable[Setting], seeds: Iterable[int], progress: Progress | None = None) -> Table:
    """Measure the settings with the seeds."""
    rows, chosen = [], tuple(seeds)
    for setting in plan:
        rows.append(measure(setting, chosen))
        if progress is not None:
            progress(1)
    return Table("Staleness and anomalies of a metastore cache", COLUMNS, tuple(rows), notes_of(len(chosen)))


def _run(progress: Progress | None = None, seeds: int = SEEDS) -> Table:
    return table_of(settings(), range(seeds), progress)


STUDY = Study(
    "hive-cache",
    "Reads that fall through, staleness and anomalies of a metastore's cache: eventual, shipped and synchronized.",
    len(settings()),
    _run,
    (
        Chart(INTERVAL, PANELS, "cache", where=((RATE, 1), (OPEN, 0))),
        Chart(RATE, PANELS, "cache", where=((INTERVAL, 1_000), (OPEN, 0))),
        Chart(OPEN, (FELL, BACKWARDS, MISSED, OWN), "cache", where=((INTERVAL, 1_000), (RATE, 10))),
    ),
    _run,
)
