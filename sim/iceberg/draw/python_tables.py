"""What the table of a race of PyIceberg is before, where that is asked for: empty, of format 1, upgraded from it, with
a past, or with rows that another hand has deleted by positions, and may go on to delete beside the writers.

Choices: nothing fails in such a race. Its table has two rows in one file at first, but where it is empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sim.generation.draws import Draws
from sim.iceberg.draw.calls import asked_for
from sim.iceberg.draw.statements import Table
from sim.iceberg.equality import Upsert
from sim.iceberg.options import OTHER_TABLES
from sim.iceberg.python_statements import OverwriteFiles, Upgrade
from sim.iceberg.statements import DeleteRow, Statement

EMPTY, FORMAT_1, UPGRADED, PAST, DELETES = "empty", "format 1", "upgraded", "past", "delete files"
STARTS = (EMPTY, FORMAT_1, UPGRADED, PAST, DELETES, DELETES)
KINDS = ("append", "delete", "change", "copy", "overwrite", "upsert", "overwrite files")
OF_PAST = ("append", "append", "change", "delete")
STATEMENTS = ("upgrade", "delete row", "overwrite files")
AT_FIRST: Mapping[str, tuple[tuple[str, str], ...]] = dict.fromkeys((FORMAT_1, UPGRADED), (("format-version", "1"),))
"""The properties that a table is made with."""


class OfTables(NamedTuple):
    """Such a race. Args: `history`: what was done to the table before; `empty`: it never had a row."""

    writers: dict[str, list[Statement]]
    history: list[Statement]
    properties: tuple[tuple[str, str], ...]
    empty: bool


def of_python_tables(draws: Draws, table: Table) -> OfTables | None:
    """Draw such a race where it is asked for, and none elsewhere: a race of another configuration is what it was."""
    if not asked_for(draws, OTHER_TABLES):
        return None
    start = draws.one_of("starts from", STARTS)
    kinds = (*draws.some("statements", KINDS), *(["upgrade"] if start == FORMAT_1 else []))
    todo = draws.list_of(
        "writers", 2, 3, lambda _: draws.list_of("statements", 1, 2, lambda _: _one(draws, table, kinds))
    )
    if start == DELETES and draws.one_of("another hand", (True, True, False)):
        todo.append(draws.list_of("by another hand", 1, 2, lambda _: _by_hand(draws, table)))
    writers = {f"w{number}": one for number, one in enumerate(todo, 1)}
    return OfTables(writers, _history(draws, table, start), AT_FIRST.get(start, ()), start == EMPTY)


def _history(draws: Draws, table: Table, start: str) -> list[Statement]:
    if start == EMPTY:
        return []
    least = 1 if start == PAST else 0
    history = draws.list_of("history", least, 3, lambda _: table.of_kind(draws.one_of("before", OF_PAST), ()))
    if start == DELETES:
        history.append(DeleteRow(draws.number("row", 1, 2)))
    return [*history, Upgrade(2)] if start == UPGRADED else history


def _one(draws: Draws, table: Table, kinds: tuple[str, ...]) -> Statement:
    kind = draws.one_of("kind", kinds)
    if kind == "upgrade":
        return Upgrade(2)
    if kind == "overwrite files":
        return OverwriteFiles((table.row_of_any_id(),))
    return Upsert(*table.row_of_any_id()) if kind == "upsert" else table.of_kind(kind, ())


def _by_hand(draws: Draws, table: Table) -> Statement:
    if draws.one_of("appends", (False, False, True)):
        return table.of_kind("append", ())
    return DeleteRow(draws.number("row", 1, 3))
