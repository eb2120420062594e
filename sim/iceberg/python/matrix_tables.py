"""The tables of Iceberg's matrix as PyIceberg 0.12.0 makes or opens them.

Choices: partitions are by identity, the one transform that it writes by. Ages, places and format 3 are made by another
hand; what deletes rows in a table's history rewrites their file, but where the table is of delete files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sim.iceberg.columns import AddStruct
from sim.iceberg.java_matrix import TABLES
from sim.iceberg.layout import SetStatistics, SortBy
from sim.iceberg.layout_matrix import LAID_OUT, OLD_COLUMN
from sim.iceberg.managed_matrix import (
    ABSENT,
    AGED,
    AGED_HISTORY,
    AGES_H,
    FULL,
    FULL_AGES_H,
    MANAGED,
    REPLACED,
)
from sim.iceberg.managing import AppendTo, CreateRef, Stage
from sim.iceberg.python.by_hand import UNTOUCHED, Hand
from sim.iceberg.python_statements import EvolveSpec
from sim.iceberg.sql_statements import Delete
from sim.iceberg.statements import AddColumn, Append, ChangeRow, Compact, DeleteRow, SetProperty, Statement, Transaction

BY_ID = "identity"


class Made(NamedTuple):
    """How a table is made after its first file; `hand`: what another hand makes of it at last."""

    history: tuple[Statement, ...]
    partitioned: str = ""
    hand: Hand = UNTOUCHED


MADE: Mapping[str, Made] = {
    "file-a-row": Made(TABLES["file-a-row"].history),
    "one-file": Made(()),
    "with-delete": Made(TABLES["with-delete"].history),
    "deleted-twice": Made(TABLES["deleted-twice"].history),
    "old-delete": Made((DeleteRow(9), ChangeRow(8, "x"), Append(((1, "a"),)), Append(((2, "b"),)))),
    "worked-on": Made((
        Transaction((Append(((8, "y"),)), Delete(8))),  # type: ignore[arg-type]  # PyIceberg has it there
        Compact(), AddColumn("old"), SetProperty("old", "1"), Append(((2, "b"),)),
    )),
    "partitioned": Made(TABLES["partitioned"].history, BY_ID),
    MANAGED: Made((
        AddColumn(OLD_COLUMN), Append(((2, "b"),)), CreateRef("t", tag=True), CreateRef("b"),
        AppendTo("b", ((6, "c"),)), Stage(((7, "d"),)),
    )),
    LAID_OUT: Made(
        (AddColumn(OLD_COLUMN), EvolveSpec(BY_ID), Append(((1, "a"),)), SortBy(("id",)), SetStatistics("old")),
        hand=Hand(folder="m"),
    ),
    AGED: Made(AGED_HISTORY, hand=Hand(ages_h=AGES_H)),
    FULL: Made(
        (
            AddColumn(OLD_COLUMN), AddStruct("s", "x"), *AGED_HISTORY, CreateRef("t", tag=True), CreateRef("b"),
            AppendTo("b", ((6, "c"),)), Stage(((7, "d"),)),
        ),
        hand=Hand(ages_h=FULL_AGES_H),
    ),
    ABSENT: Made(TABLES[ABSENT].history),
}  # fmt: skip
NOT_OPENED: Mapping[str, str] = {
    "with-equality-delete": "it reads no table with equality deletes",
    REPLACED: "what is asked there picks a staged replacement of partitions, and it has no cherry-pick",
}
"""Tables that it has no race on, and why."""
