"""What writers do to one Iceberg table, as data: the simulator and the live backend interpret the same objects.

The table is `(id int, v string)`; its first data file holds `rows`. Values are unique per row, so that a value read
back names the statement that wrote it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from model.iceberg import TableProperties
from sim.world.words import counted

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


@dataclass(frozen=True, slots=True)
class Replace:
    """Java API `newOverwrite` of the data files that may hold row `id`, by name, by one file with `rows`, if any.

    It sets the starting snapshot and validateNoConflictingDeletes, as a copy-on-write UPDATE under `snapshot` does.
    """

    id: int
    rows: Rows

    @property
    def effects(self) -> tuple[tuple[int, str | None], ...]:
        """Its rows, and row `id`, which goes if it is not among them."""
        gone = () if any(key == self.id for key, _ in self.rows) else ((self.id, None),)
        return (*self.rows, *gone)


@dataclass(frozen=True, slots=True)
class DeleteRow:
    """Java API `newRowDelta` of one position delete, of row `id`.

    It sets the starting snapshot and validateDataFilesExist, as a merge-on-read DELETE under `snapshot` does.
    """

    id: int


Sql = Insert | Delete | Update
JavaApi = Append | Overwrite | Replace | DeleteRow
Statement = Sql | JavaApi
Catalog = Literal["rest", "java-api", "hive-lock", "hive-no-lock"]
CATALOGS: Mapping[str, str] = {
    "rest": "REST catalog",
    "java-api": "Java API",
    "hive-lock": "Hive catalog with its lock",
    "hive-no-lock": "Hive catalog without its lock",
}
FORMAT = "format-version"
TABLE_PROPERTIES: Mapping[str, str] = {
    "commit.retry.min-wait-ms": "commit_retry_min_wait_ms",
    "commit.retry.max-wait-ms": "commit_retry_max_wait_ms",
    "commit.retry.total-timeout-ms": "commit_retry_total_timeout_ms",
}
"""Table properties that a workload may set, and the model's names of them; beside them, `format-version` may be 2."""
CHOICES: Mapping[str, Collection[str]] = {
    "mode": ("merge-on-read", "copy-on-write"),
    "isolation": ("snapshot", "serializable"),
    "catalog": tuple(CATALOGS),
}


@dataclass(frozen=True, slots=True)
class IcebergWorkload:
    """One race on one table.

    Args: `writers`: actor name and its statements, run one after the other; `rows`: the first data file; `history`:
    Append, Replace and DeleteRow, done to the table one after the other before a race of the Java API; `retries`:
    from 0; `table_properties`: further properties of the table, of those in `TABLE_PROPERTIES`.

    Raises: `ValueError` if that is no workload, naming the argument.
    """

    writers: tuple[tuple[str, tuple[Statement, ...]], ...]
    rows: Rows = ((1, "a"), (2, "b"))
    history: tuple[JavaApi, ...] = ()
    mode: Literal["merge-on-read", "copy-on-write"] = "merge-on-read"
    isolation: Literal["snapshot", "serializable"] = "snapshot"
    retries: int = 3
    idempotency: bool = False
    catalog: Catalog = "rest"
    table_properties: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise _wrong(name, " or ".join(known), getattr(self, name))
        if isinstance(self.retries, bool) or not isinstance(self.retries, int) or self.retries < 0:
            raise _wrong("retries", "a number from 0", self.retries)
        if not self.rows or not all(isinstance(row, tuple) and len(row) == 2 for row in self.rows):
            raise _wrong("rows", "at least one (id, value)", self.rows)
        check_writers(self.writers)
        for one in self.history:
            if not isinstance(one, Append | Replace | DeleteRow):
                raise _wrong("history", "Append, Replace or DeleteRow", one)
        if self.history and self.in_sql:
            raise _wrong("history", "none before SQL statements", self.history)
        check_properties(self.table_properties)

    @property
    def actors(self) -> tuple[str, ...]:
        """The writers' names, in order."""
        return tuple(name for name, _ in self.writers)

    @property
    def in_sql(self) -> bool:
        """Whether the writers speak SQL; else they call the Java API."""
        return isinstance(next(one for _, statements in self.writers for one in statements), Sql)

    @property
    def properties(self) -> TableProperties:
        """The table's properties as the model knows them."""
        further = {TABLE_PROPERTIES[name]: int(value) for name, value in self.table_properties if name != FORMAT}
        return TableProperties(commit_retry_num_retries=self.retries, **further)

    @property
    def files(self) -> tuple[Rows, ...]:
        """The rows of each data file when the race begins."""
        return files_after((self.rows,), self.history)

    @property
    def content(self) -> Rows:
        """The rows of the table when the race begins."""
        return tuple(row for rows in self.files for row in rows) if self.history else self.rows

    @property
    def bounds(self) -> str:
        """What a verdict on this workload is limited to."""
        table = in_words(self.writers, len(self.files), self.retries)
        further = "".join(f", {name}={value}" for name, value in self.table_properties if name != FORMAT)
        return f"{table}{further}, {CATALOGS[self.catalog]}; no catalog cache, no manifest merging"


