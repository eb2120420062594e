"""Every rule of a refresh that is broken is noticed, and the variant itself keeps the property in the same race."""

import pytest

from sim.search.explore import default_plan
from tests.mutants.hive_refresh import KILLS

pytestmark = pytest.mark.search


@pytest.mark.parametrize("name", KILLS)
def test_a_broken_rule_of_the_refresh_breaks_its_property(name: str) -> None:
    """By the default search."""
    mutant, scenario = KILLS[name]
    with mutant.alive():
        result = default_plan(scenario)
    assert [key.split("/")[0] for key in result.failures] == list(scenario.properties)


@pytest.mark.parametrize("name", KILLS)
def test_the_variant_keeps_the_property_in_the_same_race(name: str) -> None:
    """Every schedule at the scenario's steps."""
    result = default_plan(KILLS[name][1])
    assert (result.complete, result.failures) == (True, {})
