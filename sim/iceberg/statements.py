"""The statements of writers on one Iceberg table, as data, and what they are called.

Values are unique per row, so that a value read back names the statement that wrote it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from model.iceberg.partitioning import Field
from model.iceberg.plans import Level
from sim.iceberg import layout, managing, python_statements, sql_statements
from sim.iceberg.equality import ByEquality, DeleteWhere, Upsert
from sim.iceberg.layout import DropColumn, Layout, MoveTo, OfStatistics, SortBy
from sim.iceberg.managing import Managing
from sim.iceberg.python_statements import PythonAlone
from sim.iceberg.sql_statements import Sql

Rows = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Append:
    """Java API `newFastAppend` of one file with `rows`, on a table loaded before the race; `merge`: `newAppend`."""

    rows: Rows
    merge: bool = False


@dataclass(frozen=True, slots=True)
class Overwrite:
    """Java API `newOverwrite` to `rows`: by row filter `true`, or by deleting every file live at the start.

    `validate` sets the starting snapshot, the conflict filter `true` and both validateNoConflicting flags, or that of
    deletes alone (`only_deletes`).
    """

    rows: Rows
    validate: bool = False
    by: Literal["filter", "file"] = "filter"
    only_deletes: bool = False

    @property
    def level(self) -> Level:
        """The isolation level whose flags it sets."""
        return "none" if not self.validate else "snapshot" if self.only_deletes else "serializable"


@dataclass(frozen=True, slots=True)
class ReplacePartitions:
    """Java API `newReplacePartitions` by files with `rows`, one a partition: all else that these have goes.

    In a table without partitions it is all that the table has. It sets the starting snapshot and
    validateNoConflictingDeletes, and at "serializable" validateNoConflictingData, as Spark's dynamic INSERT OVERWRITE
    does; at "none" nothing, which is Spark's default.
    """

    rows: Rows
    level: Level = "none"


@dataclass(frozen=True, slots=True)
class Replace:
    """Java API `newOverwrite` of the data files that may hold row `id`, by name, by one file with `rows`, if any.

    It sets the starting snapshot and validateNoConflictingDeletes, as a copy-on-write UPDATE under `snapshot` does; at
    another `level` none, or validateNoConflictingData for that row, too.
    """

    id: int
    rows: Rows
    level: Level = "snapshot"

    @property
    def effects(self) -> tuple[tuple[int, str | None], ...]:
        """Its rows, and row `id`, which goes if it is not among them."""
        gone = () if any(key == self.id for key, _ in self.rows) else ((self.id, None),)
        return (*self.rows, *gone)


@dataclass(frozen=True, slots=True)
class DeleteRow:
    """Java API `newRowDelta` of one position delete, of row `id`, and of one for each of `also`.

    It sets the starting snapshot and validateDataFilesExist, as a merge-on-read DELETE under `snapshot` does; at
    another `level` none, or validateNoConflictingDataFiles for these rows, too. One task writes: in format 3 all
    deletion vectors are in one file.
    """

    id: int
    level: Level = "snapshot"
    also: tuple[int, ...] = ()

    @property
    def ids(self) -> tuple[int, ...]:
        """All rows that it is for."""
        return (self.id, *self.also)


@dataclass(frozen=True, slots=True)
class RemoveFile:
    """Java API `newDelete` of the data files that may hold row `id`, by name; at a `level` they must exist."""

    id: int
    level: Level = "none"


@dataclass(frozen=True, slots=True)
class RemoveWhere:
    """Java API `newDelete` by the row filters `id = n` of these `ids`, one after the other.

    Data files go of which every row matches one of them, whichever are there when the commit is tried; a file of which
    only some rows match refuses it.
    """

    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Compact:
    """Java API `newRewrite` of all data files by one with the same rows.

    Its sequence number is its `own`, or that of the `starting` snapshot (`use-starting-sequence-number`, which Spark
    sets), so that equality deletes that are committed meanwhile are of the new file, too.
    """

    number: Literal["own", "starting"] = "own"


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """Java API `newOverwrite` of the data files of row `id` by one of their rows, with another value of that row.

    It sets the starting snapshot and validateNoConflictingDeletes; at another `level` none, or
    validateNoConflictingData for that row, too.
    """

    id: int
    value: str
    level: Level = "snapshot"


@dataclass(frozen=True, slots=True)
class Copy:
    """Read row `source`, and change row `target` to its value by Java API `newOverwrite`, as `ChangeRow` does.

    It sets the starting snapshot and validateNoConflictingDeletes; at another `level` none, or
    validateNoConflictingData for rows that it has read (`covers`: for the one that it writes alone, as Spark does).
    """

    source: int
    target: int
    level: Level = "snapshot"
    covers: Literal["read", "written"] = "read"

    @property
    def filter(self) -> tuple[int, ...]:
        """The rows of its conflict filter."""
        return (self.target,) if self.covers == "written" else (self.source, self.target)


@dataclass(frozen=True, slots=True)
class SetProperty:
    """Java API `updateProperties` of one property that no commit depends on."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class AddColumn:
    """Java API `updateSchema` by one column."""

    name: str


