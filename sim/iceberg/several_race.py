"""A race on the tables of a REST catalog: turns `SeveralTables` into a scenario's prepare, start and finish.

Versions are places of the whole catalog: each commit that moves the main of a table, or of several at once, makes one.
What a commit of several tables changes later than its first table belongs to the place of the first: who commits table
after table drops a change if its table has moved in between, so nothing of that table's can be between the two. Each
read is of one table, and what is committed together begins nowhere that the catalog could name: only a statement on one
table states a start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from model.iceberg import SHIPPED, CommandResult, IcebergTable, Rules, TableProperties, create_table, open_table, plans
from model.iceberg.api import TO_READ, read, run
from model.iceberg.append import FastAppend
from model.iceberg.errors import IcebergError, TableUnreadable
from model.iceberg.plans import Planned
from model.iceberg.result import Effect
from model.iceberg.scan import read_rows
from model.iceberg.several_servers import SERVERS
from model.iceberg.several_tables import Part, commit_together
from model.iceberg.tables import write_data_file
from sim.iceberg.calls import planned
from sim.iceberg.inspect import record_findings, record_unasked
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
)
from sim.world.simulation import Simulation

READER = "r-final"
Reads = list[tuple[str, str | None, int | None]]
Writes = list[tuple[str, str | None]]
Known = dict[str, IcebergTable]
"""The tables that a statement works on, by name."""


class Asked(NamedTuple):
    """An operation whose outcome its client has not been told yet."""

    op: int
    tables: Known


@dataclass
class Begun:
    """A race that has begun.

    Args: `seen`: what a client that loaded the tables before it knows of each; `first`: main of each; `asked`: by
    writer; `together`: snapshots of one commit, each by all; `refused`: by snapshot, the operation that was refused.
    """

    seen: dict[str, Any]
    first: dict[str, int]
    asked: dict[str, Asked] = field(default_factory=dict)
    together: dict[int, tuple[int, ...]] = field(default_factory=dict)
    refused: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeveralRace:
    """One workload under one set of rules. `prepare`, `start` and `finish` are a scenario's."""

    workload: SeveralTables
    rules: Rules = SHIPPED

    def prepare(self, simulation: Simulation) -> Any:
        """Make the tables. Returns: what a client that loaded them before the race knows of each."""
        world, properties = simulation.world("setup"), TableProperties(commit_retry_num_retries=self.workload.retries)
        seen: dict[str, Any] = {}
        for name in TABLES:
            first, *others = self.workload.content(name)
            table = create_table(world, path_of(name), (first,), properties=properties, rules=self.rules)
            for row in others:
                FastAppend(table).append_file(write_data_file(table, (row,))).commit()
            seen[name] = table.ops.refresh() and table.ops.seen
        for versions in simulation.services.register.history.values():
            del versions[:-1]  # the race begins with the newest version: no stale read is older
        return seen

    def start(self, simulation: Simulation) -> None:
        """Record the initial content as version 0 and start the writers."""
        seen = simulation.prepared
        simulation.prepared = Begun(seen, {name: seen[name].value.current_snapshot_id for name in TABLES})
        content = [(f"{name}.row:{key}", value) for name in TABLES for key, value in self.workload.content(name)]
        simulation.record.setup(content, 0)
        for actor, statements in self.workload.writers:
            simulation.actor(actor, self._writer(simulation, actor, statements))

    def _writer(self, simulation: Simulation, actor: str, statements: tuple[Statement, ...]) -> Callable[[], None]:
        def body() -> None:
            for statement in statements:
                if not isinstance(statement, ReadEach):
                    self._send(simulation, actor, statement)
                    continue
                for name in statement.tables:
                    self._send(simulation, actor, ReadEach((name,)))

        return body

    def _send(self, simulation: Simulation, actor: str, statement: Statement) -> None:
        """Send a statement, and record what came of it."""
        begun: Begun = simulation.prepared
        op = simulation.record.invoke(actor, *describe(statement))
        tables = self._tables(simulation, actor, statement)
        begun.asked[actor] = Asked(op, tables)
        try:
            self._execute(simulation, actor, statement, tables)
        except IcebergError as error:
            self._failed(simulation, op, error, tables, _start(statement, tables))
        else:
            reads, writes = _effects(tables)
            if isinstance(statement, ReadEach):
                reads = self._of_all_rows(reads, statement.tables)
            start, commit = _start(statement, tables), _name(begun, tables)
            simulation.record.ok(op, start=start, commit=commit, reads=reads, writes=writes)
        del begun.asked[actor]

    def _tables(self, simulation: Simulation, actor: str, statement: Statement) -> Known:
        """The client's handles on the tables of a statement; it has loaded them before the race."""
        world, seen = simulation.world(actor), simulation.prepared.seen
        names = _names(statement)
        return {name: open_table(world, path_of(name), rules=self.rules, loaded=seen[name]) for name in names}

    def _execute(self, simulation: Simulation, actor: str, statement: Statement, tables: Known) -> None:
        match statement:
            case On(name, operation):
                start = tables[name].metadata.current_snapshot_id
                tables[name].command = run(planned(tables[name], operation, start), tables[name])
            case ReadEach((name,)):
                tables[name].command = _read(tables[name])
            case Together(parts):
                steps = [self._part(tables, part.table, partial(_planned, part.statement)) for part in parts]
                self._commit_together(simulation, actor, steps)
            case CopyAcross(name, other, key):
                step = partial(_copied, tables[name], key)
                self._commit_together(simulation, actor, [self._part(tables, other, step)])

    def _part(self, tables: Known, name: TableName, step: Callable[[IcebergTable, int | None], Planned]) -> Part:
        return Part(tables[name], path_of(name), step)

    def _commit_together(self, simulation: Simulation, actor: str, parts: Sequence[Part]) -> None:
        begun, serve = simulation.prepared, SERVERS[self.workload.server]

        def server(world: Any, commits: Any, key: str | None) -> object:
            known = [one.table.command.snapshot for one in parts if one.table.command is not None]
            made = tuple([each for each in known if each is not None])
            begun.together.update(dict.fromkeys(made, made))
            return serve(world, commits, key)

        commit_together(simulation.world(actor), parts, self.rules, server)

    def _failed(self, simulation: Simulation, op: int, error: IcebergError, tables: Known, start: int | None) -> None:
        begun: Begun = simulation.prepared
        text, (reads, writes), commit = f"{type(error).__name__}: {error}", _effects(tables), _name(begun, tables)
        if error.definite:
            if commit is not None:
                begun.refused[commit] = op
            simulation.record.fail(op, text, start=start, reads=reads, writes=writes)
        else:
            simulation.record.info(op, text, start=start, commit=commit, reads=reads, writes=writes)

    def finish(self, simulation: Simulation) -> None:
        """Read the lineage of the catalog, then the rows of all tables."""
        begun: Begun = simulation.prepared
        for actor, (op, tables) in begun.asked.items():
            reads, writes = _effects(tables)
            commit = _name(begun, tables)
            simulation.record.info(op, f"{actor}: its process died", commit=commit, reads=reads, writes=writes)
        self._record_lineage(simulation)
        world = simulation.world(READER)
        op = simulation.record.invoke(READER, "read", " and ".join(TABLES))
        tables = {name: open_table(world, path_of(name), rules=self.rules) for name in TABLES}
        try:
            for table in tables.values():
                table.command = read(table)
        except TableUnreadable as error:
            simulation.record.fail(op, f"unreadable: {error}")
            return
        simulation.left = {name: table.metadata for name, table in tables.items()}
        record_findings(simulation, ())
        record_unasked(simulation, [path_of(name) for name in TABLES], ())
        simulation.record.ok(op, reads=self._of_all_rows(_effects(tables)[0], TABLES))

    def _of_all_rows(self, found: Reads, names: Sequence[str]) -> Reads:
        """What a reader of whole tables has read: the rows that are there, and that all others are not."""
        known = [f"{name}.row:{key}" for name in names for key in self.workload.rows_of(name)]
        rows: dict[str, str | None] = dict.fromkeys(known) | {key: value for key, value, _ in found}
        return [(key, value, None) for key, value in rows.items()]

    def _record_lineage(self, simulation: Simulation) -> None:
        """Each place of the catalog, and the snapshots that were made there."""
        begun: Begun = simulation.prepared
        places: dict[Any, int] = {0: 0, **dict.fromkeys(begun.first.values(), 0)}
        simulation.record.version(0, 0, None, "append")
        for made, operation in moves(simulation, begun.first):
            known = next((places[each] for each in made if each in places), None)
            place = len(set(places.values())) if known is None else known
            places.update({each: place for one in made for each in (one, *begun.together.get(one, ()))})
            if known is None:
                maker = next((begun.refused[each] for each in made if each in begun.refused), None)
                name = _first_of(begun, made[0])
                simulation.record.version(place, name, None, operation, op=maker)
        simulation.ordinals.update(places)


