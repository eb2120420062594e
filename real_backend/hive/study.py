"""One point of the study of metastore caches, measured: the shipped cache of two real metastores over PostgreSQL.

CachedStore 4.0.1 in event mode polls the log once a second, and follows it after its own changes. Four writers make ten
changes a second of eight managed tables, and read each back; four readers read 24 times a second. The same setting in
simulated time stands beside it.

Source: `sim.hive.study_cache`, which says what is counted.

Choices: intervals are Student's, over windows of ten seconds in one run of the servers; of simulated figures over
seeds, each of which has a window of its own. The replay of alters, which writes to the database (R1), is switched off,
as it is there. In what order changes were made the notification log says.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from hive_metastore.ttypes import Database

from real_backend.hive.client import new_table
from real_backend.hive.log_view import value_after
from real_backend.hive.servers import Replicas, Servers, hive_servers
from real_backend.hive.study_load import Change, Load, Look, Seen
from sim.hive import study_cache
from sim.hive.study_run import Setting
from sim.search.study import SEEDS, Cell, Chart, Progress, Study, Table, estimate, over_seeds, share

LIVE, SIMULATED = "live", "in simulated time"
MEASURED = "measured"
COLUMNS = (MEASURED, *study_cache.COLUMNS)
DATABASE = "study"
POINT = Setting("shipped 4.0", 1_000, 10)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured, in how many windows of how many seconds, or until each client had a turn, if that is later; how
    many seeds are simulated beside it."""

    setting: Setting = POINT
    windows: int = 5
    window_s: float = 10.0
    seeds: int = SEEDS


class Window(NamedTuple):
    """What was counted in one window. `fell` are reads of anybody that the database answered."""

    looks: tuple[Look, ...]
    fell: int

    @property
    def read(self) -> tuple[Look, ...]:
        """The readers' reads."""
        return tuple(look for look in self.looks if not look.own)

    @property
    def own(self) -> tuple[Look, ...]:
        """The writers', each of the change that it has just made."""
        return tuple(look for look in self.looks if look.own)


class History:
    """The changes of each table in the order in which the log has them. The database has them in this order, too."""

    def __init__(self, seen: Seen, order: Iterable[str]) -> None:
        by_value = {change.value: change for change in seen.changes}
        self._place = {value: place for place, value in enumerate(order, 1)}
        self._changes: dict[str, list[Change]] = defaultdict(list)
        for value in self._place:
            if value in by_value:
                self._changes[by_value[value].table].append(by_value[value])

    def place_of(self, value: str) -> int:
        """Where a value stands in the order; 0 for what was there at first."""
        return self._place.get(value, 0)

    def missing(self, look: Look) -> list[Change]:
        """The changes of the table that are newer than what a read found."""
        seen = self.place_of(look.value)
        return [change for change in self._changes[look.table] if self.place_of(change.value) > seen]


def run_plan(servers: Servers, plan: Plan, progress: Progress | None = None) -> tuple[list[Window], History]:
    """Put the load on two metastores. Returns: what was counted in each window. Raises: `BackendError`."""
    setting = plan.setting
    names = tuple([f"h{number}" for number in range(1, setting.replicas + 1)])
    replicas = servers.replicas(names=names, poll_ms=setting.interval_ms)
    replicas.make_ready(replay_writes=False)
    place = f"file:{next(iter(replicas.metastores.values())).folder.parent}"
    tables = _made_tables(replicas, place, setting.tables)
    began = replicas.backing.last_event()
    load = Load(setting, [metastore.port for metastore in replicas.metastores.values()], tables, place, seed=0)
    load.start()
    try:
        load.await_turns()  # the first ones start the servers' own engines
        time.sleep(setting.interval_ms / 1_000)
        edges = [(load.now_ms(), _fallen(replicas))]
        for _ in range(plan.windows):
            time.sleep(plan.window_s)
            load.await_turns()
            edges.append((load.now_ms(), _fallen(replicas)))
            if progress is not None:
                progress(1)
    finally:
        seen = load.stop()
    events = replicas.backing.content_events([DATABASE], began)
    history = History(seen, [value_after(event) for event in events])
    return [
        Window(tuple(look for look in seen.looks if begin[0] <= look.answered_ms < end[0]), end[1] - begin[1])
        for begin, end in pairwise(edges)
    ], history


def _made_tables(replicas: Replicas, place: str, count: int) -> list[str]:
    """The tables, below a place, which every cache has."""
    first = next(iter(replicas.metastores.values()))
    made = [f"{DATABASE}.t{number}" for number in range(count)]
    with first.connect() as calls:
        calls.create_database(Database(name=DATABASE, locationUri=f"{place}/{DATABASE}.db"))
        for name in made:
            calls.create_table(new_table(name, f"{place}/{name}", managed=True, value="0"))
    replicas.settle()
    return made


def _fallen(replicas: Replicas) -> int:
    return sum(metastore.control.ask().reads for metastore in replicas.metastores.values())