@dataclass(frozen=True, slots=True)
class UpdateSpec:
    """Java API `updateSpec`: partitions of `width` ids each, or so many buckets, in the place of what the table has; 0:
    no partitions."""

    width: int = 0
    transform: Literal["truncate", "bucket"] = "truncate"

    @property
    def field(self) -> Field | None:
        """The partition field."""
        return Field(self.transform, self.width) if self.width else None


@dataclass(frozen=True, slots=True)
class Scan:
    """Java API: read all rows, `times` (1 or 2), of the snapshot that was current at first, or of the `current` one."""

    times: int = 2
    at: Literal["first", "current"] = "first"


@dataclass(frozen=True, slots=True)
class Transaction:
    """Java API `newTransaction`, these operations in it, and `commitTransaction`.

    Their validations begin from the snapshot that the transaction began at, or from the transaction's `own` newest one.
    """

    steps: tuple[Operation, ...]
    start: Literal["begin", "own"] = "begin"


OfFiles = (
    Append | Overwrite | ReplacePartitions | Replace | DeleteRow | RemoveFile | RemoveWhere | Compact | ChangeRow | Copy
)
OfLayout = AddColumn | DropColumn | UpdateSpec
"""What any commit in between refuses."""
OfMetadata = SetProperty | SortBy | MoveTo | OfStatistics | OfLayout
"""What makes no snapshot."""
Operation = OfFiles | ByEquality | OfMetadata
"""Operations that a transaction may have."""
JavaApi = Operation | Scan | Transaction | Managing
Statement = Sql | JavaApi | PythonAlone


def steps_of(*done: Statement) -> list[Statement]:
    """What these statements do one by one: a transaction, its steps."""
    return [step for one in done for step in (one.steps if isinstance(one, Transaction) else (one,))]


def describe(statement: Statement) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words: ("update", "row 1 = x")."""
    match statement:
        case _ if isinstance(statement, Sql):
            return sql_statements.describe(statement)
        case Append(rows):
            return "append", _words(rows)
        case DeleteRow():
            return "delete", ", ".join([f"row {key}" for key in statement.ids])
        case DeleteWhere(key):
            return "delete where", f"id = {key}"
        case Upsert(key, value):
            return "upsert", _words(((key, value),))
        case RemoveFile(key):
            return "remove", f"the file of row {key}"
        case RemoveWhere(ids):
            return "remove where", " or ".join([f"id = {key}" for key in ids])
        case Replace(key, rows):
            return "replace", f"the file of row {key} by {_words(rows) or 'nothing'}"
        case ChangeRow(key, value):
            return "change", _words(((key, value),))
        case Copy(source, target):
            return "copy", f"row {source} to row {target}"
        case Transaction(steps):
            by = " by equality" if any(isinstance(step, ByEquality) for step in steps) else ""
            by = " with a spec" if any(isinstance(step, UpdateSpec) for step in steps) else by
            return f"transaction{by}", "; ".join(" ".join(describe(step)).strip() for step in steps)
        case ReplacePartitions(rows):
            return "replace partitions", f"by {_words(rows)}"
        case Overwrite(rows, validate, _, only_deletes):
            validated = " validated" if validate else ""
            return "overwrite", _words(rows) + (f"{validated} for deletes" if only_deletes else validated)
        case _ if isinstance(statement, Managing):
            return managing.describe(statement)
        case _ if isinstance(statement, PythonAlone):
            return python_statements.describe(statement)
        case _ if isinstance(statement, Layout):
            return layout.describe(statement)
        case _:
            return _described(statement)


def _described(statement: Statement) -> tuple[str, str]:
    """What says nothing of rows."""
    match statement:
        case Compact("own"):
            return "compact", "all files"
        case Compact():
            return "compact", "all files at the starting number"
        case SetProperty(name, value):
            return "set", f"{name} = {value}"
        case AddColumn(name):
            return "add column", name
        case UpdateSpec(width, by):
            return "update spec", f"partitioned by {by}[{width}](id)" if width else "not partitioned"
        case Scan(2, "current"):
            return "read", "twice, refreshed between"
        case Scan(2):
            return "read", "twice"
        case _:
            return "read", ""


def _words(rows: Rows) -> str:
    return ", ".join(f"row {key} = {value}" for key, value in rows)


def tried_again(statement: Statement, tries: int) -> Statement:
    """The statement as a writer sends it after it was refused `tries` times: with values that are unique again."""
    return sql_statements.tried_again(statement, tries) if isinstance(statement, Sql) else statement
