"""Iceberg's Hive catalog in Spark over live metastores: each writer has a replica, the schedule steps both.

Per run: a table of its own, made by `setup` ungated and followed by every cache; then the watermarks are closed. Spark
SQL of the writers goes through the Thrift gates; pollers take one event each. When the writers have ended, the pollers
finish the log, and the table is read back.

Choices: a version is a snapshot, which the gate finds in the metadata file that a call names. The read-back goes
through a replica after every cache has caught up, and is refused unless that replica names the database's metadata. A
`lock` is on offer only while nobody holds the lock: a client that waits for one asks again and again.
"""

import functools
import itertools
import json
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from urllib.parse import urlparse

from hive_metastore.ttypes import Database, GetTableRequest

from real_backend.errors import BackendError
from real_backend.gating.actors import Workers, run_actors
from real_backend.gating.gate import WAIT_S, Gate, InterpositionPoint
from real_backend.gating.play import at_yield_points
from real_backend.hive.client import CAPABILITIES
from real_backend.hive.live_run import Variant
from real_backend.hive.pollers import POLL, Pollers
from real_backend.hive.servers import Replicas, Servers
from real_backend.hive.thrift_gate import ALTER_TABLE, GET_TABLE, can_fault
from real_backend.hive.thrift_wire import Message, arguments_of, result_of
from real_backend.iceberg.journal import Journal
from real_backend.iceberg.live_run import OK, LiveRun, lineage_of_metadata, sorted_rows
from real_backend.iceberg.sql import table_properties
from real_backend.jvm.java_errors import describe
from real_backend.jvm.session import Session
from sim.iceberg.workload import IcebergWorkload, Rows, Statement, sql_text
from sim.kernel.schedule import Schedule, Step

LOCATION = "metadata_location"
NAMESPACE = "ice"
SETUP = "setup"
LOCK, UNLOCK = "lock", "unlock"
YIELD_POINTS = (LOCK, GET_TABLE, ALTER_TABLE, UNLOCK, POLL)
LOCKED, UNLOCKED = "hive-lock", "hive-no-lock"


_LOCKS = 'select count(*) from "HIVE_LOCKS" where "HL_DB" = %s and "HL_TABLE" = %s'


class IcebergOnHive:
    """Runs Iceberg workloads on the servers' replicas, in one Spark session."""

    def __init__(self, session: Session, servers: Servers) -> None:
        self._session = session
        self._servers = servers
        self._workers = Workers()
        self._numbers = itertools.count(1)
        self._namespaces: set[Path] = set()

    def run(
        self,
        workload: IcebergWorkload,
        schedule: Schedule | Iterable[Step] | str,
        routes: Mapping[str, str],
        variant: Variant,
        *,
        timeout_s: float = WAIT_S,
    ) -> LiveRun:
        """Run the workload as the schedule says and read the table back.

        Args: `routes`: writer -> replica; `timeout_s` bounds the wait for each step.
        Raises: `Divergence` if a step is not on offer; `ScheduleError`; `BackendTimeout`; `BackendError`.
        """
        if workload.catalog not in (LOCKED, UNLOCKED):
            raise BackendError(f"workload: expected catalog {LOCKED} or {UNLOCKED}, got {workload.catalog}")
        steps = at_yield_points(schedule, YIELD_POINTS)
        replicas = self._servers.replicas(cached=variant.cached)
        replicas.make_ready(passes_expected=True)  # else no table without a lock could be made
        race = _Race(self._session, replicas, workload, f"t{next(self._numbers)}", dict(routes))
        self._workers.call(SETUP, lambda: self._make(race), "making the table")
        used = tuple(dict.fromkeys(routes.values()))
        pollers = Pollers({name: replicas.followers[name] for name in used if variant.cached})

        def is_passable(at: InterpositionPoint) -> bool:
            return pollers.is_passable(at) and not (at.operation == LOCK and race.is_locked())

        def gate_of(launch: Callable[[str], None]) -> Gate:
            race.gate = Gate(
                workload.actors, launch, yield_points=YIELD_POINTS, faults=can_fault, passable=is_passable,
                split_replies=any(step.reply for step in steps), helpers=tuple(pollers.followers), timeout_s=timeout_s,
            )  # fmt: skip
            for door in replicas.gates.values():
                door.install(race.gate, version_of)
            return race.gate

        bodies = {actor: race.body(actor, statements) for actor, statements in workload.writers}
        replicas.switch(replay_writes=variant.replay_writes, passes_expected=variant.passes_expected)
        replicas.close_watermarks()
        try:
            run_actors(self._workers, bodies, gate_of, lambda gate: pollers.play(gate, steps, drains=True))
            return self._workers.call(SETUP, race.read_back, "reading the table back")
        finally:
            pollers.end()
            for door in replicas.gates.values():
                door.install(Gate(()))
            shutil.rmtree(race.folder, ignore_errors=True)

    def _make(self, race: "_Race") -> None:
        if race.replicas.folder not in self._namespaces:
            race.make_namespace()
            self._namespaces.add(race.replicas.folder)
        race.make_table()
        race.replicas.settle()

    def close(self) -> None:
        """End the writers' threads; session and servers go on."""
        self._workers.close()


