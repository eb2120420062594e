"""Races on several tables of a REST catalog, live and simulated: where they run, and whether they agree."""

import itertools
from collections.abc import Iterator
from contextlib import closing, contextmanager

from real_backend.gating.actors import Workers
from real_backend.gating.gate import WAIT_S
from real_backend.gating.observed import Conformance, Observed, compare, observed
from real_backend.gating.play import at_yield_points
from real_backend.gating.race import run_gated
from real_backend.iceberg.bare_jvm import bare_jvm
from real_backend.iceberg.java_api import Playing
from real_backend.iceberg.java_files import JavaFiles
from real_backend.iceberg.java_start import Starts
from real_backend.iceberg.refusals import kind_of
from real_backend.iceberg.rest_gate import YIELD_POINTS
from real_backend.iceberg.several_race import NAMESPACE, LiveSeveral, Race
from real_backend.jvm.jvm import Jvm
from sim.iceberg.several import SeveralTables
from sim.search.run import Run
from sim.search.script import all_steps


class SeveralIceberg:
    """Runs workloads in a JVM that nobody else uses."""

    def __init__(self, jvm: Jvm) -> None:
        self._jvm, self._files, self._workers, self._numbers = jvm, JavaFiles(jvm), Workers(), itertools.count(1)
        self._catalog = jvm.iceberg.inmemory.InMemoryCatalog()
        self._catalog.initialize("several", jvm.java_map({}))
        self._starts = Starts(jvm, self._files, self._catalog, NAMESPACE)
        self._catalog.createNamespace(self._starts.identifier("t").namespace())

    def run(self, workload: SeveralTables, schedule: Playing, timeout_s: float = WAIT_S) -> LiveSeveral:
        """Run the workload as the schedule says and read the tables back.

        Args: `schedule` may be a function that releases the gate itself; `timeout_s` bounds the wait for each step.
        Raises: `Divergence` if a step is not on offer; `ScheduleError`; `BackendTimeout`.
        """
        race = Race(self._jvm, self._files, self._catalog, self._starts, next(self._numbers), workload)
        steps = schedule if callable(schedule) else at_yield_points(schedule, YIELD_POINTS)
        return run_gated(self._workers, race, steps, timeout_s)

    def close(self) -> None:
        """End the writers' threads; the JVM goes on."""
        self._workers.close()


@contextmanager
def several_iceberg() -> Iterator[SeveralIceberg]:
    """The same on a bare JVM, started now and ended on the way out. Raises: `BackendUnavailable`, `BackendTimeout`."""
    with bare_jvm() as jvm, closing(SeveralIceberg(jvm)) as live:
        yield live


def simulated(run: Run) -> Observed:
    """What a simulated run saw, at the steps of the gate."""
    steps = tuple(map(str, all_steps(run.trace, YIELD_POINTS, resources=False)))
    assert run.scenario.live is not None, f"scenario {run.scenario.name}: expected one with a live counterpart"
    return observed(run.events, run.scenario.live.workload.actors, steps, kind_of)


def observed_live(live: LiveSeveral) -> Observed:
    """What a live run saw."""
    return observed(live.history.events, live.actors, live.steps, kind_of)


def conform(run: Run, live: LiveSeveral) -> Conformance:
    """Compare a simulated run with a live one of the same schedule."""
    return compare(simulated(run), observed_live(live))
