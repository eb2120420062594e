"""A search of a Hudi scenario in which only the steps of its live counterpart are steps.

The default plan searches at the scenario's own yield points, and some of what it finds has no projection. Live tests
want a failure that the real Hudi can be put through.
"""

from sim.search.explore import deviating
from sim.search.projection import can_play
from sim.search.result import broken_by
from sim.search.run import Runner


def found_live(scenario, *, deviations=3, limit=5_000):
    """The smallest run with at most so many deviations that a live gate can make and that breaks what the scenario
    expects to break; None if there is none."""
    for yield_points in scenario.live.yield_points:
        runner = Runner(scenario, yield_points=yield_points)
        for number, (_, run) in enumerate(deviating(runner, deviations), 1):
            if run.failure and scenario.broken in (None, broken_by(run)) and can_play(scenario.live, run):
                return run
            if number >= limit:
                break
    return None
