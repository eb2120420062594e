"""Every rule of statistics that is broken is noticed by the scenario that holds with it."""

from dataclasses import replace

import pytest

from sim.hive.generate import GENERATOR
from sim.hive.race import HiveRace
from sim.hive.statistics import STATISTICS
from sim.search.explore import default_plan
from sim.search.run import Runner
from sim.search.strategies import Deviations
from tests.mutants.hive_statistics import BY_NAME, DELETIONS, KILLS

pytestmark = pytest.mark.search
SCENARIOS = {scenario.name: scenario for scenario in STATISTICS}


@pytest.mark.parametrize("name", BY_NAME)
def test_a_mutant_tells_somebody_of_what_is_not_listed(name: str) -> None:
    """And of nothing without it."""
    scenario, mutant = SCENARIOS[KILLS[name]], BY_NAME[name]
    assert isinstance(scenario.program, HiveRace)
    assert mutant.base is not None
    damaged = replace(scenario, program=replace(scenario.program, rules=mutant.base))
    with mutant.alive():
        assert list(default_plan(damaged).failures) == ["no-dirty-reads/unlisted-statistics"]
    assert default_plan(scenario).failures == {}


@pytest.mark.parametrize("mutant", DELETIONS, ids=lambda mutant: mutant.name)
def test_a_mutant_keeps_what_was_deleted(mutant) -> None:
    """And nothing is kept without it."""
    scenario = DELETIONS[mutant]
    assert isinstance(scenario.program, HiveRace)
    damaged = replace(scenario, program=replace(scenario.program, rules=mutant.base))
    with mutant.alive():
        assert list(default_plan(damaged).failures) == ["convergence/stale-entry"]
    assert default_plan(scenario).failures == {}


def test_a_drop_takes_statistics_of_which_its_cache_was_not_told() -> None:
    """They are gone with the table, and nobody has lost them."""
    draws = "02000000300000000000000010000000000000100000000000000000a1"
    run = Runner(GENERATOR.again(f"hive/generated/shipped-refresh/{draws}")).run(Deviations())
    dropped = [event for event in run.events if event.f == "drop" and event.type == "ok"]
    assert ("statistics:1", None) in [(write.key, write.value) for event in dropped for write in event.writes]
    assert run.failure is None
