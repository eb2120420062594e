"""What a statement of SQL has deleted that looks for no row itself, and drops files as it finds them: whatever its
commit's parent had of the rows that it names, and nothing if that had none.

Source: `SparkTable.deleteWhere`, `core/StreamingDelete.java`: the filter is evaluated by each attempt.

Choices: tables are looked up beside the clients. A commit that is not there yet when its client gives up is taken to
have deleted all rows that it names.
"""

from __future__ import annotations

from collections.abc import Sequence

from model.iceberg.metadata import TableMetadata
from model.iceberg.result import CommandResult
from model.iceberg.table import IcebergTable
from sim.iceberg.heads import Heads
from sim.iceberg.inspect import versions_of
from sim.iceberg.sql_statements import Delete, Truncate
from sim.world.simulation import Simulation


def deleted(
    simulation: Simulation, name: str, statement: object, result: CommandResult, tables: Sequence[IcebergTable]
) -> CommandResult:
    """A statement's result with what it has deleted, if it is one of those, and its commit is there.

    Args: `name`: the table's; `tables`: as the statement has opened it.
    """
    if not isinstance(statement, Delete | Truncate) or result.reads or result.snapshot is None:
        return result
    seen = [table.metadata for table in tables]
    found = parent_of([*seen, *versions_of(simulation, name)], result.snapshot)
    rows = None if found is None else Heads(simulation, name).rows(*found)
    if rows is None:
        return result
    there = dict(rows)
    keys = there if isinstance(statement, Truncate) else [key for key, _ in result.writes if key in there]
    return result._replace(writes=tuple([(key, None) for key in keys]))


def parent_of(known: Sequence[TableMetadata], snapshot_id: int | None) -> tuple[TableMetadata, int | None] | None:
    """What a commit was made on: metadata that has it, and the snapshot (None: none); None if nobody knows the commit.

    The newest metadata need not have it any more.
    """
    made = next((found for each in known if (found := each.snapshot(snapshot_id))), None)
    if made is None:
        return None
    has_it = (each for each in known if made.parent_id is None or each.snapshot(made.parent_id))
    return next(((each, made.parent_id) for each in has_it), None)
