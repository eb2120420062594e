"""The way in for callers: a live Iceberg for a workload, whichever it needs, under one name and one method."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from real_backend import preflight
from real_backend.errors import BackendError
from real_backend.gate import WAIT_S
from real_backend.iceberg_java import java_iceberg
from real_backend.iceberg_sql import sql_iceberg
from real_backend.live_run import LiveRun
from sim.scenarios.workload import IcebergWorkload
from sim.schedule import Schedule, Step


class LiveIceberg(Protocol):
    """Runs workloads on the real Iceberg, any number of times."""

    def run(
        self, workload: IcebergWorkload, schedule: Schedule | Iterable[Step] | str, timeout_s: float = WAIT_S
    ) -> LiveRun:
        """Run the workload as the schedule says, read the table back. Raises `Divergence`, `BackendError`."""
        ...


@contextmanager
def live_iceberg(catalog: str) -> Iterator[LiveIceberg]:
    """The live system for workloads of this catalog: "rest" is Spark SQL, "java-api" a bare JVM. Ended on the way out.

    Raises: `BackendUnavailable` (one line that says what is missing), `BackendError` for a catalog without a live twin.
    """
    backends: dict[str, Callable[[], AbstractContextManager[LiveIceberg]]] = {
        "rest": sql_iceberg,
        "java-api": java_iceberg,
    }
    if catalog not in backends:
        raise BackendError(f"catalog {catalog}: expected one with a live twin ({', '.join(backends)})")
    preflight.require()
    with backends[catalog]() as live:
        yield live
