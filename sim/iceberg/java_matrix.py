"""Iceberg's operations against each other: what one comes to if another is committed meanwhile.

Source: iceberg/4.2 (the matrix as it is read off the classes; this one is computed).

Choices: both operations of a cell have the validations of one level, where they have any (`newDelete`: that its files
exist). They are aimed at row 1, or at row 2 ("another"). Levels are what is asked for on the builder, not what a table
property says, so that "none" is the Java API's default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from sim.iceberg.callers_matrix import BY_CALLERS
from sim.iceberg.checked_workload import has_deletes
from sim.iceberg.contents import files_after
from sim.iceberg.creating import DropTable
from sim.iceberg.layout_matrix import LAID_OUT, LAID_OUT_HISTORY, LAID_OUT_WORDS, LAYOUT, OF_STATISTICS, can_be_laid
from sim.iceberg.managed_matrix import (
    ABSENT,
    ABSENT_WORDS,
    AGED,
    AGED_HISTORY,
    AGED_WORDS,
    AGES_H,
    FULL,
    FULL_AGES_H,
    FULL_HISTORY,
    FULL_WORDS,
    MANAGED,
    MANAGED_HISTORY,
    MANAGED_WORDS,
    MANAGING,
    REPLACED,
    REPLACED_HISTORY,
    REPLACED_WORDS,
    can_be,
)
from sim.iceberg.scenarios import CATALOG_STEPS, race
from sim.iceberg.workload import (
    AddColumn,
    Append,
    ChangeRow,
    Compact,
    Copy,
    DeleteRow,
    DeleteWhere,
    JavaApi,
    Overwrite,
    RemoveFile,
    Replace,
    ReplacePartitions,
    Rows,
    Scan,
    SetProperty,
    Transaction,
    UpdateSpec,
    Upsert,
)
from sim.search.matrix import COLUMN, ROW, Place
from sim.world.scenario import Scenario

SOUND = (
    "readable", "table-invariants", "no-aborted-reads", "acknowledged-writes-survive", "no-lost-update", "no-leaks",
)  # fmt: skip
SOUND_DELETES = tuple([name for name in SOUND if name != "no-lost-update"])
PROPERTIES = {
    "none": SOUND,
    "snapshot": (*SOUND, "snapshot-isolation"),
    "serializable": (*SOUND, "snapshot-isolation", "no-write-skew", "serializable"),
}
LEVELS = {
    "none": "no validation is asked for",
    "snapshot": "concurrent deletes of what is replaced are refused",
    "serializable": "so are concurrent additions of what was read",
}


class Table(NamedTuple):
    """A table before the race: its first file, what was done to it since, how many ids a partition has at first (0: it
    has none), and how many hours before each snapshot was made (none: it has no times)."""

    words: str
    rows: Rows
    history: tuple[JavaApi, ...] = ()
    partition_width: int = 0
    ages_h: tuple[float, ...] = ()

    @property
    def files(self) -> tuple[Rows, ...]:
        """The rows of each data file."""
        return files_after((self.rows,), self.history, self.partition_width)

    @property
    def content(self) -> Rows:
        """All rows."""
        return tuple([row for rows in self.files for row in rows])

    def file_of(self, key: int) -> Rows:
        """The rows of the file of a row."""
        return next(rows for rows in self.files if any(row[0] == key for row in rows))

    def beside(self, key: int) -> list[int]:
        """The ids of the rows in the partition of a row."""
        width = next((one.width for one in reversed(self.history) if isinstance(one, UpdateSpec)), self.partition_width)
        return [other for other, _ in self.content if not width or other // width == key // width]


TABLES = {
    "file-a-row": Table("two rows, each in a file of its own", ((1, "a"),), (Append(((2, "b"),)),)),
    "one-file": Table("two rows in one file", ((1, "a"), (2, "b"))),
    "with-delete": Table(
        "two rows, each in a file of its own, and a delete file in use", ((0, "z"), (1, "a")),
        (Append(((2, "b"),)), DeleteRow(0)),
    ),
    "with-equality-delete": Table(
        "two rows, each in a file of its own, and an equality delete in use", ((0, "z"), (1, "a")),
        (Append(((2, "b"),)), DeleteWhere(0)),
    ),
    "old-delete": Table(
        "three rows, each in a file of its own, and a delete file without data", ((8, "y"), (9, "z")),
        (DeleteRow(9), Replace(8, ((8, "x"),)), Append(((1, "a"),)), Append(((2, "b"),))),
    ),
    "deleted-twice": Table(
        "two rows, each in a file of its own; from one of them, two rows were deleted one after the other",
        ((-1, "z"), (0, "y"), (1, "a")), (DeleteRow(0), DeleteRow(-1), Append(((2, "b"),))),
    ),
    "worked-on": Table(
        "two rows, each in a file of its own, after a transaction, a compaction, a column and a property more",
        ((1, "a"),),
        (
            Transaction((Append(((8, "y"),)), DeleteRow(8))), Compact(), AddColumn("old"), SetProperty("old", "1"),
            Append(((2, "b"),)),
        ),
    ),
    "partitioned": Table("two rows, each in a partition of its own", ((1, "a"),), (Append(((2, "b"),)),), 2),
    MANAGED: Table(MANAGED_WORDS, ((1, "a"),), MANAGED_HISTORY),
    LAID_OUT: Table(LAID_OUT_WORDS, ((2, "b"),), LAID_OUT_HISTORY),
    AGED: Table(AGED_WORDS, ((1, "a"),), AGED_HISTORY, ages_h=AGES_H),
    FULL: Table(FULL_WORDS, ((1, "a"),), FULL_HISTORY, ages_h=FULL_AGES_H),
    REPLACED: Table(REPLACED_WORDS, ((1, "a"),), REPLACED_HISTORY, ages_h=FULL_AGES_H),
    ABSENT: Table(ABSENT_WORDS, ((1, "a"),), (DropTable(),)),
}  # fmt: skip


class Side(NamedTuple):
    """Who asks: the table, the level, and a letter and an id that only this side writes."""

    table: Table
    level: str
    letter: str
    new: int

    def value(self, key: int) -> str:
        """A value for a row that nobody else writes."""
        return f"{self.letter}{key}"

    @property
    def all(self) -> Rows:
        """New values for all rows."""
        return tuple([(key, self.value(key)) for key, _ in self.table.content])

    def is_alone(self, key: int) -> bool:
        """Whether the row has a file of its own."""
        return len(self.table.file_of(key)) == 1


Making = Callable[[Side], JavaApi | None]


def _removal(side: Side) -> JavaApi | None:
    if not side.is_alone(1):
        return None  # it would take other rows with it
    return RemoveFile(1, side.level)  # type: ignore[arg-type]  # a level's name


def _overwrite(side: Side, by: str) -> JavaApi:
    validate, only_deletes = side.level != "none", side.level == "snapshot"
    return Overwrite(side.all, validate, "file" if by == "file" else "filter", only_deletes)


def _replace_partition(side: Side) -> JavaApi:
    rows = tuple([(key, side.value(key)) for key in side.table.beside(1)])
    return ReplacePartitions(rows, side.level)  # type: ignore[arg-type]  # a level's name


def _change(side: Side, key: int) -> JavaApi:
    return ChangeRow(key, side.value(key), side.level)  # type: ignore[arg-type]  # a level's name


OPERATIONS: Mapping[str, tuple[str, Making]] = {
    "fast-append": ("newFastAppend of a new row", lambda s: Append(((s.new, s.value(s.new)),))),
    "append": ("newAppend of a new row", lambda s: Append(((s.new, s.value(s.new)),), merge=True)),
    "delete-file": ("newDelete of the file of row 1", _removal),
    "overwrite-filter": ("newOverwrite of all rows by filter", lambda s: _overwrite(s, "filter")),
    "overwrite-files": ("newOverwrite of all files by name", lambda s: _overwrite(s, "file")),
    "replace-partition": ("newReplacePartitions of the partition of row 1, or of all", _replace_partition),
    "change": ("newOverwrite of the file of row 1", lambda s: _change(s, 1)),
    "change-another": ("newOverwrite of the file of row 2", lambda s: _change(s, 2)),
    "copy": (
        "read row 1, newOverwrite of the file of row 2",
        lambda s: Copy(1, 2, s.level),  # type: ignore[arg-type]
    ),
    "delete-row": ("newRowDelta: delete row 1", lambda s: DeleteRow(1, s.level)),  # type: ignore[arg-type]
    "delete-another": ("newRowDelta: delete row 2", lambda s: DeleteRow(2, s.level)),  # type: ignore[arg-type]
    "delete-where": ("newRowDelta: delete where id = 1", lambda s: DeleteWhere(1, s.level)),  # type: ignore[arg-type]
    "upsert": (
        "newRowDelta: delete where id = 1, and a new row 1",
        lambda s: Upsert(1, s.value(1), s.level),  # type: ignore[arg-type]
    ),
    "rewrite": ("newRewrite of all files", lambda _: Compact()),
    "rewrite-pinned": ("newRewrite of all files, at the starting number", lambda _: Compact("starting")),
    "property": ("updateProperties", lambda s: SetProperty("k", s.letter)),
    "column": ("updateSchema: add a column", lambda s: AddColumn(s.letter.lower())),
    "transaction": (
        "newTransaction: append a row, newOverwrite of the file of row 1",
        lambda s: Transaction((Append(((s.new, s.value(s.new)),)), _change(s, 1))),  # type: ignore[arg-type]
    ),
    "read-twice": ("read all rows twice, at one snapshot", lambda _: Scan(2)),
    **MANAGING,
    **LAYOUT,
    **BY_CALLERS,
}


DELETES = ("delete-file", "delete-row", "delete-where", "remove-where")
BY_ROW = ("delete-file", "change", "change-another", "copy", "delete-row", "delete-another")
APART = (
    "file-a-row",
    "with-delete",
    "with-equality-delete",
    "old-delete",
    "deleted-twice",
    "worked-on",
    "partitioned",
    MANAGED,
    AGED,
    FULL,
    REPLACED,
)


def _properties(place: Place) -> tuple[str, ...]:
    """What must hold.

    Two may delete one row, by upstream's own words: that is no lost update. Where each row has a file of its own,
    whoever names rows is refused for those alone.
    """
    twice = (place.row in DELETES and place.column in DELETES) or place.row == place.column == "delete-another"
    asked = SOUND_DELETES if twice else PROPERTIES[place.level]
    if {place.row, place.column} & {*OF_STATISTICS, "drop-table"} or place.table == ABSENT:
        asked = tuple([name for name in asked if name != "no-leaks"])  # dropTable leaves a table's files
    apart = place.table in APART and place.row in BY_ROW and place.column in BY_ROW
    return (*asked, "no-needless-refusal") if apart else asked


def has_no_deletes(place: Place) -> bool:
    """Whether the table of a place has delete files, which its format has not."""
    return place.format == "1" and has_deletes(TABLES[place.table].history)


def cell(place: Place) -> Scenario | None:
    """The race of a place: w1 does the operation of the row, w2 that of the column; None if one cannot be there."""
    if not (can_be(place.table, place.row, place.column) and can_be_laid(place.table, place.row, place.column)):
        return None
    table = TABLES[place.table]
    if has_no_deletes(place):
        return None
    sides = (Side(table, place.level, "A", 11), Side(table, place.level, "B", 12))
    row, column = (OPERATIONS[name][1](side) for name, side in zip((place.row, place.column), sides, strict=True))
    if row is None or column is None:
        return None
    return race(
        f"matrix/{'/'.join(place)}",
        f"{OPERATIONS[place.row][0]}; {OPERATIONS[place.column][0]}.",
        {ROW: [row], COLUMN: [column]},
        properties=_properties(place),
        catalog="java-api",
        rows=table.rows,
        history=table.history,
        table_properties=() if place.format == "2" else (("format-version", place.format),),
        yield_points=CATALOG_STEPS,
        partition_width=table.partition_width,
        ages_h=table.ages_h,
    )
