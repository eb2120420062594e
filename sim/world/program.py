"""A program prepares, starts and finishes the runs of a workload; `scenario_of` asks a question of it."""

from __future__ import annotations

from typing import Any, Protocol

from sim.world.scenario import Scenario
from sim.world.simulation import Simulation


class Program(Protocol):
    """One workload under one set of rules."""

    def prepare(self, simulation: Simulation) -> Any: ...
    def start(self, simulation: Simulation) -> None: ...
    def finish(self, simulation: Simulation) -> None: ...


def scenario_of(
    program: Program, name: str, *, broken: str | None = None, pair: str | None = None, **fields: Any
) -> Scenario:
    """The scenario `name` of a program.

    Args: `broken`: the property that is expected to break, if one is; `pair`: the other scenario's name within the same
    protocol; `fields`: those of `Scenario`.
    """
    protocol = name.partition("/")[0]
    return Scenario(
        name=name,
        prepare=program.prepare,
        start=program.start,
        finish=program.finish,
        expect="violated" if broken else "holds",
        broken=broken,
        pair=f"{protocol}/{pair}" if pair else None,
        **fields,
    )
