"""Calls that land after their caller was told that there is no answer, or never."""

from dataclasses import replace
from typing import Any

import pytest

from model.ports import ConnectionLost
from sim.kernel.faults import FaultBudget
from sim.kernel.schedule import steps_of
from sim.search.explore import exhaustive
from sim.search.run import Run, Runner
from sim.search.strategies import RandomWalk
from sim.world.scenario import FaultSpace
from tests.unit.sim.test_faults import _try, heard
from tests.unit.sim.worlds import Small, both, outcomes, scenario


@pytest.mark.parametrize("seed", range(30))
def test_late_call_lands_later_or_never(seed):
    """The caller is told at once; the write comes at any later step."""
    small = Small(RandomWalk(seed, 1.0), faults=FaultBudget({"put": ("late",)}, 1, ("w1",)))
    got = heard(small, lambda: small.store.put("a", 1))
    assert isinstance(got, ConnectionLost)
    assert small.kernel.trace[0][5:] == ("not applied", "late")


def late_commit(simulation):
    register = simulation.world("w1").register
    op = simulation.record.invoke("w1", "write")
    try:
        register.commit("t", 1, "late")
        simulation.record.ok(op)
    except ConnectionLost:
        simulation.record.info(op, f"unknown, then {register.load('t').value}")


LATE = scenario(
    {"w1": late_commit}, prepare=lambda simulation: simulation.services.register.commit("t", 0, "first"),
    faults=FaultSpace({"commit": ("late",)}, 1),
    finish=lambda simulation: simulation.record.version(0, simulation.services.register.current("t").value, None),
)  # fmt: skip


@pytest.mark.parametrize("split", [False, True], ids=["fused", "split"])
def test_late_call_may_land_before_after_or_never(split):
    """All four: no fault; seen by the caller; only after the caller has ended; never."""
    found: Any = outcomes(LATE, prune=False, split_replies=split)[0]
    ends = {(events[1].error, events[-1].snapshot) for events, _ in found}
    unknown = {("unknown, then late", "late"), ("unknown, then first", "late"), ("unknown, then first", "first")}
    assert ends == {(None, "late"), *unknown}


def test_late_call_is_not_injected_again():
    """Nobody waits for its answer; its own arrival may be late enough."""
    runs: list[Run] = []
    exhaustive(replace(LATE, faults=FaultSpace({"commit": ("late", "crash")}, 2)), prune=False, each=runs.append)
    assert {actor for run in runs for _, actor, _ in run.injected} == {"w1"}


def test_late_call_that_lands_after_the_end_replays_by_tape_and_by_schedule():
    """The landing is on the tape, and is a step of its own in the schedule."""
    from sim.search.script import schedule_of

    runs: list[Run] = []
    runner = Runner(LATE)
    exhaustive(LATE, prune=False, each=runs.append)
    for run in runs:
        assert runner.replay(run.tape).digest() == run.digest()
        assert runner.play(schedule_of(run).steps).digest() == run.digest()
    assert any(str(schedule_of(run).steps[-1]) == "w1-late:end" for run in runs)


def test_refused_late_call_is_counted():
    """Nobody hears its answer, but a search can say that it happened."""
    runner = Runner(scenario({
        "w1": lambda simulation: both(_try(lambda: simulation.world("w1").register.commit("t", 1, "w1"))),
        "w2": lambda simulation: both(_try(lambda: simulation.world("w2").register.commit("t", 1, "w2"))),
    }, prepare=lambda simulation: simulation.services.register.commit("t", 0, 1)))  # fmt: skip
    run = runner.play(steps_of("w1.commit!late w2.commit w1-late:end"))
    assert run.coverage["late apply refused"] == 1
