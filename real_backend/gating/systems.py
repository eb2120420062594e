"""The live systems, behind one Protocol: which of them runs a scenario, and what became of a schedule on it.

`SYSTEMS` is the table of them. To add one, write a class with the members of `LiveSystem` and put it there.

Choices: a live gate cannot name everything that a simulated step can (a file, a poll without an event), so Hudi and
the composite play the steps of the simulated run in the gate's own names. Imports are where they are needed: a command
without `--live` does without Spark.
"""

from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from typing import TYPE_CHECKING, NamedTuple, Protocol

from checkers.histories.history import Event, History
from real_backend.errors import BackendError
from real_backend.gating.backends import Backends
from real_backend.jvm.jars import JARS
from sim.hive.workload import HiveWorkload
from sim.hudi.workload import HudiWorkload
from sim.iceberg.workload import IcebergWorkload
from sim.kernel.schedule import Schedule, ScheduleError
from sim.search.run import Run
from sim.search.script import all_steps, coarsen, compact
from sim.world.scenario import Scenario

if TYPE_CHECKING:
    from real_backend.gating.conformance import Observed

ICEBERG_YIELD_POINTS = ("load", "commit")
INSPECTED = ("table-invariants", "no-leaks")  # the real table is read back; nobody looks through its files
# What a live history of Hudi does not have: the spans of checking for markers, which check refused, what is left over.
HUDI_UNSEEN = (
    "no-early-refusals", "no-late-refusals", "marker-checks-exclusive", "visible-conflicts-found-early",
    "sound-early-aborts", "clean-at-quiescence",
)  # fmt: skip
ICEBERG_NAMES = {
    "rest": "Spark SQL {spark} with Iceberg {iceberg}, REST catalog",
    "java-api": "Iceberg {iceberg}, Java API",
}
Coarse = tuple[Schedule, Run]


class Replayed(NamedTuple):
    """A schedule on both sides: the gate's trace, the live history, the simulated events, what each side saw.

    `notes` say what was set otherwise than in the simulation.
    """

    trace: tuple[str, ...]
    history: History
    events: tuple[Event, ...]
    simulated: "Observed"
    live: "Observed"
    agrees: bool
    notes: tuple[str, ...] = ()


class LiveSystem(Protocol):
    """One live system."""

    @property
    def unseen(self) -> tuple[str, ...]:
        """The properties that its histories cannot show."""
        ...

    def claims(self, scenario: Scenario) -> bool:
        """Whether this system can run what the scenario simulates."""
        ...

    def name(self, scenario: Scenario) -> str:
        """What a report calls it, with its versions."""
        ...

    def coarse(self, scenario: Scenario, run: Run) -> Coarse | None:
        """The run with only the steps of its gate as steps, and its schedule; None if it is fine as it is, or has none.

        The schedule is one for both sides: the simulator plays it, and `replay` takes it.
        """
        ...

    def replay(self, backends: Backends, scenario: Scenario, schedule: Schedule, run: Run) -> Replayed:
        """Play `schedule`, of which `run` is the simulated run.

        Raises: `Divergence`, `ScheduleError`, `BackendError`.
        """
        ...


class Iceberg:
    """Iceberg by itself: Spark SQL on a REST catalog, or the Java API."""

    unseen = INSPECTED

    def claims(self, scenario: Scenario) -> bool:
        """As the Protocol."""
        return isinstance(scenario.workload, IcebergWorkload) and scenario.workload.catalog in ICEBERG_NAMES

    def name(self, scenario: Scenario) -> str:
        """As the Protocol."""
        return ICEBERG_NAMES[scenario.workload.catalog].format(spark=version("pyspark"), iceberg=_version_of("iceberg"))

    def coarse(self, scenario: Scenario, run: Run) -> Coarse | None:
        """Loads and commits; also for catalogs that are simulated only, whose schedules read the same then."""
        if not isinstance(scenario.workload, IcebergWorkload) or scenario.yield_points is not None:
            return None
        return coarsen(run, ICEBERG_YIELD_POINTS)

    def replay(self, backends: Backends, scenario: Scenario, schedule: Schedule, run: Run) -> Replayed:
        """As the Protocol."""
        from real_backend.gating.conformance import conform, observed_live, simulated
        from real_backend.iceberg.history import history_of

        live = backends.sql if scenario.workload.catalog == "rest" else backends.java
        found = live.run(scenario.workload, schedule)
        agrees = conform(run, found).agrees
        return Replayed(found.trace, history_of(found), run.events, simulated(run), observed_live(found), agrees)


class Hudi:
    """Hudi, stepped at its storage and its locks."""

    unseen = HUDI_UNSEEN

    def claims(self, scenario: Scenario) -> bool:
        """As the Protocol."""
        if not isinstance(scenario.workload, HudiWorkload):
            return False
        from real_backend.hudi.live import live_config

        return _does(lambda: live_config(scenario.workload))

    def name(self, scenario: Scenario) -> str:
        """As the Protocol."""
        return f"Hudi {_version_of('hudi')} on Spark {version('pyspark')}"

    def coarse(self, scenario: Scenario, run: Run) -> Coarse | None:
        """The run's live twin; if it has none, the smallest failure of the same property that has one."""
        if not self.claims(scenario):
            return None
        from real_backend.hudi.projection import found_live, live_twin

        twin = live_twin(run)
        if twin is None and run.failure is not None:
            twin = found_live(scenario)
        if twin is None or _property(twin[1]) != _property(run):
            return None
        _, coarse = twin
        steps = compact(all_steps(coarse.trace, coarse.yield_points), coarse.unfinished)
        return Schedule(scenario.name, steps, tuple(coarse.yield_points or ()), twin[0].meta), coarse

    def replay(self, backends: Backends, scenario: Scenario, schedule: Schedule, run: Run) -> Replayed:
        """As the Protocol."""
        from real_backend.hudi.conformance import conform, observed_live, simulated
        from real_backend.hudi.history import history_of
        from real_backend.hudi.live import heartbeat_notes
        from real_backend.hudi.projection import YIELD_POINT_SETS, every_step, is_playable, live_schedule, live_twin

        twin = (
            (live_schedule(run), run) if run.yield_points in YIELD_POINT_SETS and is_playable(run) else live_twin(run)
        )
        if twin is None:
            raise ScheduleError(
                f"schedule of {scenario.name}: expected steps and faults that the real Hudi can be made to take "
                f"(yield points {' '.join(YIELD_POINT_SETS[-1])}), got others"
            )
        found = backends.hudi.run(scenario.workload, replace(twin[0], steps=every_step(twin[1])))
        agrees = conform(twin[1], found).agrees
        seen = simulated(twin[1]), observed_live(found)
        notes = heartbeat_notes(scenario.workload)
        return Replayed(found.trace, history_of(found), twin[1].events, *seen, agrees, notes)


