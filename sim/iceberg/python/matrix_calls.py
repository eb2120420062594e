"""What PyIceberg 0.12.0 has for each operation of Iceberg's matrix, and what it has not.

Choices: what stands in for an operation by positions or by equality is the library's call with a filter, which plans
the files by itself: `delete` takes a file away whose rows all match, and writes it anew otherwise. Who rewrites reads
the table and overwrites it by what it holds, as there is no rewrite; who replaces a branch makes it anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sim.iceberg.ages import ExpireOlder, RollBackToTime
from sim.iceberg.columns import AddField, AddStruct, MoveColumn, RenameColumn, WidenColumn
from sim.iceberg.creating import CreateTable, DropTable, PutTable, RenameTable
from sim.iceberg.equality import Upsert
from sim.iceberg.java_matrix import Side
from sim.iceberg.layout import DropColumn, MoveTo, RemoveStatistics, SetStatistics, SortBy, UnsetProperty
from sim.iceberg.layout_matrix import OLD_COLUMN
from sim.iceberg.managing import (
    AppendTo,
    CreateRef,
    Expire,
    OverwriteIn,
    Publish,
    RemoveRef,
    ReplaceRef,
    RollBack,
    Stage,
)
from sim.iceberg.python.statements import PyStatement
from sim.iceberg.python_statements import EvolveSpec, OverwriteFiles, OverwritePartitions, TagAndRollBack
from sim.iceberg.sql_statements import Delete
from sim.iceberg.statements import (
    AddColumn,
    Append,
    ChangeRow,
    Compact,
    Copy,
    Overwrite,
    Scan,
    SetProperty,
    Transaction,
)

Making = Callable[[Side], PyStatement]


def _append(side: Side) -> Append:
    return Append(_new(side))


def _new(side: Side) -> tuple[tuple[int, str], ...]:
    return ((side.new, side.value(side.new)),)


def _first(side: Side) -> tuple[tuple[int, str], ...]:
    return ((1, side.value(1)),)


CALLS: Mapping[str, Making] = {
    "fast-append": _append,
    "append": _append,
    "delete-file": lambda _: Delete(1),
    "overwrite-filter": lambda side: Overwrite(side.all),
    "overwrite-files": lambda side: OverwriteFiles(side.all),
    "replace-partition": lambda side: OverwritePartitions(_first(side)),
    "change": lambda side: ChangeRow(1, side.value(1)),
    "change-another": lambda side: ChangeRow(2, side.value(2)),
    "copy": lambda _: Copy(1, 2),
    "delete-row": lambda _: Delete(1),
    "delete-another": lambda _: Delete(2),
    "delete-where": lambda _: Delete(1),
    "upsert": lambda side: Upsert(1, side.value(1)),
    "rewrite": lambda _: Compact(),
    "property": lambda side: SetProperty("k", side.letter),
    "column": lambda side: AddColumn(side.letter.lower()),
    "transaction": lambda side: Transaction((_append(side), ChangeRow(1, side.value(1)))),
    "read-twice": lambda _: Scan(2),
    "roll-back": lambda _: RollBack(1),
    "expire": lambda _: Expire(1),
    "expire-below": lambda _: Expire(0),
    "append-branch": lambda side: AppendTo("b", _new(side)),
    "stage": lambda side: Stage(_new(side)),
    "branch": lambda side: CreateRef(f"b-{side.letter}"),
    "tag-below": lambda side: CreateRef(f"t-{side.letter}", tag=True, back=1),
    "publish": lambda _: Publish("b"),
    "overwrite-branch": lambda side: OverwriteIn("b", _new(side)),
    "replace-branch": lambda _: ReplaceRef("b"),
    "remove-branch": lambda _: RemoveRef("b"),
    "remove-tag": lambda _: RemoveRef("t", tag=True),
    "roll-back-time": lambda _: RollBackToTime(7),
    "expire-age": lambda _: ExpireOlder(7),
    "remove-where": lambda _: Delete(1),
    "drop-column": lambda _: DropColumn(OLD_COLUMN),
    "sort": lambda side: SortBy(("v",), descending=side.letter == "B"),
    "spec": lambda _: EvolveSpec("bucket[2]"),
    "move": lambda side: MoveTo(f"m-{side.letter}"),
    "statistics": lambda side: SetStatistics(f"s-{side.letter}"),
    "no-statistics": lambda _: RemoveStatistics(),
    "no-property": lambda _: UnsetProperty("k"),
    "rename-column": lambda side: RenameColumn(OLD_COLUMN, f"{OLD_COLUMN}_{side.letter.lower()}"),
    "widen-column": lambda _: WidenColumn(OLD_COLUMN),
    "move-column": lambda _: MoveColumn(OLD_COLUMN, "id"),
    "struct": lambda side: AddStruct(f"s_{side.letter.lower()}", "x"),
    "field": lambda side: AddField("s", side.letter.lower()),
    "drop-table": lambda _: DropTable(),
    "create-table": lambda side: CreateTable(_new(side)),
    "rename-table": lambda _: RenameTable(),
    "put-table": lambda side: PutTable(_new(side)),
    "tag-and-roll-back": lambda side: TagAndRollBack(f"s-{side.letter}"),
}
NOT_OFFERED: Mapping[str, str] = {
    "rewrite-pinned": "no rewrite, nor a sequence number to give one",
    "cherry-pick": "no cherry-pick",
    "fast-forward": "no fast-forward",
    "expire-properties": "no expiry that asks the table's properties",
    "retain": "nothing says what a ref keeps but what makes it",
    "replace-table": "no transaction that replaces a table",
    "create-or-replace": "no transaction that replaces a table",
    "cluster-manifests": "no rewrite of manifests",
    "replace-manifests": "no rewrite of manifests",
    "rename-branch": "no other name for a branch",
    "pick-replacement": "no cherry-pick",
    "append-once": "no commit that asks its ancestors",
    "overwrite-where": "nothing asks whether what is added is what its filter takes away",
}
"""What the library has no call for."""
OF_CATALOGS = ("drop-table", "create-table", "rename-table", "put-table")
"""What its catalogs do with whole tables: on its REST catalog."""
