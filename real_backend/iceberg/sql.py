"""A workload of Spark SQL statements on the real Iceberg, stepped at the REST catalog.

Per run: a table of its own, made by `setup` ungated; one thread and one catalog name per writer; the schedule releases
`load` and `commit`; at the end the table is read back, always, since an error alone does not tell what became of it.
"""

import functools
import itertools
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from real_backend.errors import BackendError
from real_backend.gating.actors import Workers, run_actors
from real_backend.gating.gate import WAIT_S, Gate
from real_backend.gating.play import at_yield_points
from real_backend.iceberg.journal import Journal
from real_backend.iceberg.live_run import OK, LiveRun, lineage_of_metadata, sorted_rows
from real_backend.iceberg.rest_gate import YIELD_POINTS, RestGate, can_fault
from real_backend.iceberg.rest_server import WRITER_HEADER
from real_backend.jvm.java_errors import describe
from real_backend.jvm.session import Session, spark_session
from sim.iceberg.workload import Delete, IcebergWorkload, Insert, Rows, Statement, Update, sql_text
from sim.kernel.schedule import Schedule, Step

NAMESPACE = "db"
SETUP = "setup"
_COMMANDS = ("delete", "update", "merge")


def table_properties(workload: IcebergWorkload) -> dict[str, str]:
    """The properties of a workload's table: format 2, mode and isolation of each command, short waits."""
    modes = {
        f"write.{command}.{key}": value
        for command in _COMMANDS
        for key, value in (("mode", workload.mode), ("isolation-level", workload.isolation))
    }
    retries = {
        "commit.retry.num-retries": str(workload.retries),
        "commit.retry.min-wait-ms": "1",
        "commit.retry.max-wait-ms": "1",
    }
    return {"format-version": "2", **modes, **retries, **dict(workload.properties)}


