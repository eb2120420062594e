"""Every step of updates under locks and of cleaning that is broken is noticed, and nothing is in the same race."""

import pytest

from sim.search.explore import default_plan
from tests.mutants.hive_updates import KILLS

pytestmark = pytest.mark.search


@pytest.mark.parametrize("name", KILLS)
def test_a_broken_step_breaks_its_property(name: str) -> None:
    """By the default search."""
    mutant, scenario, broken = KILLS[name]
    with mutant.alive():
        result = default_plan(scenario)
    assert broken in [key.split("/")[0] for key in result.failures]


@pytest.mark.parametrize("scenario", {one.name: one for _, one, _ in KILLS.values()}.values(), ids=lambda one: one.name)
def test_nothing_is_broken_in_the_same_race(scenario) -> None:
    """Every schedule at the scenario's steps."""
    result = default_plan(scenario)
    assert (result.complete, result.failures) == (True, {})