def path_of(name: str) -> str:
    """A table's name in the catalog."""
    return f"db.{name}"


def moves(simulation: Simulation, first: dict[str, int]) -> list[tuple[tuple[int, ...], str]]:
    """Each commit that has moved main of some tables: to which snapshots, and how the first of these is labelled."""
    register = simulation.services.register
    heads, at = dict(first), dict.fromkeys(TABLES, 0)
    found = []
    for changed in register.order:
        made = []
        for name in TABLES:
            if path_of(name) not in changed:
                continue
            at[name] += 1
            metadata = register.history[path_of(name)][at[name]].value
            if metadata.current_snapshot_id != heads[name]:
                heads[name] = metadata.current_snapshot_id
                made.append(metadata.current)
        if made:
            found.append((tuple([each.snapshot_id for each in made]), made[0].operation))
    return found


def _names(statement: Statement) -> tuple[TableName, ...]:
    match statement:
        case Together(parts):
            return tuple([part.table for part in parts])
        case CopyAcross(name, other):
            return (name, other)
        case ReadEach(names):
            return names
    return (statement.table,)


def _first_of(begun: Begun, snapshot: int) -> int:
    """The name of a commit: the first of its snapshots, whichever of them have been committed."""
    return begun.together.get(snapshot, (snapshot,))[0]


