"""Clustering that somebody else carries out than has planned it on the real Hudi 1.2.0, step by step as simulated."""

import pytest

from model.hudi import coverage
from real_backend.hudi.live_steps import live_schedule
from sim.search.projection import can_play
from sim.search.run import Runner
from sim.search.strategies import walk_of
from tests.live.hudi.agreement import BY_NAME, both, both_at_random, found

pytestmark = pytest.mark.live
KEPT = ("cluster-planned", "cluster-planned-read")
EACH, WALKS, STEPS = 2, 5_000, 60


def _walked(fits):
    """The first run of two executors at the live yield points that `fits`: (scenario, schedule, simulated run)."""
    scenario = BY_NAME["hudi/cluster-executors"]
    assert scenario.live is not None
    runner = Runner(scenario, yield_points=scenario.live.yield_points[0])
    runs = (runner.run(walk_of(seed, STEPS)) for seed in range(WALKS))
    run = next(run for run in runs if fits(run) and can_play(scenario.live, run))
    return scenario, live_schedule(run), run


def _ends(run):
    """What each executor was told in the end."""
    return {
        event.process: event.type for event in run.events if event.process in ("c1", "w1") and event.type != "invoke"
    }


def _rows(run):
    """What the last reader saw of rows, by key."""
    read = next(one for one in reversed(run.events) if one.process == "r-final" and one.type == "ok")
    return {key: value for key, value, *_ in read.reads if key.startswith("row:")}


def test_found_schedule_does_the_same_to_the_real_hudi(hudi):
    """No row is there once."""
    assert len(both(hudi, *found("cluster-executors")).rows) != 2


def test_all_rows_are_gone_when_the_first_executor_commits_what_the_second_one_deletes(hudi):
    """It is told that it has clustered, the second one that there is nothing to do, and a reader sees no row."""
    lost = _walked(lambda run: _ends(run) == {"c1": "ok", "w1": "fail"} and set(_rows(run).values()) == {None})
    live = both(hudi, *lost)
    assert live.rows == ()
    assert len(live.missing) == 1


def test_all_rows_are_there_twice_when_the_first_executor_writes_after_the_second_one(hudi):
    """Its instant is committed, and so each file counts that has its name."""
    twice = _walked(lambda run: "|" in str(_rows(run)))
    assert [key for key, _ in both(hudi, *twice).rows] == ["1", "1", "2", "2"]


def test_both_are_told_that_they_have_clustered(hudi):
    """One instant has two completed files."""
    live = both(hudi, *_walked(lambda run: _ends(run) == {"c1": "ok", "w1": "ok"}))
    requested = [instant.requested for instant in live.instants]
    assert len(requested) > len(set(requested))


def test_who_finds_nothing_inflight_carries_the_plan_out(hudi):
    """The other one is refused: the plan is inflight by then."""
    kept = _walked(lambda run: not run.failure and coverage.CLUSTERED in run.coverage and "fail" in _ends(run).values())
    assert [key for key, _ in both(hudi, *kept).rows] == ["1", "2"]


@pytest.mark.parametrize("name", KEPT)
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows, of runs in an order drawn at random."""
    both_at_random(hudi, name, EACH)
