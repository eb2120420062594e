"""Tables of the real Hive catalog that are made, dropped and renamed: each call of a real metastore is a step."""

import pytest

from checkers.verdict import quick
from real_backend.iceberg.conformance_in_hive import conform, live_steps
from real_backend.iceberg.history import history_of
from sim.generation.draws import seeded
from sim.iceberg.built_in.in_hive import HIVE
from sim.iceberg.built_in.lock import ASKED, LOCKS
from sim.iceberg.generate import GENERATOR
from sim.iceberg.in_hive import InHive
from sim.search.explore import default_plan
from sim.search.run import Runner
from sim.search.shrink import shrink
from sim.search.strategies import walk_of
from tests.search.found import shown

pytestmark = pytest.mark.live
SHIPPED = [scenario for scenario in HIVE if scenario.live is not None and scenario not in (*LOCKS, *ASKED)]
FOUND = [scenario for scenario in SHIPPED if scenario.broken]
WALKS, RACES = 6, 8


def played(java_on_hive, run):
    """Play a simulated run on the real catalog; both must agree in steps, outcomes, lineage, rows, and in the verdict.
    Returns: the live run."""
    live = java_on_hive.run(run.scenario.live.workload, live_steps(run))
    result = conform(run, live)
    assert result.agrees, f"{result}\nlive: {' '.join(live.trace)}\n" + "\n".join(map(str, result.differences))
    assert quick(history_of(live), run.scenario.properties) == run.failure
    return live


@pytest.mark.parametrize("scenario", FOUND, ids=[scenario.name for scenario in FOUND])
def test_found_violation_is_real(java_on_hive, scenario):
    """Nothing but the scenario is given: the search finds the schedule, the real catalog is put through it."""
    found = shrink(Runner(scenario), shown(default_plan(scenario))).run
    live = played(java_on_hive, found)
    assert str(quick(history_of(live), scenario.properties)).startswith(scenario.broken)


@pytest.mark.parametrize("scenario", SHIPPED, ids=[scenario.name for scenario in SHIPPED])
def test_walks_do_the_same(java_on_hive, scenario):
    """Without a fault, in whatever order."""
    calm = Runner(scenario)
    runs = [calm.run(walk_of(seed, 60)) for seed in range(WALKS)]
    steps = {live_steps(run): run for run in runs if not run.injected}
    for run in steps.values():
        played(java_on_hive, run)


@pytest.mark.parametrize("locks", ["true", "false"])
def test_generated_races_do_the_same(java_on_hive, locks):
    """Whatever is drawn beside who makes tables; answers are lost."""
    drawn = GENERATOR.configurations["Java API, Hive catalog without lock"]
    settings = {**drawn, "engine.hive.lock-enabled": locks}
    scenarios = [GENERATOR.make(seeded(seed), settings) for seed in range(100)]
    made = [scenario for scenario in scenarios if isinstance(scenario.program, InHive)][:RACES]
    assert len(made) == RACES
    for seed, scenario in enumerate(made):
        played(java_on_hive, Runner(scenario).run(walk_of(seed, 60)))
