"""Every rule of a restart that is broken is noticed, and the reference keeps the property in the same race."""

import pytest

from sim.search.explore import default_plan
from tests.mutants.hive_restarts import MUTANTS, RACE

pytestmark = pytest.mark.search


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_broken_rule_takes_a_change_back(mutant) -> None:
    """That the session had made itself."""
    with mutant.alive():
        assert list(default_plan(RACE).failures) == ["read-your-writes/missed-own-write"]


def test_the_reference_keeps_it() -> None:
    """Every schedule of at most two deviations."""
    result = default_plan(RACE)
    assert (result.complete, result.failures) == (True, {})
