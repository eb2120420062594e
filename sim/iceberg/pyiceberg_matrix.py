"""The cells of Iceberg's matrix on PyIceberg: the same race, as far as the library has its operations.

Choices: isolation levels are table properties of PyIceberg, and there is none without validation; it writes no delete
files, so it has the tables without them. Merging appends are a table property, too. What stands in for an operation by
file names or by positions is the library's call with a filter, which plans the files by itself: `delete` takes a file
away whose rows all match, and writes it anew otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sim.iceberg.java_matrix import OPERATIONS, TABLES, Side
from sim.iceberg.managing import CreateRef, Expire, RollBack
from sim.iceberg.pyiceberg import race
from sim.iceberg.pyiceberg_statements import PyStatement
from sim.iceberg.python_statements import EvolveSpec
from sim.iceberg.sql_statements import Delete
from sim.iceberg.statements import AddColumn, Append, ChangeRow, Copy, Overwrite, Scan, SetProperty, Transaction
from sim.search.matrix import COLUMN, ROW, Beside, Place
from sim.world.scenario import Scenario

SOUND = ("readable", "no-aborted-reads", "acknowledged-writes-survive", "no-lost-update", "snapshot-isolation")
PROPERTIES = {"snapshot": SOUND, "serializable": (*SOUND, "no-write-skew", "serializable")}
ON_TABLES = ("file-a-row", "one-file")
FORMAT = "2"
"""All that PyIceberg 0.12.0 writes: it says that format 3 is not supported yet."""
MERGES = ("append",)
LEVEL_PROPERTIES = ("write.delete.isolation-level", "write.update.isolation-level")
Making = Callable[[Side], PyStatement]


def _append(side: Side) -> Append:
    return Append(((side.new, side.value(side.new)),))


CALLS: Mapping[str, Making] = {
    "fast-append": _append,
    "append": _append,
    "delete-file": lambda _: Delete(1),
    "overwrite-filter": lambda side: Overwrite(side.all),
    "change": lambda side: ChangeRow(1, side.value(1)),
    "change-another": lambda side: ChangeRow(2, side.value(2)),
    "copy": lambda _: Copy(1, 2),
    "delete-row": lambda _: Delete(1),
    "delete-another": lambda _: Delete(2),
    "property": lambda side: SetProperty("k", side.letter),
    "column": lambda side: AddColumn(side.letter.lower()),
    "transaction": lambda side: Transaction((_append(side), ChangeRow(1, side.value(1)))),
    "read-twice": lambda _: Scan(2),
    "roll-back": lambda _: RollBack(1),
    "expire": lambda _: Expire(1),
    "branch": lambda side: CreateRef(f"b-{side.letter}"),
    "tag-below": lambda side: CreateRef(f"t-{side.letter}", tag=True, back=1),
    "spec": lambda _: EvolveSpec("bucket[2]"),
}


def cell(place: Place) -> Scenario | None:
    """The race of a place by PyIceberg; None if it has no such operation, level or table."""
    asked = (place.row, place.column)
    known = place.level in PROPERTIES and place.table in ON_TABLES and place.format == FORMAT
    if not known or any(name not in CALLS for name in asked):
        return None
    if "append" in asked and "fast-append" in asked:
        return None  # one table property says which of them an append is
    table = TABLES[place.table]
    sides = (Side(table, place.level, "A", 11), Side(table, place.level, "B", 12))
    if "delete-file" in asked and not sides[0].is_alone(1):
        return None  # it would be a delete of rows
    row, column = (CALLS[name](side) for name, side in zip(asked, sides, strict=True))
    properties = [(name, place.level) for name in LEVEL_PROPERTIES]
    properties += [("commit.manifest-merge.enabled", "true")] if "append" in asked else []
    return race(
        f"matrix/{'/'.join(place)}",
        f"{OPERATIONS[place.row][0]}; {OPERATIONS[place.column][0]}: by PyIceberg.",
        {ROW: [row], COLUMN: [column]},
        properties=PROPERTIES[place.level],
        rows=table.rows,
        history=table.history,
        table_properties=tuple(properties),
        loaded=True,
    )


NO_SNAPSHOT = (
    "PyIceberg sends a commit again only if it adds a snapshot (`Transaction.commit_transaction`); Java's "
    "`updateProperties`, roll-backs, expiries, and what is beside them, are sent again"
)
ANOTHER_SPEC = (
    "what changes rows and is tried again under another spec cannot write its manifest (IndexError): PyIceberg takes "
    "the new spec for files of the old one; a change of spec it never sends again"
)
DELETED_TWICE = (
    "PyIceberg deletes rows by taking files away and writing them anew, and refuses if they are gone; Java's row delta "
    "and `newDelete` let a row be deleted twice"
)
AT_COMMIT = (
    "Java's overwrite by filter takes away what matches when it commits; PyIceberg's those files that matched when it "
    "began (`_DeleteFiles`, `_planned_delete_files`)"
)
NOT_READ = (
    "what a program has read is no part of a commit of PyIceberg: there is no conflict filter to give; "
    "`newOverwrite` is given one here"
)
BEGINS = (
    "a transaction of Java loads the table when it begins, and may find the other commit; PyIceberg's is on the table "
    "that was loaded before the race"
)
DELETES = ("delete-file", "delete-row", "delete-another")
ADDS = ("fast-append", "append")
UNSENT = {"property", "spec", "roll-back", "expire", "branch", "tag-below"}
"""What adds no snapshot, and is sent once."""


def why(place: Place) -> str:
    """Why PyIceberg comes to something else at a place than Java, if it does; "" if nobody knows."""
    pair = {place.row, place.column}
    if "spec" in pair and not pair <= {*UNSENT, "column", "read-twice"}:
        return ANOTHER_SPEC
    if pair & UNSENT:
        return NO_SNAPSHOT
    if pair <= set(DELETES):
        return DELETED_TWICE
    if "overwrite-filter" in pair and pair & set(ADDS) and place.level == "snapshot":
        return AT_COMMIT
    if "copy" in pair and place.level == "serializable" and place.table == "file-a-row":
        return NOT_READ
    return BEGINS if "transaction" in pair else ""


BESIDE = Beside("PyIceberg 0.12.0", "pyiceberg", cell, why)
