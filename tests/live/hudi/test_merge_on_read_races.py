"""Merge-on-read tables and their compaction on the real Hudi 1.2.0, step by step as simulated."""

import pytest

from tests.live.hudi.agreement import both, both_at_random, found

pytestmark = pytest.mark.live
KEPT = ("mor-upserts", "mor-compact-read", "mor-two-executors")
EACH = 3


def test_log_of_the_smaller_instant_is_not_seen(hudi):
    """Both clients are told that they committed, and the row is as if the last one had not."""
    live = both(hudi, *found("mor-older-instant"))
    assert {outcome for _, outcome in live.outcomes} == {"ok"}


def test_one_compaction_is_committed_by_two(hudi):
    """The second one names a file that its rollback by the first one may have deleted. hudi-rs cannot read that."""
    live = both(hudi, *found("mor-executor-outlived"), read_alike=False)
    assert live.again is not None
    assert live.again.meets_twice
    requested = [instant.requested for instant in live.instants]
    assert len(requested) > len(set(requested))


@pytest.mark.parametrize("name", KEPT)
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows, of runs in an order drawn at random."""
    both_at_random(hudi, name, EACH)
