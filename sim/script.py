"""From a run to its schedule, and from a fine schedule to a coarse one that a live gate can play.

A compact schedule names only the switches: "run w1 up to its commit, w2 to its end, ...". It means the same as the
list of all steps, and survives edits of the code between the named ones.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sim.kernel import Row
from sim.run import Run, Runner
from sim.schedule import Divergence, Schedule, Step

EVERY = ("*",)


def all_steps(trace: Sequence[Row], grain: Collection[str] | None = None, *, resources: bool = True) -> tuple[Step, ...]:
    """Every traced step of the grain, exact."""
    return tuple(
        Step(task, operation.removesuffix("/reply"), True, resource if resources else None, operation.endswith("/reply"), fault or None)
        for _, task, operation, resource, _, _, fault in trace
        if grain is None or operation in grain
    )  # fmt: skip


def compact(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The same schedule by its switches: runs of one actor become run-up-to steps; faults stay exact steps."""
    short: list[Step] = []
    begin = 0
    while begin < len(steps):
        actor = steps[begin].actor
        end = begin
        while end < len(steps) and steps[end].actor == actor:
            end += 1
        following = next((step for step in steps[end:] if step.actor == actor), None)
        short += _segment(steps[begin:end], following)
        begin = end
    return tuple(short)


def _segment(steps: Sequence[Step], following: Step | None) -> list[Step]:
    """One actor's run: pass each fault exactly, and each step that looks like the one to stop at; then stop there.

    Where the actor stands at a step already, "run up to it" is left out.
    """
    short: list[Step] = []
    stop = _up_to(following) if following is not None else Step(steps[0].actor, "end", False)
    stands = True
    for step in steps:
        named = step.fault is not None or _up_to(step) == stop
        if named:
            short += [step] if stands else [_up_to(step), step]
        stands = named
    return short if stands and following is not None else [*short, stop]


def _up_to(step: Step) -> Step:
    return Step(step.actor, step.point, False, step.resource, step.reply)


def schedule_of(run: Run, grain: Collection[str] | None = None) -> Schedule:
    """The run's schedule, compact. `grain` projects it on these operations (without resources, as live gates name them)."""
    steps = compact(all_steps(run.trace, grain, resources=grain is None))
    meta = [("property", run.failure.split("/")[0])] if run.failure else []
    if run.struck:
        meta.append(("faults", ", ".join(f"{fault} at {actor}.{operation}" for fault, actor, operation in run.struck)))
    return Schedule(run.scenario.name, steps, tuple(grain) if grain else EVERY, tuple(meta))


def coarsen(run: Run, grain: Collection[str]) -> tuple[Schedule, Run] | None:
    """The run at a coarser grain, if it fails there in the same way: (schedule, run of it). None if it does not."""
    schedule = schedule_of(run, grain)
    try:
        coarse = Runner(run.scenario, grain=grain).play(schedule.steps)
    except Divergence:
        return None
    return (schedule, coarse) if coarse.failure == run.failure else None
