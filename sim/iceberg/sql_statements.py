"""The statements of Spark SQL on one Iceberg table, as data, their text, and what they are called.

Values are unique per row, so that a value read back names the statement that wrote it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from model.iceberg.partitioning import Field
from model.iceberg.spark_changes import Matched

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
class Select:
    """Spark SQL `SELECT id, v FROM t`."""


@dataclass(frozen=True, slots=True)
class Merge:
    """Spark SQL `MERGE INTO t USING rows AS s ON t.id = s.id`.

    A row that is there is set to the value of `rows`, or deleted, or left as it is (no `WHEN MATCHED`); one that is not
    there is inserted (`WHEN NOT MATCHED THEN INSERT`), or not.
    """

    rows: Rows
    matched: Matched = "update"
    inserts: bool = True

    @property
    def inserts_only(self) -> bool:
        """Whether it has no `WHEN MATCHED`: Spark makes it an append of what an anti-join leaves."""
        return self.matched == "nothing"


@dataclass(frozen=True, slots=True)
class InsertOverwrite:
    """Spark SQL `INSERT OVERWRITE t VALUES rows`: all that the table has goes.

    `dynamic`: all that the partitions of these rows have (`spark.sql.sources.partitionOverwriteMode`). Neither asks for
    any validation: the write options that do cannot be said in SQL.
    """

    rows: Rows
    dynamic: bool = False


@dataclass(frozen=True, slots=True)
class Truncate:
    """Spark SQL `TRUNCATE TABLE t`, or `DELETE FROM t`: all rows go, as the table is when the commit is tried."""

    by: Literal["TRUNCATE TABLE", "DELETE FROM"] = "TRUNCATE TABLE"


@dataclass(frozen=True, slots=True)
class RewriteDataFiles:
    """Spark SQL `CALL system.rewrite_data_files(t)` of all files, small or not (`rewrite-all`)."""


@dataclass(frozen=True, slots=True)
class RewriteInCommits:
    """Spark SQL `CALL system.rewrite_data_files(t)` of all files, with `partial-progress.enabled`: a group of files a
    partition, one after the other (`max-concurrent-file-group-rewrites` is 1), those of few files first
    (`rewrite-job-order`), in at most so many `commits` (`max-commits`), of which so many may fail
    (`max-failed-commits`; None: as many)."""

    commits: int = 10
    failed: int | None = None


@dataclass(frozen=True, slots=True)
class RewritePositionDeletes:
    """Spark SQL `CALL system.rewrite_position_delete_files(t)` of all files, small or not (`rewrite-all`)."""


@dataclass(frozen=True, slots=True)
class RemoveOrphanFiles:
    """Spark SQL `CALL system.remove_orphan_files(t)`, days after everything that was committed before it is sent."""


@dataclass(frozen=True, slots=True)
class RewriteManifests:
    """Spark SQL `CALL system.rewrite_manifests(t)`."""


@dataclass(frozen=True, slots=True)
class AlterPartitionField:
    """Spark SQL `ALTER TABLE t DROP PARTITION FIELD dropped`, `ADD PARTITION FIELD added`, or `REPLACE PARTITION FIELD
    dropped WITH added` where there are both."""

    dropped: Field | None = None
    added: Field | None = None

    @property
    def clause(self) -> str:
        """What follows the table's name. Example: "ADD PARTITION FIELD bucket(2, id)"."""
        if self.dropped and self.added:
            return f"REPLACE PARTITION FIELD {transform_text(self.dropped)} WITH {transform_text(self.added)}"
        if self.added:
            return f"ADD PARTITION FIELD {transform_text(self.added)}"
        return f"DROP PARTITION FIELD {transform_text(self.dropped or Field('void'))}"


Sql = (
    Insert | Delete | Update | Select | Merge | InsertOverwrite | Truncate | RewriteDataFiles | RewriteInCommits
    | RemoveOrphanFiles | RewriteManifests | RewritePositionDeletes | AlterPartitionField
)  # fmt: skip
MATCHED = {"update": "update what matches", "delete": "delete what matches", "nothing": "leave what matches"}


