"""One gated run on a live system, from its tables to what is read back: the skeleton of every live runner.

A live system says in a `LiveRace` what it does in each of these steps, and `run_gated` makes them: the tables, ungated;
the gate; each actor on a thread of its own, launched when the schedule first wants it; the schedule; everybody left to
the end; everything read back, always, since an error alone does not tell what became of the tables; the end.

A run that cannot go on is given up: whatever is blocked ends in `Abandoned`, the actors are awaited, and one that hangs
is left to itself. Every wait has an end.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Generic, TypeVar

from real_backend.gating.actors import END_S, Workers
from real_backend.gating.gate import EVERY, WAIT_S, Gate, InterpositionPoint
from real_backend.gating.play import play
from sim.kernel.schedule import Step

SETUP = "setup"
Result = TypeVar("Result")
Playing = Sequence[Step] | Callable[[Gate], None]


class LiveRace(ABC, Generic[Result]):
    """One run of some actors on a live system, to be run once. What it has no need of it leaves as it is here.

    Args: as `Gate`. The race's own `gate` lets everybody pass until the run begins.
    """

    def __init__(
        self, actors: Iterable[str], yield_points: Collection[str] = EVERY, helpers: Iterable[str] = ()
    ) -> None:
        self.actors = tuple(actors)
        self.yield_points = yield_points
        self.helpers = tuple(helpers)
        self.gate = Gate(())

    def make(self) -> None:
        """Make the tables. Called on `setup`'s thread, while nothing is gated."""

    def install(self) -> None:
        """Put the run's gate, which is in `gate` from now on, before the live system."""

    @abstractmethod
    def act(self, actor: str) -> None:
        """Do what an actor does. Called on its own thread; what it raises is a fault of ours, never an outcome."""

    def can_fault(self, operation: str, fault: str) -> bool:
        """Whether this live system can commit the fault at the operation."""
        return False

    def is_passable(self, at: InterpositionPoint) -> bool:
        """Whether a step is on offer now."""
        return True

    def play(self, steps: Sequence[Step]) -> None:
        """Release the gate as these steps say, then run everybody to the end."""
        play(self.gate, steps)

    @abstractmethod
    def read_back(self) -> Result:
        """Read everything back. Called on `setup`'s thread, all actors having ended."""

    def close(self) -> None:
        """Take the gate away and leave nothing behind, however the run ended. Called on `setup`'s thread."""


def run_gated(workers: Workers, race: LiveRace[Result], schedule: Playing, timeout_s: float = WAIT_S) -> Result:
    """Run a race as the schedule says, and return what was read back.

    Args: `schedule` is the steps to play, or a function that releases the gate itself; replies are steps of their own
    if it names one; `timeout_s` bounds the wait for each step.
    Raises: `Divergence` if a step is not on offer; `BackendTimeout`; what an actor raised. All actors have ended then,
    and the race is closed.
    """
    try:
        workers.call(SETUP, race.make, "making the tables")
        _run_actors(workers, race, schedule, timeout_s)
        return workers.call(SETUP, race.read_back, "reading everything back")
    finally:
        workers.call(SETUP, race.close, "closing what a run leaves")


def _run_actors(workers: Workers, race: LiveRace[Result], schedule: Playing, timeout_s: float) -> None:
    raised: list[BaseException] = []

    def act(actor: str) -> None:
        try:
            race.act(actor)
        except BaseException as error:
            raised.append(error)
        gate.finish(actor)

    gate = race.gate = Gate(
        race.actors,
        lambda actor: workers.submit(actor, partial(act, actor)),
        yield_points=race.yield_points,
        faults=race.can_fault,
        split_replies=not callable(schedule) and any(step.reply for step in schedule),
        passable=race.is_passable,
        helpers=race.helpers,
        timeout_s=timeout_s,
    )
    race.install()
    try:
        if callable(schedule):
            schedule(gate)
        else:
            race.play(schedule)
    except BaseException as error:
        why = raised[0] if raised else None  # an actor that ended too early is why a step is missing
        gate.abandon(f"the run was given up: {error}")
        _await_end(workers, gate)
        if why is not None:
            raise why from error
        raise
    if raised:
        raise raised[0]


def _await_end(workers: Workers, gate: Gate) -> None:
    deadline = time.monotonic() + END_S
    while gate.running and time.monotonic() < deadline:
        time.sleep(0.01)
    for actor in gate.running:
        workers.forget(actor)
