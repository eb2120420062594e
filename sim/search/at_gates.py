"""Random runs that a live system can follow: at the steps of its gates, with faults that they can inject."""

from __future__ import annotations

from collections.abc import Iterator

from sim.kernel.faults import FaultBudget
from sim.search.projection import Played, can_play
from sim.search.run import Runner
from sim.search.script import schedule_of
from sim.search.strategies import RandomWalk
from sim.world.live import Live
from sim.world.scenario import FaultSpace, Scenario

TRIES = 16


def runs_at_gates(scenario: Scenario, seed: int, tries: int = TRIES) -> Iterator[Played]:
    """Draw random runs of a scenario, its live counterpart's sets of yield points in turn.

    Args: `tries` are drawn from the seed (from 1). Yields those that come to an end and that the gates can play: all of
    them, or none if there is no live counterpart.
    """
    live = scenario.live
    if live is None:
        return
    space = scenario.faults
    kinds = injectable(space, live)
    runners = [Runner(scenario, yield_points=yield_points) for yield_points in live.yield_points]
    for number in range(tries):
        faults = FaultBudget(kinds, space.limit, space.actors, space.extent)
        run = runners[number % len(runners)].run(RandomWalk(seed * tries + number), faults)
        if run.complete and can_play(live, run):
            yield Played(schedule_of(run), run)


def injectable(space: FaultSpace, live: Live) -> dict[str, tuple[str, ...]]:
    """The kinds of faults of a space that the gates can inject, by operation."""
    able = space.kinds if live.faults is None else live.faults
    kinds = {at: tuple([kind for kind in known if kind in able.get(at, ())]) for at, known in space.kinds.items()}
    return {at: some for at, some in kinds.items() if some}
