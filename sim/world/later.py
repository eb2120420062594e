"""Programs that are imported when they first run: who only lists scenarios does not wait for a library under test."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sim.kernel.escape import imported
from sim.world.program import Program
from sim.world.simulation import Simulation


@dataclass(frozen=True, slots=True)
class Later:
    """The program that "module:NAME" makes of `arguments`, which can be hashed."""

    named: str
    arguments: tuple[Hashable, ...]

    def prepare(self, simulation: Simulation) -> Any:
        """As the program's."""
        return _made(self).prepare(simulation)

    def start(self, simulation: Simulation) -> None:
        """As the program's."""
        _made(self).start(simulation)

    def finish(self, simulation: Simulation) -> None:
        """As the program's."""
        _made(self).finish(simulation)


@lru_cache
def _made(later: Later) -> Program:
    module, _, name = later.named.partition(":")
    made: Program = getattr(imported(module), name)(*later.arguments)
    return made
