"""What PyIceberg 0.12.0 does with whole tables: its catalogs' own calls, and what they do to the rows of a race.

Source: `pyiceberg/catalog/__init__.py` (`create_table_transaction`, `drop_table`, `rename_table`,
`register_table`).

Choices: who drops a table begins with whatever is there then; who makes one, or puts one there, with none; who
registers one loads it by its other name before. What files hold is looked up beside the clients, who are charged no
call for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from pyiceberg.serializers import FromInputFile
from pyiceberg.table import Table

from checkers.histories.recorder import Name
from sim.iceberg.creating import MOVED, CreateTable, DropTable, OfTables, PutTable, RegisterTable, RenameTable
from sim.iceberg.heads import difference
from sim.iceberg.python.branches import row_key
from sim.iceberg.python.calls import SCHEMA, arrow, rows_in
from sim.iceberg.python.ports import NAME, StoreFileIO
from sim.iceberg.python.statements import Writes
from sim.iceberg.python.versions import Commits, Places
from sim.iceberg.renaming import puts
from sim.iceberg.statements import Rows
from sim.world.simulation import Simulation


def carry_out(catalog: Any, statement: OfTables) -> None:
    """Carry a statement out. Raises: what the library raises."""
    match statement:
        case CreateTable(rows):
            with catalog.create_table_transaction(NAME, SCHEMA) as transaction:
                transaction.append(arrow(rows))
        case DropTable():
            catalog.drop_table(NAME)
        case RegisterTable():
            catalog.register_table(NAME, catalog.load_table(statement.aside).metadata_location)
        case PutTable():
            catalog.rename_table(statement.aside, NAME)
        case RenameTable():
            catalog.rename_table(NAME, MOVED)
        case _:
            raise TypeError(f"statement {statement!r}: expected one that PyIceberg has, got another")


def put_aside(writers: Sequence[tuple[str, Sequence[object]]], create: Callable[..., Table]) -> None:
    """Set-up: make the tables that are to be put in the place of another one. Args: `create` makes one of a name."""
    for one in puts(writers):
        create(one.aside, SCHEMA).append(arrow(one.rows))


def settled(
    simulation: Simulation, versions: Places, statement: OfTables, commits: Commits
) -> tuple[Name, Name, Name, Writes]:
    """Where a statement has begun, the version that it made, that below it, and what it wrote; none if none is left.

    A rename makes no version, as the table is what it was; but where it has put back what the catalog had named before.
    """
    if isinstance(statement, RenameTable):
        start, last = versions.put_back, versions.last
        return (last, None, None, []) if start is None else (start, last, last - 1, [])
    made, below = versions.made(commits)
    if not isinstance(made, int):
        return None, None, None, []
    start = made - 1
    if not isinstance(statement, DropTable):  # it is refused where there is a table
        start = max([place for place in range(made) if versions.is_absent(place)], default=start)
    before, after = [_rows_at(simulation, versions, place) for place in (start, made)]
    writes = [
        (row_key(key, branch), value)
        for branch in versions.names
        for key, value in difference(before.get(branch, ()), after.get(branch, ()))
    ]
    return start, made, below, writes


def _rows_at(simulation: Simulation, versions: Places, place: int) -> dict[str, Rows]:
    """The rows of each branch at a place; none where a drop has left none."""
    if versions.is_absent(place):
        return {}
    location = versions.locations[versions.number_of(place)]
    files: Any = SimpleNamespace(store=_Still(simulation))
    io, catalog = StoreFileIO(files), None
    metadata = FromInputFile.table_metadata(io.new_input(location))
    table = Table(tuple(NAME.split(".")), metadata, location, io, catalog)  # type: ignore[arg-type]  # nobody commits
    return {branch: tuple(rows_in(table, branch)) for branch in versions.names}


class _Still:
    """Objects as they are, without a step."""

    def __init__(self, simulation: Simulation) -> None:
        self.get = simulation.services.store.objects.__getitem__
        self.exists = simulation.services.store.objects.__contains__
