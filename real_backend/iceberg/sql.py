"""A workload of Spark SQL statements on the real Iceberg, stepped at the REST catalog or a JDBC catalog's database.

Per run: a table of its own, made by `setup` ungated; one thread and one catalog name per writer; the schedule releases
`load` and `commit`; at the end the table is read back.
"""

import itertools
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from real_backend.errors import BackendError
from real_backend.gating.actors import Workers
from real_backend.gating.gate import WAIT_S, Gate
from real_backend.gating.play import at_yield_points
from real_backend.gating.race import SETUP, LiveRace, run_gated
from real_backend.iceberg.journal import Journal, Sending
from real_backend.iceberg.live_heads import Moves, by_heads
from real_backend.iceberg.live_run import LiveRun, beside_of, lineage_of_metadata, rings_of, sorted_rows
from real_backend.iceberg.published import Published
from real_backend.iceberg.rest_gate import YIELD_POINTS, RestGate
from real_backend.iceberg.sql_catalogs import CATALOGS, Gated, catalog_of
from real_backend.iceberg.sql_jdbc import JdbcSqlCatalogs
from real_backend.iceberg.sql_left import left_of
from real_backend.iceberg.sql_managing import WAP_ENABLED, Known, call_text, do_before, known_of, send_staged
from real_backend.iceberg.sql_reads import read_past
from real_backend.iceberg.sql_row_ids import sql_row_ids_amiss
from real_backend.iceberg.sql_streams import Streams
from real_backend.iceberg.sql_target import WAP_BRANCH, head_of, named, seen
from real_backend.jvm.session import Session, spark_session
from sim.iceberg.beside_sql import Streaming
from sim.iceberg.incremental import OfPast
from sim.iceberg.kept_ids import changed_in_place
from sim.iceberg.managing import Managing, Procedures, Publish, Stage, is_managed, versions_of
from sim.iceberg.sql_branches import InsertStaged, InsertTo
from sim.iceberg.sql_statements import transform_text
from sim.iceberg.workload import IcebergWorkload, RemoveOrphanFiles, Rows, Sql, Statement, sql_text
from sim.kernel.schedule import Schedule, Step
from sim.services.register import Keys

NAMESPACE = "db"
_COMMANDS = ("delete", "update", "merge")


def table_properties(workload: IcebergWorkload) -> dict[str, str]:
    """The properties of a workload's table: format 2, mode and isolation of each command, short waits."""
    of_update = workload.update_mode or workload.mode, workload.update_isolation or workload.isolation
    modes = {
        f"write.{command}.{key}": value
        for command in _COMMANDS
        for key, value in zip(
            ("mode", "isolation-level"),
            of_update if command == "update" else (workload.mode, workload.isolation),
            strict=True,
        )
    }
    retries = {
        "commit.retry.num-retries": str(workload.retries),
        "commit.retry.min-wait-ms": "1",
        "commit.retry.max-wait-ms": "1",
    }
    return {"format-version": "2", **modes, **retries, **dict(workload.table_properties)}


def create_table(session: Session, name: str, workload: IcebergWorkload, **properties: str) -> None:
    """Make a workload's table with its first rows, in one file, and do what was done to it before the race.

    Args: `properties` come on top of the workload's.
    """
    listed = ", ".join(f"'{key}'='{value}'" for key, value in (table_properties(workload) | properties).items())
    first = workload.first_field
    partitioned = f" PARTITIONED BY ({transform_text(first)})" if first else ""
    sent = [one for _, todo in workload.writers for one in todo]
    if workload.target.by_session or any(isinstance(one, Stage) for one in (*workload.history, *sent)):
        listed += f", '{WAP_ENABLED}'='true'"
    session.sql(f"CREATE TABLE {name} (id INT, v STRING) USING iceberg{partitioned} TBLPROPERTIES ({listed})")
    values = ", ".join(f"({key}, '{value}')" for key, value in workload.rows)
    # One file for all rows: a statement on one of them then cannot be answered from metadata alone.
    session.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ * FROM VALUES {values} AS x(id, v)")
    for statement in workload.history:
        do_before(session.sql, session.spark.conf, statement, name)


def make_old(paths: Iterable[str], age_s: float = 4 * 86_400) -> None:
    """Date files back that are there, by more than the three days that orphans are left alone."""
    then = time.time() - age_s
    for path in paths:
        with suppress(FileNotFoundError):
            os.utime(path, (then, then))


def rows_of(session: Session, table: str, snapshot: int | None = None) -> Rows:
    """The rows of a table as Spark reads them, at a snapshot if one is named. Raises what Spark throws."""
    # Not SQL's VERSION AS OF: Hudi's extension, if it is in the session, takes every such relation for its own.
    reader = session.spark.read
    if snapshot is not None:
        reader = reader.option("snapshot-id", str(snapshot))
    return sorted_rows((row.id, row.v) for row in reader.table(table).select("id", "v").collect())