class SqlIceberg:
    """Runs workloads in one Spark session. Two catalogs stand behind it: with and without idempotency keys."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._rest: dict[bool, RestGate] = {}
        self._workers = Workers()
        self._numbers = itertools.count(1)

    def run(
        self, workload: IcebergWorkload, schedule: Schedule | Iterable[Step] | str, timeout_s: float = WAIT_S
    ) -> LiveRun:
        """Run the workload as the schedule says and read the table back.

        Args: `timeout_s` bounds the wait for each step.
        Raises: `Divergence` if a step is not on offer; `ScheduleError`; `BackendTimeout`; `BackendError` if the
        workload is not one of Spark SQL on a REST catalog.
        """
        _check(workload)
        steps = at_yield_points(schedule, YIELD_POINTS)
        table = f"t{next(self._numbers)}"
        rest = self._workers.call(SETUP, lambda: self._create(workload, table), "making the table")
        journal = Journal()

        def gate_of(launch: Callable[[str], None]) -> Gate:
            split = any(step.reply for step in steps)
            gate = Gate(
                workload.actors,
                launch,
                yield_points=YIELD_POINTS,
                faults=can_fault,
                split_replies=split,
                timeout_s=timeout_s,
            )
            return rest.install(gate, f"{NAMESPACE}.{table}")

        bodies = {
            actor: self._body(workload, journal, rest, table, actor, statements)
            for actor, statements in workload.writers
        }
        try:
            gate = run_actors(self._workers, bodies, gate_of, steps)
            read_back = functools.partial(self._read_back, workload, rest, table, gate, journal)
            return self._workers.call(SETUP, read_back, "reading the table back")
        finally:
            rest.install(Gate(()))
            rest.drop(NAMESPACE, table)
            shutil.rmtree(self._session.location("rest") / NAMESPACE / table, ignore_errors=True)

    def close(self) -> None:
        """Stop the catalogs and the writers' threads; the session goes on."""
        for rest in self._rest.values():
            rest.close()
        self._workers.close()

    def _catalog(self, idempotent: bool) -> RestGate:
        if idempotent not in self._rest:
            warehouse = f"file://{self._session.location('rest')}"
            self._rest[idempotent] = RestGate(self._session.jvm, warehouse, idempotent=idempotent)
            name = self._name(SETUP, idempotent)
            self._session.sql(f"CREATE NAMESPACE {name}.{NAMESPACE}")
        return self._rest[idempotent]

    def _name(self, actor: str, idempotent: bool) -> str:
        name = f"keyed_{actor}" if idempotent else actor
        settings = {
            "type": "rest",
            "uri": self._rest[idempotent].uri,
            f"header.{WRITER_HEADER}": actor,
            "cache-enabled": "false",  # every statement plans on what it loads itself
            "rest-metrics-reporting-enabled": "false",
        }
        self._session.add_catalog(name, settings)
        return name

    def _create(self, workload: IcebergWorkload, table: str) -> RestGate:
        rest = self._catalog(workload.idempotency)
        name = f"{self._name(SETUP, workload.idempotency)}.{NAMESPACE}.{table}"
        properties = ", ".join(f"'{key}'='{value}'" for key, value in table_properties(workload).items())
        self._session.sql(f"CREATE TABLE {name} (id INT, v STRING) USING iceberg TBLPROPERTIES ({properties})")
        values = ", ".join(f"({key}, '{value}')" for key, value in workload.rows)
        # One file for all rows: a statement on one of them then cannot be answered from metadata alone.
        self._session.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ * FROM VALUES {values} AS x(id, v)")
        return rest

    def _body(
        self,
        workload: IcebergWorkload,
        journal: Journal,
        rest: RestGate,
        table: str,
        actor: str,
        statements: tuple[Statement, ...],
    ) -> Callable[[], None]:
        name = f"{self._name(actor, workload.idempotency)}.{NAMESPACE}.{table}"

        def body() -> None:
            for statement in statements:
                entry = journal.begin(rest.gate, actor, statement)
                try:
                    self._session.sql(sql_text(statement, name))
                    outcome: str = OK
                except Exception as error:
                    outcome = describe(error)
                journal.end(rest.gate, entry, outcome)

        return body

    def _read_back(
        self, workload: IcebergWorkload, rest: RestGate, table: str, gate: Gate, journal: Journal
    ) -> LiveRun:
        seconds = journal.seconds
        lineage = lineage_of_metadata(rest.table_metadata(NAMESPACE, table), rest.made)
        name = f"{self._name(SETUP, workload.idempotency)}.{NAMESPACE}.{table}"
        rows, unreadable = self._rows(name)
        earlier = (self._rows(name, version.snapshot)[0] for version in lineage[:-1])
        return LiveRun(
            workload, journal.outcomes(workload.actors), tuple(map(str, gate.trace)), lineage, rows, unreadable,
            seconds, journal.commands, (*earlier, rows),
        )  # fmt: skip

    def _rows(self, table: str, snapshot: int | None = None) -> tuple[Rows | None, str | None]:
        # Not SQL's VERSION AS OF: Hudi's extension, if it is in the session, takes every such relation for its own.
        reader = self._session.spark.read
        if snapshot is not None:
            reader = reader.option("snapshot-id", str(snapshot))
        try:
            return sorted_rows((row.id, row.v) for row in reader.table(table).select("id", "v").collect()), None
        except Exception as error:
            return None, describe(error)


def _check(workload: IcebergWorkload) -> None:
    if workload.catalog != "rest":
        raise BackendError(f"workload: expected catalog rest for Spark SQL, got {workload.catalog}")
    for actor, statements in workload.writers:
        for statement in statements:
            if not isinstance(statement, Insert | Delete | Update):
                raise BackendError(f"workload, writer {actor}: expected Spark SQL statements only, got {statement}")


@contextmanager
def sql_iceberg() -> Iterator[SqlIceberg]:
    """Spark SQL on Iceberg, started now and ended on the way out (one at a time in a process).

    Raises: `BackendUnavailable`, `BackendTimeout`, when it does not start.
    """
    with spark_session() as session:
        live = SqlIceberg(session)
        try:
            yield live
        finally:
            live.close()
