"""Playing a schedule on a gate: exact steps, run-up-to steps, ends, faults; then everybody left runs to the end.

The meaning of each step is the simulator's (`sim.search.strategies.scripted`), so that one text drives both.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from real_backend.gating.gate import Gate, InterpositionPoint
from sim.kernel.schedule import Divergence, Schedule, ScheduleError, Step, steps_of

END = "end"


def play(gate: Gate, steps: Sequence[Step]) -> None:
    """Release the gate's actors as these steps say, then run the rest to the end in the actors' order.

    First each actor in turn runs up to its first step, as the simulator does with its tasks.

    Raises: `Divergence` as `follow`.
    """
    follow(gate, steps)
    run_rest(gate)
    gate.free_helpers()


def follow(gate: Gate, steps: Sequence[Step]) -> None:
    """Run up to every actor's first step, then release the actors as these steps say; who is left stays where it is.

    Raises: `Divergence` with what was wanted, who stands where and what happened so far, if a step is not on offer.
    """
    start(gate)
    for number, step in enumerate(steps, 1):
        try:
            _make(gate, step)
        except Divergence as divergence:
            raise Divergence(f"step {number} of {len(steps)}: wanted {step}: {divergence}") from None


def run_rest(gate: Gate) -> None:
    """Run every actor to its end: each step is made by the first of them, in their order, that can go.

    Raises: `Divergence` if all that are left wait for each other.
    """
    while unfinished := gate.unfinished:
        actor = next((each for each in unfinished if gate.can_go(each)), None)
        if actor is None and gate.unfinished:
            raise Divergence(f"expected an actor that can go, got none; {gate.where()}")
        if actor is not None:
            gate.release(actor)


def start(gate: Gate) -> None:
    """Launch the actors, one after the other, each up to its first step."""
    for actor in gate.actors:
        gate.await_blocked(actor)


def run_to_end(gate: Gate, actor: str) -> None:
    """Release the actor until it has finished."""
    while gate.await_blocked(actor) is not None:
        gate.release(actor)


def _make(gate: Gate, step: Step) -> None:
    if not step.exact and step.operation == END:
        return run_to_end(gate, step.actor)
    if step.exact:
        _expect(gate, step, gate.await_blocked(step.actor))
        return gate.release(step.actor, step.fault)
    while (at := gate.await_blocked(step.actor)) is not None and not matches(step, at):
        gate.release(step.actor)
    return _expect(gate, step, at)


def _expect(gate: Gate, step: Step, at: InterpositionPoint | None) -> None:
    if at is None:
        raise Divergence(f"{step.actor} has finished; {gate.where()}")
    if not matches(step, at):
        raise Divergence(f"{step.actor} stands at {at}; {gate.where()}")


def matches(step: Step, at: InterpositionPoint) -> bool:
    """Whether the step is the one at this interposition point; a resource counts when both have one."""
    return (
        step.actor == at.actor
        and step.operation == at.operation
        and step.reply == at.reply
        and (step.resource is None or at.resource is None or step.resource == at.resource)
    )


def at_yield_points(schedule: Schedule | Iterable[Step] | str, operations: Collection[str]) -> tuple[Step, ...]:
    """The steps that a gate with these operations can play: other steps happen unseen between its own.

    Resources are dropped, for a live system has names of its own for them.
    Raises: `ScheduleError` if a step that would be dropped carries a fault.
    """
    kept = []
    for step in schedule.steps if isinstance(schedule, Schedule) else steps_of(schedule):
        if step.operation in operations or step.operation == END:
            kept.append(replace(step, resource=None))
        elif step.fault:
            raise ScheduleError(
                f"step {step}: expected a fault at one of {', '.join(operations)} (the steps of this live system), "
                f"got one at {step.operation}"
            )
    return tuple(kept)