def _wrong(argument: str, expected: str, got: object) -> ValueError:
    return ValueError(f"workload: {argument}: expected {expected}, got {got!r}")


def check_writers(writers: tuple[tuple[str, tuple[Statement, ...]], ...]) -> None:
    """Raise `ValueError` unless writers have names of their own, and statements, all of SQL or all of the Java API."""
    if not writers:
        raise ValueError("workload: writers: expected at least one, got none")
    names = [name for name, _ in writers]
    if len(set(names)) < len(names):
        raise ValueError(f"workload: writers: expected names that differ, got {', '.join(names)}")
    for name, statements in writers:
        given: object = statements
        if isinstance(given, str) or not statements:
            raise _wrong(f"writers: {name}", "statements such as Delete(1)", statements)
        for one in statements:
            if not isinstance(one, Statement):
                raise _wrong(f"writers: {name}", "a statement such as Delete(1)", one)
    refuse_mixed([one for _, statements in writers for one in statements])


def refuse_mixed(statements: Sequence[Statement]) -> None:
    """Raise `ValueError` for SQL beside the Java API: no live system runs both in one race."""
    first = statements[0]
    for other in statements[1:]:
        if isinstance(other, Sql) != isinstance(first, Sql):
            raise ValueError(
                "workload: writers: expected statements of Spark SQL only, or of the Java API only,"
                f" got {type(first).__name__} and {type(other).__name__}"
            )


def check_properties(properties: tuple[tuple[str, str], ...]) -> None:
    """Raise `ValueError` for a table property that the simulation does not follow, or for another value of it."""
    if not all(isinstance(pair, tuple) and len(pair) == 2 for pair in properties):
        raise _wrong("table_properties", "pairs of a name and a value", properties)
    for name, value in properties:
        if name == FORMAT and value != "2":
            raise _wrong(f"table_properties: {name}", "2", value)
        if name not in (FORMAT, *TABLE_PROPERTIES):
            known = ", ".join(TABLE_PROPERTIES)
            raise ValueError(f"workload: table_properties: expected those that are simulated ({known}), got {name}")
        if not str(value).isdecimal():
            raise _wrong(f"table_properties: {name}", "a number from 0", value)


def files_after(files: tuple[Rows, ...], history: Sequence[JavaApi]) -> tuple[Rows, ...]:
    """The rows of each data file after these statements."""
    for done in history:
        match done:
            case Append(rows):
                files = (*files, rows)
            case Replace(key, rows):
                kept = tuple(file for file in files if all(row[0] != key for row in file))
                files = (*kept, rows) if rows else kept
            case DeleteRow(key):
                files = tuple(tuple(row for row in file if row[0] != key) for file in files)
    return files


def in_words(writers: tuple[tuple[str, tuple[Statement, ...]], ...], files: int, retries: int) -> str:
    """Example: "2 writers, 1 statement each; format 2, 1 file, 3 retries"."""
    counts = [len(statements) for _, statements in writers]
    each = counted(counts[0], "statement") + (" each" if len(counts) > 1 else "")
    if len(set(counts)) > 1:
        each = f"{', '.join(map(str, counts[:-1]))} and {counts[-1]} statements"
    table = f"format 2, {counted(files, 'file')}, {counted(retries, 'retry', 'retries')}"
    return f"{counted(len(counts), 'writer')}, {each}; {table}"


def describe(statement: Statement) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words: ("update", "row 1 = x")."""
    match statement:
        case Insert(rows) | Append(rows):
            return type(statement).__name__.lower(), _words(rows)
        case Delete(key) | DeleteRow(key):
            return "delete", f"row {key}"
        case Replace(key, rows):
            return "replace", f"the file of row {key} by {_words(rows) or 'nothing'}"
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
