"""What each cache of a metastore keeps, guarantee by guarantee: over generated schedules, or what breaks it.

A cell is a cache and a kind of tables. Every property is asked of all its scenarios until one breaks it; that scenario
is then swept again without it, so that no property hides another one. What breaks is made small, and is a schedule that
replays. `tests.search.guarantees_page` makes docs/guarantees.md of it.

Choices: clients send lists, as the design wants it, and events get their ids in order (2.3 aside): no cache promises
anything without either. All other draws, and faults, are the generator's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from model.hive import coverage
from sim.generation.draws import Draws, seeded
from sim.generation.generator import Generator
from sim.generation.shrink import shrink_all
from sim.generation.sweep import Plan, sweep
from sim.hive.faults import UNLOCKED
from sim.hive.generate import CONFIGURATIONS, FAULTS, GENERATOR, Given
from sim.hive.promises import OBJECT_STORE, STORE
from sim.hive.race import HiveRace
from sim.hive.workload import Abort, Begin, Commit, Get, ListPartitions
from sim.search.run import Run
from sim.search.script import schedule_of
from sim.world.scenario import Scenario

PLAN = Plan(first=16, most=48)
"""Many scenarios, each for a short time."""
SHRINKING = 6_000
"""Runs to make a failure small."""
KINDS = {"managed": CONFIGURATIONS["default"], "external": CONFIGURATIONS["external"]}
OF_LISTS = {
    "freshness": "a read has every write of its list",
    "no-dirty-reads": "a cache serves nothing that is not committed",
    "all-or-nothing": "a read of a transaction's changes has all of them",
    "right-incarnation": "a name is never answered with a table that had it before",
}
"""What is said of lists, which readers of external tables do not have."""
OF_ALL = {
    "monotonic-reads-per-replica": "reads of one metastore never go back",
    "monotonic-reads": "reads of any metastore never go back",
    "read-your-writes": "a session finds its own changes, at any metastore",
    "acknowledged-writes-survive": "what was acknowledged stays in the database",
    "convergence": "when all is quiet, every cache serves what the database has",
}
ASKED: Mapping[str, Mapping[str, str]] = {"managed": OF_ALL | OF_LISTS, "external": OF_ALL}
NO_FAULT_OF = UNLOCKED
READS = (Begin, Commit, Abort, Get, ListPartitions)


@dataclass(frozen=True, slots=True)
class Cache:
    """A cache: its name on the page, the rules' name, and the kinds of tables that it keeps."""

    name: str
    title: str
    rules: str
    keeps: tuple[str, ...] = ("managed", "external")


CACHES = {
    cache.name: cache
    for cache in (
        Cache("reference", "The design with its repairs", "reference"),
        Cache("document", "The design by its letter", "document"),
        Cache("patch-51", "The design's last patch, which was not merged", "patch-51", ("managed",)),
        Cache("shipped-refresh", "CachedStore 4.0.1 in its default mode (full refresh by a timer)", "shipped-refresh"),
        Cache("shipped", "CachedStore 4.0.1 in event mode (`metastore.cache.can.use.event`)", "shipped"),
        Cache("impala", "Impala's catalog daemon, its flags as by default", "impala"),
        Cache(
            "impala-synced",
            "The same with `enable_sync_to_latest_event_on_ddls` and `enable_skipping_older_events`",
            "impala-synced",
        ),
        Cache("no-cache", "Metastores 4.0.1 without a cache (ObjectStore)", "shipped", ()),
    )
}


@dataclass(slots=True)
class Cell:
    """What a cache was found to keep of one kind of tables.

    Args: `seeds` were used up; `schedules` of `scenarios` were run, `several` of them in scenarios with two writers or
    more, and `hits` reads were served from a cache; `held` is how often each property was judged that never broke,
    `broken` the schedule that breaks each other one, as text.
    """

    cache: str
    kind: str
    seeds: int = 0
    schedules: int = 0
    scenarios: int = 0
    several: int = 0
    hits: int = 0
    held: dict[str, int] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)


