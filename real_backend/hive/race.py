"""One run of a workload on live metastores: its tables, its sessions, its history.

Sessions are the model's own, over live replicas, and statements are performed and described by the simulator's code; so
a live history has the simulated one's words, but for the tag, which no shipped cache has.
"""

import time
from collections.abc import Callable
from typing import cast

from checkers.history import FINAL, Event, Read, Write
from checkers.recorder import Recorder
from model.hive import Replica, Request, Rules, Session
from model.hive.errors import NoSuchTable
from model.hive.rows import content_key
from model.ports import PortError, Unanswered
from real_backend.errors import BackendError
from real_backend.hive.backing import Row
from real_backend.hive.names import Names
from real_backend.hive.replica import LiveReplica
from real_backend.hive.servers import Replicas
from sim.scenarios.hive_statements import describe, perform
from sim.scenarios.hive_workload import CleanLog, HiveSession, HiveWorkload, LogEvent

SETUP = "setup"
MakeReplica = Callable[[str, str], LiveReplica]


class _NoMarks:
    """Counters prove that the simulator went somewhere; live code has a trace."""

    def mark(self, name: str) -> None:
        """Count nothing."""


class Race:
    """The tables and the history of one run. Make it with every watermark open."""

    def __init__(self, workload: HiveWorkload, replicas: Replicas, database: str, rules: Rules) -> None:
        """Make the tables through the first replica and wait until every cache has them."""
        self.names = Names(database)
        self.recorder = Recorder()
        self._workload = workload
        self._replicas = replicas
        self._rules = rules
        self._connected: list[LiveReplica] = []
        self._begun = time.perf_counter()
        self.names.partitioned.update(t.name for t in workload.tables if workload.partitions_of(t.name))
        self.began = replicas.backing.last_event()
        self._make_tables()
        replicas.settle()
        self.began = replicas.backing.last_event()
        self.recorder.setup(self._initial())

    def _make_tables(self) -> None:
        home = self._workload.replicas[0]
        metastore = self._replicas.metastores[home]
        with metastore.connect() as calls:
            calls.create_database(_database(self.names.database, f"file:{metastore.folder.parent}/warehouse"))
        maker = self.replica(home, SETUP)
        for table in self._workload.tables:
            maker.create_table(table.name, (("v", table.value),), table.managed)
            for name, value in table.partitions:
                maker.put_partition(table.name, name, value)

    def _initial(self) -> tuple[Write, ...]:
        return tuple(Write(key, value) for key, value in self._contents().items())

    def replica(self, name: str, actor: str) -> LiveReplica:
        """The replica as this actor reaches it."""
        port = self._replicas.gates[name].port_of(actor)
        metastore = self._replicas.metastores[name]
        made = LiveReplica(metastore, port, self._replicas.backing, self.names, self.began)
        self._connected.append(made)
        return made

    def body(self, spec: HiveSession, make: MakeReplica) -> Callable[[], None]:
        """What one session does. Args: `make` gives it a replica by the replica's name and its own."""
        known: dict[str, LiveReplica] = {}

        def find(name: str) -> Replica:
            if name not in known:
                known[name] = make(name, spec.actor)
            return cast(Replica, known[name])  # it has every call that a session makes

        def run() -> None:
            session = Session(find, spec.home, _NoMarks(), self._rules, sends_lists=spec.sends_lists)
            for statement in spec.statements:
                assert not isinstance(statement, CleanLog | LogEvent), "rejected before the run"
                self._perform(session, spec, statement)

        return run

    def _perform(self, session: Session, spec: HiveSession, statement: object) -> None:
        f, arg = describe(statement, spec.home)  # type: ignore[arg-type]  # meddling was ruled out by the caller
        op = self.recorder.invoke(spec.actor, f, arg, self.now_ms())
        try:
            told = perform(session, statement, self._workload)  # type: ignore[arg-type]
        except Unanswered as error:
            self.recorder.info(op, f"{type(error).__name__}: {error}", time_ms=self.now_ms())
        except PortError as error:
            self.recorder.fail(op, f"{type(error).__name__}: {error}", time_ms=self.now_ms())
        else:
            self.recorder.ok(
                op, time_ms=self.now_ms(), commit=told.commit, arg=f"{arg} {told.words}",
                reads=tuple(Read(*read) for read in told.reads), writes=tuple(Write(*write) for write in told.writes),
            )  # fmt: skip

    def now_ms(self) -> int:
        """Milliseconds since the run began."""
        return int((time.perf_counter() - self._begun) * 1000)

    def read_back(self, asks_replicas: bool) -> tuple[Event, ...]:
        """The lineage, what each cache serves (if asked), and what the database has: the whole history."""
        makers = {event.commit: event.op for event in self.recorder.events if event.commit}
        self.recorder.version(0, 0, time_ms=self.now_ms())
        made = self._replicas.backing.content_events(self.names.database, self.began)
        for ordinal, event in enumerate(made, 1):
            self.recorder.version(ordinal, makers.get(ordinal, -1), event.kind, time_ms=self.now_ms())
        if asks_replicas:
            for name in self._replicas.followers:
                self._ask(name)
        contents = self._contents()
        values = dict.fromkeys(_keys(self.recorder.events)) | contents
        self.recorder.read(FINAL, None, tuple(Read(key, value) for key, value in values.items()), None, self.now_ms())
        return tuple(self.recorder.events)

    def _ask(self, name: str) -> None:
        replica = self.replica(name, f"{FINAL}-{name}")
        for table in self._tables():
            row = self._row(table)
            arg = f"at={name} table={table} id={row.incarnation}"
            op = self.recorder.invoke(f"{FINAL}-{name}", "cached", arg, self.now_ms())
            try:
                answer = replica.get_table(Request(table))
            except NoSuchTable:
                self.recorder.ok(op, arg=f"{arg} source=database")
                continue
            reads = (Read(content_key(answer.table.id), dict(answer.table.parameters)["v"]),)
            self.recorder.ok(op, arg=f"{arg} source={answer.source} seen={answer.table.id}", reads=reads)

    def _tables(self) -> list[str]:
        return [self.names.ours(name) for name in self._replicas.backing.tables(self.names.database)]

    def _row(self, table: str) -> Row:
        row = self._replicas.backing.table(self.names.live(table))
        if row is None:
            raise BackendError(f"table {table}: expected it in the database, found none")
        return row

    def _contents(self) -> dict[str, str | None]:
        found: dict[str, str | None] = {}
        for table in self._tables():
            row = self._row(table)
            found[content_key(row.incarnation)] = row.parameters.get("v")
            for name, value in self._replicas.backing.partitions(row.live_id):
                found[content_key(row.incarnation, name)] = value
        return found

    def close(self) -> None:
        """End the sessions' connections."""
        for replica in self._connected:
            replica.close()


def _keys(events: list[Event]) -> list[str]:
    reads = [read.key for event in events for read in event.reads]
    return reads + [write.key for event in events for write in event.writes]


def _database(name: str, warehouse: str) -> object:
    from hive_metastore.ttypes import Database

    return Database(name=name, description="", locationUri=f"{warehouse}/{name}.db", parameters={})
