"""Does the Java API on a real Hive catalog do what the simulation said? The steps are the calls of the metastore.

Choices: a simulated `lock` asks, and is granted at the unlock before it; a live one is on offer only then.
"""

from real_backend.gating.observed import Conformance, Observed, compare, observed
from real_backend.iceberg.conformance import observed_live
from real_backend.iceberg.conformance_over_metastores import as_granted
from real_backend.iceberg.java_hive import YIELD_POINTS
from real_backend.iceberg.live_run import LiveRun
from real_backend.iceberg.refusals import kind_of
from sim.iceberg.left import in_words
from sim.kernel.schedule import Step
from sim.search.run import Run
from sim.search.script import all_steps


def conform(run: Run, live: LiveRun) -> Conformance:
    """Compare a simulated run with a live one of the same schedule."""
    return compare(simulated(run, live.workload.actors), observed_live(live))


def simulated(run: Run, actors: tuple[str, ...]) -> Observed:
    """What the simulated run saw."""
    return observed(run.events, actors, tuple(map(str, live_steps(run))), kind_of, in_words(run.left))


def live_steps(run: Run) -> tuple[Step, ...]:
    """The steps of a simulated run, each `lock` where it is granted."""
    return tuple(as_granted(all_steps(run.trace, YIELD_POINTS, resources=False)))
