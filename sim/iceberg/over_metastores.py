"""Iceberg's Hive catalog over replicas of a metastore: where the lock does not help, and where comparing does.

The catalog reads the table's location under its lock, and alters the table. Both go to a replica: the read to its
cache. Writers of one cell share a replica or have one each. The table is external to Hive: no lists are sent.

Source: hive/4.7, hive/6.2 (R1, R9); iceberg/3.1; executed on live metastores (12 cells and three step lists).

Choices: there is one lock service for all replicas, as locks are rows of the shared database; they are waited for
without polling, and nobody stands still for longer than a lease, so heartbeats are left out. When the writers have
ended, the update threads see to the rest of the log; then the table is read past every cache.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from model.hive import FIXED, Rules
from model.hive import coverage as hive
from model.hive.replica import Replica, Request
from model.hive.rules import SHIPPED, SHIPPED_CAS, SHIPPED_CAS_NO_REPLAY
from model.hive.tables import create
from model.iceberg import coverage as iceberg
from model.iceberg import create_table
from model.iceberg.rules import NO_HEARTBEAT
from sim.hive.bounds import EVENT_MODE
from sim.hive.cluster import DATABASE, Cluster, database_of
from sim.hive.faults import UPDATE_THREADS
from sim.hive.race import CLUSTER
from sim.iceberg.bounds import left_out
from sim.iceberg.race import READER, TABLE, IcebergRace
from sim.iceberg.scenarios import NO_FAULTS, SAFETY, unsaid
from sim.iceberg.workload import IcebergWorkload, Insert, Statement
from sim.services.patient_locks import PatientLocks
from sim.world.fault_spaces import METASTORE, Port, wide
from sim.world.live import Live
from sim.world.scenario import FaultSpace, Scenario, parameters_of, scenario_of
from sim.world.simulation import Simulation
from sim.world.words import all_but, counted, not_asked

Cache = Literal["off", "shipped", "cas", "cas-no-replay"]
CACHES: Mapping[str, Rules] = {
    "off": FIXED, "shipped": SHIPPED, "cas": SHIPPED_CAS, "cas-no-replay": SHIPPED_CAS_NO_REPLAY,
}  # fmt: skip
WAITED = "locks: waited"
STEPS = ("lock", "get_table", "alter_table", "unlock", "sleep", "poll", "apply")


@dataclass(frozen=True, slots=True)
class OnMetastores:
    """What live metastores are given: `routes` says which replica each writer is at, `cache` what replicas have."""

    workload: IcebergWorkload
    routes: Mapping[str, str]
    cache: Cache


class ReplicaMetastore:
    """The metastore port, served by one replica to clients that send no lists."""

    def __init__(self, cluster: Cluster, replica: str) -> None:
        self._cluster = cluster
        self._name = replica

    def get_table(self, name: str) -> dict[str, str]:
        """The table's parameters as the replica has them. Raises: `NotFound`."""
        return dict(self._replica.get_table(Request(name)).table.parameters)

    def alter_table(self, name: str, parameters: dict[str, str], expected: tuple[str, str] | None = None) -> None:
        """Replace the parameters. Raises: `CasLost` if the expected one differs, `Refused` if it cannot be named."""
        self._replica.alter_table(name, tuple(sorted(parameters.items())), 0, expected)

    @property
    def _replica(self) -> Replica:
        return self._cluster.find(self._name)


