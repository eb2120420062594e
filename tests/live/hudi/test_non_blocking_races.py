"""Non-blocking writers on the real Hudi 1.2.0, step by step as simulated."""

import pytest

from tests.live.hudi.agreement import both, both_at_random, found

pytestmark = pytest.mark.live
EACH = 2


def test_log_of_the_smaller_instant_is_not_seen(hudi):
    """Both clients are told that they committed, and the row is as if the last one had not."""
    live = both(hudi, *found("nbcc-older-instant"))
    assert {outcome for _, outcome in live.outcomes} == {"ok"}


def test_commit_is_hidden_by_a_write_that_is_under_way(hudi):
    """Its own writer does not see it."""
    live = both(hudi, *found("nbcc-new-group"))
    assert {outcome for _, outcome in live.outcomes} == {"ok"}


@pytest.mark.parametrize("name", ["nbcc-event-time", "nbcc-compact"])
def test_random_orders_agree(hudi, name):
    """What holds, in orders that nobody chose."""
    both_at_random(hudi, name, EACH)
