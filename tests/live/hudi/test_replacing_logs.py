"""Overwrites and deletions of partitions on merge-on-read tables of the real Hudi 1.2.0, step by step as simulated."""

import pytest

from tests.live.hudi.agreement import both, both_at_random, found

pytestmark = pytest.mark.live
LOST = ("mor-delete-partition", "nbcc-delete-beside")
KEPT = ("mor-overwrite", "mor-overwrite-compact", "mor-delete-compact")
EACH = 2


@pytest.mark.parametrize("name", LOST)
def test_found_schedule_does_the_same_to_the_real_hudi(hudi, name):
    """Both clients are told that they committed, and what readers see is not what either of them left."""
    live = both(hudi, *found(name))
    assert {outcome for _, outcome in live.outcomes} == {"ok"}


def test_a_deleted_bucket_stays_hidden(hudi):
    """One client, and nobody beside it: what it inserts after its deletion is not there."""
    live = both(hudi, *found("nbcc-delete-partition"))
    assert live.rows == (("1", "a"), ("2", "b"))


@pytest.mark.parametrize("name", KEPT)
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows, of runs in an order drawn at random."""
    both_at_random(hudi, name, EACH)