@dataclass(frozen=True, slots=True)
class IcebergOverHive(IcebergRace):
    """The race of `workload`, each writer at its replica. `routes`: writer -> replica."""

    cache: Cache = "off"
    routes: tuple[tuple[str, str], ...] = ()

    def prepare(self, simulation: Simulation) -> Any:
        """Make the table, through a replica without a cache."""
        database = simulation.attach(DATABASE, database_of())
        database.transact("create", "setup", lambda tx: create(tx, TABLE, (), False))
        table = create_table(
            simulation.world("setup", metastore=_direct(simulation)), TABLE, self.workload.rows,
            catalog=self.workload.catalog, properties=self.workload.properties, rules=self.rules,
        )  # fmt: skip
        return table.ops.seen

    def start(self, simulation: Simulation) -> None:
        """Start the replicas with the table in their caches, their update threads, and the writers."""
        database = simulation.attach(DATABASE, database_of())
        rules, locks = CACHES[self.cache], simulation.attach("patient locks", PatientLocks)
        cluster = simulation.attach(CLUSTER, lambda kernel, interner: Cluster(kernel, interner, database, rules))
        cluster.clients += self.workload.actors
        names = tuple(dict.fromkeys(replica for _, replica in self.routes))
        for name in names:
            replica = cluster.boot(name)
            if self.cache != "off":
                replica.start()
        for writer, name in self.routes:
            simulation.world(writer, metastore=ReplicaMetastore(cluster, name), locks=locks)
        simulation.world(READER, metastore=_direct(simulation))
        IcebergRace.start(self, simulation)
        if self.cache != "off":
            for name in names:
                self._start_thread(simulation, cluster, name)

    def _start_thread(self, simulation: Simulation, cluster: Cluster, name: str) -> None:
        """The update thread of a replica, which starts again with an empty cache after a crash."""
        simulation.actor(name, lambda: cluster.follow(name), restart=lambda: cluster.begin_again(name))

    def _writer(self, simulation: Simulation, actor: str, statements: tuple[Statement, ...]) -> Callable[[], None]:
        body = IcebergRace._writer(self, simulation, actor, statements)

        def then_end() -> None:
            body()
            simulation.attach(CLUSTER, _no_cluster).client_ended(actor)

        return then_end


def _direct(simulation: Simulation) -> ReplicaMetastore:
    """A metastore without a cache on the run's database."""
    cluster = Cluster(simulation.kernel, None, simulation.attach(DATABASE, database_of()), FIXED)
    cluster.boot("direct")
    return ReplicaMetastore(cluster, "direct")


def _no_cluster(*_: Any) -> Cluster:
    raise AssertionError("the replicas are made by `start`")


class Cell(NamedTuple):
    """One square of the composite's table."""

    cache: Cache
    lock: bool
    replicas: int

    @property
    def name(self) -> str:
        """The scenario's name."""
        lock = "lock" if self.lock else "no-lock"
        return f"hive/iceberg-{self.cache}-{lock}-{'one' if self.replicas == 1 else 'two'}"


LOST = {
    Cell("shipped", True, 2): "The check after the lock reads the other replica's stale cache: one or two commits go.",
    Cell("cas", True, 2): "Locked, nobody compares; the check after the lock reads a stale cache: one or two go.",
    Cell(
        "cas", False, 2
    ): "A replayed alter sets the database back to what a stale writer expects (R1): a commit is lost.",
    Cell("cas-no-replay", True, 2): "As with the replay: the lock does not help, one or two commits go.",
}
SILENT = {
    Cell("shipped", False, 1): "The cache does not pass the expected location on: no commit is ever acknowledged.",
    Cell("shipped", False, 2): "The cache does not pass the expected location on: no commit is ever acknowledged.",
}
"""Nothing is lost where nothing is acknowledged: no verdict."""
KEPT = {
    Cell(
        "cas-no-replay", False, 2
    ): "A stale writer is refused, and retries on the same stale base until it is polled.",
}
CACHE_WORDS: Mapping[Cache, str] = {
    "off": "no cache",
    "shipped": EVENT_MODE,
    "cas": f"{EVENT_MODE}, expected locations passed on (shipped by nobody)",
    "cas-no-replay": f"{EVENT_MODE}, expected locations passed on, no alter replayed (shipped by nobody)",
}
COUNTERS = {
    (cache, lock): names
    for caches, lock, names in (
        (("off",), True, (WAITED, iceberg.LOCATION_CHANGED, iceberg.RETRY)),
        (("off",), False, (iceberg.STATUS_FAILURE, iceberg.RETRY)),
        (("shipped", "cas", "cas-no-replay"), True, (WAITED, iceberg.LOCATION_CHANGED, hive.EVENTUAL)),
        (("shipped",), False, (iceberg.STATUS_UNKNOWN, hive.EVENTUAL)),
        (("cas", "cas-no-replay"), False, (iceberg.STATUS_FAILURE, iceberg.RETRY, hive.EVENTUAL)),
    )
    for cache in caches
}
CELLS = (
    *(Cell(cache, lock, count) for cache in ("off", "shipped", "cas") for lock in (True, False) for count in (1, 2)),
    Cell("cas-no-replay", True, 2),
    Cell("cas-no-replay", False, 2),
)


