"""What writers do to one Iceberg table, as data: the simulator and the live backend interpret the same objects.

The table is `(id int, v string)`; its first data file holds `rows`. Values are unique per row, so that a value read
back names the statement that wrote it.
"""

from dataclasses import dataclass, field
from typing import Literal

Rows = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Insert:
    """Spark SQL `INSERT INTO t VALUES rows`."""

    rows: Rows


@dataclass(frozen=True, slots=True)
class Delete:
    """Spark SQL `DELETE FROM t WHERE id = id`."""

    id: int


@dataclass(frozen=True, slots=True)
class Update:
    """Spark SQL `UPDATE t SET v = value WHERE id = id`."""

    id: int
    value: str


@dataclass(frozen=True, slots=True)
class Append:
    """Java API `newFastAppend` of one file with `rows`, on a table loaded before the race."""

    rows: Rows


@dataclass(frozen=True, slots=True)
class Overwrite:
    """Java API `newOverwrite` to `rows`: by row filter `true`, or by deleting every file live at the start.

    `validate` sets the starting snapshot, the conflict filter `true` and both validateNoConflicting flags.
    """

    rows: Rows
    validate: bool = False
    by: Literal["filter", "file"] = "filter"


Statement = Insert | Delete | Update | Append | Overwrite


@dataclass(frozen=True, slots=True)
class IcebergWorkload:
    """One race on one table. `writers`: actor name and its statements, run one after the other."""

    writers: tuple[tuple[str, tuple[Statement, ...]], ...]
    rows: Rows = ((1, "a"), (2, "b"))
    mode: Literal["merge-on-read", "copy-on-write"] = "merge-on-read"
    isolation: Literal["snapshot", "serializable"] = "snapshot"
    retries: int = 3
    idempotency: bool = False
    catalog: Literal["rest", "java-api", "hive-lock", "hive-no-lock"] = "rest"
    properties: tuple[tuple[str, str], ...] = field(default=())

    @property
    def actors(self) -> tuple[str, ...]:
        """The writers' names, in order."""
        return tuple(name for name, _ in self.writers)


def describe(statement: Statement) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words: ("update", "row 1 = x")."""
    match statement:
        case Insert(rows) | Append(rows):
            return type(statement).__name__.lower(), _words(rows)
        case Delete(key):
            return "delete", f"row {key}"
        case Update(key, value):
            return "update", _words(((key, value),))
        case Overwrite(rows, validate):
            return "overwrite", _words(rows) + (" validated" if validate else "")


def _words(rows: Rows) -> str:
    return ", ".join(f"row {key} = {value}" for key, value in rows)


def sql_text(statement: Statement, table: str) -> str:
    """The Spark SQL of a statement on `table`; raises `TypeError` for Java API statements."""
    match statement:
        case Insert(rows):
            values = ", ".join(f"({key}, '{value}')" for key, value in rows)
            return f"INSERT INTO {table} VALUES {values}"
        case Delete(key):
            return f"DELETE FROM {table} WHERE id = {key}"
        case Update(key, value):
            return f"UPDATE {table} SET v = '{value}' WHERE id = {key}"
        case _:
            raise TypeError(f"statement {statement!r}: expected Insert, Delete or Update, got a Java API operation")
