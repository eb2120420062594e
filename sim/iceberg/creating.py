"""Statements of the Java API that create a table or drop it. They begin when they are sent, whatever is there then.

Source: `api/catalog/Catalog.java` (`buildTable`, `dropTable`).

Choices: a table is created with rows, as `CREATE TABLE AS SELECT` does; `dropTable` is not asked to purge. Where a race
begins without a table, who appends loads it first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Rows = tuple[tuple[int, str], ...]
NO_TABLE = "no table"


@dataclass(frozen=True, slots=True)
class CreateTable:
    """`createTransaction` of a table of one file with `rows`; `replaces`: `createOrReplaceTransaction`."""

    rows: Rows
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class DropTable:
    """`dropTable`: the table of that name, whichever it is by then."""


OfTables = CreateTable | DropTable


def is_absent(history: Sequence[object]) -> bool:
    """Whether there is no table after these statements."""
    return bool(history) and isinstance(history[-1], DropTable)


def describe(statement: OfTables) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words."""
    if isinstance(statement, DropTable):
        return "drop table", ""
    rows = ", ".join(f"row {key} = {value}" for key, value in statement.rows)
    return "create or replace table" if statement.replaces else "create table", rows
