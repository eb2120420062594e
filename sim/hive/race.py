"""A race on a metastore with replicas: turns a `HiveWorkload` into a scenario's prepare, start and finish.

Sessions run their statements through `model.hive` and record what they were told, with what the checkers must know of
it in `arg` (`checkers.hive.facts`). When all have ended, the lineage is what the notification log said in the order of
its commits, then every replica is asked what it would serve from its cache, and the database what there is.

Choices: update threads are daemons, unless `drains` is set: then transactions that are left open time out when the last
session has ended, and the threads see to the rest of the log. Versions that an unanswered call may have made are found
by their values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from model.hive import FIXED, Replica, Rules, Session
from model.hive.log import append, clean, current_event_id
from model.hive.rows import CONTENT_EVENTS, TBLS, Event, Table, content_key
from model.hive.tables import create, partitions, put_partition
from model.ports import PortError, Transaction, Unanswered
from sim.hive.cluster import DATABASE, Cluster, database_of
from sim.hive.evictions import Evict
from sim.hive.final import read_back
from sim.hive.lock_statements import TimeOut
from sim.hive.makers import claimed_by, ended, maker_of, refused_truncate
from sim.hive.present import Present
from sim.hive.restarts import Restart
from sim.hive.statements import OPENING, describe, perform
from sim.hive.update_statements import CleanHistory
from sim.hive.workload import Begin, CleanLog, HiveSession, HiveWorkload, LogEvent, Statement
from sim.kernel.task import WRITE
from sim.services.database import DatabaseService
from sim.world.simulation import Simulation

CLUSTER = "hive replicas"
MEDDLING = (CleanLog, LogEvent, TimeOut, Evict, Restart, CleanHistory)
"""What no client asks for."""
THREAD, AGAIN = "-thread", "-restarted"
"""What the name of an update thread ends with that may die alone, and that of one which runs in a new process."""


@dataclass(frozen=True, slots=True)
class HiveRace:
    """One workload under one set of rules. `prepare`, `start` and `finish` are a scenario's.

    Args: `statements`: every database statement is a step; `drains`: the update threads finish the log; `dies`: what a
    crash of an update thread takes with it (the thread alone, or the whole replica, which then restarts).
    """

    workload: HiveWorkload
    rules: Rules = FIXED
    statements: bool = False
    drains: bool = False
    dies: Literal["replica", "thread"] = "replica"

    def database(self, simulation: Simulation) -> DatabaseService:
        """The run's database."""
        return simulation.attach(DATABASE, database_of(self.statements))

    def prepare(self, simulation: Simulation) -> Any:
        """Make the tables; returns their content, a write for each key."""
        database = self.database(simulation)

        def body(tx: Transaction) -> None:
            for table in self.workload.tables:
                create(tx, table.name, (("v", table.value),), table.managed)
                for name, value in table.partitions:
                    put_partition(tx, table.name, name, value)

        database.transact("create", "setup", body)
        return _initial(database)

    def start(self, simulation: Simulation) -> None:
        """Record the initial content, start the replicas, the update threads and the sessions."""
        database = self.database(simulation)
        given = database, self.rules, self.workload.cached
        cluster = simulation.attach(CLUSTER, lambda kernel, interner: Cluster(kernel, interner, *given))
        cluster.clients += self.workload.actors
        cluster.times_out = self.drains
        simulation.record.setup(simulation.prepared, 0)
        self._warm(simulation, cluster)
        for session in self.workload.sessions:
            simulation.actor(session.actor, self._client(simulation, cluster, session))
        for name in self.workload.pollers:
            self._start_poller(simulation, cluster, name)

    def _warm(self, simulation: Simulation, cluster: Cluster) -> None:
        """Boot the replicas; those that lag have prewarmed before the earlier sessions, the others after them."""
        workload = self.workload
        for name in workload.replicas:
            cluster.boot(name)
        for name in workload.lagging:
            cluster.replicas[name].start()
        for session in workload.earlier:
            self._client(simulation, cluster, session)()
        for name in workload.replicas:
            if name not in (*workload.cold, *workload.lagging):
                cluster.replicas[name].start()

    def _start_poller(self, simulation: Simulation, cluster: Cluster, name: str) -> None:
        cold = name in self.workload.cold

        def body() -> None:
            if not cluster.servers[name].alive:  # restarted before its update thread began
                cluster.begin_again(name)
                return
            if cold:
                cluster.replicas[name].start()
            cluster.follow(name)

        def again() -> None:
            if self.dies == "replica" or not cluster.servers[name].alive:
                cluster.begin_again(name)
            else:
                if not cluster.replicas[name].poller.runs:  # it died while it filled the cache
                    cluster.replicas[name].start()
                cluster.follow(name)

        actor = self._process_of(name)
        if self.drains:
            simulation.actor(actor, body, restart=again)
        else:
            simulation.kernel.start(actor, body, daemon=True)

    def _process_of(self, name: str) -> str:
        """What dies with a replica's update thread."""
        return name if self.dies == "replica" else f"{name}{THREAD}"

    def _client(self, simulation: Simulation, cluster: Cluster, spec: HiveSession) -> Callable[[], None]:
        session = Session(
            cluster.find, spec.home, cluster.observer, sends_lists=spec.sends_lists, asks_again=spec.asks_again
        )
        cluster.sessions[spec.actor] = session

        def body() -> None:
            begun = True
            for statement in spec.statements:
                if begun or isinstance(statement, Begin):
                    begun = self._run(simulation, session, spec, statement, cluster)
            cluster.client_ended(spec.actor)

        return body

    def _run(
        self, simulation: Simulation, session: Session, spec: HiveSession, statement: Statement,
        cluster: Cluster,
    ) -> bool:  # fmt: skip
        """Perform one statement; whether those after it follow: not those of a transaction without begin or lock."""
        if isinstance(statement, MEDDLING):
            self._meddle(simulation, spec, statement)
            return True
        f, arg = describe(statement, spec.home)
        op = simulation.record.invoke(spec.actor, f, arg)
        cluster.asked[op] = statement
        before = session.calls_again
        try:
            told = perform(session, statement, self.workload)
        except Unanswered as error:
            simulation.record.info(op, f"{type(error).__name__}: {error}")
        except PortError as error:
            simulation.record.fail(op, f"{type(error).__name__}: {error}")
        else:
            simulation.record.ok(
                op, commit=told.commit, reads=told.reads, writes=told.writes, arg=f"{arg} {told.words}"
            )
            return True
        finally:
            if session.calls_again > before:
                cluster.asked_again.add(op)
        return not isinstance(statement, OPENING)

    def _meddle(
        self,
        simulation: Simulation,
        spec: HiveSession,
        statement: CleanLog | LogEvent | TimeOut | Evict | Restart | CleanHistory,
    ) -> None:
        """What no client asks for: it happens to the log, to a transaction, to a cache."""
        database = self.database(simulation)
        match statement:
            case CleanLog():
                database.transact("clean_log", "database", lambda tx: clean(tx, current_event_id(tx) + 1))
            case LogEvent(kind, name):
                database.transact(
                    "log_event", "database", lambda tx: append(tx, kind, name=name, table=tx.get(TBLS, name))
                )
            case TimeOut(silent):
                cluster: Cluster = simulation.attach(CLUSTER, _no_cluster)
                cluster.time_out(silent, spec.actor, simulation.record)
            case CleanHistory():
                simulation.attach(CLUSTER, _no_cluster).clean_history(spec.actor, simulation.record)
            case Evict(name, at):
                cluster = simulation.attach(CLUSTER, _no_cluster)
                cluster.evict(at or spec.home, name, spec.actor, simulation.record)
            case Restart(at):
                self._restart(simulation, at or spec.home)
                simulation.record.ok(simulation.record.invoke(spec.actor, "restart", f"at={at or spec.home}"))

    def _restart(self, simulation: Simulation, name: str) -> None:
        """End a replica's process and let another one begin. Recorded when it has happened, as an eviction is."""
        cluster: Cluster = simulation.attach(CLUSTER, _no_cluster)
        process = self._process_of(name)

        def apply() -> None:
            cluster.crashed(name)
            begun = any(task.process == process for task in simulation.kernel.tasks)
            simulation.kernel.crash(process)
            if begun and not self.drains:
                simulation.kernel.start(
                    f"{process}{AGAIN}", lambda: cluster.begin_again(name), process=process, daemon=True
                )

        simulation.kernel.call("restart", name, WRITE, apply)

    def finish(self, simulation: Simulation) -> None:
        """The lineage, what each replica would serve, and what the database has."""
        database = self.database(simulation)
        events: list[Event] = [event for event in database.journal_rows if event.kind in CONTENT_EVENTS]
        cluster: Cluster = simulation.attach(CLUSTER, _no_cluster)
        if self.drains:
            cluster.catch_up(self.workload.pollers)
        simulation.ordinals[0] = 0
        simulation.record.version(0, 0, None)
        believing = [table.name for table in self.workload.tables] if self.rules.changes_believe_cache else None
        present = Present(simulation.record, believing)
        made: set[int] = set()
        versions = [event.log_id for event in events]
        for ordinal, event in enumerate(events, 1):
            simulation.ordinals[event.log_id] = ordinal
            before = events[ordinal - 2].log_id if ordinal > 1 else 0
            writes = present.after(event)
            maker = claimed = claimed_by(simulation.record, events, versions, ordinal - 1)
            if claimed < 0 and event.truncates:
                maker = refused_truncate(simulation.record, event, cluster.asked)
            elif claimed < 0 and writes:
                maker = maker_of(simulation.record, event, cluster.asked, cluster.asked_again, made)
                if maker >= 0 and maker not in ended(simulation.record):
                    simulation.record.info(maker, "its process died")
            made.add(maker)
            present.credit(maker, event, writes, untold=claimed < 0)
            simulation.record.version(ordinal, event.log_id, before, event.kind, op=maker)
        replicas: list[Replica] = [
            replica for name, replica in cluster.replicas.items() if self.drains and name in self.workload.pollers
        ]
        read_back(simulation, database, replicas, self.workload)


def _initial(database: DatabaseService) -> list[tuple[str, str | None]]:
    def body(tx: Transaction) -> tuple[tuple[str, str | None], ...]:
        writes: list[tuple[str, str | None]] = []
        for _, row in tx.scan(TBLS):
            table: Table = row
            writes.append((content_key(table.id), dict(table.parameters)["v"]))
            writes += [(content_key(table.id, name), value) for name, value in partitions(tx, table)]
        return tuple(writes)

    return list(database.transact("read", "setup", body))


def process_of(actor: str) -> str:
    """The replica whose update thread this is, if it is one."""
    return actor.partition(AGAIN)[0].removesuffix(THREAD)


def _no_cluster(*_: Any) -> Cluster:
    raise AssertionError("the replicas are made by `start`")
