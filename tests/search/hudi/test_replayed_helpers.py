"""Runs in which a fault hits a helper, a heartbeat or a renewal, are played again by their schedules."""

import pytest

from sim.hudi.generate import GENERATOR
from sim.search.run import Runner
from sim.search.script import schedule_of
from sim.search.strategies.pct import walk_of

RUNS = {
    "a process dies by a helper's call while it sleeps": ("storage-lock", 50_009, 4),
    "two helpers of one process": ("storage-lock", 50_010, 12),
    "a clock steps at a helper's call": ("metastore-lock-short", 50_003, 5),
    "a helper is paused beside a call that is": ("metastore-lock-short", 50_024, 2),
    "a helper is paused, and is gone when it goes on": ("metastore-lock-short", 50_024, 9),
}


@pytest.mark.search
@pytest.mark.parametrize("named", RUNS)
def test_a_fault_at_a_helper_is_played_again_by_its_schedule(named):
    """The same trace, step by step."""
    configuration, seed, walk = RUNS[named]
    settings = GENERATOR.configurations[configuration]
    runner = Runner(GENERATOR.make(GENERATOR.source(seed, settings), settings))
    run = runner.run(walk_of(walk, 60, 0.1))
    assert any("-" in actor for _, actor, _ in run.injected)
    assert runner.play(schedule_of(run).steps).trace == run.trace