def cells_of(plan: Plan, windows: list[Window], history: History) -> tuple[Cell, ...]:
    """The live row: figures as `sim.hive.study_cache.measure` has them."""
    setting, reads = plan.setting, [len(window.read) for window in windows]
    stale = [[_stale_ms(look, history) for look in window.read] for window in windows]
    behind = [[len(_committed(look, history)) for look in window.read] for window in windows]
    every = [look for window in windows for look in window.read]
    backwards = _backwards(every, history)
    return (
        LIVE, setting.cache, setting.interval_ms, _rate(plan, windows), setting.open_ms, setting.tables, setting.skew,
        setting.replicas, setting.service_ms, sum(reads),
        share([window.fell for window in windows], [len(window.looks) for window in windows]),
        estimate(_mean(each) for each in stale),
        estimate(sorted(each)[len(each) * 99 // 100] if each else None for each in stale),
        estimate(_mean(each) for each in behind),
        share(_count(windows, lambda look: _misses(look, history)), reads),
        share(_count(windows, lambda look: look in backwards), reads),
        share(
            [sum(history.place_of(each.value) < history.place_of(each.own) for each in one.own) for one in windows],
            [len(window.own) for window in windows],
        ),
        estimate(_mean([look.took_ms for look in window.read]) for window in windows),
    )  # fmt: skip


def _rate(plan: Plan, windows: list[Window]) -> float:
    """Changes a second, as they were made and not as they were asked for."""
    return round(sum(len(window.own) for window in windows) / len(windows) / plan.window_s, 1)


def _mean(values: list[float] | list[int]) -> float | None:
    return sum(values) / len(values) if values else None


def _count(windows: list[Window], holds: Callable[[Look], bool]) -> list[int]:
    return [sum(holds(look) for look in window.read) for window in windows]


def _committed(look: Look, history: History) -> list[Change]:
    """What a read lacks of what was committed when it was answered."""
    return [change for change in history.missing(look) if change.committed_ms <= look.answered_ms]


def _stale_ms(look: Look, history: History) -> float:
    lacks = _committed(look, history)
    return look.answered_ms - min(change.committed_ms for change in lacks) if lacks else 0.0


def _misses(look: Look, history: History) -> bool:
    return any(look.writes.is_valid(change.write_id) for change in history.missing(look))


def _backwards(looks: list[Look], history: History) -> set[Look]:
    """Reads that are older than one that the same reader made of the table before."""
    newest: dict[tuple[str, str], int] = {}
    found = set()
    for look in sorted(looks, key=lambda look: look.answered_ms):
        place, key = history.place_of(look.value), (look.reader, look.table)
        if place < newest.get(key, 0):
            found.add(look)
        newest[key] = max(newest.get(key, 0), place)
    return found


def live_table(servers: Servers, plan: Plan, progress: Progress | None = None) -> Table:
    """Measure the point, and tabulate it beside the simulated one."""
    windows, history = run_plan(servers, plan, progress)
    simulated = (SIMULATED, *study_cache.measure(plan.setting, range(plan.seeds)))
    rows = (simulated, cells_of(plan, windows, history))
    return Table("One point of the caches' study, measured", COLUMNS, rows, notes_of(plan, windows), simulated=False)


def notes_of(plan: Plan, windows: list[Window]) -> tuple[str, ...]:
    """What was measured, how often, and where."""
    own = sum(len(window.own) for window in windows)
    return (
        f"Live: {plan.setting.replicas} replicas of Hive Metastore 4.0.1 in event mode over one PostgreSQL, on one "
        f"machine, over loopback; clients are threads of one process. {len(windows)} windows of "
        f"{plan.window_s:g} s, {own} changes, each read back. The write rate is what was reached of "
        f"{plan.setting.writes_per_s} a second; a slow machine reaches less.",
        "Intervals of 95 % are over windows (Student's t; where none or all was seen, the rule of three over all "
        "reads): what another machine would give they do not say.",
        f"In simulated time: {over_seeds(plan.seeds)}. Its calls take 3 to 4 ms each, live ones as long as they take.",
        "What fell through is counted below the caches, of all reads, the writers' own ones included.",
        "The replay of alters into the database is switched off on both sides, since it undoes changes.",
    )


def run(progress: Progress | None = None) -> Table:
    """The plan on servers of its own. Raises: `BackendUnavailable`, `BackendTimeout`."""
    with hive_servers() as servers:
        return live_table(servers, PLAN, progress)


PLAN = Plan()
STUDY = Study(
    name="hive-cache",
    summary="One point of the study, on two real metastores, beside the simulated one.",
    steps=PLAN.windows,
    run=run,
    charts=(
        Chart(MEASURED, (study_cache.STALE, study_cache.MISSED), "cache", bars=True),
        Chart(MEASURED, (study_cache.OWN, study_cache.READ_TIME), "cache", bars=True),
    ),
)
