"""Two that carry out one clustering beside a metadata table on the real Hudi 1.2.0, step by step as simulated."""

import pytest

from model.hudi import coverage
from real_backend.hudi.live_steps import live_schedule
from sim.search.projection import can_play
from sim.search.run import Runner
from sim.search.strategies import walk_of
from tests.live.hudi.agreement import BY_NAME, agreed, both_at_random, found, left_unreadable

pytestmark = pytest.mark.live
SCENARIO = BY_NAME["hudi/metadata-executors"]
EACH, WALKS, STEPS = 2, 6_000, 60


def _walked(fits):
    """The first run at the live yield points that `fits`."""
    assert SCENARIO.live is not None
    runner = Runner(SCENARIO, yield_points=SCENARIO.live.yield_points[0])
    runs = (runner.run(walk_of(seed, STEPS)) for seed in range(WALKS))
    return next(run for run in runs if fits(run) and can_play(SCENARIO.live, run))


def _ends(run):
    """What each executor was told in the end."""
    return {one.process: one.type for one in run.events if one.process in ("c1", "w1") and one.type != "invoke"}


def _rows(run):
    """What the last reader saw of rows, by key."""
    read = next(one for one in reversed(run.events) if one.process == "r-final" and one.type != "invoke")
    return {key: value for key, value, *_ in read.reads if key.startswith("row:")}


def test_nobody_can_read_the_table_whose_listing_has_the_file_that_another_one_deleted(hudi):
    """Both are told that they have clustered; who lists folders reads what is left."""
    live = left_unreadable(hudi, "metadata-executors", "does not exist")
    assert live.mislisted
    assert live.mislisted[0].startswith("file-gone")


def test_no_reader_is_told_of_the_file_that_a_committed_executor_has_written(hudi):
    """The other one has taken back its delta commit; who lists folders reads all rows."""
    scenario, schedule, run = found("metadata-executors-unlisted")
    live = agreed(hudi, scenario, run, schedule)
    assert live.mislisted
    assert live.mislisted[0].startswith("file-unlisted")
    assert live.again is not None
    assert len(live.again.rows) > len(live.rows)


def test_all_rows_are_there_twice_when_both_complete_it(hudi):
    """One instant has two completed files, and both files are listed."""
    run = _walked(lambda run: "|" in str(_rows(run)) and coverage.METADATA_WRITTEN_TWICE in run.coverage)
    live = agreed(hudi, SCENARIO, run, live_schedule(run))
    assert [key for key, _ in live.rows] == ["1", "1", "2", "2"]
    requested = [instant.requested for instant in live.instants]
    assert len(requested) > len(set(requested))


def test_who_finds_the_plan_inflight_by_then_is_refused(hudi):
    """Who was to make it inflight, and has looked before the other one did."""
    run = _walked(lambda run: not run.failure and coverage.CREATE_REFUSED in run.coverage)
    live = agreed(hudi, SCENARIO, run, live_schedule(run))
    assert "fail" in _ends(run).values()
    assert [key for key, _ in live.rows] == ["1", "2"]


def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi):
    """Steps, outcomes, completed instants and rows, of runs in an order drawn at random, where who carries it out has a
    heartbeat no more than Hudi has one."""
    both_at_random(hudi, "metadata-executors", EACH)
