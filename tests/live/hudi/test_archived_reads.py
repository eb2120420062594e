"""Readers of the real Hudi 1.2.0 beside archiving and restores, step by step as simulated."""

import pytest

from tests.live.hudi.agreement import both, both_at_random, found

pytestmark = pytest.mark.live
EACH = 2


def test_rows_behind_a_clean_that_is_archived_are_missing(hudi):
    """Nothing is told: a file group is not there, and the other one is."""
    live = both(hudi, *found("travel-archived"))
    assert {outcome for _, outcome in live.outcomes} == {"ok"}
    assert [each.rows for each in live.commands][-1] == (("2", "b"),)


@pytest.mark.parametrize("name", ["news-archived", "news-restored"])
def test_random_orders_agree(hudi, name):
    """What holds, in orders that nobody chose."""
    both_at_random(hudi, name, EACH, tries=1_000)