def _name(begun: Begun, tables: Known) -> int | None:
    """The name of what a statement has committed, or would have."""
    made = [table.command.snapshot for table in tables.values() if table.command is not None]
    snapshot = next((each for each in made if each is not None), None)
    return None if snapshot is None else _first_of(begun, snapshot)


def _start(statement: Statement, tables: Known) -> int | None:
    """The snapshot that a statement on one table has begun with."""
    commands = [table.command for table in tables.values() if isinstance(statement, On)]
    return next((command.start for command in commands if command is not None), None)


def _planned(operation: Operation, table: IcebergTable, start: int | None) -> Planned:
    return planned(table, operation, start)


def _copied(source: IcebergTable, key: int, table: IcebergTable, start: int | None) -> Planned:
    """Load the source, and change the row of the table to what it has."""
    source.world.notes.intend(TO_READ)
    metadata = source.ops.refresh()
    value = dict(read_rows(source.files, metadata)).get(key)
    source.command = CommandResult(metadata.current_snapshot_id, reads=((key, value),))
    return plans.change_row(table, key, f"{value}>", "serializable", start)


def _read(table: IcebergTable) -> CommandResult:
    table.world.notes.intend(TO_READ)
    return read(table)._replace(start=None)


def _effects(tables: Known) -> tuple[Reads, Writes]:
    """What a statement has read and written, by table and row."""
    commands = [(name, table.command) for name, table in tables.items() if table.command is not None]
    reads: Reads = [(key, value, None) for name, command in commands for key, value in _keys(name, command.reads)]
    return reads, [write for name, command in commands for write in _keys(name, command.writes)]


def _keys(name: str, effects: tuple[Effect, ...]) -> Writes:
    return [(f"{name}.row:{key}", value) for key, value in effects]
