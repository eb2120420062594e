"""One run of a workload on live metastores: its tables, its sessions, its history.

Sessions are the model's own, over live replicas, and statements are performed and described by the simulator's code; so
a live history has the simulated one's words, but for the tag, which no shipped cache has.

Choices: a transaction that is left open is aborted by us: when the last session has ended, if the caches are to see to
the rest of the log, where the simulated one times out; else when the run is over.
"""

import time
from collections.abc import Collection, Sequence
from functools import partial
from typing import cast

from hive_metastore.ttypes import AbortTxnRequest

from checkers.histories.history import FINAL, INFO, Write
from checkers.histories.recorder import Recorder
from model.hive import Replica, Rules, Session
from model.hive.observer import Unobserved
from model.ports import PortError, Unanswered
from real_backend.gating.histories import record_final_read
from real_backend.gating.race import SETUP
from real_backend.hive.at_end import AtEnd
from real_backend.hive.backing import TICKET
from real_backend.hive.client import new_database
from real_backend.hive.follower import Follower
from real_backend.hive.live_run import HiveLiveRun, Variant
from real_backend.hive.log_view import content_event
from real_backend.hive.meddling import Operator
from real_backend.hive.names import Names
from real_backend.hive.replica_race import ReplicaRace
from real_backend.hive.servers import Replicas
from real_backend.hive.statistics_calls import LiveStatistics
from real_backend.hive.synchronized import SynchronizedReplica, shadow_of
from real_backend.hive.thrift_wire import Message, arguments_of, result_of
from sim.hive.constraint_statements import GetKey
from sim.hive.evictions import Evict
from sim.hive.live import fills
from sim.hive.lock_statements import TimeOut
from sim.hive.makers import claimed_by, maker_of, refused_truncate
from sim.hive.present import Present
from sim.hive.restarts import Restart
from sim.hive.statements import (
    OPENING,
    databases_of,
    describe,
    names_of,
    perform,
)
from sim.hive.truncate_statements import Truncate
from sim.hive.update_statements import CleanHistory
from sim.hive.workload import Begin, CleanLog, HiveSession, HiveWorkload, LogEvent, Statement


