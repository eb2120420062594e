"""Races of PyIceberg on a branch whose rows are others than main's, where that is asked for: one row is in the branch
alone, and of those that both had, main has lost one, or has another value of it.

Choices: writers do what looks for a row in a branch, or for a file: one of them does some of it, or two do one of it
each. Nothing fails.
"""

from __future__ import annotations

from typing import NamedTuple

from sim.generation.draws import Draws
from sim.iceberg.draw.calls import asked_for
from sim.iceberg.draw.python_branches import BRANCH, FILE
from sim.iceberg.draw.statements import Table
from sim.iceberg.equality import Upsert
from sim.iceberg.managing import AppendTo, CreateRef
from sim.iceberg.options import OWN_ROWS
from sim.iceberg.python_statements import AddFile, OnBranch
from sim.iceberg.sql_statements import Delete
from sim.iceberg.statements import ChangeRow, Statement

IN_MAIN = ("delete", "delete", "change")
THEMES = (("upsert", "change"), ("add file",), ("change", "delete"), ("upsert", "add file", "change", "delete"))


class OfOwnRows(NamedTuple):
    """Such a race. Args: `history`: what was done to the table before."""

    writers: dict[str, list[Statement]]
    history: list[Statement]


def of_own_rows(draws: Draws, table: Table) -> OfOwnRows | None:
    """Draw such a race where it is asked for, and none elsewhere: a race of another configuration is what it was."""
    if not asked_for(draws, OWN_ROWS):
        return None
    own = table.new_row()
    changed = draws.one_of("changed in main", [key for key, _ in table.rows])
    history: list[Statement] = [CreateRef(BRANCH), AppendTo(BRANCH, own)]
    if draws.one_of("in main", IN_MAIN) == "delete":
        history.append(Delete(changed))
    else:
        history.append(ChangeRow(changed, table.new_value()))
    ids = (own[0][0], changed, *[key for key, _ in table.rows if key != changed])
    kinds = draws.one_of("about", THEMES)
    alone = draws.one_of("alone", (True, True, False))
    (who, least, most) = (1, 2, 3) if alone else (2, 1, 1)

    def of_one(_: int) -> list[Statement]:
        return draws.list_of("statements", least, most, lambda _: _one(draws, table, kinds, ids))

    todo = draws.list_of("writers", who, who, of_one)
    return OfOwnRows({f"w{number}": one for number, one in enumerate(todo, 1)}, history)


def _one(draws: Draws, table: Table, kinds: tuple[str, ...], ids: tuple[int, ...]) -> Statement:
    kind = draws.one_of("kind", kinds)
    if kind == "add file":
        return OnBranch(BRANCH, AddFile(FILE))
    key = draws.one_of("row of the branch", ids)
    if kind == "delete":
        return OnBranch(BRANCH, Delete(key))
    value = table.new_value()
    return OnBranch(BRANCH, Upsert(key, value) if kind == "upsert" else ChangeRow(key, value))
