"""Clustering on the real Hudi 1.2.0, step by step as simulated."""

import pytest

from tests.live.hudi.agreement import both, both_at_random, found

pytestmark = pytest.mark.live
LOST = ("cluster-delete", "cluster-delete-prefer-writer", "cluster-older-instant", "mor-cluster-delete")
KEPT = (
    "cluster-upsert", "cluster-upsert-allowed", "cluster-overwrite", "cluster-twice", "cluster-reader",
    "mor-cluster-upsert", "mor-cluster-older-instant", "mor-cluster-compact",
)  # fmt: skip
EACH = 2


@pytest.mark.parametrize("name", LOST)
def test_found_schedule_does_the_same_to_the_real_hudi(hudi, name):
    """Both clients are told that they committed, and the rows are as if one of them had not."""
    live = both(hudi, *found(name))
    assert {outcome for _, outcome in live.outcomes} == {"ok"}


@pytest.mark.parametrize("name", KEPT)
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows, of runs in an order drawn at random."""
    both_at_random(hudi, name, EACH)


def test_planned_clustering_of_buckets_stops_upserts(hudi):
    """Nobody carries the plan out, and it stays; no upsert is acknowledged from then on."""
    live = both(hudi, *found("nbcc-cluster"))
    assert live.rows == (("1", "A"), ("2", "b"))
    assert live.left.pending
