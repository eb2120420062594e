"""Iceberg's Hive catalog over replicas of a metastore: where the lock does not help, and where comparing does.

The catalog reads the table's location under its lock, and alters the table. Both go to a replica: the read to its
cache. Writers of one cell share a replica or have one each. The table is external to Hive: no lists are sent.

Source: hive/4.7, hive/6.2 (R1, R9); iceberg/3.1; executed on live metastores (12 cells and three step lists).

Choices: there is one lock service for all replicas, as locks are rows of the shared database; they are waited for
without polling, and nobody stands still for longer than a lease, so heartbeats are left out. When the writers have
ended, the update threads see to the rest of the log; then the table is read past every cache. Where a timer reads the
cache anew and the lock is on, each statement of a metastore is a step: a change is in its cache before it is committed
(`CachedStore.alterTable`, 4.0.1), as seen live.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from model.hive import FIXED
from model.hive.replica import Replica, Request
from model.hive.tables import create
from model.iceberg.rules import NO_HEARTBEAT
from sim.hive.cluster import DATABASE, Cluster, database_of
from sim.hive.faults import UPDATE_THREADS
from sim.hive.race import CLUSTER
from sim.iceberg.bounds import left_out
from sim.iceberg.metastore_cells import (
    CACHE_WORDS,
    CACHES,
    CELLS,
    COUNTERS,
    KEPT,
    LOST,
    REFRESHED_CELLS,
    SILENT,
    STEPS,
    Cache,
    Cell,
    LiveCache,
)  # fmt: skip
from sim.iceberg.race import READER, TABLE, IcebergRace
from sim.iceberg.scenarios import NO_FAULTS, SAFETY, unsaid
from sim.iceberg.workload import IcebergWorkload, Insert, Statement
from sim.services.patient_locks import PatientLocks
from sim.world.fault_spaces import METASTORE, Port, wide
from sim.world.live import Live
from sim.world.scenario import FaultSpace, Scenario, parameters_of, scenario_of
from sim.world.simulation import Simulation
from sim.world.words import all_but, counted, not_asked


@dataclass(frozen=True, slots=True)
class OnMetastores:
    """What live metastores are given: `routes` says which replica each writer is at, `cache` what replicas have."""

    workload: IcebergWorkload
    routes: Mapping[str, str]
    cache: LiveCache


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
    """The race of `workload`, each writer at its replica. `routes`: writer -> replica; `leases`: locks are asked for
    again and again, and run out; else they are waited for without a step."""

    cache: Cache = "off"
    routes: tuple[tuple[str, str], ...] = ()
    leases: bool = False

    def prepare(self, simulation: Simulation) -> Any:
        """Make the table and its past, through a replica without a cache."""
        database = self._database(simulation)
        database.transact("create", "setup", lambda tx: create(tx, TABLE, (), False))
        return self._made(simulation, simulation.world("setup", metastore=_direct(simulation)))

    def start(self, simulation: Simulation) -> None:
        """Start the replicas with the table in their caches, their update threads, and the writers."""
        database = self._database(simulation)
        rules = CACHES[self.cache]
        locks = simulation.services.locks if self.leases else simulation.attach("patient locks", PatientLocks)
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

    def _database(self, simulation: Simulation) -> Any:
        """Statement by statement where a change is in its replica's cache before it is committed; not where it is
        always refused."""
        changes = self.cache == "refresh" and self.workload.catalog == "hive-lock"
        return simulation.attach(DATABASE, database_of(statements=changes))

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
        yield_points=cell.steps,
        bounds="; ".join(filter(None, said)),
        live=live_of(cell, workload, routes),
        parameters=parameters_of(workload, without=unsaid(workload)),
    )
    return replace(scenario, expect="unknown") if cell in SILENT else scenario


def live_of(cell: Cell, workload: IcebergWorkload, routes: Iterable[tuple[str, str]]) -> Live | str:
    """How a race is played on live metastores, or what stands against it."""
    cache = cell.cache
    if cache == "refresh":
        return "expected steps that live metastores offer, got a cache that a timer reads anew"
    return Live("iceberg-on-metastores", OnMetastores(workload, dict(routes), cache), (STEPS,), faults={})


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
    *[composite(cell) for cell in (*CELLS, *REFRESHED_CELLS)],
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
