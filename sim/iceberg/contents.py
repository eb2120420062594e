"""What a table has after statements that were done to it one after the other: its rows, and those of each data file."""

from __future__ import annotations

from collections.abc import Sequence

from sim.iceberg.creating import DropTable
from sim.iceberg.equality import DeleteWhere, Upsert
from sim.iceberg.sql_statements import Delete, Insert, Update
from sim.iceberg.statements import Append, Compact, DeleteRow, Replace, Rows, Statement, Transaction


def by_partition(files: tuple[Rows, ...], width: int) -> tuple[Rows, ...]:
    """The files as a table with partitions of that many ids has them: one a partition (0: it has none)."""
    if not width:
        return files
    parts: list[Rows] = []
    for rows in files:
        places = dict.fromkeys([key // width for key, _ in rows])
        parts += [tuple([row for row in rows if row[0] // width == place]) for place in places]
    return tuple(parts)


def content_after(rows: Rows, history: Sequence[Statement]) -> Rows:
    """The rows of a table after these statements of SQL."""
    table = dict(rows)
    for done in history:
        match done:
            case Insert(added):
                table |= dict(added)
            case Delete(key):
                table.pop(key, None)
            case Update(key, value) if key in table:
                table[key] = value
    return tuple(table.items())


def files_after(files: tuple[Rows, ...], history: Sequence[Statement], width: int = 0) -> tuple[Rows, ...]:
    """The rows of each data file after these statements. Args: `width`: ids of a partition (0: there are none)."""
    files = by_partition(files, width)
    for done in history:
        match done:
            case Append(rows):
                files = (*files, *by_partition((rows,), width))
            case Replace(key, rows):
                kept = tuple(file for file in files if all(row[0] != key for row in file))
                files = (*kept, *by_partition((rows,), width)) if rows else kept
            case Upsert(key, value):
                files = (*files_after(files, (DeleteWhere(key),)), ((key, value),))
            case DeleteRow() | DeleteWhere():
                gone = done.ids if isinstance(done, DeleteRow) else (done.id,)
                files = tuple(tuple(row for row in file if row[0] not in gone) for file in files)
            case DropTable():
                files = ()
            case Compact():
                left = tuple(row for file in files for row in file)
                files = by_partition((left,), width) if left else ()
            case Transaction(steps):
                files = files_after(files, steps, width)
    return files