def describe(statement: Sql) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words: ("update", "row 1 = x")."""
    match statement:
        case Insert(rows):
            return "insert", words(rows)
        case Delete(key):
            return "delete", f"row {key}"
        case Update(key, value):
            return "update", words(((key, value),))
        case Merge(rows, matched, inserts):
            name = "merge missing" if statement.inserts_only else "merge"
            return name, f"{words(rows)}: {MATCHED[matched]}" + (", insert what does not" if inserts else "")
        case InsertOverwrite(rows, dynamic):
            return "insert overwrite", words(rows) + (" by partition" if dynamic else "")
        case Truncate(by):
            return "truncate", "" if by == "TRUNCATE TABLE" else "by DELETE"
        case RewriteDataFiles():
            return "compact", "all files at the starting number"
        case RewriteInCommits(commits, failed):
            allowed = "" if failed is None else f", of which {failed} may fail"
            return "compact", f"in up to {commits} commits{allowed}"
        case RemoveOrphanFiles():
            return "remove orphans", ""
        case RewriteManifests():
            return "rewrite manifests", ""
        case RewritePositionDeletes():
            return "rewrite position deletes", ""
        case AlterPartitionField():
            return "update spec", statement.clause
        case Select():
            return "read", ""


def words(rows: Rows) -> str:
    """Rows in words: "row 1 = x, row 2 = y"."""
    return ", ".join([f"row {key} = {value}" for key, value in rows])


def transform_text(field: Field) -> str:
    """A partition field in Spark SQL: "bucket(2, id)"."""
    return f"{field.transform}({field.width}, id)"


def sql_text(statement: object, table: str) -> str:
    """The Spark SQL of a statement on `table`, as "catalog.namespace.table"; raises `TypeError` for others."""
    match statement:
        case Insert(rows):
            if len(rows) == 1:
                return f"INSERT INTO {table} VALUES {_values(rows)}"
            return f"INSERT INTO {table} {_in_one_file(rows)}"
        case Delete(key):
            return f"DELETE FROM {table} WHERE id = {key}"
        case Update(key, value):
            return f"UPDATE {table} SET v = '{value}' WHERE id = {key}"
        case Select():
            return f"SELECT id, v FROM {table}"
        case Merge():
            return _merge(statement, table)
        case InsertOverwrite(rows):
            return f"INSERT OVERWRITE {table} {_in_one_file(rows)}"
        case Truncate(by):
            return f"{by} {table}"
        case AlterPartitionField():
            return f"ALTER TABLE {table} {statement.clause}"
        case RemoveOrphanFiles():
            catalog, _, name = table.partition(".")
            return f"CALL {catalog}.system.remove_orphan_files(table => '{name}')"
        case RewriteManifests():
            catalog, _, name = table.partition(".")
            return f"CALL {catalog}.system.rewrite_manifests(table => '{name}')"
        case RewriteDataFiles():
            return _rewrite_all("rewrite_data_files", table)
        case RewriteInCommits(commits, failed):
            allowed = {} if failed is None else {"max-failed-commits": failed}
            said = {"enabled": "true", "max-commits": commits, **allowed}
            partial = {f"partial-progress.{name}": value for name, value in said.items()}
            ordered = {"max-concurrent-file-group-rewrites": 1, "rewrite-job-order": "files-asc"}
            return _rewrite_all("rewrite_data_files", table, **partial, **ordered)
        case RewritePositionDeletes():
            return _rewrite_all("rewrite_position_delete_files", table)
        case _:
            raise TypeError(f"statement {statement!r}: expected one of Spark SQL, got another one")


def _rewrite_all(procedure: str, table: str, **further: object) -> str:
    catalog, _, name = table.partition(".")
    options = "".join([f", '{key}', '{value}'" for key, value in further.items()])
    return f"CALL {catalog}.system.{procedure}(table => '{name}', options => map('rewrite-all', 'true'{options}))"


def _values(rows: Rows) -> str:
    return ", ".join([f"({key}, '{value}')" for key, value in rows])


def _in_one_file(rows: Rows) -> str:
    return f"SELECT /*+ COALESCE(1) */ * FROM VALUES {_values(rows)} AS x(id, v)"


def _merge(merge: Merge, table: str) -> str:
    source = f"(SELECT * FROM VALUES {_values(merge.rows)} AS x(id, v)) s"
    matched = {"update": " WHEN MATCHED THEN UPDATE SET v = s.v", "delete": " WHEN MATCHED THEN DELETE", "nothing": ""}
    inserts = " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v)" if merge.inserts else ""
    return f"MERGE INTO {table} t USING {source} ON t.id = s.id{matched[merge.matched]}{inserts}"


def named(statements: Sequence[object]) -> tuple[int, ...]:
    """The ids that statements of SQL name, each once."""
    found: dict[int, None] = {}
    for one in statements:
        match one:
            case Insert(rows) | Merge(rows) | InsertOverwrite(rows):
                found |= dict.fromkeys([key for key, _ in rows])
            case Delete(key) | Update(key):
                found[key] = None
    return tuple(found)


def tried_again(statement: Sql, tries: int) -> Sql:
    """The statement as a writer sends it after it was refused `tries` times: with values that are unique again."""
    match statement:
        case Insert(rows) | Merge(rows) | InsertOverwrite(rows) if tries:
            return replace(statement, rows=tuple([(key, f"{value}-{tries}") for key, value in rows]))
        case Update(_, value) if tries:
            return replace(statement, value=f"{value}-{tries}")
        case _:
            return statement
