"""Every rule of truncates that is broken is noticed by the scenario that holds with it."""

from dataclasses import replace

import pytest

from sim.hive.race import HiveRace
from sim.hive.truncating import TRUNCATES
from sim.search.explore import default_plan
from tests.mutants.hive_truncates import BY_NAME, KILLS

pytestmark = pytest.mark.search
SCENARIOS = {scenario.name: scenario for scenario in TRUNCATES}


@pytest.mark.parametrize("name", BY_NAME)
def test_a_mutant_breaks_what_its_row_says(name: str) -> None:
    """Without it the scenario holds (tests/search/test_verdicts.py)."""
    (where, broken), mutant = KILLS[name], BY_NAME[name]
    scenario = SCENARIOS[where]
    assert isinstance(scenario.program, HiveRace)
    damaged = replace(scenario, program=replace(scenario.program, rules=mutant.base))
    with mutant.alive():
        assert [failure.partition("/")[0] for failure in default_plan(damaged).failures] == [broken]