class _Race(LiveRace[LiveRun]):
    """The table of one run, and its writers, each with a catalog of its own."""

    def __init__(self, session: Session, rest: Gated, workload: IcebergWorkload, table: str) -> None:
        super().__init__(workload.actors, YIELD_POINTS)
        self.can_fault = rest.can_fault  # type: ignore[method-assign]
        self._session, self._rest, self._workload, self._table = session, rest, workload, table
        self._journal = Journal(workload)
        self._names: dict[str, str] = {}
        self._first: int | None = None
        self._managed = is_managed(workload.writers)
        self._reads_past = any(isinstance(one, OfPast) for _, todo in workload.writers for one in todo)
        self._known: Known | None = None
        self._versions: dict[Statement, tuple[Rows, ...]] = {}
        self._at: dict[str, int] = {}
        self._publishes = any(isinstance(one, Publish) for _, todo in workload.writers for one in todo)
        self._published = Published()
        self._moves = Moves(lambda snapshot: self._rows_at(snapshot))
        self._streams = Streams(session, f"file://{self._folder}/java")

    @property
    def _folder(self) -> Path:
        """Where the table's files are."""
        return self._session.location(self._workload.catalog) / NAMESPACE / self._table

    def make(self) -> None:
        """Make the table, do what was done to it before, and make the catalogs."""
        for actor in (SETUP, *self.actors):
            catalog = catalog_of(self._session, self._rest, actor, caches=actor in self._workload.cached)
            self._names[actor] = f"{catalog}.{NAMESPACE}.{self._table}"
        mode = "dynamic" if self._workload.overwrites_dynamically else "static"
        self._session.spark.conf.set("spark.sql.sources.partitionOverwriteMode", mode)
        create_table(self._session, self._names[SETUP], self._workload)
        if self._workload.history or self._managed or self._reads_past:
            ages_h, begun_ms = self._workload.ages_h, 0
            if ages_h and isinstance(self._rest, RestGate):
                begun_ms = self._rest.put_ages(NAMESPACE, self._table, ages_h)
            self._known = known_of(self._rest.table_metadata(NAMESPACE, self._table), begun_ms)
            seen = self._known.snapshots
            self._first = self._moves.first = seen.head
            sent = [one for _, todo in self._workload.writers for one in todo if isinstance(one, Managing)]
            self._versions = {one: tuple(map(self._rows_at, versions_of(seen, one))) for one in sent}
        self._streams.load(self._workload, self._names)
        if self._workload.target.by_session:
            self._session.spark.conf.set(WAP_BRANCH, self._workload.target.branch)

    def _rows_at(self, snapshot: int | None) -> Rows:
        return () if snapshot is None else rows_of(self._session, self._names[SETUP], snapshot)

    def install(self) -> None:
        """Put the gate before the catalog."""
        self._rest.install(self.gate, f"{NAMESPACE}.{self._table}", self._moved if self._managed else None)
        if isinstance(self._rest, RestGate):
            self._rest.target = self._workload.target

    def _moved(self, actor: str, snapshot: object) -> None:
        if self._publishes:
            self._published.note(self._rest.table_metadata(NAMESPACE, self._table))
        self._moves.note(actor, self._at[actor], snapshot)

    def act(self, actor: str) -> None:
        """Send one writer's statements."""

        def prepare(number: int, statement: Statement) -> Sending:
            self._at[actor] = self._at.get(actor, -1) + 1  # what is tried again is another command
            return self._streams.sending(actor, number, statement) or self._sending(actor, statement)

        self._journal.act(self.gate, actor, prepare)

    def _sending(self, actor: str, statement: Statement) -> Sending:
        if isinstance(statement, InsertTo):
            return Sending(partial(self._session.sql, statement.text(self._names[actor])))
        if isinstance(statement, InsertStaged):
            text = statement.text(self._names[actor])
            return Sending(partial(send_staged, self._session, statement.wap, text))
        if isinstance(statement, Procedures):
            assert self._known is not None, "expected a table that was looked at before the race"
            text = call_text(statement, self._names[actor], self._known)
            versions = self._versions[statement]
            if isinstance(statement, Publish):
                metadata = self._rest.table_metadata(NAMESPACE, self._table)
                self._published.note(metadata)
                self._published.send(actor, self._at[actor])
                versions = (self._rows_at(metadata["refs"].get(statement.ref, {}).get("snapshot-id")),)
            return Sending(partial(self._session.sql, text), versions=versions)
        if isinstance(statement, OfPast):
            assert self._known is not None, "expected a table that was looked at before the race"
            return Sending(partial(read_past, self._session, statement, actor, self._names[actor], self._known))
        if isinstance(statement, RemoveOrphanFiles):
            make_old(self._rest.committed_files(NAMESPACE, self._table))
        text = sql_text(statement, named(self._names[actor], self._workload.target))
        return Sending(partial(self._session.sql, text))

    def read_back(self) -> LiveRun:
        """The run with the table as it is now."""
        self._session.spark.conf.unset(WAP_BRANCH)
        metadata = self._rest.table_metadata(NAMESPACE, self._table)
        lineage = lineage_of_metadata(seen(metadata, self._workload.target), self._rest.made, self._first)
        head, name = head_of(metadata, self._workload.target), self._names[SETUP]
        last = head if self._workload.target.branch else None
        run = self._journal.read_back(self.gate, lineage, lambda at: rows_of(self._session, name, at or last))
        sent = [one for _, todo in self._workload.writers for one in todo]
        has_ids = metadata["format-version"] > 2
        run = replace(run, unkept=tuple(rings_of(metadata)), beside=beside_of(metadata, lineage, self._rest.made))
        if self._workload.has_partitions or has_ids:
            changed = changed_in_place(sent, self._workload.tries)
            left = left_of(self._session, self._names[SETUP], metadata)
            row_ids = sql_row_ids_amiss(self._session, self._names[SETUP], metadata, changed)
            run = replace(run, left=left, row_ids=row_ids)
        if self._managed and self._known is not None:
            head, operation = self._known.snapshots.head, self._known.operation
            played = by_heads(run, head, operation, self._workload.content, self._moves.made)
            return self._published.in_run(played, self._moves.made)
        return run

    def close(self) -> None:
        """Take the gate and the table away."""
        self._session.spark.conf.unset(WAP_BRANCH)
        self._rest.install(Gate(()))
        self._rest.drop(NAMESPACE, self._table)
        shutil.rmtree(self._folder, ignore_errors=True)


