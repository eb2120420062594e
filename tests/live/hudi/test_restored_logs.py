"""Restores of merge-on-read tables on the real Hudi 1.2.0, step by step as simulated."""

import pytest

from tests.live.hudi.agreement import both_at_random

pytestmark = pytest.mark.live


@pytest.mark.parametrize(("name", "count"), [("mor-restore", 1), ("mor-restore-beside", 2)])
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name, count):
    """Steps, outcomes, completed instants and rows, of runs in an order drawn at random."""
    both_at_random(hudi, name, count)
