"""A search judges each history once, whatever schedules leave it."""

import pytest

import sim.search.run as run_module
from checkers.verdict import judge
from sim.search.run import Runner
from sim.search.strategies import RandomWalk
from tests.search.planted_races import check_then_set

WALKS = 60


@pytest.mark.parametrize("kept", [run_module.JUDGED, 1])
def test_a_history_is_judged_once_as_long_as_it_is_remembered(monkeypatch, kept):
    """What is told of it is what its judge says; who remembers one alone judges more often."""
    judged = []

    def counted(events, properties):
        judged.append(events)
        return judge(events, properties)

    monkeypatch.setattr(run_module, "judge", counted)
    monkeypatch.setattr(run_module, "JUDGED", kept)
    runner = Runner(check_then_set(2))
    runs = [runner.run(RandomWalk(seed)) for seed in range(WALKS)]
    assert {run.failure is None for run in runs} == {True, False}
    assert all((run.failure, run.indeterminate) == judge(run.events, run.scenario.properties) for run in runs)
    different = len({run.events for run in runs})
    assert len(judged) == different < WALKS if kept > 1 else different < len(judged) < WALKS