ANY_FAULT = wide(Port("metastore calls", METASTORE.kinds), UPDATE_THREADS, without={"stale": "only a cache is stale"})


def composite(cell: Cell, *, first: int = 2, faults: FaultSpace | None = None) -> Scenario:
    """The race of one cell: w1 inserts `first` rows one by one, w2 one row.

    Args: `faults` may be injected (None: any where nothing is acknowledged, elsewhere none).
    """
    if faults is None:
        faults = ANY_FAULT if cell in SILENT else NO_FAULTS
    inserts: tuple[Statement, ...] = tuple([Insert(((number, f"w1-{number}"),)) for number in range(10, 10 + first)])
    workload = IcebergWorkload(
        (("w1", inserts), ("w2", (Insert(((20, "w2-20"),)),))),
        rows=((1, "a"),),
        retries=1,
        catalog="hive-lock" if cell.lock else "hive-no-lock",
    )
    routes = (("w1", "h1"), ("w2", "h1" if cell.replicas == 1 else "h2"))
    program = IcebergOverHive(workload, NO_HEARTBEAT, cache=cell.cache, routes=routes)
    lost = LOST.get(cell)
    but = left_out(faults)
    said = (
        workload.bounds,
        f"{counted(cell.replicas, 'replica')}, {CACHE_WORDS[cell.cache]}",
        not_asked(but),
        "" if faults.limit else _without_faults(cell),
    )
    scenario = scenario_of(
        program,
        cell.name,
        protocol="iceberg",
        summary=(LOST | SILENT | KEPT).get(cell, "Every acknowledged commit is in the table."),
        properties=all_but(SAFETY, but),
        broken="acknowledged-writes-survive" if lost else None,
        counters=() if lost else COUNTERS[cell.cache, cell.lock],
        faults=faults,
        yield_points=STEPS,
        bounds="; ".join(filter(None, said)),
        live=Live("iceberg-on-metastores", OnMetastores(workload, dict(routes), cell.cache), (STEPS,), faults={}),
        parameters=parameters_of(workload, without=unsaid(workload)),
    )
    return replace(scenario, expect="unknown") if cell in SILENT else scenario


def _without_faults(cell: Cell) -> str:
    """Why a cell has no faults: it loses commits without them, or one breaks it for a reason that has a row."""
    if cell in LOST:
        return "no faults"
    if cell.lock:
        return "no faults: a late alter breaks any such race, see iceberg/hive-lock-pause"
    if cell.cache == "off":
        return "no faults: they are asked of iceberg/hive-no-lock-pause"
    return f"no faults: an alter that is sent twice breaks any such race, see {SENT_TWICE}"


SENT_TWICE = "hive/iceberg-alter-sent-twice"
COMPOSITE: tuple[Scenario, ...] = (
    *[composite(cell) for cell in CELLS],
    replace(
        composite(Cell("cas-no-replay", False, 2), faults=ANY_FAULT),
        name=SENT_TWICE,
        summary="Any call may fail or be sent twice: the second alter is refused, a stale cache says that the first "
        "failed, too, and the metadata that it committed is deleted.",
        expect="violated",
        broken="readable",
        counters=(),
    ),
)


class StepList(NamedTuple):
    """Steps that were played on live metastores by hand, and what came of the last insert."""

    name: str
    cell: Cell
    first: int
    steps: str
    outcome: Literal["lost", "refused"]

    def scenario(self) -> Scenario:
        """The race to play the steps on."""
        return composite(self.cell, first=self.first)


POLLED_LATE = "w1:alter_table w1.alter_table h2.poll w1:end h2.apply w2:end"
"""h2 reads w1's first commit from the log, and applies it when the second one is there."""
STEP_LISTS = (
    StepList("lock-on", Cell("cas", True, 2), 1, "w1:end w2:end", "lost"),
    StepList("lock-off", Cell("cas", False, 2), 1, "w1:end w2:end", "refused"),
    StepList("replay-defeats-comparing", Cell("cas", False, 2), 2, POLLED_LATE, "lost"),
    StepList("replay-switched-off", Cell("cas-no-replay", False, 2), 2, POLLED_LATE, "refused"),
)
"""Played with h2 closed: it sees no event but those that are polled."""
