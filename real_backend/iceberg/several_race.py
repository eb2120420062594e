"""Races on several tables of a REST catalog, on the real Java client and handlers: `SeveralTables`, live.

Per run: tables of its own in an `InMemoryCatalog`; every statement works on operations of its own, loaded before the
race; the schedule releases `load` and `commit`; at the end all tables are read. The history is written while it
happens, in the simulator's terms (`sim.iceberg.several_race`).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from checkers.histories.history import FAIL, FINAL, INFO, OK, History
from checkers.histories.recorder import Recorder
from real_backend.gating.journal import Played
from real_backend.gating.race import LiveRace
from real_backend.iceberg import rest_operations
from real_backend.iceberg.effects import effects
from real_backend.iceberg.java_files import JavaFiles
from real_backend.iceberg.java_start import Starts
from real_backend.iceberg.java_updates import Updates
from real_backend.iceberg.refusals import DEFINITE, kind_of
from real_backend.iceberg.rest_gate import YIELD_POINTS
from real_backend.iceberg.rest_operations import GatedRestOperations
from real_backend.iceberg.several_server import SeveralClient, SeveralServer, session_catalog
from real_backend.jvm.java_errors import describe as describe_error
from real_backend.jvm.jvm import Jvm
from sim.iceberg.several import (
    TABLES,
    CopyAcross,
    On,
    Operation,
    ReadEach,
    SeveralTables,
    Statement,
    TableName,
    Together,
    describe,
)  # fmt: skip
from sim.iceberg.workload import Append, ChangeRow, IcebergWorkload, Rows

NAMESPACE = "db"
Writes = list[tuple[str, str | None]]


@dataclass(frozen=True, slots=True)
class LiveSeveral(Played):
    """One run. Args: `trace`: the steps, with faults and outcomes."""

    trace: tuple[str, ...]
    history: History
    actors: tuple[str, ...]


@dataclass
class _Working:
    """What a statement has read and written so far, and the snapshots that it would commit, if they are known."""

    reads: Writes = field(default_factory=list)
    writes: Writes = field(default_factory=list)
    made: tuple[int, ...] = ()
    start: int | None = None

    def does(self, name: str, operation: Operation, content: Rows) -> None:
        """It carries out an operation on a table with this content."""
        reads, writes = effects(operation, content)
        self.reads += [(f"{name}.{key}", value) for key, value, *_ in reads]
        self.writes += [(f"{name}.{key}", value) for key, value in writes]


class Race(LiveRace[LiveSeveral]):
    """The tables of one run, and its writers."""

    def __init__(
        self, jvm: Jvm, files: JavaFiles, catalog: Any, starts: Starts, number: int, work: SeveralTables
    ) -> None:
        super().__init__(work.actors, YIELD_POINTS)
        self.can_fault = rest_operations.can_fault  # type: ignore[method-assign]
        self._jvm, self._files, self._catalog, self._starts, self._work = jvm, files, catalog, starts, work
        self._identifiers = {name: starts.identifier(f"t{number}{name}") for name in TABLES}
        self._record = Recorder()
        self._moves: list[tuple[str, int, str]] = []
        self._first: set[int] = set()
        self._heads: set[int] = set()
        self._together: dict[int, int] = {}
        self._refused: dict[int, int] = {}
        self._tables: dict[tuple[str, int, str], Any] = {}

    def make(self) -> None:
        """Register tables that are as the workload begins with, and load them for every statement."""
        starts = {name: self._starts.of(_alone(self._work, name)) for name in TABLES}
        self._snapshots = starts[
            TABLES[0]
        ].snapshots.copy()  # of all tables: those that they begin with are equally many
        for name, identifier in self._identifiers.items():
            start = starts[name]
            self._first.add(start.snapshot)
            self._catalog.registerTable(identifier, start.metadata)
            self._load(name)
        content = [(f"{name}.row:{key}", value) for name in TABLES for key, value in self._work.content(name)]
        self._record.setup(content, 0)

    def _load(self, name: TableName) -> None:
        for actor, statements in self._work.writers:
            for number, _ in enumerate(statements):
                loaded = self._catalog.loadTable(self._identifiers[name]).operations()
                server = self._catalog, self._identifiers[name], self._work.idempotency
                moved = self._moved_by(actor)
                gated = GatedRestOperations(self._jvm, actor, server, loaded, lambda: self.gate, self._snapshots, moved)
                self._tables[actor, number, name] = self._jvm.iceberg.BaseTable(gated.in_java, f"{NAMESPACE}.{actor}")

    def _moved_by(self, actor: str) -> Callable[[Any], None]:
        """Notes where an actor's commits take main of a table for the first time."""

        def moved(snapshot: Any) -> None:
            name = int(snapshot.snapshotId())
            if name not in self._heads | self._first:
                self._heads.add(name)
                self._moves.append((actor, name, str(snapshot.operation())))

        return moved

    def act(self, actor: str) -> None:
        """Send one writer's statements."""
        for number, statement in enumerate(dict(self._work.writers)[actor]):
            names = statement.tables if isinstance(statement, ReadEach) else (None,)
            for name in names:
                self._send(actor, number, statement if name is None else ReadEach((name,)))

    def _send(self, actor: str, number: int, statement: Statement) -> None:
        op, before, done = self._record.invoke(actor, *describe(statement)), len(self._moves), _Working()
        error, kind = None, OK
        try:
            self._execute(actor, number, statement, done)
        except Exception as raised:
            error = describe_error(raised)
            kind = FAIL if kind_of(error) in DEFINITE else INFO
        landed = [snapshot for who, snapshot, _ in self._moves[before:] if who == actor]
        commit = done.made[0] if done.made else landed[-1] if landed else None
        if kind == FAIL and commit is not None:
            self._refused[commit] = op
        reads = [(key, value, None) for key, value in done.reads]
        named = None if kind == FAIL else commit
        self._record.complete(op, kind, done.start, named, None, reads, done.writes, error)

    def _execute(self, actor: str, number: int, statement: Statement, done: _Working) -> None:
        match statement:
            case On(name, operation):
                table = self._tables[actor, number, name]
                updates = Updates(self._jvm, self._files, table, f"{actor}-{number}-{name}")
                done.start = updates.start
                done.does(name, operation, updates.rows if isinstance(operation, ChangeRow) else ())
                updates.update(table, operation, updates.start).commit()
            case ReadEach((name,)):
                table = self._tables[actor, number, name]
                table.refresh()
                rows = self._files.rows(table, int(table.currentSnapshot().snapshotId()))
                done.reads += self._of_all_rows({name: rows})
            case Together(parts):
                self._together_by(actor, number, parts, done)
            case CopyAcross():
                self._copy(actor, number, statement, done)

    def _together_by(self, actor: str, number: int, parts: Iterable[On], done: _Working) -> None:
        begun = [(part, self._tables[actor, number, part.table].newTransaction()) for part in parts]
        for part, transaction in begun:
            self._update(actor, number, part.table, part.statement, transaction, done)
        self._commit(actor, [(part.table, transaction) for part, transaction in begun], done)

    def _copy(self, actor: str, number: int, given: CopyAcross, done: _Working) -> None:
        source, target = (self._tables[actor, number, name] for name in (given.table, given.other))
        transaction = target.newTransaction()
        source.refresh()
        rows = dict(self._files.rows(source, int(source.currentSnapshot().snapshotId())))
        done.reads.append((f"{given.table}.row:{given.id}", rows.get(given.id)))
        change = ChangeRow(given.id, f"{rows.get(given.id)}>", "serializable")
        self._update(actor, number, given.other, change, transaction, done)
        self._commit(actor, [(given.other, transaction)], done)

    def _update(
        self, actor: str, number: int, name: TableName, operation: Operation, transaction: Any, done: _Working
    ) -> None:
        table = self._tables[actor, number, name]
        updates = Updates(self._jvm, self._files, table, f"{actor}-{number}-{name}")
        done.does(name, operation, updates.rows if isinstance(operation, ChangeRow) else ())
        updates.update(transaction, operation, updates.start).commit()

    def _commit(self, actor: str, parts: list[tuple[TableName, Any]], done: _Working) -> None:
        """Send the transactions in one request, by the real catalog."""
        commits, iceberg = self._jvm.java.java.util.ArrayList(), self._jvm.iceberg
        for name, transaction in parts:
            begun, made = transaction.startMetadata(), transaction.currentMetadata()
            commits.add(iceberg.catalog.TableCommit.create(self._identifiers[name], begun, made))
            if begun.currentSnapshot().snapshotId() != made.currentSnapshot().snapshotId():
                done.made = (*done.made, int(made.currentSnapshot().snapshotId()))
        self._together.update(dict.fromkeys(done.made, next(iter(done.made), 0)))
        server = SeveralServer(self._jvm, self._catalog, lambda: self.gate, self._snapshots, self._moved_by(actor))
        at_once = self._work.server == "at once"
        serve = server.at_once if at_once else server.one_by_one
        client = SeveralClient(
            self._jvm, actor, lambda: self.gate, serve, at_once=at_once, keyed=self._work.idempotency
        )
        session = iceberg.catalog.SessionCatalog.SessionContext.createEmpty()
        session_catalog(self._jvm, client).commitTransaction(session, commits)

    def _of_all_rows(self, found: dict[Any, Rows]) -> Writes:
        """The rows that are there, and that all others are not."""
        reads: dict[str, str | None] = {}
        for name, rows in found.items():
            reads |= {f"{name}.row:{key}": None for key in self._work.rows_of(name)}
            reads |= {f"{name}.row:{key}": value for key, value in rows}
        return list(reads.items())

    def read_back(self) -> LiveSeveral:
        """The run with the catalog's lineage and the rows of all tables."""
        places: dict[Any, int] = {0: 0, **dict.fromkeys(sorted(self._first), 0)}
        self._record.version(0, 0, None, "append")
        for _, snapshot, operation in self._moves:
            name = self._together.get(snapshot, snapshot)
            if name not in places:
                places[name] = len(set(places.values()))
                self._record.version(places[name], name, None, operation, op=self._refused.get(name))
        op = self._record.invoke(FINAL, "read", " and ".join(TABLES))
        found = {name: self._files.rows(self._catalog.loadTable(one)) for name, one in self._identifiers.items()}
        self._record.ok(op, reads=[(key, value, None) for key, value in self._of_all_rows(found)])
        history = History(self._record.events(places))
        return LiveSeveral(tuple(map(str, self.gate.trace)), history, self._work.actors)

    def close(self) -> None:
        """Drop the tables, and what the race has written."""
        for identifier in self._identifiers.values():
            self._catalog.dropTable(identifier, False)
        self._files.forget_the_rest()


def _alone(work: SeveralTables, name: str) -> IcebergWorkload:
    """A race that begins with one of the tables."""
    first, *others = work.content(name)
    history = tuple([Append((row,)) for row in others])
    writers = (("w1", (Append(((9, "z"),)),)),)
    return IcebergWorkload(writers, (first,), history, retries=work.retries, catalog="rest")
