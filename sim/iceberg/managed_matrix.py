"""The part of the matrix of operations that manages snapshots, branches and tags, and tables that all of it can be on.

Choices: they are on the table that has branches, and on the plainest one as far as it has what they name; on others
they would meet the same. What goes by time is on one whose snapshots have ages. They have no levels. Pairs that no
other table has all of are on the one that has everything; what picks a replacement of partitions is where one is
staged. Who renames a table is beside nobody who creates one: the table that he creates would be no more that of the
race. Where there is no table, one is created, put there or dropped, or rows are added.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from model.iceberg.clock_rule import HOUR_MS
from sim.iceberg.ages import ExpireOlder, Retain, RollBackToTime
from sim.iceberg.columns import AddStruct
from sim.iceberg.creating import CreateTable, DropTable, OfTables, PutTable, RenameTable
from sim.iceberg.managing import (
    AppendTo,
    CherryPick,
    CreateRef,
    Expire,
    ManageSnapshots,
    Managing,
    MoveBranch,
    OverwriteIn,
    Publish,
    RemoveRef,
    RenameBranch,
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
FULL, REPLACED = "full", "staged-replacement"
FULL_WORDS = "two rows, as old as these, a branch with a row more, a tag, a staged append, a column and a struct more"
REPLACED_WORDS = "the same, but that what is staged is a replacement of partitions"
_FULL: tuple[JavaApi, ...] = (
    AddColumn("old"), AddStruct("s", "x"), *AGED_HISTORY, CreateRef("t", tag=True), AppendTo("b", ((6, "c"),)),
)  # fmt: skip
FULL_HISTORY: tuple[JavaApi, ...] = (*_FULL, Stage(((7, "d"),), 1))
REPLACED_HISTORY: tuple[JavaApi, ...] = (*_FULL, Stage(((7, "d"),), replaces=True))
FULL_AGES_H = (*AGES_H, 4.0, 3.0)
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
    "rename-branch": ("manageSnapshots: renameBranch", lambda s: RenameBranch("b", f"b-{s.letter}")),
    "tag-and-roll-back": (
        "manageSnapshots: createTag at the head, rollbackTo the snapshot below it",
        lambda s: ManageSnapshots((CreateRef(f"s-{s.letter}", tag=True), RollBack(1))),
    ),
    "pick-replacement": ("manageSnapshots: cherrypick a staged newReplacePartitions", lambda _: CherryPick()),
}
NEED_MANAGED = (
    "cherry-pick", "fast-forward", "publish", "overwrite-branch", "replace-branch", "remove-branch", "remove-tag",
    "rename-branch",
)  # fmt: skip
NEED_AGES = ("roll-back-time", "expire-age", "expire-properties", "retain")
NEED_COLUMN = ("drop-column", "rename-column", "widen-column", "move-column")
NEED_STRUCT, PICKS = "field", "pick-replacement"
MAKE_TABLES = ("replace-table", "drop-table", "create-table", "create-or-replace", "rename-table", "put-table")
CREATE_TABLES = ("create-table", "create-or-replace")
BE_ABSENT = ("fast-append", "append", "drop-table", "create-table", "create-or-replace", "put-table")


def can_be(table: str, *operations: str) -> bool:
    """Whether these operations can be on a table, as far as they manage snapshots."""
    managing = [name for name in operations if name in MANAGING]
    if "rename-table" in managing and any(name in CREATE_TABLES for name in managing):
        return False
    if table == ABSENT:
        return all(name in BE_ABSENT for name in operations)
    if (table == REPLACED) != (PICKS in operations):
        return False
    if (table == FULL) != (table != REPLACED and _need_everything(operations)):
        return False
    if table in (FULL, REPLACED) or (table != MANAGED and not managing):
        return True
    return _can_be_managed(table, managing, "spec" in operations)


def _need_everything(operations: Sequence[str]) -> bool:
    """Whether no table but the one that has everything has what they name."""
    needed = [any(name in some for name in operations) for some in (NEED_MANAGED, NEED_COLUMN, NEED_AGES)]
    return NEED_STRUCT in operations or (needed[-1] and any(needed[:-1]))


def _can_be_managed(table: str, managing: Sequence[str], spec: bool) -> bool:
    """Whether what manages snapshots can be on a table. Args: `spec`: the partition spec is changed beside it."""
    needs_branches, needs_ages = (any(name in some for name in managing) for some in (NEED_MANAGED, NEED_AGES))
    if table == MANAGED:
        return not needs_ages and (needs_branches or not spec)
    made = any(name in MAKE_TABLES for name in managing)
    if table == AGED:
        return not needs_branches and (needs_ages or not made)
    return table == PLAIN and not needs_branches and not needs_ages
