"""A program: what a scenario's clients do. It prepares the services once, then starts and finishes every run.

    class Transfer:
        def prepare(self, simulation): ...  # runs once; what it leaves in the services is the image of every run
        def start(self, simulation): ...    # runs at the beginning of every run, and adds the actors
        def finish(self, simulation): ...   # runs after the last actor has ended

or, from functions of which only the first is needed, `program(start, prepare=open_account)`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from sim.world.checks import require, takes_simulation

if TYPE_CHECKING:
    from sim.world.simulation import Simulation


class Program(Protocol):
    """What the clients of a scenario do."""

    def prepare(self, simulation: Simulation) -> Any:
        """Make the image that every run starts from, in a `simulation` of its own.

        Returns: anything; it is `simulation.prepared` in each run.
        """
        ...

    def start(self, simulation: Simulation) -> None:
        """Add the actors of a run to `simulation`."""
        ...

    def finish(self, simulation: Simulation) -> None:
        """Look at what a run has left in `simulation`, when all actors have ended."""
        ...


def _nothing(simulation: Simulation) -> None:
    """There is nothing to do."""


@dataclass(frozen=True, slots=True)
class _Functions:
    start: Callable[[Simulation], None]
    prepare: Callable[[Simulation], Any]
    finish: Callable[[Simulation], None]


def program(
    start: Callable[[Simulation], None],
    *,
    prepare: Callable[[Simulation], Any] = _nothing,
    finish: Callable[[Simulation], None] = _nothing,
) -> Program:
    """Make a program of functions. Example: `program(start, prepare=open_account)`.

    Args: `start`, `prepare` and `finish` are as the methods of `Program`; without `prepare` every run starts from empty
    services, without `finish` nobody looks at the end.

    Returns: the program.

    Raises: `ValueError` if one of them is no function of a simulation.
    """
    for name, function in (("start", start), ("prepare", prepare), ("finish", finish)):
        require(takes_simulation(function), f"program: {name}", "a function of one argument, the simulation", function)
    return _Functions(start, prepare, finish)