def asked_of(cache: Cache, kind: str) -> tuple[str, ...]:
    """The properties that are asked in a cell: whoever keeps nothing cannot converge."""
    return tuple([name for name in ASKED[kind] if name != "convergence" or kind in cache.keeps])


def settings_of(cache: Cache, kind: str) -> dict[str, str]:
    """What is pinned in a cell."""
    return dict(KINDS[kind]) | ({STORE.key: OBJECT_STORE} if cache.name == "no-cache" else {})


def scenario_of(cache: Cache, kind: str, seed: int) -> Scenario | None:
    """The scenario of a seed; None if its log may be out of order."""
    scenario = GENERATOR.make(seeded(seed), settings_of(cache, kind), cache.rules)
    return None if any(name in NO_FAULT_OF for name in scenario.faults.names) else scenario


def begun(cache: Cache, kind: str) -> Cell:
    """A cell that nobody has looked at."""
    return Cell(cache.name, kind, held=dict.fromkeys(asked_of(cache, kind), 0))


def short(cell: Cell, schedules: int) -> tuple[str, ...]:
    """What holds and was judged in fewer schedules."""
    return tuple([name for name, judged in cell.held.items() if judged < schedules])


def look(cell: Cell, schedules: int, most: int | None = None) -> None:
    """Go on with a cell until what holds was judged in so many schedules, or nothing holds; what breaks is made small.

    At last it is convergence that lacks some: then only scenarios are run in which it is asked.

    Args: `most`: after how many more schedules it ends in any case.
    """
    begun_at = cell.schedules
    while (asked := short(cell, schedules)) and (most is None or cell.schedules < begun_at + most):
        scenario = scenario_of(CACHES[cell.cache], cell.kind, cell.seeds)
        cell.seeds += 1
        if scenario is None:
            continue
        race = scenario.program
        assert isinstance(race, HiveRace)
        if race.drains or asked != ("convergence",):
            _look_at(cell, scenario)


def _look_at(cell: Cell, scenario: Scenario) -> None:
    """Ask one scenario for all that has not broken yet, until nothing breaks."""
    race = scenario.program
    assert isinstance(race, HiveRace)
    while True:
        asked = tuple([name for name in cell.held if name != "convergence" or race.drains])
        swept = sweep(replace(scenario, properties=asked), PLAN)
        broken = {key.partition("/")[0]: run for key, run in reversed(swept.failures.items())}
        if not broken:
            break
        for name, run in broken.items():
            del cell.held[name]
            cell.broken[name] = smallest(cell, name, run)
    assert not swept.endless, scenario.name
    cell.scenarios += 1
    cell.schedules += swept.schedules
    cell.several += swept.schedules if _writers(race) > 1 else 0
    cell.hits += swept.coverage.get(coverage.HIT, 0)
    for name in asked:
        cell.held[name] += swept.schedules - swept.indeterminate


def _writers(race: HiveRace) -> int:
    return sum(any(not isinstance(one, READS) for one in each.statements) for each in race.workload.sessions)


def smallest(cell: Cell, name: str, run: Run) -> str:
    """The schedule of the smallest failure of this property that is found from a run, as text."""
    settings = settings_of(CACHES[cell.cache], cell.kind)
    faults = [kind for kind in FAULTS if kind not in NO_FAULT_OF]
    asking = _asking(name)
    small = shrink_all(asking, run, budget=SHRINKING, settings=settings, faults=faults).shrunk.run
    schedule = schedule_of(small, small.scenario.yield_points)
    return str(replace(schedule, meta=(*[pair for pair in schedule.meta if pair[0] != "property"], ("property", name))))


def _asking(name: str) -> Generator:
    """The generator, whose scenarios ask for this property alone."""

    def draw(draws: Draws, given: Given) -> Scenario:
        return replace(GENERATOR.draw(draws, given), properties=(name,))

    return replace(GENERATOR, draw=draw)
