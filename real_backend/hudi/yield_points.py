"""From a schedule, the simulator's or one written by hand, to the steps that the storage gate can play.

The simulator's steps that have a live counterpart keep their place and get the role of their path as resource; its
other reads happen unseen between two steps. The operations that are steps are those of the schedule's own yield points
that the gate has. The client's calls `start`, `commit` and `close` are steps only if a schedule written by hand names
them.
"""

from collections.abc import Iterable
from dataclasses import replace

from real_backend.gating.play import END
from real_backend.hudi.interposition import MUTEX, ROLES, TIMELINE_ROLE, resource_of
from sim.hudi.live import FAULTY, LIST, SLEEP, YIELD_POINTS
from sim.kernel.schedule import Schedule, ScheduleError, Step, steps_of

CLIENT_CALLS = ("start", "commit", "close")
RESOURCES = (*ROLES, MUTEX, TIMELINE_ROLE)
Playable = Schedule | Iterable[Step] | str


def yield_points_of(schedule: Playable, steps: Iterable[Step]) -> tuple[str, ...]:
    """The operations that are steps when `steps`, made from `schedule`, are to be played."""
    named = {step.operation for step in steps}
    own = schedule.yield_points if isinstance(schedule, Schedule) else ("*",)
    return (
        *(operation for operation in YIELD_POINTS if own == ("*",) or operation in own),
        *(call for call in CLIENT_CALLS if call in named),
    )


def live_steps(schedule: Playable) -> tuple[Step, ...]:
    """The steps to play. Raises: `ScheduleError` if a step carries a fault that is dropped or that Java never sees."""
    kept = []
    for step in schedule.steps if isinstance(schedule, Schedule) else steps_of(schedule):
        translated = translated_step(step)
        if step.fault and (translated is None or not _can_fail(translated)):
            raise ScheduleError(
                f"step {step}: expected a fault at one of {', '.join(FAULTY)} on {', '.join((*ROLES, MUTEX))} "
                "(the steps of this live system)"
            )
        if translated is not None:
            kept.append(translated)
    return tuple(kept)


def _can_fail(step: Step) -> bool:
    """Whether Java reports a step: the client's own calls have no resource."""
    return step.operation in FAULTY and not (step.operation in CLIENT_CALLS and step.resource is None)


def translated_step(step: Step) -> Step | None:
    """The live step that a step means; None if there is none."""
    if step.operation == END or (step.operation in CLIENT_CALLS and step.resource is None):
        return step
    if step.operation == "rename":
        step = replace(step, operation="create")
    if step.operation not in YIELD_POINTS:
        return None
    if step.operation == SLEEP or step.resource is None or step.resource in RESOURCES:
        return step
    resource = resource_of(step.operation, step.resource)
    if resource is None or (step.operation == LIST) != (resource == TIMELINE_ROLE):
        return None
    return replace(step, resource=resource)
