"""Races of shipped PyIceberg 0.12.0, unmodified, inside the simulator.

Real Parquet, Avro and JSON bytes are written to the simulated object store; the commit loop, its validation, its
retries and its clean-up are the library's own. Costs about ten milliseconds a run, so scenarios stay small.

Choices: values are as in `workload`; statements are `Append` (`Table.append`) and `Delete` (`Table.delete`), each one
snapshot. A statement starts from the table as its client loads it.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pyarrow as pa
from pyiceberg.exceptions import CommitFailedException, CommitStateUnknownException, ServerError, ValidationException
from pyiceberg.table import Table

from checkers.histories.recorder import Name
from sim.iceberg.pyiceberg_ports import MANIFEST, catalog
from sim.iceberg.workload import Append, Delete, Rows, Statement, describe
from sim.world import substitutes
from sim.world.simulation import Simulation

NAME = "db.t"
READER = "r-final"
SCHEMA = pa.schema([pa.field("id", pa.int32()), pa.field("v", pa.string())])
Writes = list[tuple[str, str | None]]
INITIAL: Rows = ((1, "a"), (2, "b"))


def arrow(rows: Rows) -> pa.Table:
    """Rows as an Arrow table."""
    return pa.table({"id": [key for key, _ in rows], "v": [value for _, value in rows]}, schema=SCHEMA)


class Asked(NamedTuple):
    """A statement whose outcome is open.

    Args: `start` is the snapshot that it started from; `told` says what it was told; `sent` has the snapshots that its
    catalog was asked to add.
    """

    start: int | None
    writes: Writes
    told: str = "its process died"
    sent: Sequence[int] = ()


class Begun(NamedTuple):
    """A race that has begun. Args: `head`: the table's snapshot before it; `asked`: by operation."""

    head: int | None
    asked: dict[int, Asked]


@dataclass(frozen=True, slots=True)
class PyIcebergRace:
    """One race; `retries` is the table's `commit.retry.num-retries`."""

    writers: tuple[tuple[str, tuple[Statement, ...]], ...]
    retries: int = 4

    def prepare(self, simulation: Simulation) -> int | None:
        """Make the table with two rows; returns its snapshot id."""
        pa.set_cpu_count(1)
        logging.getLogger("pyiceberg").setLevel(logging.ERROR)  # a retry is no news here: there are thousands
        warnings.filterwarnings("ignore", "Delete operation did not match any records")
        substitutes.substitute(MANIFEST)
        world = simulation.world("setup")
        with substitutes.acting_as(world):
            properties = {"commit.retry.num-retries": str(self.retries)}
            table = catalog(world).create_table(NAME, SCHEMA, properties=properties)
            table.append(arrow(INITIAL))
            return _head(table)

    def start(self, simulation: Simulation) -> None:
        """Record the initial content and start the writers."""
        substitutes.enter(simulation)
        simulation.prepared = begun = Begun(simulation.prepared, {})
        simulation.record.setup([(f"row:{key}", value) for key, value in INITIAL], begun.head)
        for actor, statements in self.writers:
            simulation.actor(actor, _writer(simulation, actor, statements))

    def finish(self, simulation: Simulation) -> None:
        """Read the lineage and the rows back; a missing file is a failed read."""
        world = simulation.world(READER)
        with substitutes.acting_as(world):
            table = catalog(world).load_table(NAME)
            lineage = _lineage(table)
            _record_unknown(simulation, [snapshot.snapshot_id for snapshot in lineage])
            op = simulation.record.invoke(READER, "read")
            ordinals: dict[Name, int] = simulation.ordinals
            for ordinal, snapshot in enumerate(lineage):
                ordinals[snapshot.snapshot_id] = ordinal
                label = snapshot.summary.operation.value if snapshot.summary else ""
                simulation.record.version(ordinal, snapshot.snapshot_id, snapshot.parent_snapshot_id, label)
            try:
                found = table.scan().to_arrow().to_pylist()
            except FileNotFoundError as missing:
                simulation.record.fail(op, f"unreadable: {missing}")
            else:
                rows: dict[str, str | None] = dict.fromkeys(simulation.record.keys())
                rows.update({f"row:{row['id']}": row["v"] for row in found})
                reads = [(key, value, None) for key, value in rows.items()]
                simulation.record.ok(op, start=_head(table), reads=reads)


def _record_unknown(simulation: Simulation, lineage: list[int]) -> None:
    """Record the statements of unknown outcome, with the version that they made, if they made one."""
    asked: dict[int, Asked] = simulation.prepared.asked
    for op, (start, writes, told, sent) in asked.items():
        made = next((snapshot for snapshot in reversed(sent) if snapshot in lineage), None)
        simulation.record.info(op, told, start=start, commit=made, writes=writes)


def _head(table: Table) -> int | None:
    snapshot = table.current_snapshot()
    return None if snapshot is None else snapshot.snapshot_id


def _lineage(table: Table) -> list[Any]:
    chain: list[Any] = []
    snapshot = table.current_snapshot()
    while snapshot is not None:
        chain.append(snapshot)
        parent = snapshot.parent_snapshot_id
        snapshot = table.snapshot_by_id(parent) if parent is not None else None
    return chain[::-1]


def _writer(simulation: Simulation, actor: str, statements: Iterable[Statement]) -> Callable[[], None]:
    asked: dict[int, Asked] = simulation.prepared.asked

    def body() -> None:
        for statement in statements:
            op = simulation.record.invoke(actor, *describe(statement))
            asked[op] = Asked(None, _writes(statement))
            try:
                own = catalog(simulation.world(actor))
                table = own.load_table(NAME)
                asked[op] = asked[op]._replace(start=_head(table), sent=own.sent)
                _execute(table, statement)
            except (CommitFailedException, ValidationException) as refused:
                failed = asked.pop(op)
                simulation.record.fail(op, _named(refused), start=failed.start, writes=failed.writes)
            except (CommitStateUnknownException, ServerError, FileNotFoundError) as unknown:
                asked[op] = asked[op]._replace(told=_named(unknown))
                return  # whoever does not know what the table is like does not go on
            else:
                _done(simulation, op, table, asked.pop(op))

    return body


def _done(simulation: Simulation, op: int, table: Table, done: Asked) -> None:
    """Record what was acknowledged; a delete that matches nothing makes no snapshot, and writes nothing."""
    made = table.snapshot_by_id(done.sent[-1]) if done.sent else None
    if made is None:
        simulation.record.ok(op, start=done.start)
    else:
        parent = made.parent_snapshot_id
        simulation.record.ok(op, start=done.start, commit=made.snapshot_id, parent=parent, writes=done.writes)


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _writes(statement: Statement) -> Writes:
    if isinstance(statement, Append):
        return [(f"row:{key}", value) for key, value in statement.rows]
    assert isinstance(statement, Delete), statement
    return [(f"row:{statement.id}", None)]


def _execute(table: Table, statement: Statement) -> None:
    if isinstance(statement, Append):
        table.append(arrow(statement.rows))
    elif isinstance(statement, Delete):
        table.delete(f"id == {statement.id}")
