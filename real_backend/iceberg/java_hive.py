"""Tables of the real Hive catalog of Iceberg, on a real metastore without a cache, without Spark.

Each actor has a catalog of its own, whose metastore client goes through the actor's port of the Thrift gate: so steps
are calls of the metastore, and what is sent again is sent by Hive's own client. Faults are those of a connection that
closes (`thrift_gate`).

Choices: the table of a race is registered by the metadata file of one that was made, and shares its files; what the
race writes stays until the metastore ends. A `lock` is on offer only while nobody holds one: a client that waits for
one asks again and again. Each actor's catalog has a name of its own, as in a process of its own: else a lock within
the JVM comes before the metastore's.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import Any

from real_backend.gating.gate import WAIT_S, Gate, InterpositionPoint
from real_backend.gating.race import SETUP
from real_backend.hive.servers import Replicas, Servers
from real_backend.hive.thrift_gate import ALTER_TABLE, GET_TABLE, can_fault
from real_backend.iceberg.bare_jvm import bare_jvm
from real_backend.iceberg.java_api import JavaIceberg, Playing
from real_backend.iceberg.java_catalogs import InMemory
from real_backend.iceberg.java_creating import OfRace, Tables
from real_backend.iceberg.java_files import JavaFiles
from real_backend.iceberg.live_run import LiveRun
from real_backend.iceberg.ops_gate import GatedTableOperations, current_snapshot
from real_backend.jvm.jvm import Jvm
from sim.iceberg.workload import IcebergWorkload

LOCK, UNLOCK, CREATE_TABLE, DROP_TABLE, RENAME_TABLE = "lock", "unlock", "create_table", "drop_table", "rename_table"
YIELD_POINTS = (GET_TABLE, ALTER_TABLE, CREATE_TABLE, DROP_TABLE, RENAME_TABLE, LOCK, UNLOCK)
LOCKED, UNLOCKED = "hive-lock", "hive-no-lock"
METASTORE = "h1"
_LOCKS = 'select count(*) from "HIVE_LOCKS" where "HL_DB" = %s and "HL_TABLE" = %s'


class Link:
    """What the calls of one actor change: told once for each that the metastore has carried out."""

    def __init__(self) -> None:
        self._applied: Callable[[], None] = lambda: None
        self._by: tuple[str, ...] = ()

    @contextmanager
    def telling(self, applied: Callable[[], None], *by: str) -> Iterator[None]:
        """Meanwhile each call of these operations that is carried out is told."""
        self._applied, self._by = applied, by
        try:
            yield
        finally:
            self._by = ()

    def heard(self, operation: str | None) -> None:
        """The metastore has carried out a call."""
        if operation in self._by:
            self._applied()


class OnHive(InMemory):
    """A Hive catalog of each actor, on one metastore."""

    loads_freely = False
    yield_points: tuple[str, ...] = YIELD_POINTS

    def __init__(self, jvm: Jvm, replicas: Replicas, *, locks: bool) -> None:
        self._jvm, self._replicas, self._locks = jvm, replicas, locks
        self.unlocked: tuple[str, ...] = ()
        self._warehouse = replicas.folder / "java"
        self.home = f"file:{self._warehouse}/data"
        self._made: dict[str, Any] = {}
        self._links: dict[str, Link] = {}

    def can_fault(self, operation: str, fault: str) -> bool:
        """A connection that closes, of who makes a table or drops one, or asks for a lock."""
        return operation in (CREATE_TABLE, DROP_TABLE, LOCK) and can_fault(operation, fault) and fault != "late"

    def install(self, gate: Gate) -> None:
        """Put it behind the proxy."""
        self._replicas.install(gate)

    def is_passable(self, at: InterpositionPoint, identifier: Any) -> bool:
        """A lock is on offer only while nobody holds it."""
        if at.operation != LOCK:
            return True
        names = str(identifier.namespace().toString()), str(identifier.name())
        return not self._replicas.backing.rows(_LOCKS, *names)[0][0]

    def of(self, actor: str) -> Any:
        """The actor's own."""
        locks = self._locks and actor not in self.unlocked
        name = f"{actor}-{'lock' if locks else 'no-lock'}"
        if name not in self._made:
            configuration = self._jvm.java.org.apache.hadoop.conf.Configuration()
            configuration.set("iceberg.engine.hive.lock-enabled", "true" if locks else "false")
            self._made[name] = catalog = self._jvm.iceberg.hive.HiveCatalog()
            catalog.setConf(configuration)
            settings = {
                "uri": f"thrift://127.0.0.1:{self._gate.port_of(actor)}",
                "warehouse": f"file:{self._warehouse}",
                "clients": "1",
            }
            catalog.initialize(name, self._jvm.java_map(settings))
        return self._made[name]

    @property
    def _gate(self) -> Any:
        return self._replicas.gates[METASTORE]

    def link(self, actor: str) -> Link:
        """What the actor's calls change."""
        return self._links.setdefault(actor, Link())

    def operations(self, actor: str, identifier: Any, real: Any, race: OfRace) -> GatedTableOperations:
        """Held at calls of the metastore."""
        return GatedHiveOperations(self._jvm, actor, self.link(actor), real, race)

    def tables(self, files: JavaFiles, identifier: Any, actor: str, name: str, race: OfRace) -> Tables:
        """Held at calls of the metastore."""
        return _TablesOnHive(self._jvm, files, self.of(actor), identifier, actor, name, race, self.link(actor))

    def join(self, actor: str, race: OfRace) -> None:
        """His calls."""
        self._gate.heard[actor] = self.link(actor).heard

    def leave(self) -> None:
        """Nothing is held any more."""
        self._gate.heard.clear()
        self._replicas.install(Gate(()))


