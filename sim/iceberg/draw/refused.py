"""Calls of the Java API that are refused whatever is there, for a race that has been drawn already: one or two writers
more, each of whom makes one, and then appends a row.

Choices: drawn where it is asked for, beside whatever else a race has; vectors of two partitions in format 3 alone, of a
table that comes to have partitions at last, where no statement knows which rows share a file.
"""

from __future__ import annotations

from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.by_hand import AppendGiven, ByHand, DeleteElsewhere, SetAndUnset
from sim.iceberg.columns import RenameColumn
from sim.iceberg.draw.partitions import knows_files
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers, with_more
from sim.iceberg.options import FORMAT
from sim.iceberg.statements import AddColumn, Append, Statement, UpdateSpec

KINDS = ("existing files", "the table's own", "set and unset", "a column's name")
ELSEWHERE = "vectors of two partitions"
TAKES = AddColumn("takes")
"""A column that is there before, and would take another one's name."""
WIDTH = 16
"""How many ids a partition has then: more than any that is drawn else."""


def with_refused(draws: Draws, table: Table, writers: Writers, settings: Settings) -> Writers:
    """The writers and those."""
    done = [one for todo in (*writers.values(), table.history) for one in todo]
    parts = settings[FORMAT.key] == "3" and not any(knows_files(one) for one in done)
    kinds = (*KINDS, ELSEWHERE, ELSEWHERE) if parts else KINDS
    more: list[list[Statement]] = draws.list_of("refused", 1, 2, lambda at: _one(draws, table, kinds, str(at)))
    return with_more(writers, more)


def _one(draws: Draws, table: Table, kinds: tuple[str, ...], place: str) -> list[Statement]:
    refused = _refused(draws.one_of(f"refused by, {place}", kinds), table)
    return [refused, Append(table.new_row())] if draws.flag(f"and then appends, {place}") else [refused]


def _refused(kind: str, table: Table) -> ByHand | RenameColumn:
    match kind:
        case "existing files":
            return AppendGiven(table.new_row())
        case "the table's own":
            return AppendGiven()
        case "set and unset":
            return SetAndUnset("k", "v")
        case "a column's name":
            table.history += [] if TAKES in table.history else [TAKES]
            return RenameColumn(TAKES.name, "v")
    row = table.new_row()
    table.history += [UpdateSpec(WIDTH), Append(row)]
    return DeleteElsewhere(row[0][0])
