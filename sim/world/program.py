"""From a story, which prepares, starts and finishes the runs of a race, to the scenario that asks a question of it."""

from __future__ import annotations

from typing import Any, Protocol

from sim.world.scenario import Scenario
from sim.world.simulation import Stage


class Story(Protocol):
    """One workload under one set of rules."""

    def prepare(self, stage: Stage) -> Any: ...
    def start(self, stage: Stage) -> None: ...
    def finish(self, stage: Stage) -> None: ...


def scenario_of(
    story: Story, name: str, *, broken: str | None = None, pair: str | None = None, **fields: Any
) -> Scenario:
    """The scenario `name` of a story.

    Args: `broken`: the property that is expected to break, if one is; `pair`: the other scenario's name within the same
    protocol; `fields`: those of `Scenario`.
    """
    protocol = name.partition("/")[0]
    return Scenario(
        name=name,
        prepare=story.prepare,
        start=story.start,
        finish=story.finish,
        expect="violated" if broken else "holds",
        broken=broken,
        pair=f"{protocol}/{pair}" if pair else None,
        **fields,
    )