class SqlIceberg:
    """Runs workloads in one Spark session. Catalogs stand behind it: one without idempotency keys, and one for each
    way to keep them."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._rest: dict[tuple[bool, Keys], RestGate] = {}
        self._jdbc: JdbcSqlCatalogs | None = None
        self._workers = Workers()
        self._numbers = itertools.count(1)

    def run(
        self, workload: IcebergWorkload, schedule: Schedule | Iterable[Step] | str, timeout_s: float = WAIT_S
    ) -> LiveRun:
        """Run the workload as the schedule says and read the table back.

        Args: `timeout_s` bounds the wait for each step.
        Raises: `Divergence` if a step is not on offer; `ScheduleError`; `BackendTimeout`; `BackendError` if the
        workload is not one of Spark SQL on a REST or JDBC catalog.
        """
        _check(workload)
        steps = at_yield_points(schedule, YIELD_POINTS)
        rest = self._workers.call(SETUP, partial(self._catalog, workload), "starting the catalog")
        race = _Race(self._session, rest, workload, f"t{next(self._numbers)}")
        return run_gated(self._workers, race, steps, timeout_s)

    def close(self) -> None:
        """Stop the catalogs and the writers' threads; the session goes on."""
        for rest in self._rest.values():
            rest.close()
        if self._jdbc is not None:
            self._jdbc.close()
        self._workers.close()

    def _catalog(self, workload: IcebergWorkload) -> Gated:
        return self._on_jdbc() if workload.catalog == "jdbc" else self._served(workload.idempotency, workload.keys)

    def _on_jdbc(self) -> JdbcSqlCatalogs:
        if self._jdbc is None:
            self._jdbc = JdbcSqlCatalogs(self._session.jvm, f"file://{self._session.location('jdbc')}")
            self._session.sql(f"CREATE NAMESPACE {catalog_of(self._session, self._jdbc, SETUP)}.{NAMESPACE}")
        return self._jdbc

    def _served(self, idempotent: bool, keys: Keys) -> RestGate:
        if (idempotent, keys) not in self._rest:
            warehouse = f"file://{self._session.location('rest')}"
            rest = self._rest[idempotent, keys] = RestGate(
                self._session.jvm, warehouse, idempotent=idempotent, keys=keys
            )
            self._session.sql(f"CREATE NAMESPACE {catalog_of(self._session, rest, SETUP)}.{NAMESPACE}")
        return self._rest[idempotent, keys]


def _check(workload: IcebergWorkload) -> None:
    if workload.catalog not in CATALOGS:
        raise BackendError(f"workload: expected catalog {' or '.join(CATALOGS)} for Spark SQL, got {workload.catalog}")
    for actor, statements in workload.writers:
        for statement in statements:
            if not isinstance(statement, Sql | Procedures | OfPast | Streaming | InsertStaged):
                raise BackendError(f"workload, writer {actor}: expected Spark SQL statements only, got {statement}")


@contextmanager
def sql_iceberg() -> Iterator[SqlIceberg]:
    """Spark SQL on Iceberg, started now and ended on the way out (one at a time in a process).

    Raises: `BackendUnavailable`, `BackendTimeout`, when it does not start.
    """
    with spark_session() as session, closing(SqlIceberg(session)) as live:
        yield live
