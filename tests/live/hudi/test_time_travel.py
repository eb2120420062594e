"""The real Hudi 1.2.0 as of an instant, step by step as simulated."""

import pytest

from tests.live.hudi.agreement import both, both_at_random, found

pytestmark = pytest.mark.live


def test_rows_that_were_cleaned_are_missing(hudi):
    """Nothing is told: a file group is not there, and the other one is."""
    live = both(hudi, *found("travel-cleaned"))
    assert {outcome for _, outcome in live.outcomes} == {"ok"}
    assert [each.rows for each in live.commands][-1] == (("2", "b"),)


@pytest.mark.parametrize(("name", "count"), [("travel-retained", 1), ("travel-beside", 3), ("travel-later", 3)])
def test_random_orders_agree(hudi, name, count):
    """What holds, in orders that nobody chose."""
    both_at_random(hudi, name, count)
