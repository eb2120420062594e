"""Tables that are given another name in a race: what is made before it, and what is left.

Choices: a table that is renamed is the table of the race under its new name, too. Who renames writes no row: a version
that a rename makes is one in which main is back where it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from model.iceberg.result import CommandResult
from model.iceberg.tables import Catalog, create_table
from model.ports import Absent, World
from sim.iceberg.creating import MOVED, TABLE, OfNames, PutTable
from sim.iceberg.heads import Heads, difference
from sim.world.simulation import Simulation


def puts(writers: Sequence[tuple[str, Sequence[object]]]) -> Iterator[PutTable]:
    """The tables that are to be put in the place of another one."""
    for _, statements in writers:
        yield from [one for one in statements if isinstance(one, PutTable)]


def put_aside(
    simulation: Simulation, world: World, writers: Sequence[tuple[str, Sequence[object]]], catalog: Catalog
) -> None:
    """Set-up: make those tables under other names."""
    for one in puts(writers):
        simulation.services.metastore.create(one.aside, {})
        create_table(world, one.aside, one.rows, catalog=catalog)


def name_at_end(simulation: Simulation) -> str:
    """The name of the race's table when it is over."""
    if MOVED in simulation.services.register.names:
        return MOVED
    return MOVED if simulation.services.metastore.tables.get(MOVED, [None])[-1] is not None else TABLE


def _put(simulation: Simulation, statement: PutTable) -> int:
    """The snapshot of the table that is put in the place of another one."""
    history = simulation.services.register.history[statement.aside]
    newest = next(one.value for one in reversed(history) if not isinstance(one.value, Absent))
    snapshot: int = newest.current_snapshot_id
    return snapshot


def asked(simulation: Simulation, statement: object, result: CommandResult) -> CommandResult:
    """What a statement has asked for, whatever it was told: a table that is put somewhere has a snapshot."""
    return result._replace(snapshot=_put(simulation, statement)) if isinstance(statement, PutTable) else result


def renamed(simulation: Simulation, statement: OfNames) -> CommandResult:
    """What a rename that was acknowledged has done, in places of main."""
    heads = Heads(simulation, TABLE)
    chain = heads.chain
    ids = [head for _, _, head in chain]
    if isinstance(statement, PutTable):
        put = _put(simulation, statement)
        place = max((at for at, head in enumerate(ids) if head == put), default=None)
        if place is None:  # the race's table has another name
            return CommandResult(None)
        return CommandResult(place - 1, None, place, place - 1, writes=difference((), statement.rows))
    last = len(ids) - 1
    if ids[-1] in ids[:-1]:
        return CommandResult(ids.index(ids[-1]), None, last, last - 1)
    return CommandResult(last)