class GatedHiveOperations(GatedTableOperations):
    """A py4j proxy around one actor's real `HiveTableOperations`, whose calls are held beneath."""

    def __init__(self, jvm: Jvm, actor: str, link: Link, real: Any, race: OfRace) -> None:
        self._link = link
        super().__init__(jvm, actor, real, race.gate, race.snapshots, race.moved)

    def refresh(self) -> Any:
        """As the real ones do."""
        metadata = self._real.refresh()
        self._gate().note(self._actor, version=current_snapshot(metadata))
        return metadata

    def commit(self, base: Any, metadata: Any) -> None:
        """As the real ones do; what the metastore carries out is noted."""
        snapshot = self._added(base, metadata)

        def applied() -> None:
            if snapshot is not None:
                self._snapshots.made[int(snapshot)] = self._actor
            self.made(metadata)
            if base is None or current_snapshot(base) != current_snapshot(metadata):
                self._moved(metadata.currentSnapshot())

        with self._link.telling(applied, ALTER_TABLE, CREATE_TABLE):
            self._real.commit(base, metadata)


class _BegunOnHive(GatedHiveOperations):
    """Operations of a transaction whose begin is known: what it refreshes is not what it was begun on."""

    def refresh(self) -> Any:
        """As the real ones do."""
        return self._real.refresh()


class _TablesOnHive(Tables):
    """Creates and drops a table of a Hive catalog."""

    def __init__(
        self, jvm: Jvm, files: JavaFiles, catalog: Any, identifier: Any, actor: str, name: str, race: OfRace,
        link: Link,
    ) -> None:  # fmt: skip
        super().__init__(jvm, files, catalog, identifier, actor, name, race)
        self._link = link

    def _hold(self) -> None:
        """The call that looks for it is held."""

    def _gated(self, operations: Any) -> GatedTableOperations:
        return _BegunOnHive(self._jvm, self._actor, self._link, operations, self._race)

    def drop(self) -> None:
        """Drop the table, if there is one. Raises: `Py4JJavaError`."""
        self._drop(with_files=False)

    def drop_with_files(self) -> None:
        """Drop the table with purge, if there is one. Raises: `Py4JJavaError`."""
        self._drop(with_files=True)

    def _drop(self, *, with_files: bool) -> None:
        with self._link.telling(self._race.dropped, DROP_TABLE):
            self._catalog.dropTable(self._identifier, with_files)

    def rename(self, name: Any, to: Any) -> None:
        """Rename a table. Raises: `Py4JJavaError`."""
        with self._link.telling(partial(self._race.renamed, to), RENAME_TABLE):
            self._catalog.renameTable(name, to)


class JavaOnHive(JavaIceberg):
    """Runs workloads of the Java API on the Hive catalog, with its lock and without."""

    kinds = (LOCKED, UNLOCKED)

    def __init__(self, jvm: Jvm, servers: Servers) -> None:
        super().__init__(jvm)
        replicas = servers.replicas(cached=False, names=(METASTORE,))
        self._on_hive = {kind: OnHive(jvm, replicas, locks=kind == LOCKED) for kind in self.kinds}
        self._catalogs.update(self._on_hive)
        namespace = self._starts.identifier("t").namespace()
        location = {"location": f"file:{replicas.folder}/java/db"}
        self._catalogs[LOCKED].of(SETUP).createNamespace(namespace, jvm.java_map(location))

    def run(self, workload: IcebergWorkload, schedule: Playing, timeout_s: float = WAIT_S) -> LiveRun:
        """As `JavaIceberg`, with the catalogs that the workload's actors have."""
        self._on_hive[LOCKED].unlocked = workload.unlocked
        return super().run(workload, schedule, timeout_s)


@contextmanager
def java_on_hive(servers: Servers) -> Iterator[JavaOnHive]:
    """Iceberg's Java API on a bare JVM and its Hive catalog on these servers; the JVM ends on the way out.

    Raises: `BackendUnavailable`, `BackendTimeout`, when it does not start.
    """
    with bare_jvm() as jvm, closing(JavaOnHive(jvm, servers)) as live:
        yield live
