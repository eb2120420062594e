"""Iceberg's Hive catalog on metastores with a cache, drawn: how many there are, and who commits at which one.

It is a last draw of races on the Hive catalog, and a rare one where no setting asks for it. What was drawn for them
stays as it is: writers, statements, the table's past, faults. Update threads may fail with what the calls may fail
with.

Choices: only a cache is stale here, so that is no fault. Where nothing fails, locks are waited for without a step and
no heartbeats are sent, as in the cells of `metastore_cells`. The repairs of the cache are shipped by nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from model.iceberg import Rules
from sim.generation.draws import Draws, PinError
from sim.generation.generator import Settings
from sim.hive.faults import UPDATE_THREADS
from sim.iceberg.checked_workload import PRUNES
from sim.iceberg.draw.locks import whose_lock
from sim.iceberg.in_hive import in_hive
from sim.iceberg.metastore_cells import CACHE_WORDS, Cache, Cell
from sim.iceberg.options import CATALOG, EVENTS, FORMAT, METASTORES, OF_METASTORES, REPAIRED, STORE, is_cached
from sim.iceberg.over_metastores import IcebergOverHive, live_of
from sim.iceberg.race import IcebergRace
from sim.world.scenario import FaultSpace, Scenario, scenario_of
from sim.world.words import counted

MOST_STEPS = 40_000
"""Four writers whose every attempt waits for a lock until it gives up take up to 15,000 steps, and come to an end."""
SELDOM = (STORE.values[0],) * 3
"""Without a setting, one race in five on the Hive catalog has caches."""
CACHES: Mapping[tuple[str, str], Cache] = {
    ("false", "no"): "refresh", ("true", "no"): "shipped", ("true", "compares"): "cas",
    ("true", "compares, replays no alter"): "cas-no-replay",
}  # fmt: skip
"""By whether it goes by events, and what it has repaired."""


def with_metastores(draws: Draws, settings: Settings) -> Settings:
    """The settings, with what is drawn of metastores. Raises: `PinError` if a cache is repaired that is none."""
    store = draws.one_of(STORE.key, (*SELDOM, *STORE.values))
    if store == STORE.values[0]:
        return {**settings, **without_metastores(draws)}
    drawn = {one.key: draws.one_of(one.key, one.values) for one in (EVENTS, METASTORES)}
    possible = REPAIRED.values if drawn[EVENTS.key] == "true" else REPAIRED.values[:1]
    return {**settings, STORE.key: store, **drawn, REPAIRED.key: draws.one_of(REPAIRED.key, possible)}


def without_metastores(draws: Draws, why: str = f"{STORE.key}={STORE.values[0]}") -> Settings:
    """The settings where no metastore has a cache. Raises: `PinError` if one is pinned all the same: `why` not."""
    for option in OF_METASTORES:
        pinned, usual = draws.pinned(option.key), option.values[0]
        if pinned not in (None, usual):
            raise PinError(f"{option.key}: expected {usual} with {why}, got {pinned}")
    return {option.key: option.values[0] for option in OF_METASTORES}


def faults_beneath(draws: Draws, faults: FaultSpace) -> FaultSpace:
    """What may fail, without stale reads; now and then update threads may fail, too, with the same."""
    kinds = {operation: tuple([kind for kind in known if kind != "stale"]) for operation, known in faults.kinds.items()}
    drawn = {kind for known in kinds.values() for kind in known}
    if faults.limit and draws.flag("update threads fail"):
        for operation, known in UPDATE_THREADS.kinds.items():
            kinds[operation] = tuple([kind for kind in known if kind in drawn])
    kinds = {operation: known for operation, known in kinds.items() if known}
    return replace(faults, kinds=kinds) if kinds else FaultSpace()


def on_metastores(scenario: Scenario, settings: Settings, rules: Rules) -> Scenario:
    """The race of a scenario on metastores with the drawn caches: writers in turn at the first and the second."""
    race = scenario.program
    assert isinstance(race, IcebergRace)
    cell = cell_of(settings)
    names = [f"h{number}" for number in range(1, cell.replicas + 1)]
    routes = tuple([(actor, names[place % len(names)]) for place, actor in enumerate(race.workload.actors)])
    leases = bool(scenario.faults.limit)
    held = rules if leases else replace(rules, hive_heartbeat=False)
    program = IcebergOverHive(race.workload, held, cell.cache, routes, leases)
    caches = f"{counted(cell.replicas, 'metastore')}, {CACHE_WORDS[cell.cache]}"
    told = dict(scenario.parameters) | {"catalog": cell.words}
    live = live_of(cell, race.workload, routes) if race.workload.in_sql else "expected Spark SQL, got the Java API"
    if leases:
        live = "expected a race without faults, which live metastores' gates do not inject here"
    return scenario_of(
        program,
        scenario.name,
        live=live,
        protocol="iceberg",
        summary=scenario.summary,
        properties=scenario.properties,
        faults=scenario.faults,
        yield_points=None if scenario.yield_points is None else (*scenario.yield_points, *_more(scenario, cell)),
        bounds=f"{scenario.bounds}; {caches}",
        parameters=tuple(told.items()),
        max_steps=scenario.max_steps,
    )


def cell_of(settings: Settings) -> Cell:
    """The square of the table of caches that these settings are."""
    cache = CACHES[settings[EVENTS.key], settings[REPAIRED.key]]
    return Cell(cache, settings["engine.hive.lock-enabled"] == "true", int(settings[METASTORES.key]))


def _more(scenario: Scenario, cell: Cell) -> tuple[str, ...]:
    """The calls that are steps beside those of a catalog without a cache."""
    assert scenario.yield_points is not None
    return tuple([step for step in cell.steps if step not in scenario.yield_points])


def on_its_catalog(scenario: Scenario, settings: Settings, rules: Rules, made: object) -> Scenario:
    """The scenario, which is told properties of its table, on its metastores if it has any.

    Args: `made`: tables are made in it, if it is anything.
    """
    told = ((FORMAT.key, settings[FORMAT.key]), (PRUNES, settings.get(PRUNES, "false")))
    scenario = replace(scenario, parameters=(*scenario.parameters, *told))
    if settings[CATALOG.key] != "hive":
        return scenario
    if isinstance(race := scenario.program, IcebergRace):
        whose = whose_lock(race.workload.unlocked, race.workload.history)
        scenario = replace(scenario, parameters=(*scenario.parameters, *whose))
    scenario = replace(in_hive(scenario) if made else scenario, max_steps=MOST_STEPS)
    return on_metastores(scenario, settings, rules) if is_cached(settings) else scenario
