"""Statements that create, replace and drop a table, drawn for a race that has been drawn already.

It is the last draw, and a rare one: without it a race is what it was. A writer more does what is drawn, and nothing
fails. Where the race begins without a table, the other writers do what can be done there.
"""

from __future__ import annotations

from collections.abc import Sequence

from sim.generation.draws import Draws
from sim.iceberg.creating import CreateTable, DropTable
from sim.iceberg.draw.calls import left_alone
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.managing import ReplaceTable
from sim.iceberg.workload import Append, Statement
from sim.world.scenario import FaultSpace

KINDS = ("create table", "create or replace table", "drop table", "replace table")
ABSENT_KINDS = ("append", "create table", "create or replace table", "drop table")
RARELY = (False, False, False, False, False, True)


def of_tables(draws: Draws, table: Table, writers: Writers) -> Writers | None:
    """Draw what is done to the table as a whole; mostly nothing (None). That there is no table is put into the history.

    Args: `writers`: those of the race by name. Returns: they, and one more.
    """
    if not draws.one_of("makes tables", RARELY, left_alone(draws)):
        return None
    kinds: Sequence[str] = KINDS
    found = dict(writers)
    if draws.flag("no table"):
        table.history.append(DropTable())
        kinds = ABSENT_KINDS
        found = {name: _several(draws, table, kinds) for name in found}
    return {**found, f"w{len(found) + 1}": _several(draws, table, kinds)}


def beside_tables(draws: Draws, faults: FaultSpace) -> FaultSpace:
    """What may fail beside who makes tables and drops them: now and then what was drawn, else nothing."""
    return faults if faults.limit and draws.flag("fails beside tables") else FaultSpace()


def _several(draws: Draws, table: Table, kinds: Sequence[str]) -> list[Statement]:
    return draws.list_of("of tables", 1, 2, lambda _: _drawn(draws, table, kinds))


def _drawn(draws: Draws, table: Table, kinds: Sequence[str]) -> Statement:
    match draws.one_of("of table", kinds):
        case "append":
            return Append(table.new_row())
        case "create table":
            return CreateTable(table.new_row())
        case "create or replace table":
            return CreateTable(table.new_row(), replaces=True)
        case "replace table":
            return ReplaceTable(table.new_row())
    return DropTable()
