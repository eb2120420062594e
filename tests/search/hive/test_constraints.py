"""Every rule of constraints that is broken is noticed by the scenario that holds with it."""

from dataclasses import replace

import pytest

from sim.hive.constraints import CONSTRAINTS
from sim.hive.race import HiveRace
from sim.search.explore import default_plan
from tests.mutants.hive_constraints import BROKEN, BY_NAME, KILLS

pytestmark = pytest.mark.search
SCENARIOS = {scenario.name: scenario for scenario in CONSTRAINTS}


@pytest.mark.parametrize("name", BY_NAME)
def test_a_mutant_keeps_from_somebody_what_is_listed(name: str) -> None:
    """That breaks the property of its row; without it the scenario holds (tests/search/test_verdicts.py)."""
    scenario, mutant = SCENARIOS[KILLS[name]], BY_NAME[name]
    assert isinstance(scenario.program, HiveRace)
    damaged = replace(scenario, program=replace(scenario.program, rules=mutant.base or scenario.program.rules))
    with mutant.alive():
        assert [name.partition("/")[0] for name in default_plan(damaged).failures] == [BROKEN]
