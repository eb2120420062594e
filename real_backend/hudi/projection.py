"""The live twin of a simulated run: the schedule that the storage gate can play, and the simulated run of its steps.

A simulated run has a step for every port call; a live one has fewer (`interposition`). So a schedule is found, or found
again, where only the live steps are steps: then both sides make the same decisions.

Choices: a wait is one live step, in the place where the simulated one ends. In a live run time goes on by itself, so a
run in which a heartbeat arrives between two steps after a wait has no twin: when it would arrive is not ours to say.
"""

from collections.abc import Iterator
from dataclasses import replace

from real_backend.hudi.interposition import HEARTBEAT, LIST, SLEEP, YIELD_POINTS
from real_backend.hudi.options import ungated_of
from real_backend.hudi.storage import can_fault
from real_backend.hudi.yield_points import translated_step
from sim.hudi.workload import Clean, HudiWorkload
from sim.kernel.kernel import SLEEPS_ON
from sim.kernel.schedule import Divergence, Schedule, Step
from sim.kernel.trace import Row
from sim.search.explore import deviating
from sim.search.run import Run, Runner
from sim.search.script import all_steps, compact
from sim.world.scenario import Scenario

CHANGES = tuple(operation for operation in YIELD_POINTS if operation != LIST)
YIELD_POINT_SETS = (CHANGES, YIELD_POINTS)
Twin = tuple[Schedule, Run]


def live_twin(run: Run) -> Twin | None:
    """The same schedule with only the live steps as steps; None if it does not end in the same failure then."""
    for yield_points in YIELD_POINT_SETS:
        coarse_steps = compact(all_steps(run.trace, yield_points), run.unfinished)
        try:
            coarse = Runner(run.scenario, yield_points=yield_points).play(coarse_steps)
        except Divergence:
            continue
        if coarse.failure == run.failure and is_playable(coarse):
            return live_schedule(coarse), coarse
    return None


def found_live(scenario: Scenario, *, deviations: int = 3, limit: int = 5_000) -> Twin | None:
    """The smallest failure of a scenario that the simulator finds with only the live steps as steps.

    Args: `deviations` is how many switches away from first come, first served it may be; `limit` bounds the runs.
    """
    for yield_points in YIELD_POINT_SETS:
        runner = Runner(scenario, yield_points=yield_points)
        for number, (_, run) in enumerate(deviating(runner, deviations), 1):
            if run.failure is not None and is_playable(run):
                return live_schedule(run), run
            if number >= limit:
                break
    return None


def live_schedule(run: Run) -> Schedule:
    """The schedule of a run at live yield points, in the live gate's names; short, unless it has to go around locks."""
    meta = (("property", run.failure.split("/")[0]),) if run.failure else ()
    hidden = ungated_of(workload_of(run))
    steps = every_step(run) if hidden else compact(tuple(steps_of_run(run)), run.unfinished)
    return Schedule(run.scenario.name, steps, tuple(run.yield_points or YIELD_POINTS), meta)


def every_step(run: Run) -> tuple[Step, ...]:
    """Each step of a run at live yield points, and before it what only the live side does.

    A run to an actor's end, or past a lock that is no step, would take what the simulated one did later.
    """
    return tuple(each for step in steps_of_run(run) for each in (replace(step, exact=False, fault=None), step))


def is_playable(run: Run) -> bool:
    """Whether the storage gate can make every step of a run at live yield points."""
    beats = any(task.partition(f"-{HEARTBEAT}")[1] for _, task, *_ in run.trace)
    ungated = ungated_of(workload_of(run))
    return not beats and all(can_fault(operation, fault, ungated) for fault, _, operation in run.injected)


def steps_of_run(run: Run) -> Iterator[Step]:
    """The steps of a run at live yield points in live names, without those that a live run has not."""
    workload = workload_of(run)
    writers = workload.writers
    ungated = ungated_of(workload)
    sleepers = {actor for actor, todo in writers if any(isinstance(s, Clean) and s.after_ms for s in todo)}
    begins: dict[str, bool] = {}
    for row in run.trace:
        step = _translated(row, run.yield_points)
        if step is None or step.operation in ungated or (step.operation == SLEEP and step.actor not in sleepers):
            continue
        if step.operation == LIST:
            if not begins.get(step.actor, True):
                continue
            begins[step.actor] = False
        elif step.operation == SLEEP or step.resource == HEARTBEAT:
            begins[step.actor] = True
        yield step


def _translated(row: Row, yield_points: tuple[str, ...] | None) -> Step | None:
    _, task, operation, resource, _, value, fault = row
    if (yield_points is not None and operation not in yield_points) or value == SLEEPS_ON:
        return None
    if operation == "delete" and value is False:
        return None  # there was nothing to delete
    named = None if operation == SLEEP else resource
    return translated_step(Step(task, operation, True, named, False, fault or None))


def workload_of(run: Run) -> HudiWorkload:
    """The workload of a run's scenario."""
    workload: object = run.scenario.workload
    assert isinstance(workload, HudiWorkload), f"scenario {run.scenario.name}: expected one with a live twin"
    return workload