class _Race:
    """The table of one run, and its writers."""

    def __init__(
        self, session: Session, replicas: Replicas, workload: IcebergWorkload, table: str, routes: dict[str, str]
    ) -> None:
        self.session = session
        self.replicas = replicas
        self.workload = workload
        self.gate = Gate(())
        self._table = table
        self._routes = {SETUP: next(iter(replicas.metastores)), **routes}
        self._journal = Journal(GET_TABLE, ALTER_TABLE)
        self._warehouse = replicas.folder / "iceberg"
        self.folder = self._warehouse / f"{NAMESPACE}.db" / table

    def _name(self, actor: str) -> str:
        """The table as this actor's statements name it; its catalog is made at the first use."""
        replica = self._routes[actor]
        catalog = f"{actor}_{replica}_{self.replicas.folder.name}"
        settings = {
            "type": "hive",
            "uri": f"thrift://127.0.0.1:{self.replicas.gates[replica].port_of(actor)}",
            "warehouse": f"file:{self._warehouse}",
            "cache-enabled": "false",  # every statement plans on what it loads itself
            "clients": "1",
        }
        self.session.add_catalog(catalog, settings)
        return f"{catalog}.{NAMESPACE}.{self._table}"

    def make_namespace(self) -> None:
        """Make the database of all runs' tables."""
        home = self.replicas.metastores[self._routes[SETUP]]
        with home.connect() as calls:
            location = f"file:{self._warehouse}/{NAMESPACE}.db"
            calls.create_database(Database(name=NAMESPACE, description="", locationUri=location, parameters={}))

    def make_table(self) -> None:
        """Make the table with its first rows, through the first replica."""
        name = self._name(SETUP)
        properties = table_properties(self.workload) | {
            "engine.hive.lock-enabled": "true" if self.workload.catalog == LOCKED else "false"
        }
        listed = ", ".join(f"'{key}'='{value}'" for key, value in properties.items())
        self.session.sql(f"CREATE TABLE {name} (id INT, v STRING) USING iceberg TBLPROPERTIES ({listed})")
        values = ", ".join(f"({key}, '{value}')" for key, value in self.workload.rows)
        self.session.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ * FROM VALUES {values} AS x(id, v)")

    def body(self, actor: str, statements: tuple[Statement, ...]) -> Callable[[], None]:
        """What one writer does."""
        name = self._name(actor)

        def run() -> None:
            for statement in statements:
                entry = self._journal.begin(self.gate, actor, statement)
                try:
                    self.session.sql(sql_text(statement, name))
                    outcome: str = OK
                except Exception as error:
                    outcome = describe(error)
                self._journal.end(self.gate, entry, outcome)

        return run

    def is_locked(self) -> bool:
        """Whether somebody holds the table's lock now."""
        return bool(self.replicas.backing.rows(_LOCKS, NAMESPACE, self._table)[0][0])

    def read_back(self) -> LiveRun:
        """The run with the table as it is now, caches having caught up."""
        seconds = self._journal.seconds
        self.replicas.settle()
        row = self.replicas.backing.table(f"{NAMESPACE}.{self._table}")
        if row is None:
            raise BackendError(f"table {self._table}: expected it in the database, found none")
        location = row.parameters[LOCATION]
        self._expect_served(location)
        metadata = json.loads(_path(location).read_text())
        lineage = lineage_of_metadata(metadata, self._makers())
        name = self._name(SETUP)
        rows, unreadable = self._rows(name)
        contents = tuple(self._rows(f"{name} VERSION AS OF {version.snapshot}")[0] for version in lineage)
        return LiveRun(
            self.workload, self._journal.outcomes(self.workload.actors), tuple(map(str, self.gate.trace)), lineage,
            rows, unreadable, seconds, self._journal.commands, contents,
        )  # fmt: skip

    def _expect_served(self, location: str) -> None:
        with self.replicas.metastores[self._routes[SETUP]].connect() as calls:
            request = GetTableRequest(dbName=NAMESPACE, tblName=self._table, capabilities=CAPABILITIES)
            served = calls.get_table_req(request).table.parameters[LOCATION]
        if served != location:
            raise BackendError(f"table {self._table}: expected the cache to have caught up to {location}, got {served}")

    def _makers(self) -> dict[int, str]:
        return {
            int(passed.version): passed.at.actor
            for passed in self.gate.trace
            if passed.at.operation == ALTER_TABLE and passed.version is not None
        }

    def _rows(self, table: str) -> tuple[Rows | None, str | None]:
        try:
            return sorted_rows((row.id, row.v) for row in self.session.sql(f"SELECT id, v FROM {table}")), None
        except Exception as error:
            return None, describe(error)


def version_of(call: Message, answer: bytes) -> str | None:
    """The snapshot that a call has read or would make current; None if it is about no Iceberg table."""
    if call.name.startswith("get_table"):
        result = result_of(answer).success
        table = getattr(result, "table", result)
    elif call.name.startswith("alter_table"):
        arguments = arguments_of(call)
        table = getattr(arguments, "new_tbl", None) or arguments.req.table
    else:
        return None
    location = (table.parameters or {}).get(LOCATION)
    return None if location is None else _snapshot(_path(location))


@functools.lru_cache(maxsize=1024)  # a metadata file never changes
def _snapshot(path: Path) -> str | None:
    found = json.loads(path.read_text()).get("current-snapshot-id")
    return None if found in (None, -1) else str(found)


def _path(location: str) -> Path:
    return Path(urlparse(location).path)
