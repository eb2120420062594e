"""From a run to one that a live system can follow: its projection on the steps of the scenario's live counterpart.

A projection is a run of its own: the same order of the steps that live gates have, with everything else happening
between them. It stands for the run only if it fails in the same way.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sim.kernel.schedule import Divergence, Schedule
from sim.search.run import Run, Runner
from sim.search.script import schedule_of
from sim.world.live import Live


class Played(NamedTuple):
    """A run, and the schedule that replays it."""

    schedule: Schedule
    run: Run


class Shown(NamedTuple):
    """What a report shows of a scenario. `live` says in words what became of the way to the live counterpart."""

    run: Run
    schedule: Schedule
    live: str


def projection_on(run: Run, yield_points: Collection[str], *, resources: bool = False) -> Played | None:
    """Play the run's order of these operations alone; None if it does not end in the same failure then.

    Args: `resources`: steps are told apart by their resources, too.
    """
    schedule = schedule_of(run, yield_points, resources=resources)
    try:
        played = Runner(run.scenario, yield_points=yield_points).play(schedule.steps)
    except Divergence:
        return None
    return Played(schedule, played) if played.failure == run.failure else None


def projection(run: Run) -> Played | None:
    """The run at the steps of its live counterpart; None if there is no counterpart, or no such run.

    A run at chosen yield points of which it made only live steps is its own projection.
    """
    live = run.scenario.live
    if live is None:
        return None
    if run.yield_points is not None and _steps(run).issubset(live.yield_points[-1]) and can_play(live, run):
        return Played(schedule_of(run), run)
    for yield_points in live.yield_points:
        found = projection_on(run, yield_points, resources=live.resources)
        if found is not None and can_play(live, found.run):
            return found
    return None


def shown(run: Run) -> Shown:
    """The run's projection, if that covers every counter that the run covers; else the run as it is."""
    as_it_is, live = schedule_of(run), run.scenario.live
    if live is None:
        return Shown(run, as_it_is, "none, simulated only")
    found = projection(run)
    if found is None or not all(found.run.coverage.get(name) for name in _covered(run)):
        return Shown(run, as_it_is, f"{live.system}, but this run has no schedule at the steps of its gates")
    return Shown(found.run, found.schedule, f"{live.system}, this run is at the steps of its gates")


def _steps(run: Run) -> set[str]:
    """The operations that were steps of the run."""
    return {row[2].removesuffix("/reply") for row in run.trace}.intersection(run.yield_points or ())


def _covered(run: Run) -> list[str]:
    return [name for name in run.scenario.counters if run.coverage.get(name)]


def can_play(live: Live, run: Run) -> bool:
    """Whether the live gates can make every step of a run that has only theirs."""
    if any(part in row[1] and not row[6] for row in run.trace for part in live.untimed):
        return False
    return live.faults is None or all(fault in live.faults.get(at, ()) for fault, _, at in run.injected)
