"""Cleaning on the real Hudi 1.2.0, step by step as simulated."""

import pytest

from tests.live.hudi.agreement import both, both_at_random, found

pytestmark = pytest.mark.live
EACH = 2


def test_found_schedule_does_the_same_to_the_real_hudi(hudi):
    """Everybody is told that all is well, and the rows that were inserted are gone, with their file."""
    live = both(hudi, *found("clean-partition"))
    assert {outcome for _, outcome in live.outcomes} == {"ok"}


@pytest.mark.parametrize("name", ["clean-slices"])
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows, of runs in an order drawn at random."""
    both_at_random(hudi, name, EACH)
