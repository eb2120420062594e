"""Savepoints on the real Hudi 1.2.0, step by step as simulated."""

import pytest

from tests.live.hudi.agreement import both, both_at_random, found

pytestmark = pytest.mark.live
EACH = 2


@pytest.mark.parametrize("name", ["savepoint-clean", "savepoint-partition", "savepoint-versions"])
def test_found_schedule_does_the_same_to_the_real_hudi(hudi, name):
    """Everybody is told that all is well, and a file that the savepoint names is gone, or it names none of a group."""
    live = both(hudi, *found(name))
    assert {outcome for _, outcome in live.outcomes} == {"ok"}
    assert live.unkept


@pytest.mark.parametrize("name", ["savepoint-slices", "savepoint-deleted"])
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows, of runs in an order drawn at random."""
    both_at_random(hudi, name, EACH)