class Metastores:
    """Sessions on Hive metastores and their caches."""

    unseen: tuple[str, ...] = ()

    def claims(self, scenario: Scenario) -> bool:
        """As the Protocol."""
        if not isinstance(scenario.workload, HiveWorkload):
            return False
        from real_backend.hive.conformance import twin_of

        return _does(lambda: twin_of(scenario))

    def name(self, scenario: Scenario) -> str:
        """As the Protocol."""
        return _metastores(len(scenario.workload.replicas))

    def coarse(self, scenario: Scenario, run: Run) -> Coarse | None:
        """As it is: these scenarios have the gates' steps already, unless somebody wants other ones."""
        if run.yield_points is not None or not self.claims(scenario):
            return None
        from real_backend.hive.live import STEPS

        return coarsen(run, STEPS)

    def replay(self, backends: Backends, scenario: Scenario, schedule: Schedule, run: Run) -> Replayed:
        """As the Protocol."""
        from real_backend.hive.conformance import conform, observed_live, simulated, twin_of
        from real_backend.hive.live import STEPS

        coarse = (schedule, run) if run.yield_points is not None else coarsen(run, STEPS)
        if coarse is None:
            raise ScheduleError(
                f"schedule of {scenario.name}: expected one of the yield points {' '.join(STEPS)}, got another"
            )
        twin = twin_of(scenario)
        found = backends.hive.run(twin.workload, coarse[0], twin.variant, twin.rules, drains=twin.drains)
        seen = simulated(coarse[1], twin.workload), observed_live(found)
        agrees = conform(coarse[1], found).agrees
        return Replayed(found.trace, History(found.events), coarse[1].events, *seen, agrees)


class IcebergOverMetastores:
    """Iceberg's Hive catalog over metastores."""

    unseen = INSPECTED

    def claims(self, scenario: Scenario) -> bool:
        """As the Protocol."""
        if not isinstance(scenario.workload, IcebergWorkload) or not scenario.workload.catalog.startswith("hive-"):
            return False
        from real_backend.hive.conformance import iceberg_twin_of

        return _does(lambda: iceberg_twin_of(scenario))

    def name(self, scenario: Scenario) -> str:
        """As the Protocol."""
        from real_backend.hive.conformance import iceberg_twin_of

        replicas = len(set(iceberg_twin_of(scenario).routes.values()))
        catalog = f"Spark SQL {version('pyspark')} with Iceberg {_version_of('iceberg')}, Hive catalog"
        return f"{catalog} on {_metastores(replicas)}"

    def coarse(self, scenario: Scenario, run: Run) -> Coarse | None:
        """As it is: these scenarios have the gates' steps already."""
        return None

    def replay(self, backends: Backends, scenario: Scenario, schedule: Schedule, run: Run) -> Replayed:
        """As the Protocol."""
        from real_backend.hive.conformance import (
            conform_iceberg,
            iceberg_twin_of,
            observed_iceberg,
            simulated_iceberg,
            steps_of_iceberg,
        )
        from real_backend.iceberg.history import history_of

        twin = iceberg_twin_of(scenario)
        found = backends.iceberg_on_hive.run(twin.workload, steps_of_iceberg(run), twin.routes, twin.variant)
        agrees = conform_iceberg(run, found).agrees
        seen = simulated_iceberg(run, twin.workload), observed_iceberg(found)
        return Replayed(found.trace, history_of(found), run.events, *seen, agrees)


SYSTEMS: tuple[LiveSystem, ...] = (Iceberg(), Hudi(), Metastores(), IcebergOverMetastores())


def system_of(scenario: Scenario) -> LiveSystem | None:
    """The live system that runs what the scenario simulates; None if there is none."""
    return next((system for system in SYSTEMS if system.claims(scenario)), None)


def at_live_yield_points(scenario: Scenario, run: Run) -> Coarse | None:
    """The run with only the steps of its live system's gate, if there is such a run."""
    return next((found for system in SYSTEMS if (found := system.coarse(scenario, run)) is not None), None)


def _metastores(replicas: int) -> str:
    from real_backend.hive.distribution import VERSION

    return f"{replicas} replica{'s' if replicas > 1 else ''} of Hive Metastore {VERSION}"


def _version_of(jar: str) -> str:
    return JARS[jar].coordinates.rpartition(":")[2]


def _property(run: Run) -> str | None:
    return run.failure and run.failure.split("/")[0]


def _does(check: Callable[[], object]) -> bool:
    """Whether a check of a scenario passes."""
    try:
        check()
    except BackendError:
        return False
    return True
