"""Every rule of Impala's catalog daemon that is broken is noticed: in a generated race, or by one of upstream's tests.

The race of a seed breaks the property that the mutant's row names; without the mutant it breaks nothing of what is
promised.
"""

import pytest

from model.hive.impala_rules import IMPALA
from sim.generation.sweep import sweep
from tests.mutants.hive_catalogd_races import BY_NAME, KILLS, VECTORS, Kill
from tests.search.hive.planted_catalogd import row
from tests.search.planted import PLAN
from tests.unit.hive import test_catalogd
from tests.unit.hive.lab import Lab

pytestmark = pytest.mark.search


def _id(kill: Kill) -> str:
    return kill.mutant


@pytest.mark.parametrize("kill", KILLS, ids=_id)
def test_a_generated_race_shows_the_mutant_and_nothing_without_it(kill: Kill) -> None:
    """The same schedules; nothing is left out of a scenario for the mutant's sake but the other properties."""
    one = row(kill.mutant, kill.configuration, kill.broken)
    scenario = one.scenario(kill.seed)
    assert scenario is not None
    assert one.mutant is not None
    with one.mutant.alive():
        swept = sweep(scenario, PLAN)
    assert {key.partition("/")[0] for key in swept.failures} == {kill.broken}
    whole = sweep(one.under(scenario, one.repaired) if one.repaired else scenario, PLAN)
    assert (list(whole.failures), whole.endless) == ([], 0)


@pytest.mark.parametrize("name", VECTORS)
def test_a_vector_tells_what_costs_a_load_and_nothing_else(name: str) -> None:
    """What the generators cannot tell from the whole daemon fails a test of ours or of upstream's."""
    vector = getattr(test_catalogd, VECTORS[name])
    vector(Lab(IMPALA))
    with BY_NAME[name].alive(), pytest.raises(AssertionError):
        vector(Lab(IMPALA))


def test_every_mutant_is_killed_once() -> None:
    """In a race, or by a vector."""
    assert sorted([*(kill.mutant for kill in KILLS), *VECTORS]) == sorted(BY_NAME)
