"""What live systems stand on: Spark, metastores, a bare JVM; each is started when first wanted and ends with its owner.

Choices: nothing of Spark is imported before it is needed. Iceberg, Hudi and Iceberg's Hive catalog share one Spark
session, for a process can have no second one.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeVar

from real_backend.errors import BackendError
from real_backend.gating.gate import WAIT_S
from real_backend.jvm import preflight
from sim.kernel.schedule import Schedule, Step

if TYPE_CHECKING:
    from real_backend.hive.live import HiveLive
    from real_backend.hive.servers import Servers
    from real_backend.hudi.live import HudiLive
    from real_backend.iceberg.live_run import LiveRun
    from real_backend.iceberg.over_metastores import IcebergOnHive
    from real_backend.iceberg.sql import SqlIceberg
    from real_backend.jvm.session import Session
    from sim.iceberg.workload import IcebergWorkload


class Closable(Protocol):
    """What has to be ended."""

    def close(self) -> None:
        """End it."""
        ...


C = TypeVar("C", bound=Closable)
T = TypeVar("T")


class LiveIceberg(Protocol):
    """Runs workloads on the real Iceberg, any number of times."""

    def run(
        self, workload: "IcebergWorkload", schedule: Schedule | Iterable[Step] | str, timeout_s: float = WAIT_S
    ) -> "LiveRun":
        """Run the workload as the schedule says, read the table back. Raises `Divergence`, `BackendError`."""
        ...


class Backends:
    """What live systems stand on, each started when it is first wanted. Make them with `live_backends`."""

    def __init__(self, stack: ExitStack, say: Callable[[str], None]) -> None:
        self._stack = stack
        self._say = say

    @cached_property
    def spark(self) -> "tuple[Session, bool]":
        """A Spark session with Iceberg and Hudi, and whether it has Hudi's gate. Raises: `BackendUnavailable`."""
        from real_backend.hudi.session import hudi_session

        return self._start("Spark with Iceberg and Hudi", hudi_session, preflight.require)

    @cached_property
    def servers(self) -> "Servers":
        """PostgreSQL and metastores. Raises: `BackendUnavailable`."""
        from real_backend.hive.servers import hive_servers

        return self._start("PostgreSQL and metastores", hive_servers, preflight.check_java)

    @cached_property
    def java(self) -> LiveIceberg:
        """Iceberg's Java API. Raises: `BackendUnavailable`."""
        return self._start("a JVM with Iceberg", lambda: live_iceberg("java-api"), preflight.require)

    @cached_property
    def sql(self) -> "SqlIceberg":
        """Spark SQL on Iceberg's REST catalog. Raises: `BackendUnavailable`."""
        from real_backend.iceberg.sql import SqlIceberg

        return self._kept(SqlIceberg(self.spark[0]))

    @cached_property
    def hudi(self) -> "HudiLive":
        """Hudi. Raises: `BackendUnavailable`."""
        from real_backend.hudi.live import HudiLive

        session, gated = self.spark
        return self._kept(HudiLive(session, gated=gated))

    @cached_property
    def hive(self) -> "HiveLive":
        """Sessions on metastores. Raises: `BackendUnavailable`."""
        from real_backend.hive.live import HiveLive

        return self._kept(HiveLive(self.servers))

    @cached_property
    def iceberg_on_hive(self) -> "IcebergOnHive":
        """Iceberg's Hive catalog on metastores. Raises: `BackendUnavailable`."""
        from real_backend.iceberg.over_metastores import IcebergOnHive

        return self._kept(IcebergOnHive(self.spark[0], self.servers))

    def _start(self, what: str, make: Callable[[], AbstractContextManager[T]], require: Callable[[], None]) -> T:
        require()
        self._say(f"starting {what} ...")
        return self._stack.enter_context(make())

    def _kept(self, made: C) -> C:
        self._stack.callback(made.close)
        return made


@contextmanager
def live_backends(say: Callable[[str], None]) -> Iterator[Backends]:
    """Backends for the block; they end with it. Args: `say` is told what is being started."""
    with ExitStack() as stack:
        yield Backends(stack, say)


@contextmanager
def live_iceberg(catalog: str) -> Iterator[LiveIceberg]:
    """Iceberg alone, for workloads of this catalog: "rest" is Spark SQL, "java-api" a bare JVM. Ended on the way out.

    Raises: `BackendUnavailable` (one line that says what is missing), `BackendError` for a catalog without a live twin.
    """
    from real_backend.iceberg.java_api import java_iceberg
    from real_backend.iceberg.sql import sql_iceberg

    backends: dict[str, Callable[[], AbstractContextManager[LiveIceberg]]] = {
        "rest": sql_iceberg,
        "java-api": java_iceberg,
    }
    if catalog not in backends:
        raise BackendError(f"catalog {catalog}: expected one with a live twin ({', '.join(backends)})")
    preflight.require()
    with backends[catalog]() as live:
        yield live
