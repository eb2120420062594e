"""The part of the matrix of operations that manages snapshots, branches and tags, and tables that all of it can be on.

Choices: they are on the table that has branches, and on the plainest one as far as it has what they name; on others
they would meet the same. What goes by time is on one whose snapshots have ages. They have no levels. Who renames a
table is beside nobody who makes one. Where there is no table, one is created, put there or dropped, or rows are added.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from model.iceberg.clock_rule import HOUR_MS
from sim.iceberg.ages import ExpireOlder, Retain, RollBackToTime
from sim.iceberg.creating import CreateTable, DropTable, OfTables, PutTable, RenameTable
from sim.iceberg.managing import (
    AppendTo,
    CherryPick,
    CreateRef,
    Expire,
    Managing,
    MoveBranch,
    OverwriteIn,
    Publish,
    RemoveRef,
    ReplaceRef,
    ReplaceTable,
    RollBack,
    Stage,
)
from sim.iceberg.statements import AddColumn, Append, JavaApi, SetProperty

PLAIN, MANAGED, AGED = "file-a-row", "managed", "aged"
MANAGED_WORDS = "two rows, each in a file of its own, a branch with a row more, a tag, a staged append, a column more"
MANAGED_HISTORY: tuple[JavaApi, ...] = (
    AddColumn("old"), Append(((2, "b"),)), CreateRef("t", tag=True), AppendTo("b", ((6, "c"),)), Stage(((7, "d"),), 1),
)  # fmt: skip
AGED_WORDS = "two rows, each in a file of its own, made nine and five hours ago; snapshots may be seven and a half old"
AGED_HISTORY: tuple[JavaApi, ...] = (
    Append(((2, "b"),)), SetProperty("history.expire.max-snapshot-age-ms", str(15 * HOUR_MS // 2)),
)  # fmt: skip
AGES_H = (9.0, 5.0)
ABSENT, ABSENT_WORDS = "absent", "none: it was dropped"


class Asks(Protocol):
    """Who asks: a value of a row, and an id, that only this side writes; a letter for what has a name."""

    @property
    def letter(self) -> str: ...

    @property
    def new(self) -> int: ...

    def value(self, key: int) -> str: ...


def _row(side: Asks) -> tuple[tuple[int, str], ...]:
    return ((side.new, side.value(side.new)),)


MANAGING: Mapping[str, tuple[str, Callable[[Asks], Managing | OfTables]]] = {
    "roll-back": ("manageSnapshots: rollbackTo the snapshot below the head", lambda _: RollBack(1)),
    "expire": ("expireSnapshots but the newest of each branch", lambda _: Expire(1)),
    "expire-below": ("expireSnapshots: the one below the head, by its id", lambda _: Expire(0)),
    "append-branch": ("newFastAppend of a new row to a branch", lambda s: AppendTo("b", _row(s))),
    "stage": ("newFastAppend of a new row, staged", lambda s: Stage(_row(s))),
    "branch": ("manageSnapshots: createBranch at the head", lambda s: CreateRef(f"b-{s.letter}")),
    "tag-below": ("manageSnapshots: createTag below the head", lambda s: CreateRef(f"t-{s.letter}", tag=True, back=1)),
    "cherry-pick": ("manageSnapshots: cherrypick what is staged", lambda _: CherryPick()),
    "fast-forward": ("manageSnapshots: fastForwardBranch main to a branch", lambda _: MoveBranch("main", "b")),
    "publish": ("manageSnapshots: setCurrentSnapshot to where a branch is", lambda _: Publish("b")),
    "overwrite-branch": ("newOverwrite of all of a branch", lambda s: OverwriteIn("b", _row(s))),
    "replace-branch": ("manageSnapshots: replaceBranch by main's head", lambda _: ReplaceRef("b")),
    "remove-branch": ("manageSnapshots: removeBranch", lambda _: RemoveRef("b")),
    "remove-tag": ("manageSnapshots: removeTag", lambda _: RemoveRef("t", tag=True)),
    "roll-back-time": ("manageSnapshots: rollbackToTime of seven hours ago", lambda _: RollBackToTime(7)),
    "expire-age": ("expireSnapshots older than seven hours", lambda _: ExpireOlder(7)),
    "expire-properties": ("expireSnapshots as properties say", lambda _: ExpireOlder(None, None)),
    "retain": ("manageSnapshots: setMinSnapshotsToKeep of main", lambda _: Retain("main", keep=2)),
    "replace-table": ("replaceTransaction: a table of one new row", lambda s: ReplaceTable(_row(s))),
    "drop-table": ("dropTable", lambda _: DropTable()),
    "create-table": ("createTransaction: a table of one new row", lambda s: CreateTable(_row(s))),
    "create-or-replace": ("createOrReplaceTransaction: as above", lambda s: CreateTable(_row(s), replaces=True)),
    "rename-table": ("renameTable to another name", lambda _: RenameTable()),
    "put-table": ("renameTable of another table to this name", lambda s: PutTable(_row(s))),
}
NEED_MANAGED = (
    "cherry-pick", "fast-forward", "publish", "overwrite-branch", "replace-branch", "remove-branch", "remove-tag",
)  # fmt: skip
NEED_AGES = ("roll-back-time", "expire-age", "expire-properties", "retain")
MAKE_TABLES = ("replace-table", "drop-table", "create-table", "create-or-replace", "rename-table", "put-table")
EXPIRIES = ("expire", "expire-below")
BE_ABSENT = ("fast-append", "append", "drop-table", "create-table", "create-or-replace", "put-table")


def can_be(table: str, *operations: str) -> bool:
    """Whether these operations can be on a table, as far as they manage snapshots."""
    managing = [name for name in operations if name in MANAGING]
    needs_ages = any(name in NEED_AGES for name in operations)
    if "rename-table" in managing and len([name for name in managing if name in MAKE_TABLES]) > 1:
        return False
    if table == ABSENT:
        return all(name in BE_ABSENT for name in operations)
    if "spec" in operations and any(name not in EXPIRIES for name in managing):
        return False
    if table == MANAGED:
        return "spec" not in operations and not needs_ages
    if any(name in NEED_MANAGED for name in managing) or (needs_ages and table != AGED):
        return False
    made = any(name in MAKE_TABLES for name in managing)
    return not managing or table == PLAIN or (table == AGED and not made)
