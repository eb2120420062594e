"""Overwrites by the filter of one row, and deletes of several rows by one delete file each, for a race of the Java API
that has been drawn already: two writers more.

Choices: drawn where it is asked for, beside whatever else a race has. In format 3 the vectors of one data file are
merged, so that rows of one file are drawn together.
"""

from __future__ import annotations

from model.iceberg.plans import Level
from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.iceberg.by_hand import OverwriteWhere
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers, with_more
from sim.iceberg.options import APART, FORMAT, OVERWRITES
from sim.iceberg.statements import Append, DeleteRow, Statement
from sim.iceberg.workload import Rows

KINDS = ("its row", "its row", "a row beside it", "another row")
"""What an overwrite by filter brings: what is not of the row's id has it refused."""
LEVELS: tuple[Level, ...] = ("snapshot", "snapshot", "serializable")


def with_callers(draws: Draws, table: Table, writers: Writers, settings: Settings, calls: str | None) -> Writers:
    """The writers and two more, where such calls are asked for."""
    if calls == OVERWRITES:
        more: list[Statement] = [_overwrite(draws, table, place) for place in ("first", "second")]
    elif calls == APART and settings[FORMAT.key] != "1":
        more = _deletes(draws, table)
    else:
        return writers
    return with_more(writers, [[one] for one in more])


def _overwrite(draws: Draws, table: Table, place: str) -> Statement:
    key = draws.one_of(f"overwritten, {place}", [key for key, _ in table.content or table.rows])
    own = ((key, f"o{place}"),)
    match draws.one_of(f"brings, {place}", KINDS):
        case "a row beside it":
            return OverwriteWhere(key, (*own, *table.new_row()))
        case "another row":
            return OverwriteWhere(key, table.new_row())
    return OverwriteWhere(key, own)


def _deletes(draws: Draws, table: Table) -> list[Statement]:
    """Two that delete rows of a file of three: both, mostly, and one of them again."""
    rows: Rows = tuple([row for _ in range(3) for row in table.new_row()])
    table.history.append(Append(rows))
    ids = [key for key, _ in rows]
    first = DeleteRow(ids[0], draws.one_of("apart at", LEVELS), also=tuple(ids[1:2]), apart=True)
    if draws.flag("apart, too"):
        return [first, DeleteRow(ids[2], draws.one_of("apart, too, at", LEVELS), also=tuple(ids[1:2]), apart=True)]
    return [first, DeleteRow(ids[2], draws.one_of("beside apart at", LEVELS))]