class Race(ReplicaRace[HiveLiveRun]):
    """The tables, the sessions and the history of one run. Args: `rules` are the client sessions'; `drains`: the
    pollers finish the log before the end, and every cache is asked what it serves; `late` as `ReplicaRace`.
    """

    def __init__(
        self, workload: HiveWorkload, replicas: Replicas, names: Names, variant: Variant, rules: Rules,
        yield_points: Collection[str], *, drains: bool, late: Sequence[str] = (),
    ) -> None:  # fmt: skip
        batches = not variant.synchronized
        super().__init__(
            workload.actors, yield_points, replicas, workload.pollers, drains=drains, batches=batches,
            fills=fills(workload), cold=workload.cold, late=late, told_late=self._late_answer,
        )  # fmt: skip
        self.names = names
        self.recorder = Recorder(self.now_ms)
        self._operator = Operator(self, self.recorder, names)
        self._workload = workload
        self._end = AtEnd(replicas.backing, names, workload, self.recorder)
        self._variant = variant
        self._rules = rules
        self._shadows: dict[str, Replica] = {}
        self._sessions: dict[str, Session] = {}
        self._connected: list[LiveStatistics] = []
        self._begun = time.perf_counter()
        self._written: dict[str, int] = {}
        self._asked: dict[int, Statement] = {}
        self._again: set[int] = set()
        self._working = list(workload.actors)
        self.names.use(databases_of(workload))
        self.names.partitioned.update(name for name in names_of(workload) if workload.partitions_of(name))
        self.began = 0

    def make(self) -> None:
        """Make the tables through the first replica, wait until every cache has them, and close the watermarks.

        Where somebody asks for keys, caches that follow the log load the tables: of one that came by an event they
        know no key, not that there is none.
        """
        if self._workload.has(CleanHistory):
            self._operator.make_ready()
        self.began = self.replicas.backing.last_event()
        self._make_tables()
        if self._workload.has(GetKey) and self._variant.cached and not self._variant.timed:
            self.replicas.load_anew()
        self.replicas.settle()
        self.began = self.replicas.backing.last_event()
        self.recorder.setup(self._initial())
        for name in self._workload.cold:
            self.fills[name].begin()
        self._close_watermarks()
        self._written = self._replay_writes()

    def _make_tables(self) -> None:
        home = self._workload.replicas[0]
        metastore = self.replicas.metastores[home]
        with metastore.connect() as calls:
            for database in self.names.databases:
                calls.create_database(new_database(database, f"file:{metastore.folder.parent}/warehouse"))
        if self._variant.timed:
            self.replicas.settle()  # a refresh that had begun before takes a database out of the cache again
        maker = self.replica(home, SETUP)
        for table in self._workload.tables:
            maker.create_table(table.name, (("v", table.value),), table.managed)
            for name, value in table.partitions:
                maker.put_partition(table.name, name, value)

    def _initial(self) -> tuple[Write, ...]:
        return tuple(Write(key, value) for key, value in self._end.contents().items())

    def replica(self, name: str, actor: str) -> LiveStatistics:
        """The replica as this actor reaches it."""
        servers = self.replicas
        place = (servers.metastores[name], servers.gates[name], actor, servers.backing, self.names, self.began)
        shadow = self._shadows.get(name)
        exclusive = self._rules.exclusive_writes
        if shadow is None:
            made = LiveStatistics(*place, exclusive_writes=exclusive)
        else:
            made = SynchronizedReplica(*place, shadow, exclusive_writes=exclusive)
        self._connected.append(made)
        return made

    def _close_watermarks(self) -> None:
        """From now on no cache sees anything new by itself. Clients begin to follow the log, if they are to."""
        synchronized = self._variant.synchronized
        self.replicas.close_watermarks(pulls=not synchronized)
        for name, follower in self.replicas.followers.items() if synchronized else ():
            assert isinstance(follower, Follower), "the reading rule is looked at beside caches that follow the log"
            self._shadows[name] = shadow_of(
                name, self.replicas.backing, self.names, tuple(self._end.tables()), self.began,
                partial(getattr, follower, "seen"), self._rules, self._workload.cached,
            )  # fmt: skip

    def _replay_writes(self) -> dict[str, int]:
        return {name: self.replicas.metastores[name].control.ask().writes for name in self.replicas.followers}

    def act(self, actor: str) -> None:
        """What one session does."""
        spec = next(session for session in self._workload.sessions if session.actor == actor)
        known: dict[str, LiveStatistics] = {}

        def find(name: str) -> Replica:
            if name not in known:
                known[name] = self.replica(name, spec.actor)
            return cast(Replica, known[name])  # it has every call that a session makes

        session = self._sessions[actor] = Session(
            find, spec.home, Unobserved(), sends_lists=spec.sends_lists, asks_again=spec.asks_again
        )
        begun = True
        for statement in spec.statements:
            assert not isinstance(statement, CleanLog | LogEvent), "rejected before the run"
            if isinstance(statement, TimeOut):
                self._operator.time_out(actor, partial(self._txn_of, statement.session))
            elif isinstance(statement, CleanHistory):
                self._operator.clean_history(actor)
            elif isinstance(statement, Evict):
                self._operator.evict(actor, statement.at or spec.home, statement.table)
            elif isinstance(statement, Restart):
                self._operator.restart(actor, statement.at or spec.home)
            elif begun or isinstance(statement, Begin):
                if isinstance(statement, Begin) and self._workload.has(CleanHistory):
                    self._operator.let_time_pass()
                begun = self._perform(session, spec, statement) or not isinstance(statement, OPENING)
        self._working.remove(actor)
        if self._drains and not self._working:
            self._time_out()

    def _late_answer(self, call: Message, answer: bytes) -> None:
        """Number what a late call has made, of which its client is never told: a lock, a table."""
        if call.name == "lock":
            self.names.asked_for(int(result_of(answer).success.lockid))
        elif call.name == "create_table":
            made = arguments_of(call).tbl
            row = self.replicas.backing.table(f"{made.dbName}.{made.tableName}")
            assert row is not None, f"{made.tableName}: made, and the database has no such table"
            self.names.made(int(made.parameters[TICKET]), row.live_id)

    def _txn_of(self, actor: str) -> int:
        return self._sessions[actor].txn if actor in self._sessions else 0

    def _time_out(self) -> None:
        """End the transactions that were left open, as after a while the metastore would: their aborts are logged."""
        left = self.replicas.backing.open_txns(self.names.txns)
        if not left:
            return
        running = next(name for name in self._workload.replicas if name not in self.fills)
        with self.replicas.metastores[running].connect() as calls:
            for txn in left:
                calls.abort_txn(AbortTxnRequest(txn))

    def _perform(self, session: Session, spec: HiveSession, statement: object) -> bool:
        """Perform one statement; whether it was done."""
        f, arg = describe(statement, spec.home)  # type: ignore[arg-type]  # meddling was ruled out by the caller
        op = self.recorder.invoke(spec.actor, f, arg)
        before = session.calls_again
        try:
            told = perform(session, statement, self._workload)  # type: ignore[arg-type]
        except Unanswered as error:
            self.recorder.info(op, f"{type(error).__name__}: {error}")
        except PortError as error:
            self.recorder.fail(op, f"{type(error).__name__}: {error}")
        else:
            self.recorder.ok(
                op, commit=told.commit, arg=f"{arg} {told.words}",
                reads=told.reads, writes=told.writes,
            )  # fmt: skip
            return True
        finally:
            if session.calls_again > before:
                self._again.add(op)
            if op in self._again or self.recorder.rows[-1][1] == INFO or isinstance(statement, Truncate):
                self._asked[op] = statement  # type: ignore[assignment]
        return False

    def now_ms(self) -> int:
        """Milliseconds since the run began."""
        return int((time.perf_counter() - self._begun) * 1000)

    def read_back(self) -> HiveLiveRun:
        """The lineage, what each cache serves (if it is asked), and what the database has: the whole history."""
        self._record_lineage()
        if self._drains:
            for name in self._workload.replicas:
                if name in self._workload.pollers:
                    self._end.ask(name, self.replica(name, f"{FINAL}-{name}"))
        record_final_read(self.recorder, None, self._end.contents())
        replayed = tuple((name, count - self._written[name]) for name, count in self._replay_writes().items())
        trace = tuple(map(str, self.gate.trace))
        return HiveLiveRun(self._workload, self._variant, self.recorder.events(), trace, replayed)

    def _record_lineage(self) -> None:
        """The versions as the log has them; a drop takes the partitions that the table had by then, and no others."""
        self.recorder.version(0, 0)
        believing = [table.name for table in self._workload.tables] if self._variant.timed else None
        present = Present(self.recorder, believing)
        made = self.replicas.backing.content_events(self.names.databases, self.began)
        makers: set[int] = set()
        events, versions = [content_event(event, self.names) for event in made], range(1, len(made) + 1)
        for ordinal, made_as in enumerate(events, 1):
            writes, maker = present.after(made_as), claimed_by(self.recorder, events, versions, ordinal - 1)
            untold = maker < 0
            if untold and made_as.truncates:
                maker = refused_truncate(self.recorder, made_as, self._asked)
            elif untold and writes:  # somebody who got no answer has asked for it
                maker = maker_of(self.recorder, made_as, self._asked, self._again, makers)
            makers.add(maker)
            present.credit(maker, made_as, writes, untold=untold)
            self.recorder.version(ordinal, ordinal, ordinal - 1, made_as.kind, op=maker)

    def close(self) -> None:
        """Take the gate away and end the sessions' connections."""
        super().close()
        for replica in self._connected:
            replica.close()
        self._time_out()
