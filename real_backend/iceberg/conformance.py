"""Does the real Iceberg do what the simulation said? A simulated run beside a live one of the same schedule."""

from real_backend.gating.observed import Conformance, Observed, compare, observed
from real_backend.iceberg.history import history_of
from real_backend.iceberg.live_run import LiveRun
from real_backend.iceberg.refusals import kind_of
from sim.iceberg.left import in_words, sql_in_words
from sim.search.run import Run
from sim.search.script import all_steps


def conform(run: Run, live: LiveRun, *, steps: bool = True) -> Conformance:
    """Compare a simulated run with a live one of the same schedule. `steps`: compare step by step, too."""
    return compare(simulated(run, steps=steps), observed_live(live, steps=steps))


def simulated(run: Run, *, steps: bool = True) -> Observed:
    """What a simulated run saw, at the yield points of the live gates."""
    live = run.scenario.live
    assert live is not None, f"scenario {run.scenario.name}: expected one with a live counterpart"
    made = tuple(map(str, all_steps(run.trace, live.yield_points[0], resources=False))) if steps else None
    left = sql_in_words if live.workload.in_sql else in_words
    return observed(run.events, live.workload.actors, made, kind_of, left(run.left))


def observed_live(live: LiveRun, *, steps: bool = True) -> Observed:
    """What a live run saw."""
    return observed(history_of(live).events, live.workload.actors, live.steps if steps else None, kind_of, live.left)
