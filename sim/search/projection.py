"""From a run to one that a live system can follow: its projection on the steps of the scenario's live counterpart.

A projection is a run of its own: the same order of the steps that live gates have, with everything else happening
between them. It stands for the run only if it fails in the same way, and what is proven of the run is not proven of it:
it has its own count of deviations.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sim.kernel.schedule import Divergence, Schedule
from sim.search.run import Run, Runner
from sim.search.script import schedule_of
from sim.search.shrink import Shrunk
from sim.search.strategies import Scripted
from sim.search.strategies.deviations import default_index
from sim.world.live import Live

if TYPE_CHECKING:
    from sim.kernel.choices import SoFar
    from sim.kernel.kernel import Kernel
    from sim.kernel.task import Call


class Played(NamedTuple):
    """A run, and the schedule that replays it."""

    schedule: Schedule
    run: Run


class Shown(NamedTuple):
    """What a report shows of a scenario: one run, and what is known of it.

    Args: `run` is that run and `schedule` replays it; `live` says in words what became of the way to the live
    counterpart; `shrunk` is the smallest failing run that was found, with its proof (None: nothing failed); `projected`
    is how many deviations `run` has, if it is the projection of that run and not the run itself (None).
    """

    run: Run
    schedule: Schedule
    live: str
    shrunk: Shrunk | None = None
    projected: int | None = None


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


def shown(run: Run, shrunk: Shrunk | None = None) -> Shown:
    """The run's projection, if that covers every counter that the run covers; else the run as it is.

    Args: `shrunk` is what `run` is the run of, if it was shrunk.
    """
    as_it_is, live = schedule_of(run), run.scenario.live
    if live is None:
        return Shown(run, as_it_is, "none, simulated only", shrunk)
    found = projection(run)
    if found is None or not all(found.run.coverage.get(name) for name in _covered(run)):
        return Shown(run, as_it_is, f"{live.system}, but this run has no schedule at the steps of its gates", shrunk)
    words = f"{live.system}, this run is at the steps of its gates"
    if found.run is run:
        return Shown(run, found.schedule, words, shrunk)
    return Shown(found.run, found.schedule, words, shrunk, deviations_of(found))


class _Counting(Scripted):
    """Follows a schedule, and counts where it departs from the default order."""

    deviations = 0

    def pick(self, ready: Sequence[Call], so_far: SoFar) -> int:
        index = super().pick(ready, so_far)
        self.deviations += index != default_index(ready, so_far)
        return index

    def arrives(self, pending: Sequence[Call], kernel: Kernel) -> int | None:
        index = super().arrives(pending, kernel)
        self.deviations += index is not None
        return index


def deviations_of(played: Played) -> int:
    """How many steps and faults of a run are not the default ones, at the steps of its own schedule."""
    scenario = played.run.scenario
    script = _Counting(played.schedule.steps, scenario.faults.extent)
    run = Runner(scenario, yield_points=played.run.yield_points).run(script, script)
    return script.deviations + len(run.injected)


def _steps(run: Run) -> set[str]:
    """The operations that were steps of the run."""
    return {row[2].removesuffix("/reply") for row in run.trace}.intersection(run.yield_points or ())


def _covered(run: Run) -> list[str]:
    return [name for name in run.scenario.counters if run.coverage.get(name)]


def can_play(live: Live, run: Run) -> bool:
    """Whether the live gates can make every step of a run that has only theirs."""
    if any(part in row[1] and not row[6] for row in run.trace for part in live.untimed):
        return False
    if any(run.coverage.get(name) for name in live.left_out) or _is_torn(live, run):
        return False
    if any(row[6] and f"{row[2]} {row[3]}".startswith(live.prompt) for row in run.trace):  # no gate is there to fail
        return False
    return live.faults is None or all(fault in live.faults.get(at, ()) for fault, _, at in run.injected)


def _is_torn(live: Live, run: Run) -> bool:
    """Whether somebody acts within what is one step live."""
    if not (live.joined or live.prompt or live.idle):
        return False
    following = zip(run.trace, run.trace[1:], strict=False)
    return any(
        row[1] != after[1]
        and (
            row[2] in live.joined
            or f"{after[2]} {after[3]}".startswith(live.prompt)
            or (after[2] in live.idle and after[5] is False)
        )
        for row, after in following
    )
