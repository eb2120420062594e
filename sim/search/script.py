"""From a run to its schedule, which replays it.

A compact schedule names only the switches: "run w1 up to its commit, w2 to its end, ...". It means the same as the
list of all steps, and survives edits of the code between the named ones.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sim.kernel.schedule import WRITABLE, Schedule, Step
from sim.kernel.trace import Row
from sim.search.run import Run
from sim.world.scenario import MAX_STEPS

EVERY = ("*",)


def all_steps(
    trace: Sequence[Row], yield_points: Collection[str] | None = None, *, resources: bool = True
) -> tuple[Step, ...]:
    """Every traced step of the yield points, exact. A resource that the language cannot write is left out."""
    return tuple(
        _step(task, operation, resource if resources and WRITABLE.fullmatch(resource) else None, fault)
        for _, task, operation, resource, _, _, fault in trace
        if yield_points is None or operation.removesuffix("/reply") in yield_points
    )


def _step(task: str, operation: str, resource: str | None, fault: str) -> Step:
    return Step(task, operation.removesuffix("/reply"), True, resource, operation.endswith("/reply"), fault or None)


def compact(steps: Sequence[Step], unfinished: Collection[str] = ()) -> tuple[Step, ...]:
    """The same schedule by its switches: runs of one actor become run-up-to steps; faults stay exact steps.

    Args: `unfinished` names the actors that did not run to their end (daemons, crashed ones): they stop where they did.
    """
    short: list[Step] = []
    begin = 0
    while begin < len(steps):
        actor = steps[begin].actor
        end = begin
        while end < len(steps) and steps[end].actor == actor:
            end += 1
        following = next((step for step in steps[end:] if step.actor == actor), None)
        short += _segment(steps[begin:end], following, actor in unfinished)
        begin = end
    return tuple(short)


def _segment(steps: Sequence[Step], following: Step | None, unfinished: bool) -> list[Step]:
    """One actor's run: up to what stands out (a fault, what looks like it or like the place to stop), and then on."""
    actor = steps[0].actor
    stop = (
        _up_to(following) if following is not None else _up_to(steps[-1]) if unfinished else Step(actor, "end", False)
    )
    looks = [stop, *(_up_to(step) for step in steps if step.fault)]
    short: list[Step] = []
    skipped = False
    for step in steps:
        if _up_to(step) in looks:
            short += [_up_to(step), step] if skipped else [step]
            skipped = False
        else:
            skipped = True
    return short if following is None and unfinished else [*short, stop]


def _up_to(step: Step) -> Step:
    return Step(step.actor, step.operation, False, step.resource, step.reply)


def schedule_of(run: Run, yield_points: Collection[str] | None = None, *, resources: bool | None = None) -> Schedule:
    """The run's schedule, compact.

    Args: `yield_points` are the operations that it names (default: the run's steps); `resources` whether a step has its
    resource (default: only where every port call is a step).
    """
    yield_points = yield_points if yield_points is not None else run.yield_points
    with_resources = yield_points is None if resources is None else resources
    steps = compact(all_steps(run.trace, yield_points, resources=with_resources), run.unfinished)
    meta = [("property", run.failure.split("/")[0])] if run.failure else []
    if run.scenario.max_steps != MAX_STEPS:
        meta.append(("max-steps", str(run.scenario.max_steps)))
    if run.injected:
        meta.append(
            ("faults", ", ".join(f"{fault} at {actor}.{operation}" for fault, actor, operation in run.injected))
        )
    return Schedule(run.scenario.name, steps, tuple(yield_points) if yield_points else EVERY, tuple(meta))
