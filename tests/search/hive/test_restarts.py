"""Every rule of a restart, and of a start, that is broken is noticed, and nothing is in the same race."""

import pytest

from sim.hive.generate import GENERATOR
from sim.kernel.schedule import steps_of
from sim.search.explore import default_plan
from sim.search.run import Runner
from tests.mutants.hive_restarts import ENDED, ENDED_RACE, MUTANTS, RACE

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


def test_a_prewarm_that_ends_for_good_leaves_tables_out() -> None:
    """Those after the one that was dropped, for ever; as shipped it begins again."""
    with ENDED.alive():
        assert list(default_plan(ENDED_RACE).failures) == ["convergence/never-served"]
    result = default_plan(ENDED_RACE)
    assert (result.complete, result.failures) == (True, {})


DIES_WHILE_FILLING = """
w1:end w2:end o1:end h1-thread-restarted:select_for_update h1-thread-restarted.select_for_update!crash
h1-thread-restarted-2:end
"""
DRAWN = "hive/generated/reference/010000000011110001000000000000000000000000000001511101101311110000000000a4"


def test_an_update_thread_that_dies_while_it_fills_a_restarted_cache_is_followed_by_one_that_fills_it() -> None:
    """It follows the log from where that has been filled, and serves the table."""
    run = Runner(GENERATOR.again(DRAWN)).play(steps_of(DIES_WHILE_FILLING))
    assert (run.complete, run.failure) == (True, None)
