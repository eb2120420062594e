"""Clustering on the real Hudi 1.2.0, step by step as simulated."""

import pytest

from model.hudi import SHIPPED
from real_backend.hudi.live_steps import live_schedule
from sim.hudi.build import EVERYTHING, Writers, race
from sim.hudi.built_in.clustering import ALLOWING
from sim.hudi.statements import Cluster, Insert, Upsert
from sim.search.run import Runner
from sim.search.strategies import walk_of
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


def test_a_clustering_takes_what_it_has_planned_beside_a_plan_that_stayed(hudi):
    """The first one is refused, and its plan stays; the second one is of the other file group alone, so that an upsert
    beside it, of the row that the first plan has, loses nothing."""
    writers: Writers = {
        "w1": [Insert(((5, "E"),)), *[Upsert(((1, value),)) for value in "AB"]],
        "c1": [Cluster(), Cluster()],
    }
    scenario = race("again", "again", writers, rules=SHIPPED, options=ALLOWING, properties=EVERYTHING)
    assert scenario.live is not None
    runner = Runner(scenario, yield_points=scenario.live.yield_points[0])
    run = next(run for run in (runner.run(walk_of(seed, 60)) for seed in range(5_000)) if _clusters_again(run))
    live = both(hudi, scenario, live_schedule(run), run)
    assert live.rows == (("1", "B"), ("2", "b"), ("5", "E"))


def _clusters_again(run):
    """Whether the second clustering alone succeeds, beside an upsert that began before its end, and ended later."""
    told = [(one.process, one.f, one.type) for one in run.events if one.process in ("w1", "c1")]
    ends = [one for one in told if one[2] != "invoke"]
    clusterings = [kind for process, _, kind in ends if process == "c1"]
    end = told.index(("c1", "cluster", "ok")) if clusterings == ["fail", "ok"] else 0
    return bool(end) and ends[-1] == ("w1", "upsert", "ok") and told[:end].count(("w1", "upsert", "invoke")) == 2
