"""From a schedule, the simulator's or one written by hand, to the steps that the storage gate can play.

The simulator's steps that have a live counterpart keep their place and get the role of their path as resource; its
reads happen unseen between two steps. Steps at the client's own calls (`start`, `upsert`, `insert`, `commit`, ...)
are for schedules written by hand: the gate has them only if the schedule names one.
"""

from collections.abc import Iterable
from dataclasses import replace

from real_backend.hudi.points import GRAIN, MUTEX, ROLES, resource_of
from real_backend.play import END
from sim.schedule import Schedule, ScheduleError, Step, steps_of

CLIENT_CALLS = ("start", "upsert", "insert", "commit", "clean", "close")
Playable = Schedule | Iterable[Step] | str


def grain_of(steps: Iterable[Step]) -> tuple[str, ...]:
    """The operations that are steps when these are to be played."""
    named = {step.point for step in steps}
    return (*GRAIN, *(call for call in CLIENT_CALLS if call in named))


def live_steps(schedule: Playable) -> tuple[Step, ...]:
    """The steps to play. Raises: `ScheduleError` if a step that would be dropped carries a fault."""
    kept = []
    for step in schedule.steps if isinstance(schedule, Schedule) else steps_of(schedule):
        translated = _translated(step)
        if translated is not None:
            kept.append(translated)
        elif step.fault:
            raise ScheduleError(
                f"step {step}: expected a fault at one of {', '.join(GRAIN)} on {', '.join(ROLES)} or {MUTEX} "
                "(the steps of this live system)"
            )
    return tuple(kept)


def _translated(step: Step) -> Step | None:
    if step.point == END or step.point in CLIENT_CALLS:
        return step
    if step.point not in GRAIN:
        return replace(step, point="create") if step.point == "rename" else None
    if step.resource is None or step.resource in (*ROLES, MUTEX):
        return step
    resource = resource_of(step.point, step.resource)
    return None if resource is None else replace(step, resource=resource)
