"""The live systems of Iceberg: Spark SQL on a REST catalog, the Java API, and the Hive catalog over metastores.

Choices: imports are where they are needed: a command without `--live` does without Spark.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Protocol

from real_backend.gating.backends import Backends
from real_backend.gating.gate import WAIT_S
from real_backend.gating.system import Replayed
from real_backend.jvm import preflight
from real_backend.jvm.jars import version_of
from sim.iceberg.workload import IcebergWorkload
from sim.kernel.schedule import Schedule
from sim.search.run import Run
from sim.world.live import Live

if TYPE_CHECKING:
    from real_backend.iceberg.java_hive import JavaOnHive
    from real_backend.iceberg.live_run import LiveRun
    from real_backend.iceberg.over_metastores import IcebergOnHive
    from real_backend.iceberg.several_live import SeveralIceberg
    from sim.iceberg.over_metastores import OnMetastores

UNSEEN = ("table-invariants", "no-leaks", "no-unasked-changes", "done-as-told")
"""The real table is read back; nobody looks through its files, or its versions."""
BUT_IN_JAVA = (*UNSEEN, "row-lineage")


class LiveIceberg(Protocol):
    """Runs workloads on the real Iceberg, any number of times."""

    def run(self, workload: IcebergWorkload, schedule: Schedule, timeout_s: float = WAIT_S) -> "LiveRun":
        """Run the workload as the schedule says, read the table back. Raises: `Divergence`, `BackendError`."""
        ...


def spark_sql(backends: Backends) -> LiveIceberg:
    """Spark SQL on Iceberg's REST catalog. Raises: `BackendUnavailable`."""
    from real_backend.iceberg.sql import SqlIceberg

    return backends.kept(SqlIceberg(backends.spark))


def java_api(backends: Backends) -> LiveIceberg:
    """Iceberg's Java API in a JVM of its own. Raises: `BackendUnavailable`."""
    from real_backend.iceberg.java_api import java_iceberg

    return backends.started("a JVM with Iceberg", java_iceberg, preflight.require)


def several_tables(backends: Backends) -> "SeveralIceberg":
    """The same for several tables of a REST catalog. Raises: `BackendUnavailable`."""
    from real_backend.iceberg.several_live import several_iceberg

    return backends.started("a JVM with Iceberg", several_iceberg, preflight.require)


def on_metastores(backends: Backends) -> "IcebergOnHive":
    """Iceberg's Hive catalog on metastores. Raises: `BackendUnavailable`."""
    from real_backend.hive.system import servers
    from real_backend.iceberg.over_metastores import IcebergOnHive

    return backends.kept(IcebergOnHive(backends.spark, backends.of(servers)))


@dataclass(frozen=True, slots=True)
class ByItself:
    """Iceberg on a catalog that has gates of its own. `runner` starts it, `way` is how statements get in."""

    runner: Callable[[Backends], LiveIceberg]
    way: str
    unseen: tuple[str, ...] = UNSEEN

    def name(self, live: Live) -> str:
        """As the Protocol."""
        return self.way.format(spark=version("pyspark"), iceberg=version_of("iceberg"))

    def replay(self, backends: Backends, live: Live, schedule: Schedule, run: Run) -> Replayed:
        """As the Protocol."""
        from real_backend.iceberg.conformance import conform, observed_live, simulated
        from real_backend.iceberg.history import history_of

        found = backends.of(self.runner).run(live.workload, schedule)
        agrees = conform(run, found).agrees
        return Replayed(found.trace, history_of(found), run.events, simulated(run), observed_live(found), agrees)


class OnSeveralTables:
    """Iceberg's REST client on several tables of one catalog."""

    unseen = BUT_IN_JAVA

    def name(self, live: Live) -> str:
        """As the Protocol."""
        return f"Iceberg {version_of('iceberg')}, Java client of a REST catalog of several tables, without HTTP"

    def replay(self, backends: Backends, live: Live, schedule: Schedule, run: Run) -> Replayed:
        """As the Protocol."""
        from real_backend.iceberg.several_live import conform, observed_live, several_iceberg, simulated

        found = backends.started("a JVM with Iceberg", several_iceberg, preflight.require).run(live.workload, schedule)
        seen = simulated(run), observed_live(found)
        return Replayed(found.trace, found.history, run.events, *seen, conform(run, found).agrees)


class OverMetastores:
    """Iceberg's Hive catalog over metastores."""

    unseen = BUT_IN_JAVA

    def name(self, live: Live) -> str:
        """As the Protocol."""
        from real_backend.hive.system import replicas_in_words

        given: OnMetastores = live.workload
        catalog = f"Spark SQL {version('pyspark')} with Iceberg {version_of('iceberg')}, Hive catalog"
        return f"{catalog} on {replicas_in_words(len(set(given.routes.values())))}"

    def replay(self, backends: Backends, live: Live, schedule: Schedule, run: Run) -> Replayed:
        """As the Protocol."""
        from real_backend.hive.conformance import VARIANTS
        from real_backend.iceberg import conformance_over_metastores as conformance
        from real_backend.iceberg.history import history_of

        given: OnMetastores = live.workload
        steps = conformance.live_steps(run)
        found = backends.of(on_metastores).run(given.workload, steps, given.routes, VARIANTS[given.cache])
        agrees = conformance.conform(run, found).agrees
        seen = conformance.simulated(run, given.workload), conformance.observed_live(found)
        return Replayed(found.trace, history_of(found), run.events, *seen, agrees)


def java_on_hive(backends: Backends) -> "JavaOnHive":
    """Iceberg's Java API in a JVM of its own, on its Hive catalog. Raises: `BackendUnavailable`."""
    from real_backend.hive.system import servers
    from real_backend.iceberg import java_hive

    found = backends.of(servers)
    return backends.started("a JVM with Iceberg", lambda: java_hive.java_on_hive(found), preflight.require)


class OnHive:
    """Iceberg's Java API on its Hive catalog."""

    unseen = BUT_IN_JAVA

    def name(self, live: Live) -> str:
        """As the Protocol."""
        from real_backend.hive.system import replicas_in_words

        return f"Iceberg {version_of('iceberg')}, Java API on its Hive catalog, on {replicas_in_words(1)}"

    def replay(self, backends: Backends, live: Live, schedule: Schedule, run: Run) -> Replayed:
        """As the Protocol."""
        from real_backend.iceberg import conformance_in_hive as conformance
        from real_backend.iceberg.conformance import observed_live
        from real_backend.iceberg.history import history_of

        found = backends.of(java_on_hive).run(live.workload, conformance.live_steps(run))
        seen = conformance.simulated(run, live.workload.actors), observed_live(found)
        agrees = conformance.conform(run, found).agrees
        return Replayed(found.trace, history_of(found), run.events, *seen, agrees)


SPARK_SQL = ByItself(spark_sql, "Spark SQL {spark} with Iceberg {iceberg}, REST catalog", BUT_IN_JAVA)
JAVA_API = ByItself(java_api, "Iceberg {iceberg}, Java API")
JAVA_API_ON_REST = ByItself(java_api, "Iceberg {iceberg}, Java API on a REST catalog without HTTP")
JAVA_API_ON_JDBC = ByItself(java_api, "Iceberg {iceberg}, Java API on its JDBC catalog, with Derby")
JAVA_API_ON_HADOOP = ByItself(java_api, "Iceberg {iceberg}, Java API on its Hadoop catalog, on local files")
JAVA_API_ON_HIVE = OnHive()
ON_SEVERAL_TABLES = OnSeveralTables()
OVER_METASTORES = OverMetastores()
