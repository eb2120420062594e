"""Statements of the Java API that create a table, drop it, or give it another name. They begin when they are sent,
whatever is there then.

Source: `api/catalog/Catalog.java` (`buildTable`, `dropTable`, `renameTable`).

Choices: a table is created with rows, as `CREATE TABLE AS SELECT` does; nobody asks the Hadoop catalog to purge. Where
a race begins without a table, who appends loads it first. By SQL tables are renamed on the REST catalog alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Rows = tuple[tuple[int, str], ...]
NO_TABLE = "no table"
TABLE, MOVED = "db.t", "db.t-moved"
"""The name of the table of a race, and the one that it is renamed to."""


@dataclass(frozen=True, slots=True)
class CreateTable:
    """`createTransaction` of a table of one file with `rows`; `replaces`: `createOrReplaceTransaction`."""

    rows: Rows
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class DropTable:
    """`dropTable`: the table of that name, whichever it is by then."""


@dataclass(frozen=True, slots=True)
class RenameTable:
    """`renameTable` of the table to a name that nobody else uses."""


@dataclass(frozen=True, slots=True)
class PutTable:
    """`renameTable` of another table, of one file with `rows`, to the name of the table: refused while there is one."""

    rows: Rows

    @property
    def aside(self) -> str:
        """What it is called before."""
        return f"{TABLE}-new-{self.rows[0][0]}"


@dataclass(frozen=True, slots=True)
class RegisterTable(PutTable):
    """PyIceberg's `register_table` of that table's metadata file, under the name of the table: the other one keeps its
    name, too. Refused while there is one."""


@dataclass(frozen=True, slots=True)
class PurgeTable(DropTable):
    """Spark SQL `DROP TABLE t PURGE`."""


@dataclass(frozen=True, slots=True)
class DropWithFiles(DropTable):
    """`dropTable` with purge: of the table of that name, whichever it is by then, and the files of the one before."""


@dataclass(frozen=True, slots=True)
class MoveAside:
    """Spark SQL `ALTER TABLE t RENAME TO` a name that nobody else uses, and `CREATE TABLE t`, of no rows."""


OfNames = RenameTable | PutTable | MoveAside
OfTables = CreateTable | DropTable | OfNames
InSql = PurgeTable | MoveAside
"""Those of Spark SQL: they ask for tables by name, and other sessions may know another one by it."""


def purges(sent: Iterable[object]) -> bool:
    """Whether one of these statements drops a table with its files."""
    return any(isinstance(one, DropWithFiles) for one in sent)


def is_absent(history: Sequence[object]) -> bool:
    """Whether there is no table after these statements."""
    return bool(history) and isinstance(history[-1], DropTable)


def describe(statement: OfTables) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words."""
    if isinstance(statement, PurgeTable | DropWithFiles):
        return "purge table" if isinstance(statement, PurgeTable) else "drop table and files", ""
    if isinstance(statement, MoveAside):
        return "move table aside", ""
    if isinstance(statement, DropTable):
        return "drop table", ""
    if isinstance(statement, RenameTable):
        return "rename table", ""
    rows = ", ".join(f"row {key} = {value}" for key, value in statement.rows)
    if isinstance(statement, PutTable):
        return "register table" if isinstance(statement, RegisterTable) else "put table", rows
    return "create or replace table" if statement.replaces else "create table", rows
