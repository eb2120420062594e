"""MERGE, INSERT OVERWRITE, TRUNCATE and `rewrite_data_files` in a race of Spark SQL that was drawn without, and
partitions of its table.

Choices: drawn last, and rarely, so that other races are what they were. A row that some INSERT brings is inserted by no
MERGE: an INSERT does not look for the row. An INSERT OVERWRITE writes every row that what it overwrites had before the
race: what it did to them is what it says. All those of a race are static, or all are dynamic: a session has one mode.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sim.generation.draws import Draws
from sim.iceberg.draw.statements import Table
from sim.iceberg.draw.writers import Writers
from sim.iceberg.workload import (
    Delete,
    Insert,
    InsertOverwrite,
    Merge,
    RewriteDataFiles,
    Rows,
    Select,
    Statement,
    Truncate,
    Update,
)

RARELY = (False, False, False, False, True)
WIDTHS = (0, 0, 2, 1, 4)
"""How many ids a partition may have; 0: there are none."""
KINDS = ("merge", "insert overwrite", "truncate", "rewrite data files")
INSTEAD = {
    Insert: ("merge", "merge", "as drawn", "merge missing", "rewrite"),
    Update: ("merge", "merge", "as drawn", "insert overwrite"),
    Delete: ("merge", "as drawn", "truncate"),
    Select: ("rewrite", "as drawn"),
}
"""What may stand in the place of a statement."""


@dataclass(frozen=True, slots=True)
class _Race:
    """What the drawn statements depend on: the rows before, how many ids a partition has, and the mode."""

    content: Rows
    width: int
    dynamic: bool

    def overwritten(self, row_id: int) -> tuple[int, ...]:
        """The ids before the race of what an INSERT OVERWRITE of that row replaces, and the row's own."""
        parts = self.dynamic and self.width
        ids = [key for key, _ in self.content if not parts or key // self.width == row_id // self.width]
        return tuple(dict.fromkeys([*ids, row_id]))


def with_sql(draws: Draws, table: Table, writers: Writers, partitioned: bool) -> tuple[int, Writers]:
    """Draw how many ids a partition has (0: the table has none), and the statements of each writer with these. Rows
    that are drawn later have other ids than those that a MERGE inserts.

    Args: `partitioned`: the table may have partitions.
    """
    if not draws.one_of("more of SQL", RARELY):
        return 0, writers
    width = draws.one_of("ids a partition, in SQL", WIDTHS) if partitioned else 0
    race = _Race(table.content, width, draws.flag("dynamic overwrites"))
    made = _each(writers, lambda one, _: _of_insert(draws, one) if isinstance(one, Insert) else one)
    inserted = {key for todo in made.values() for one in todo if isinstance(one, Insert) for key, _ in one.rows}
    drawn = _each(made, lambda one, place: _instead(draws, one, place, race, inserted))
    merged = [key for todo in drawn.values() for one in todo if isinstance(one, Merge) for key, _ in one.rows]
    table.pass_over(merged)
    return width, drawn


def _each(writers: Writers, made: Callable[[Statement, str], Statement]) -> Writers:
    """What is made of each statement and its place, "w1.0" for the first one of w1."""
    return {name: [made(one, f"{name}.{place}") for place, one in enumerate(todo)] for name, todo in writers.items()}


def _of_insert(draws: Draws, one: Insert) -> Statement:
    match draws.one_of("instead of an INSERT", INSTEAD[Insert]):
        case "merge":
            return Merge(one.rows)
        case "merge missing":
            return Merge(one.rows, "nothing")
        case "rewrite":
            return RewriteDataFiles()
    return one


def _instead(draws: Draws, one: Statement, place: str, race: _Race, inserted: set[int]) -> Statement:
    """The statement, or what is drawn in its place. Args: `inserted`: ids that some INSERT brings."""
    match one:
        case Update(key, value):
            kind = draws.one_of("instead of an UPDATE", INSTEAD[Update])
            if kind == "merge":
                return Merge(((key, value),), "update", key not in inserted and draws.flag("inserts"))
            if kind == "insert overwrite":
                return InsertOverwrite(tuple([(k, f"{value}-{k}") for k in race.overwritten(key)]), race.dynamic)
        case Delete(key):
            kind = draws.one_of("instead of a DELETE", INSTEAD[Delete])
            if kind == "merge":
                return Merge(((key, f"-{place}"),), "delete", inserts=False)
            if kind == "truncate":
                return Truncate(draws.one_of("truncated by", ("TRUNCATE TABLE", "DELETE FROM")))
        case Select():
            return RewriteDataFiles() if draws.one_of("instead of a SELECT", INSTEAD[Select]) == "rewrite" else one
    return one
