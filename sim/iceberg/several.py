"""Statements on several Iceberg tables of one REST catalog, as data: what is committed together, what is read apart.

The tables are `a` and `b`, each `(id int, v string)` with a data file of its own for each row. A row is told by its
table: `a.row:1`.

Choices: who reads several tables loads one after the other, as every reader does: the catalog has no snapshot of them
all. What he reads of each is an operation of its own, in the order of his session.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from sim.iceberg import statement_words
from sim.iceberg.statements import AddColumn, Append, ChangeRow, Rows
from sim.services.register import Keys
from sim.world.words import counted

TableName = Literal["a", "b"]
TABLES: tuple[TableName, ...] = get_args(TableName)
Server = Literal["at once", "one by one"]
Operation = Append | ChangeRow | AddColumn


@dataclass(frozen=True, slots=True)
class On:
    """A statement of the Java API on one of the tables, as one on a table alone."""

    table: TableName
    statement: Operation


@dataclass(frozen=True, slots=True)
class Together:
    """Java API: a transaction on each of these tables, committed by one `RESTSessionCatalog.commitTransaction`."""

    parts: tuple[On, ...]


@dataclass(frozen=True, slots=True)
class CopyAcross:
    """Java API: read row `id` of one table, and set that row of the `other`, which alone `commitTransaction` has."""

    table: TableName
    other: TableName
    id: int


@dataclass(frozen=True, slots=True)
class ReadEach:
    """Java API: load these tables, one after the other, and read all rows of each."""

    tables: tuple[TableName, ...] = TABLES


Statement = On | Together | CopyAcross | ReadEach


@dataclass(frozen=True, slots=True)
class SeveralTables:
    """One race on the tables of a REST catalog.

    Args: `writers`: actor name and its statements, run one after the other; `server`: how it commits several tables;
    `rows`: those of each table before; `retries`: from 0, of a commit of one table; `idempotency`, `keys`: as those of
    `IcebergWorkload`, of a server that commits at once.

    Raises: `ValueError` if that is no workload, naming the argument.
    """

    writers: tuple[tuple[str, tuple[Statement, ...]], ...]
    server: Server = "at once"
    rows: Rows = ((1, "1"), (2, "2"))
    retries: int = 3
    idempotency: bool = False
    keys: Keys = "kept"

    def __post_init__(self) -> None:
        if self.server not in get_args(Server):
            raise _wrong("server", " or ".join(get_args(Server)), self.server)
        if self.idempotency and self.server != "at once":
            raise _wrong("idempotency", "a server that commits at once", self.server)
        if not self.writers:
            raise _wrong("writers", "at least one", "none")
        for name, todo in self.writers:
            for one in todo:
                if not isinstance(one, Statement):
                    raise _wrong(f"writers: {name}", "On, Together, CopyAcross or ReadEach", one)
                if isinstance(one, Together) and len({part.table for part in one.parts}) < len(one.parts):
                    raise _wrong(f"writers: {name}", "tables that differ in one Together", one)

    @property
    def actors(self) -> tuple[str, ...]:
        """The writers' names, in order."""
        return tuple([name for name, _ in self.writers])

    def content(self, table: str) -> Rows:
        """The rows of a table before the race; values name the table, so that none is of two."""
        return tuple([(key, f"{table}{value}") for key, value in self.rows])

    def rows_of(self, table: str) -> tuple[int, ...]:
        """The ids that the table may have in a race."""
        parts = [part for _, todo in self.writers for one in todo for part in _parts(one) if part.table == table]
        added = [key for part in parts if isinstance(part.statement, Append) for key, _ in part.statement.rows]
        return tuple(dict.fromkeys([key for key, _ in self.rows] + added))

    @property
    def bounds(self) -> str:
        """What a verdict on this workload is limited to."""
        counts = [counted(len(todo), "statement") for _, todo in self.writers]
        files = counted(len(self.rows), "file")
        writers = f"{counted(len(counts), 'writer')}, {', '.join(counts)}"
        tables = f"{len(TABLES)} tables, format 2, {files} each, {counted(self.retries, 'retry', 'retries')}"
        return f"{writers}; {tables}, REST catalog that commits several {self.server}; no catalog cache"


def _parts(statement: Statement) -> tuple[On, ...]:
    """What is done to tables one by one."""
    return statement.parts if isinstance(statement, Together) else (statement,) if isinstance(statement, On) else ()


def _wrong(argument: str, expected: str, got: object) -> ValueError:
    return ValueError(f"several tables: {argument}: expected {expected}, got {got!r}")


def describe(statement: Statement) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words."""
    match statement:
        case On(table, one):
            verb, what = statement_words.describe(one)
            return verb, f"{table}: {what}"
        case Together(parts):
            return "commit together", "; ".join([" ".join(describe(part)) for part in parts])
        case CopyAcross(table, other, key):
            return "copy across", f"row {key} of {table} to {other}"
    return "read", statement.tables[0]
