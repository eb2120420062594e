"""The statements of writers that use PyIceberg: those of the other clients that it has.

The library takes half a second to import, so what it is asked for is data here; `python.calls` asks it.
"""

from __future__ import annotations

from collections.abc import Sequence

from sim.iceberg.ages import ExpireOlder, RollBackToTime
from sim.iceberg.creating import CreateTable, OfTables, PutTable
from sim.iceberg.equality import Upsert
from sim.iceberg.layout import Layout
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
from sim.iceberg.python.branches import placed, row_key
from sim.iceberg.python_statements import (
    ChangeSeen,
    OverwriteFiles,
    OverwritePartitions,
    PythonAlone,
    TagAndRollBack,
)
from sim.iceberg.sql_statements import Delete
from sim.iceberg.statements import (
    AddColumn,
    Append,
    ChangeRow,
    Compact,
    Copy,
    DeleteRow,
    Overwrite,
    Scan,
    SetProperty,
    Statement,
    Transaction,
    steps_of,
)

Step = Append | Delete | DeleteRow | ChangeRow | Copy | Overwrite | Compact | SetProperty | AddColumn
"""What a transaction of PyIceberg may have here; a `DeleteRow` is by another hand, and alone."""
OfRefs = CreateRef | ReplaceRef | RemoveRef
OfSnapshots = RollBack | RollBackToTime | Expire | ExpireOlder | OfRefs | Publish | TagAndRollBack
"""What PyIceberg has to manage snapshots with."""
PyStatement = (
    Step | Scan | Transaction | Upsert | OfSnapshots | AppendTo | OverwriteIn | Stage | Layout | OfTables | PythonAlone
)
Writes = list[tuple[str, str | None]]


def writes_of(statement: Statement) -> Writes:
    """What a statement writes if it writes at all; what a copy writes is known when it has read."""
    written: dict[str, str | None] = {}
    for each in steps_of(statement):
        branch, step = placed(each)
        written |= {row_key(key, branch): value for key, value in _effects(step)}
    return list(written.items())


def _effects(step: Statement) -> Sequence[tuple[int, str | None]]:
    match step:
        case Append(rows) | Overwrite(rows) | OverwritePartitions(rows) | OverwriteFiles(rows):
            return rows
        case CreateTable(rows) | PutTable(rows):
            return rows
        case Delete(key):
            return ((key, None),)
        case DeleteRow():
            return [(key, None) for key in step.ids]
        case ChangeRow(key, value) | Upsert(key, value) | ChangeSeen(key, value):
            return ((key, value),)
    return ()
