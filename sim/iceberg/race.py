"""A race on one Iceberg table: turns an `IcebergWorkload` into a scenario's prepare, start and finish.

Writers run their statements through `model.iceberg` and record what they were told. A definite error is a `fail`, an
error that leaves the outcome open is an `info`. A refused statement whose snapshot stands in the lineage all the same
is named as its maker. When all have ended, the lineage is read from the table, and then the rows, by a reader that was
not part of the race.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from checkers.histories.recorder import Name
from checkers.iceberg.inspections import NOT_DONE
from model.iceberg import SHIPPED, CommandResult, IcebergTable, Rules, SparkSql, create_table, open_table
from model.iceberg.api import TO_READ, read
from model.iceberg.errors import IcebergError, NoSuchTable, TableUnreadable
from model.iceberg.metadata import TableMetadata
from model.iceberg.spark_target import MAIN_ALONE
from model.ports import World
from sim.iceberg.aging import aged, put_aged
from sim.iceberg.beside_sql import gives_files
from sim.iceberg.branches import unkept_rows
from sim.iceberg.calls import call
from sim.iceberg.creating import TABLE as TABLE
from sim.iceberg.creating import DropTable, OfNames, OfTables
from sim.iceberg.effects import all_keys, row_reads, row_writes, seen_by
from sim.iceberg.failures import WHOLE, record_failure, record_the_dead
from sim.iceberg.heads import Heads
from sim.iceberg.incremental import OfPast
from sim.iceberg.inspect import committed_files, inspect, record_findings, record_unasked, versions_of
from sim.iceberg.kept_ids import changed_in_place
from sim.iceberg.left import Left
from sim.iceberg.lineage import ancestry, committed, since
from sim.iceberg.lost_locks import unlocked
from sim.iceberg.managing import AppendTo, CherryPick, ManageSnapshots, Managing, Procedures, Stage, is_managed
from sim.iceberg.not_done import Judged, not_done
from sim.iceberg.renaming import asked as asked_for
from sim.iceberg.renaming import name_at_end, put_aside, renamed
from sim.iceberg.replaced import taken_out
from sim.iceberg.retained import named_by
from sim.iceberg.seen import snapshots_of
from sim.iceberg.server_purges import prepare_purges
from sim.iceberg.snapshot_rules import deletes_of_other_formats, replaced_by_more, statistics_left
from sim.iceberg.sql_branches import BesideMain
from sim.iceberg.sql_calls import call_sql
from sim.iceberg.workload import IcebergWorkload, Sql, Statement, Update, describe, tried_again
from sim.iceberg.worlds import world_of
from sim.world.simulation import Simulation

SETUP, READER = "setup", "r-final"


class Begun(NamedTuple):
    """A race that has begun.

    Args: `seen` is what a client that loaded the table before it knows; `asked`: by writer, the operation that it has
    not been told the outcome of, the tables that it has opened for it, and the statement; `makers`: by snapshot, or
    drop, the operation that was refused for certain and would have made it, or that may have made it twice; `planned`:
    by statement, the rows that say what it does to main; `branched`: appends to branches that were acknowledged;
    `sessions`: by writer, the table that its session caches; `amiss`: what was told that it is done, and is not.
    """

    seen: Any
    asked: dict[str, tuple[int, list[IcebergTable], Statement]]
    makers: dict[int | None, int]
    moved: dict[int | None, int]
    planned: dict[Statement, tuple[Any, ...]]
    branched: list[AppendTo]
    sessions: dict[str, list[IcebergTable]]
    amiss: list[str]


@dataclass(frozen=True, slots=True)
class IcebergRace:
    """One workload under one set of rules. `prepare`, `start` and `finish` are a scenario's."""

    workload: IcebergWorkload
    rules: Rules = SHIPPED
    _managed: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_managed", is_managed(self.workload.writers))

    def prepare(self, simulation: Simulation) -> Any:
        """Make the table; returns what a client that loaded it before the race knows."""
        simulation.services.metastore.create(TABLE, {})  # the Hive catalogs make it an Iceberg table
        return self._made(simulation, self._world(simulation, SETUP))

    def _made(self, simulation: Simulation, world: World) -> Any:
        work = self.workload
        put_aside(simulation, world, work.writers, work.catalog)
        table = create_table(
            world, TABLE, work.rows, catalog=work.catalog, properties=work.properties, rules=self.rules,
            format_version=work.format_version, partition_width=work.partition_width,
            partition_transform=work.partition_transform,
        )  # fmt: skip
        for statement in work.history:
            if isinstance(statement, Sql):
                self._execute(simulation, SETUP, statement, [])
                table.ops.refresh()
            else:
                table.ops.refresh()
                call(table, statement)
        if work.ages_h:
            timed = aged(table.ops.refresh(), work.ages_h)
            put_aged(world, table, TABLE, timed)
            table.ops.refresh()
        _forget_what_was_before(simulation)
        return table.ops.seen

    def start(self, simulation: Simulation) -> None:
        """Record the initial content as version 0 and start the writers."""
        metadata: TableMetadata | None = None if self.workload.is_absent else simulation.prepared.value
        sent = [one for _, todo in self.workload.writers for one in todo if isinstance(one, Managing)]
        heads = Heads(simulation, TABLE)
        simulation.services.store.buries = self._managed
        prepare_purges(simulation, sent, self.workload.catalog)
        planned: dict[Statement, tuple[Any, ...]] = {one: heads.planned(metadata, one) for one in sent}
        sessions: dict[str, list[IcebergTable]] = {actor: [] for actor in self.workload.cached}
        simulation.prepared = Begun(simulation.prepared, {}, {}, {}, planned, [], sessions, [])
        first = metadata.current_snapshot_id if metadata is not None and not self._managed else 0
        simulation.record.setup(row_writes(self.workload.content), first)
        for actor, statements in self.workload.writers:
            self._world(simulation, actor)
            simulation.actor(actor, self._writer(simulation, actor, statements))

    def _world(self, simulation: Simulation, process: str) -> World:
        return world_of(simulation, process, self.workload.catalog, told=self._managed)

    def _writer(self, simulation: Simulation, actor: str, statements: tuple[Statement, ...]) -> Callable[[], None]:
        def body() -> None:
            for statement in statements:
                for tries in range(self.workload.tries + 1):
                    if not self._send(simulation, actor, tried_again(statement, tries)):
                        break

        return body

    def _send(self, simulation: Simulation, actor: str, statement: Statement) -> bool:
        """Send a statement, and record what came of it. Returns: whether it was refused for certain."""
        op = simulation.record.invoke(actor, *describe(statement))
        tables: list[IcebergTable] = []
        asked, refused = simulation.prepared.asked, False
        asked[actor] = op, tables, statement
        heads, since = Heads(simulation, TABLE) if self._managed else None, len(simulation.kernel.trace)
        planned = simulation.prepared.planned.get(statement, ())
        names_late = heads is not None and self.workload.in_sql
        sent_at = simulation.services.register.newest(TABLE) if names_late else 0
        told = False
        before = len(_all_versions(simulation)[:-1]) if isinstance(statement, Judged) else 0
        try:
            result = self._execute(simulation, actor, statement, tables)
            result = taken_out(simulation, TABLE, statement, result, tables)
            if isinstance(statement, DropTable):
                simulation.prepared.makers[result.commit] = op
            if isinstance(statement, OfNames):
                result, heads = renamed(simulation, statement), None
            if heads is not None:
                by_version = isinstance(statement, Managing) and not isinstance(statement, OfTables)
                picked = result.commit if isinstance(statement, CherryPick | ManageSnapshots) else None
                made = heads.version_of(tables[-1].ops, picked, actor, since) if by_version else None
                result = heads.done(statement, result, planned, made, sent_at)
                if isinstance(statement, Stage):
                    result = heads.published(result, actor, since)
        except IcebergError as error:
            refused = error.definite
            if error.result and not refused:
                error.result = taken_out(simulation, TABLE, statement, error.result, tables)
            if heads is not None and isinstance(statement, WHOLE) and error.result:
                error.result = asked_for(simulation, statement, error.result)
                landed = heads.done(statement, error.result._replace(commit=error.result.snapshot), planned, None)
                error.result = landed._replace(commit=None, writes=()) if refused else landed
                heads = None
            if heads is not None and refused and isinstance(statement, Managing):
                simulation.prepared.moved[heads.moved_by(actor, since)] = op
            record_failure(simulation, op, error, heads, statement)
        else:
            simulation.prepared.makers.update(dict.fromkeys(result.also, op))
            reads, said = seen_by(simulation, statement, result.reads)
            simulation.record.ok(
                op, start=result.start, commit=result.commit, parent=result.parent, reads=reads,
                writes=row_writes(result.writes), arg=said,
            )  # fmt: skip
            if isinstance(statement, AppendTo):
                simulation.prepared.branched.append(statement)
            if isinstance(statement, Judged):
                seen = simulation.prepared.seen
                known = seen.value if seen is not None else None
                simulation.prepared.amiss.extend(not_done(statement, _all_versions(simulation)[before:], known))
            told = True
        if self.workload.catalog == "hive-lock":
            simulation.prepared.amiss.extend(unlocked(simulation.kernel.trace[since:], actor, done=told))
        del asked[actor]
        return refused

    def _execute(
        self, simulation: Simulation, actor: str, statement: Statement, tables: list[IcebergTable]
    ) -> CommandResult:
        world, work = self._world(simulation, actor), self.workload
        mode, isolation = work.mode, work.isolation
        if isinstance(statement, Update):
            mode, isolation = work.update_mode or mode, work.update_isolation or isolation
        if isinstance(statement, Sql) or (
            work.in_sql and isinstance(statement, BesideMain | Procedures | OfTables | OfPast)
        ):
            begun = simulation.prepared
            session = begun.sessions.get(actor) if actor in work.cached else None
            target = MAIN_ALONE if actor == SETUP else work.target
            sql = SparkSql(world, TABLE, mode, isolation, work.catalog_of(actor), self.rules, tables, session, target)
            known = begun.seen.value if isinstance(statement, Managing | OfPast) else None
            return call_sql(sql, statement, work.ids, lambda: committed_files(simulation, TABLE), known)
        loads = work.loads_late or isinstance(statement, OfTables)
        seen = None if loads else simulation.prepared.seen
        table = open_table(world, TABLE, catalog=work.catalog_of(actor), rules=self.rules, loaded=seen)
        tables.append(table)
        if loads and not isinstance(statement, OfTables):
            world.notes.intend(TO_READ)
            table.ops.refresh()
        return call(table, statement)

    def finish(self, simulation: Simulation) -> None:
        """Read the lineage, then the rows, then look for broken invariants and files left behind."""
        record_the_dead(simulation, managed=self._managed)
        world = self._world(simulation, READER)
        table = open_table(world, name_at_end(simulation), catalog=self.workload.catalog, rules=self.rules)
        op = simulation.record.invoke(READER, "read")
        try:
            metadata = table.ops.refresh()
            self._record_lineage(simulation, self.workload.target.seen(metadata))
            simulation.left = self._left(simulation, metadata)
            result = read(table, self.workload.target)
            if self._managed:
                result = Heads(simulation, TABLE).places(result, None)
        except NoSuchTable:
            Heads(simulation, TABLE).record(simulation.prepared.makers, simulation.prepared.moved)
            simulation.left = Left(None, {}, {})
            record_findings(simulation, ())
            simulation.record.ok(op, start=len(simulation.ordinals) - 1, reads=all_keys(simulation, []))
            return
        except TableUnreadable as error:
            simulation.record.fail(op, f"unreadable: {error}")
            if not simulation.ordinals:  # the metadata itself: what is known of the lineage is how it began
                self._record_lineage(simulation, simulation.prepared.seen.value)
            return
        simulation.record.ok(op, start=result.start, reads=all_keys(simulation, row_reads(result.reads)))
        # Files given to the Java API belong to the caller, who may offer them again: the table cleans metadata only.
        sent = [*self.workload.history, *[one for _, todo in self.workload.writers for one in todo]]
        offered = not self.workload.in_sql or gives_files(sent)
        pointer = getattr(table.ops.seen, "location", None)
        objects = simulation.services.store.objects
        lost = unkept_rows(objects, metadata, sent, simulation.prepared.branched)
        versions = versions_of(simulation, TABLE)
        lost += [*replaced_by_more(objects, metadata), *statistics_left(versions)]
        if self.workload.catalog != "rest":
            lost += deletes_of_other_formats(objects, versions)
        changed = None if offered else changed_in_place(sent, self.workload.tries)
        seen = simulation.prepared.seen
        named = () if seen is None else named_by(self.workload.writers, snapshots_of(seen.value))
        inspect(simulation, TABLE, metadata, pointer, "metadata/" if offered else "", lost, changed, named)
        record_unasked(simulation, [TABLE], sent)
        if amiss := simulation.prepared.amiss:
            record_findings(simulation, amiss, NOT_DONE)

    def _left(self, simulation: Simulation, metadata: TableMetadata) -> Left:
        objects, places = simulation.services.store.objects, simulation.ordinals
        if self._managed:
            heads = [head for _, _, head in Heads(simulation, TABLE).chain]
            places = {name: heads.index(name) for name in heads}
        return Left(metadata, objects, places, self._managed)

    def _record_lineage(self, simulation: Simulation, metadata: TableMetadata) -> None:
        ordinals: dict[Name, int] = simulation.ordinals
        if self._managed:
            return Heads(simulation, TABLE).record(simulation.prepared.makers, simulation.prepared.moved)
        chain = ancestry(simulation, TABLE, metadata)
        if self.workload.target == MAIN_ALONE:  # nobody logs where a branch was
            chain = committed(chain, metadata)
        if self.workload.history:
            chain = since(chain, simulation.prepared.seen.value.current_snapshot_id)
        makers = simulation.prepared.makers
        for ordinal, snapshot in enumerate(chain):
            name = snapshot.snapshot_id
            ordinals[name] = ordinal
            simulation.record.version(ordinal, name, snapshot.parent_id, snapshot.operation, op=makers.get(name))


def _all_versions(simulation: Simulation) -> list[Any]:
    """What the table's name has stood for, where its catalog keeps that."""
    return [each.value for each in simulation.services.register.history.get(TABLE, ())]


def _forget_what_was_before(simulation: Simulation) -> None:
    """The race begins with the newest version: no stale read is older."""
    for versions in (simulation.services.register.history, simulation.services.metastore.tables):
        if TABLE in versions:
            del versions[TABLE][:-1]
