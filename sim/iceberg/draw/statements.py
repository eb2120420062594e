"""Statements that are drawn, and the table that they are drawn for.

Choices: an id is inserted by one statement only, and every value is written by one statement only, so that whatever is
read names who wrote it. An overwrite or a replacement of the Java API writes, or takes away, every row that its files
held before the race: what it did to them is what it says. A transaction loads the table when it begins, and may find
other files then, and other rows: it has none of either. What is copied is copied once, so that no value of a row has
two writers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeVar

from model.iceberg.plans import Level
from sim.generation.draws import Draws
from sim.iceberg.contents import content_after, files_after
from sim.iceberg.workload import (
    AddColumn,
    Append,
    ChangeRow,
    Compact,
    Copy,
    Delete,
    DeleteRow,
    Insert,
    Operation,
    Overwrite,
    RemoveFile,
    Replace,
    Rows,
    Scan,
    Select,
    SetProperty,
    Statement,
    Transaction,
    Update,
)  # fmt: skip

Step = TypeVar("Step")
IN_SQL = ("insert", "delete", "update", "insert two rows", "read")
JAVA_API = ("append", "delete-row", "replace", "overwrite", "append two rows", "take away", "overwrite unvalidated")
FURTHER = ("merge append", "change", "copy", "remove file", "compact")
OF_METADATA, SCANS = ("set property", "add column"), ("scan", "scan twice")
"""What is drawn more rarely of the Java API: alone, and but for reads, in a transaction."""
RARE = (*FURTHER, *OF_METADATA, *SCANS)
TRANSACTION = "transaction"
OF_TABLE = ("overwrite", "overwrite unvalidated")
SEVERAL_ROWS = ("append two rows", "compact", *OF_TABLE)
"""Statements of the Java API that write a file of several rows."""
NO_STEPS = (TRANSACTION, *SCANS, "replace", "take away", *OF_TABLE)
APART = "each row in a file of its own"
EPISODES = {
    True: ("insert", "delete", "update", "insert two rows"),
    False: ("append", "delete-row", "replace", "delete and replace"),
}
"""What may have been done to a table before, by whether in SQL."""
BEYOND = 2
"""How many ids that the table does not have yet a statement may name: those that are inserted first."""


class Table:
    """The table as it is before a race.

    Args: `in_sql`: who writes speaks SQL; `plain`: it has two rows in one file, and nothing was done to it before.
    """

    def __init__(self, draws: Draws, in_sql: bool, plain: bool) -> None:
        self._draws = draws
        self.apart = not (in_sql or plain) and draws.one_of(APART, (False, False, True))
        self._in_sql = in_sql
        self._values = 0
        self.validations_drawn = False
        self._level: Level = "snapshot"
        self._from: Literal["begin", "own"] = "begin"
        self._own: list[int] | None = None
        self._copied: set[tuple[int, int]] = set()
        self.history: list[Statement] = []
        self.unlocked: tuple[str, ...] = ()
        self.locks_drawn = False
        count = 2 if plain else draws.one_of("rows", (1, 1, 2, 3))
        self.rows: Rows = ((1, "a"), (2, "b"), (3, "c"))[:count]
        self._ids = count
        self._most: int | None = None
        while self.apart and any(len(file) > 1 for file in self.files):
            self._delete_and_replace(self._any_row())
        if not plain:
            draws.list_of("history", 0, 4, self._episode)
        self._most = draws.number("ids in use", 1, self._named())

    @property
    def files(self) -> tuple[Rows, ...]:
        """The rows of each data file, as the Java API has left them."""
        return files_after((self.rows,), self.history)

    @property
    def content(self) -> Rows:
        """The rows, as the statements so far have left them."""
        if self._in_sql:
            return content_after(self.rows, self.history)
        return tuple([row for file in self.files for row in file])

    def _episode(self, _: int) -> None:
        kind = self._draws.one_of("before", EPISODES[self._in_sql])
        if kind != "delete and replace" or not self.content:
            self.history.append(self.statement(("append" if kind == "delete and replace" else kind,)))
            return
        self._delete_and_replace(self._any_row())

    def _delete_and_replace(self, key: int) -> None:
        beside = [row[0] for row in self._file_of(key) if row[0] != key]
        self.history.append(DeleteRow(key))
        if beside:  # what is left is written anew, and the delete file is for nothing
            self.history.append(self._replace(beside[0], keep=True))

    def possible(self, kinds: Sequence[str]) -> tuple[str, ...]:
        """Those of these kinds that leave each row in a file of its own, if that is how the table is."""
        return tuple([kind for kind in kinds if not (self.apart and kind in SEVERAL_ROWS)])

    def draw_validations(self) -> None:
        """Draw which validations the statements of the Java API ask for; but for this, those of snapshot isolation."""
        self.validations_drawn = True
        self._level = self._draws.one_of("level", ("snapshot", "serializable", "snapshot", "serializable", "none"))
        self._from = self._draws.one_of("validated from", ("begin", "begin", "begin", "begin", "own"))

    def statement(self, kinds: Sequence[str]) -> Statement:
        """Draw a statement of one of these kinds."""
        return self.of_kind(self._draws.one_of("kind", kinds), kinds)

    def of_kind(self, kind: str, kinds: Sequence[str]) -> Statement:
        """Draw a statement of this kind; a transaction has steps of these kinds."""
        if kind == TRANSACTION:
            return self._transaction(kinds)
        return self._further(kind) if kind in RARE else self._statement(kind)

    def _transaction(self, kinds: Sequence[str]) -> Statement:
        """A transaction, whose steps may be about rows that earlier ones have added."""
        steps = [kind for kind in kinds if kind not in NO_STEPS] or ["append"]
        return Transaction(tuple(self.steps_of(lambda _: self._step(steps))), self._from)

    def steps_of(self, step: Callable[[int], Step]) -> list[Step]:
        """Draw the steps of a transaction."""
        self._own = []
        done = self._draws.list_of("steps", 2, 3, step)
        self._own = None
        return done

    def _step(self, kinds: Sequence[str]) -> Operation:
        step = self.statement(kinds)
        assert isinstance(step, Operation)
        return step

    def _further(self, kind: str) -> Statement:
        match kind:
            case "merge append":
                return Append(self._new_rows(1), merge=True)
            case "change":
                return ChangeRow(self._any_id(), self._value(), self._level)
            case "copy":
                return self._copy()
            case "remove file":
                return RemoveFile(self._any_id(), self._level)
            case "compact":
                return Compact()
            case "set property":
                return SetProperty("k", self._value())
            case "add column":
                return AddColumn(self._value())
            case "scan twice":
                return Scan(2, self._draws.one_of("of", ("first", "current")))
        return Scan(1)

    def _copy(self) -> Statement:
        source, target = self._any_id(), self._any_id()
        if source == target or (source, target) in self._copied:
            return ChangeRow(target, self._value(), self._level)
        self._copied.add((source, target))
        return Copy(source, target, self._level)

    def _statement(self, kind: str) -> Statement:
        match kind:
            case "insert" | "insert two rows":
                return Insert(self._new_rows(2 if "two" in kind else 1))
            case "append" | "append two rows":
                return Append(self._new_rows(2 if "two" in kind else 1))
            case "delete":
                return Delete(self._any_id())
            case "update":
                return Update(self._any_id(), self._value())
            case "delete-row":
                return DeleteRow(self._any_id(), self._level)
            case "replace" | "take away" if not self.content:
                return Append(self._new_rows(1))
            case "replace" | "take away":
                return self._replace(self._any_row(), keep=kind == "replace")
            case "overwrite" | "overwrite unvalidated":
                rows = tuple([(key, self._value()) for key, _ in self.content])
                by: Literal["filter", "file"] = "file" if self._draws.flag("by file") else "filter"
                if not rows:
                    return Append(self._new_rows(1))
                return Overwrite(rows, validate=kind == "overwrite", by=by)
        return Select()

    def row_of_any_id(self) -> tuple[int, str]:
        """A row, with a new value, that the table has or that may be inserted while the race lasts."""
        return (self._any_id(), self._value())

    def new_value(self) -> str:
        """A value that no other statement writes."""
        return self._value()

    def _value(self) -> str:
        self._values += 1
        return f"v{self._values}"

    def _new_rows(self, count: int) -> Rows:
        first = self._ids + 1
        self._ids += count
        if self._own is not None:
            self._own += range(first, first + count)
        return tuple([(key, self._value()) for key in range(first, first + count)])

    def new_row(self) -> Rows:
        """A row that the table does not have."""
        return self._new_rows(1)

    def pass_over(self, ids: Iterable[int]) -> None:
        """Make no new row of these ids, nor of any below them."""
        self._ids = max([self._ids, *ids])

    def _any_id(self) -> int:
        """An id that the table has had, or that may be inserted while the race lasts; few of them meet often. In a
        transaction, perhaps one that it has added."""
        if self._own and self._draws.flag("own row"):
            return self._draws.one_of("which own", self._own)
        return self._draws.number("id", 1, self._most or self._named())

    def _named(self) -> int:
        return BEYOND + max([key for key, _ in self.rows + self.content])

    def _any_row(self) -> int:
        """An id that the table has."""
        return self._draws.one_of("row", [key for key, _ in self.content])

    def _file_of(self, key: int) -> Rows:
        return next((rows for rows in self.files if any(row[0] == key for row in rows)), ())

    def _replace(self, key: int, keep: bool) -> Replace:
        """The replacement of the file that holds a row: by new values of its rows, with or without that row."""
        kept = [row[0] for row in self._file_of(key) if keep or row[0] != key]
        return Replace(key, tuple([(each, self._value()) for each in kept]), self._level)
