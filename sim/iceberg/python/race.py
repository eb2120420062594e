"""Races of shipped PyIceberg 0.12.0, unmodified, inside the simulator.

Real Parquet, Avro and JSON bytes are written to the simulated object store; the commit loop, its validation, its
retries and its clean-up are the library's own. Costs about ten milliseconds a run, so scenarios stay small.

Choices: values are as in `workload`. A statement starts from the table as its client loads it. What a Delete or an
upsert reads is not recorded. Where a partition spec changes in a race, the reader at the end asks for each row by its
id.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pyarrow as pa
from pyiceberg.exceptions import NoSuchTableError
from pyiceberg.table import Table
from pyiceberg.table.refs import SnapshotRefType

from model.iceberg.metadata import MAIN
from sim.iceberg.creating import OfTables, is_absent
from sim.iceberg.heads import joined
from sim.iceberg.managing import CreateRef, RemoveRef, is_managed
from sim.iceberg.python.asked import DEFINITE, OPEN, Asked, Begun, Client
from sim.iceberg.python.branches import branches_of, keyed, keys_in, placed
from sim.iceberg.python.by_hand import UNTOUCHED, Hand, put
from sim.iceberg.python.calls import SCHEMA, Call, Reads, arrow, evolve, loose_files, rows_in, rows_of
from sim.iceberg.python.catalogs import OURS, catalogs
from sim.iceberg.python.ports import MANIFEST, NAME, Sent
from sim.iceberg.python.versions import Places, Snapshots, head
from sim.iceberg.python.whole_tables import carry_out, put_aside, settled
from sim.iceberg.python_statements import EvolveSpec, TagAndRollBack
from sim.iceberg.statement_words import describe
from sim.iceberg.statements import Rows, Scan, Statement
from sim.world import substitutes
from sim.world.simulation import Simulation

READER = "r-final"
Writer = tuple[str, tuple[Statement, ...]]


@dataclass(frozen=True, slots=True)
class PyIcebergRace:
    """One race.

    Args: `retries` is the table's `commit.retry.num-retries`; `history` is what was done to it before, after its first
    file, which holds `rows`; `table_properties`: further properties of it; `loaded`: writers have loaded it before the
    race, and load it anew for each statement but the first; `catalog` is one of `python.catalogs.MODULES`;
    `partitioned`: the transform of id that it is partitioned by before it has a row ("": none); `hand`: what another
    hand has made of it at last, in a register.
    """

    writers: tuple[Writer, ...]
    retries: int
    rows: Rows
    history: tuple[Statement, ...]
    table_properties: tuple[tuple[str, str], ...]
    loaded: bool
    catalog: str = OURS
    partitioned: str = ""
    hand: Hand = UNTOUCHED

    def prepare(self, simulation: Simulation) -> tuple[int | None, dict[str, str]]:
        """Make the table; returns its snapshot id, and its rows as a history has them."""
        pa.set_cpu_count(1)
        logging.getLogger("pyiceberg").setLevel(logging.ERROR)  # a retry is no news here: there are thousands
        warnings.filterwarnings("ignore", "Delete operation did not match any records")
        kind = catalogs(self.catalog)
        substitutes.substitute((*MANIFEST, *kind.manifest))
        world = simulation.world("setup")
        with substitutes.acting_as(world):
            properties = {"commit.retry.num-retries": str(self.retries), **dict(self.table_properties)}
            table = kind.create(simulation, "setup", NAME, SCHEMA, properties=properties)
            if self.partitioned:
                with table.transaction() as transaction:
                    evolve(transaction, self.partitioned)
            if self.rows:
                table.append(arrow(self.rows))
            put_aside(self.writers, partial(kind.create, simulation, "setup", properties=properties))
            for statement in self.history:
                if isinstance(statement, OfTables):
                    carry_out(table.catalog, statement)
                else:
                    Call(statement).run(table)
            if self.hand != UNTOUCHED:
                put(world, NAME, self.hand)
                table.refresh()
            kind.forget(simulation)
            for location, body in loose_files(self._sent):
                world.store.put(location, body)
            return (None, {}) if is_absent(self.history) else (head(table), _content(table, self._branches))

    def start(self, simulation: Simulation) -> None:
        """Record the initial content and start the writers."""
        substitutes.enter(simulation)
        first, content = simulation.prepared
        kind = catalogs(self.catalog)
        branches, locations = self._branches, partial(kind.locations, simulation)
        by_place = is_managed(self.writers) or branches or first is None
        versions = Places(simulation, locations, branches) if by_place else Snapshots(simulation, first)
        simulation.prepared = Begun(versions, {}, [], [], branches)
        simulation.record.setup(list(content.items()), versions.first)
        for actor, statements in self.writers:
            world = simulation.world(actor)
            with substitutes.acting_as(world):
                client = Client(kind.client(simulation, actor), (*OPEN, *kind.errors))
                table = client.catalog.load_table(NAME) if self.loaded and not is_absent(self.history) else None
            simulation.actor(actor, _writer(simulation, actor, statements, client, table))

    def finish(self, simulation: Simulation) -> None:
        """Read the lineage and the rows back; a missing file is a failed read."""
        world = simulation.world(READER)
        versions: Snapshots | Places = simulation.prepared.versions
        with substitutes.acting_as(world):
            kind = catalogs(self.catalog)
            catalog = kind.client(simulation, READER)
            try:
                table = catalog.load_table(kind.name(simulation))
            except NoSuchTableError:
                assert isinstance(versions, Places)
                _record_unknown(simulation)
                op = simulation.record.invoke(READER, "read")
                versions.record()
                simulation.record.ok(op, start=versions.last, reads=_of_all(simulation, {}))
                return
            versions.close(table)
            _record_unknown(simulation)
            op = simulation.record.invoke(READER, "read")
            versions.record()
            try:
                seen = _content(table, self._branches)
                seen = self._by_id(table, seen) if self._evolves else seen
            except FileNotFoundError as missing:
                simulation.record.fail(op, f"unreadable: {missing}")
            else:
                simulation.record.ok(op, start=versions.start(table), reads=_of_all(simulation, seen))
            _look_for_tags(simulation, table)

    @property
    def _sent(self) -> list[Statement]:
        return [one for _, todo in self.writers for one in todo]

    @property
    def _branches(self) -> tuple[str, ...]:
        """The branches beside main whose rows the history has."""
        return branches_of((*self.history, *self._sent))

    @property
    def _evolves(self) -> bool:
        return any(isinstance(one, EvolveSpec) for one in self._sent)

    def _by_id(self, table: Table, found: Mapping[str, str]) -> dict[str, str]:
        """The rows of main as who asks for each by its id finds them: not all files are looked into then."""
        of_main = keys_in(MAIN, list(found))
        ids = [key.removeprefix("row:") for key in of_main]
        return {key: value for key, value in found.items() if key not in of_main} | {
            key: value for one in ids for key, value in keyed(joined(rows_of(table.scan(f"id == {one}"))), MAIN).items()
        }


def _content(table: Table, branches: Sequence[str]) -> dict[str, str]:
    """The rows of main and of these branches, as a history has them."""
    return {key: value for one in (MAIN, *branches) for key, value in keyed(joined(rows_in(table, one)), one).items()}


def _look_for_tags(simulation: Simulation, table: Table) -> None:
    """Whoever reads at a tag that is gone is told so, unless somebody has removed it, or made a branch of it, since."""
    begun: Begun = simulation.prepared
    there = [name for name, ref in table.metadata.refs.items() if ref.snapshot_ref_type == SnapshotRefType.TAG]
    for name, sent in begun.tags:
        assert isinstance(begun.versions, Places)
        made = begun.versions.number(sent)
        since = [begun.versions.number(other) for each, other in begun.untagged if each == name]
        if name in there or any(number > made for number in (*since, *begun.versions.drops)):
            continue
        op = simulation.record.invoke(READER, "read", f"tag {name}")
        simulation.record.fail(op, f"unreadable: there is no tag {name}")


def _record_unknown(simulation: Simulation) -> None:
    """Record the statements of unknown outcome, with the version that they made, if they made one."""
    begun: Begun = simulation.prepared
    for op, (call, start, told, sent) in begun.asked.items():
        if isinstance(call.statement, OfTables):
            assert isinstance(begun.versions, Places)
            start, made, _, writes = settled(simulation, begun.versions, call.statement, sent)
        else:
            made, writes = begun.versions.landed(sent), call.writes
        simulation.record.info(op, told, start=start, commit=made, reads=call.reads, writes=writes)


def _of_all(simulation: Simulation, seen: Mapping[str, str]) -> Reads:
    """What a reader of the whole table has read: the rows that are there, and that all others are not."""
    rows: dict[str, str | None] = dict.fromkeys(simulation.record.keys())
    return [(key, value, None) for key, value in (rows | dict(seen)).items()]


def _writer(
    simulation: Simulation, actor: str, statements: Iterable[Statement], client: Client, loaded: Table | None
) -> Callable[[], None]:
    begun: Begun = simulation.prepared

    def body() -> None:
        table = loaded
        for statement in statements:
            op = simulation.record.invoke(actor, *describe(statement))
            call = Call(statement, begun.branches)
            begun.asked[op] = Asked(call)
            sent: list[Sent] = []
            client.catalog.sent = sent
            if isinstance(statement, RemoveRef) or (isinstance(statement, CreateRef) and not statement.tag):
                begun.untagged.append((statement.name, sent))
            try:
                if isinstance(statement, OfTables):
                    begun.asked[op] = Asked(call, sent=sent)
                    carry_out(client.catalog, statement)
                else:
                    table = table or client.catalog.load_table(NAME)
                    begun.asked[op] = Asked(call, begun.versions.start(table), sent=sent)
                    call.run(table)
            except DEFINITE as refused:
                failed = begun.asked.pop(op)
                begun.versions.note(failed.sent)
                simulation.record.fail(op, _named(refused), start=failed.start, reads=call.reads, writes=call.writes)
            except client.unanswered as unknown:
                begun.asked[op] = begun.asked[op]._replace(told=_named(unknown))
                return  # whoever does not know what the table is like does not go on
            else:
                _done(simulation, op, statement, table, begun.asked.pop(op))
            table = None

    return body


def _done(simulation: Simulation, op: int, statement: Statement, table: Table | None, done: Asked) -> None:
    """Record what was acknowledged; what changes no row makes no snapshot, and writes nothing."""
    versions: Snapshots | Places = simulation.prepared.versions
    versions.note(done.sent)
    if isinstance(statement, OfTables):
        assert isinstance(versions, Places)
        start, made, below, writes = settled(simulation, versions, statement, done.sent)
        simulation.record.ok(op, start=start, commit=made, parent=below, writes=writes)
        return
    assert table is not None
    if isinstance(statement, TagAndRollBack) or (isinstance(statement, CreateRef) and statement.tag):
        simulation.prepared.tags.append((statement.name, done.sent))
    reads = done.call.reads
    branch, step = placed(statement)
    if isinstance(step, Scan):
        seen = {key for key, _, _ in reads}
        known = keys_in(branch, simulation.record.keys())
        reads = [*reads, *[(key, None, None) for key in known if key not in seen]]
    made, below = versions.made(done.sent, table)
    writes = [] if made is None else done.call.writes
    simulation.record.ok(op, start=done.start, commit=made, parent=below, reads=reads, writes=writes)


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
