"""Every interleaving of the writers' `load` and `commit` steps on the real Java commit loop.

Depth first over the choices of who goes next, each schedule run from the start on a table of its own. What the schedule
space looks like is not assumed: which steps come next is seen from the real loop each time, so a retry opens the
choices that it really opens.

Choices: steps are the yield points of the gate; what a writer does between two of them is one block, which is sound
because writers meet in the catalog only (their files have names of their own).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from real_backend.gating.gate import Gate
from real_backend.gating.journal import Played
from real_backend.gating.play import start
from real_backend.iceberg.rest_gate import YIELD_POINTS
from sim.kernel.schedule import Schedule, steps_of

LIMIT = 5_000
Run = TypeVar("Run", bound=Played, covariant=True)


class Live(Protocol[Run]):
    """What runs workloads of the Java API, on one table or on several."""

    def run(self, workload: Any, schedule: Callable[[Gate], None]) -> Run:
        """Run the workload, released by the function."""
        ...


class TooMany(RuntimeError):
    """There are more interleavings than the limit. Raise the limit, or take fewer writers or statements."""


@dataclass(frozen=True, slots=True)
class Interleaving(Generic[Run]):
    """One schedule, as the list of all its steps, and the run of it."""

    schedule: Schedule
    run: Run


def interleavings(
    live: Live[Run], workload: Any, *, scenario: str = "iceberg/java-api", limit: int = LIMIT
) -> Iterator[Interleaving[Run]]:
    """All interleavings, in a fixed order.

    Args: `limit` bounds their number. Raises: `TooMany` if there are more.
    """
    prefix: list[int] = []
    done = 0
    while True:
        if done == limit:
            raise TooMany(f"interleavings of {len(workload.actors)} writers: expected at most {limit}, there are more")
        met: list[int] = []
        run = live.run(workload, _follow(prefix, met))
        done += 1
        yield Interleaving(Schedule(scenario, steps_of(" ".join(run.steps)), YIELD_POINTS), run)
        taken = prefix + [0] * (len(met) - len(prefix))
        while taken and taken[-1] + 1 >= met[len(taken) - 1]:
            taken.pop()
        if not taken:
            return
        taken[-1] += 1
        prefix = taken


def _follow(prefix: list[int], met: list[int]) -> Callable[[Gate], None]:
    """Take the prefix's choices, then always the first writer; note how many there were to choose from."""

    def follow(gate: Gate) -> None:
        start(gate)
        while ready := [actor for actor in gate.unfinished if gate.can_go(actor)]:
            chosen = prefix[len(met)] if len(met) < len(prefix) else 0
            met.append(len(ready))
            gate.release(ready[chosen])

    return follow
