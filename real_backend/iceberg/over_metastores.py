"""Iceberg's Hive catalog in Spark over live metastores: each writer has a replica, the schedule steps both.

Per run: a table of its own, made by `setup` ungated and followed by every cache; then the watermarks are closed. Spark
SQL of the writers goes through the Thrift gates; pollers take the batch that they read. When the writers have ended,
the pollers finish the log, and the table is read back.

Choices: a version is a snapshot, which the gate finds in the metadata file that a call names. The read-back goes
through a replica after every cache has caught up, and is refused unless that replica names the database's metadata. A
`lock` is on offer only while nobody holds the lock: a client that waits for one asks again and again.
"""

import functools
import itertools
import json
import shutil
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from urllib.parse import urlparse

from hive_metastore.ttypes import Database, GetTableRequest

from real_backend.errors import BackendError
from real_backend.gating.actors import Workers
from real_backend.gating.gate import WAIT_S, InterpositionPoint
from real_backend.gating.play import at_yield_points
from real_backend.gating.race import SETUP, run_gated
from real_backend.hive.client import CAPABILITIES
from real_backend.hive.live_run import Variant
from real_backend.hive.pollers import APPLY
from real_backend.hive.replica_race import ReplicaRace
from real_backend.hive.servers import Replicas, Servers
from real_backend.hive.thrift_gate import ALTER_TABLE, GET_TABLE
from real_backend.hive.thrift_wire import Message, arguments_of, result_of
from real_backend.hive.timer import POLL
from real_backend.iceberg.journal import Journal, Sending
from real_backend.iceberg.live_run import LiveRun, lineage_of_metadata
from real_backend.iceberg.sql import create_table, rows_of
from real_backend.jvm.session import Session
from sim.iceberg.workload import IcebergWorkload, sql_text
from sim.kernel.schedule import Schedule, Step

LOCATION = "metadata_location"
NAMESPACE = "ice"
LOCK, UNLOCK = "lock", "unlock"
YIELD_POINTS = (LOCK, GET_TABLE, ALTER_TABLE, UNLOCK, POLL, APPLY)
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
        place = (self._session, replicas, self._namespaces, f"t{next(self._numbers)}")
        race = _Race(*place, workload, routes, variant)
        return run_gated(self._workers, race, steps, timeout_s)

    def close(self) -> None:
        """End the writers' threads; session and servers go on."""
        self._workers.close()


class _Race(ReplicaRace[LiveRun]):
    """The table of one run, and its writers."""

    def __init__(
        self, session: Session, replicas: Replicas, namespaces: set[Path], table: str, workload: IcebergWorkload,
        routes: Mapping[str, str], variant: Variant,
    ) -> None:  # fmt: skip
        polled = dict.fromkeys(routes.values())
        super().__init__(workload.actors, YIELD_POINTS, replicas, polled, drains=True, version_of=version_of)
        self._session = session
        self._namespaces = namespaces
        self._table = table
        self._workload = workload
        self._variant = variant
        self._routes = {SETUP: next(iter(replicas.metastores)), **routes}
        self._journal = Journal(workload, GET_TABLE, ALTER_TABLE)
        self._warehouse = replicas.folder / "iceberg"
        self._names: dict[str, str] = {}
        self._first: int | None = None

    def make(self) -> None:
        """Make the table and its past, through the first replica; when every cache has it, close them."""
        self._names = {actor: self._name(actor) for actor in (SETUP, *self.actors)}
        if self.replicas.folder not in self._namespaces:
            self._make_namespace()
            self._namespaces.add(self.replicas.folder)
        locks = "true" if self._workload.catalog == LOCKED else "false"
        create_table(self._session, self._names[SETUP], self._workload, **{"engine.hive.lock-enabled": locks})
        self.replicas.settle()
        if self._workload.history:
            self._first = int(json.loads(_path(self._location()).read_text())["current-snapshot-id"])
        variant = self._variant
        self.replicas.switch(replay_writes=variant.replay_writes, passes_expected=variant.passes_expected)
        self.replicas.close_watermarks()

    def _make_namespace(self) -> None:
        """Make the database of all runs' tables."""
        home = self.replicas.metastores[self._routes[SETUP]]
        with home.connect() as calls:
            location = f"file:{self._warehouse}/{NAMESPACE}.db"
            calls.create_database(Database(name=NAMESPACE, description="", locationUri=location, parameters={}))

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
        self._session.add_catalog(catalog, settings)
        return f"{catalog}.{NAMESPACE}.{self._table}"

    def is_passable(self, at: InterpositionPoint) -> bool:
        """A lock is on offer only while nobody holds it, too."""
        return super().is_passable(at) and not (at.operation == LOCK and self._is_locked())

    def _is_locked(self) -> bool:
        return bool(self.replicas.backing.rows(_LOCKS, NAMESPACE, self._table)[0][0])

    def act(self, actor: str) -> None:
        """Send one writer's statements."""
        name, sql = self._names[actor], self._session.sql
        self._journal.act(self.gate, actor, lambda _, statement: Sending(partial(sql, sql_text(statement, name))))

    def read_back(self) -> LiveRun:
        """The run with the table as it is now, caches having caught up."""
        self.replicas.settle()
        location = self._location()
        self._expect_served(location)
        lineage = lineage_of_metadata(json.loads(_path(location).read_text()), self._makers(), self._first)
        return self._journal.read_back(self.gate, lineage, partial(rows_of, self._session, self._names[SETUP]))

    def _location(self) -> str:
        """Where the table's metadata are, as the database has it."""
        row = self.replicas.backing.table(f"{NAMESPACE}.{self._table}")
        if row is None:
            raise BackendError(f"table {self._table}: expected it in the database, found none")
        return str(row.parameters[LOCATION])

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

    def close(self) -> None:
        """Take gate, pollers and the table's files away."""
        super().close()
        shutil.rmtree(self._warehouse / f"{NAMESPACE}.db" / self._table, ignore_errors=True)


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
