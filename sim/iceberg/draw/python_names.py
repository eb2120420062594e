"""Races of PyIceberg in which whole tables are made, dropped, registered and renamed, where that is asked for: in one
of its own catalogs.

Choices: nothing fails. Who renames the table gives it a name that nobody else uses; and no other table gets its name
then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from sim.generation.draws import Draws
from sim.iceberg.creating import CreateTable, DropTable, PutTable, RegisterTable, RenameTable
from sim.iceberg.draw.calls import asked_for
from sim.iceberg.draw.statements import Table
from sim.iceberg.options import OF_NAMES
from sim.iceberg.python.catalogs import HIVE, REST, SQL
from sim.iceberg.statements import Rows, Statement

NO_TABLE, TABLE, RENAMED = "no table", "a table", "a table that is renamed"
BEGINS = (NO_TABLE, NO_TABLE, TABLE, RENAMED)
MAKES: Mapping[str, Callable[[Rows], Statement]] = {
    "create table": CreateTable, "register table": RegisterTable, "put table": PutTable,
}  # fmt: skip
KINDS: Mapping[str, tuple[str, ...]] = {
    NO_TABLE: (*MAKES, "append", "drop table"),
    TABLE: ("drop and make", "append", "change", "drop table"),
    RENAMED: ("rename table", "append", "change", "drop table"),
}
STATEMENTS = ("register table",)


class OfNames(NamedTuple):
    """Such a race. Args: `history`: what was done to the table before; `catalog`: the one that it is in."""

    writers: dict[str, list[Statement]]
    history: list[Statement]
    catalog: str


def of_python_names(draws: Draws, table: Table) -> OfNames | None:
    """Draw such a race where it is asked for, and none elsewhere: a race of another configuration is what it was."""
    if not asked_for(draws, OF_NAMES):
        return None
    catalog = draws.one_of("names in", (REST, SQL, HIVE))
    begins = draws.one_of("begins with", BEGINS)
    kinds = draws.some("statements", KINDS[begins])
    todo = draws.list_of(
        "writers", 2, 3, lambda _: draws.list_of("statements", 1, 2, lambda _: _some(draws, table, kinds))
    )
    writers = {f"w{number}": [one for some in each for one in some] for number, each in enumerate(todo, 1)}
    return OfNames(writers, [DropTable()] if begins == NO_TABLE else [], catalog)


def _some(draws: Draws, table: Table, kinds: tuple[str, ...]) -> list[Statement]:
    kind = draws.one_of("kind", kinds)
    match kind:
        case "drop and make":
            return [DropTable(), MAKES[draws.one_of("made", tuple(MAKES))](table.new_row())]
        case "drop table":
            return [DropTable()]
        case "rename table":
            return [RenameTable()]
    return [MAKES[kind](table.new_row()) if kind in MAKES else table.of_kind(kind, ())]
