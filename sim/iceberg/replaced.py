"""What an overwrite takes out beside the rows that it writes: what its client has seen of what it replaces, as far as
its commit's parent had it still.

That is everything for an overwrite of the table; for one of partitions what is in those of its rows; and for one of
files, by name, what these had.

Source: `core/BaseOverwriteFiles.java`, `core/BaseReplacePartitions.java` of 1.11.0; `SparkWrite.OverwriteByFilter`,
`SparkWrite.DynamicOverwrite` (3.5).

Choices: tables and files are looked up beside the clients, who do not read what they replace, and are charged no call.
What came behind a client's back it has not meant: where nobody validates, that is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from model.iceberg.catalog import LastSeen
from model.iceberg.files import spec_id_of
from model.iceberg.metadata import TableMetadata
from model.iceberg.result import CommandResult
from model.iceberg.table import IcebergTable
from sim.iceberg.deleting import deleted, parent_of
from sim.iceberg.inspect import versions_of
from sim.iceberg.live_rows import Placed, live_rows
from sim.iceberg.sql_statements import InsertOverwrite
from sim.iceberg.statements import Overwrite, Replace, ReplacePartitions, Statement, Transaction, steps_of
from sim.world.simulation import Simulation

Replaces = Overwrite | Replace | ReplacePartitions | InsertOverwrite


def taken_out(
    simulation: Simulation, name: str, statement: Statement, result: CommandResult, tables: Sequence[IcebergTable]
) -> CommandResult:
    """A statement's result with all that it has taken out, if its commit is there.

    Args: `name`: the table's; `tables`: as the statement has opened it.
    """
    steps = steps_of(statement)
    if not any(isinstance(step, Replaces) for step in steps) or result.snapshot is None:
        return deleted(simulation, name, statement, result, tables)
    seen_last = [table.ops.last for table in tables if isinstance(table.ops, LastSeen)]
    known = [*[each.value for each in seen_last if each is not None], *versions_of(simulation, name)]
    begun = _with(known, result.start)
    seen = None if begun is None else _rows(simulation, begun, result.start)
    if seen is None or _writes_all(steps, seen):
        return result
    made = _with(known, result.snapshot)
    first = _first_of(made, result) if isinstance(statement, Transaction) else result.snapshot
    parent = parent_of(known, first)
    if made is None or parent is None:
        return result
    there, new = _rows(simulation, *parent), _rows(simulation, made, result.snapshot)
    if there is None or new is None:
        return result
    writes = dict(result.writes)
    for place, step in enumerate(steps):
        if isinstance(step, Replaces):
            own = {key for one in steps[:place] for key in _named(one)}
            kept = {key for one in steps[place:] for key in _named(one)}
            taken = [*_taken(step, seen, there, _parts(made, step, new)), *(own if _takes_all(step) else ())]
            writes |= {key: None for key in taken if key not in kept}
    return result._replace(writes=tuple(writes.items()))


def _with(known: Iterable[TableMetadata], snapshot_id: int | None) -> TableMetadata | None:
    """Metadata that has a snapshot."""
    return next((each for each in known if each.snapshot(snapshot_id)), None)


def _writes_all(steps: Sequence[Statement], seen: Sequence[Placed]) -> bool:
    """Whether one step writes each row that its client has seen: then it takes out nothing beside."""
    return len(steps) == 1 and {one.row[0] for one in seen} <= set(_named(steps[0]))


def _first_of(made: TableMetadata | None, result: CommandResult) -> int | None:
    """The first snapshot of a transaction: those inside it are no one else's."""
    at = result.snapshot
    while made is not None and (one := made.snapshot(at)) is not None and one.parent_id not in (None, result.parent):
        at = one.parent_id
    return at


def _rows(simulation: Simulation, metadata: TableMetadata, snapshot_id: int | None) -> list[Placed] | None:
    """The rows of a snapshot; None if a file of it is missing."""
    snapshot, store = metadata.snapshot(snapshot_id), simulation.services.store
    try:
        return [] if snapshot is None else list(live_rows({**store.buried, **store.objects}, snapshot))
    except KeyError:
        return None


def _parts(metadata: TableMetadata, step: Replaces, new: Sequence[Placed]) -> Callable[[int], bool]:
    """Whether a row is in a partition that was written, by the spec that was: who has loaded the table before goes by
    an older one."""
    if isinstance(step, Overwrite | Replace):
        return lambda _: True
    parts = {one.file.partition for one in new if one.row in step.rows}
    specs = [one for one in metadata.partitioning.specs if one.spec_id in map(spec_id_of, parts)]
    return lambda key: any(one.partition_of(key) in parts for one in specs)


def _taken(
    step: Replaces, seen: Sequence[Placed], there: Sequence[Placed], is_replaced: Callable[[int], bool]
) -> Iterator[int]:
    if isinstance(step, Replace) or (isinstance(step, Overwrite) and step.by == "file"):
        places = {(one.file.path, one.row[0]) for one in there}
        seen = [one for one in seen if (one.file.path, one.row[0]) in places]
        key = step.id if isinstance(step, Replace) else None
        yield from [one.row[0] for one in seen if key is None or one.file.lower <= key <= one.file.upper]
        return
    keys = {one.row[0] for one in there}
    found = [one.row[0] for one in seen if one.row[0] in keys]
    yield from found if _takes_all(step) else [key for key in found if is_replaced(key)]


def _takes_all(step: Replaces) -> bool:
    """Whether it replaces all rows that the table has, also those that the same transaction has added."""
    return (isinstance(step, Overwrite) and step.by == "filter") or (
        isinstance(step, InsertOverwrite) and not step.dynamic
    )


def _named(step: Statement) -> list[int]:
    """The rows that a statement writes."""
    return [key for key, _ in getattr(step, "rows", ())]
