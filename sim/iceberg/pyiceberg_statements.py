"""The statements of writers that use PyIceberg: those of the other clients that it has.

The library takes half a second to import, so what it is asked for is data here; `pyiceberg_calls` asks it.
"""

from __future__ import annotations

from collections.abc import Sequence

from sim.iceberg.equality import Upsert
from sim.iceberg.managing import AppendTo, CreateRef, Expire, OverwriteIn, Publish, RemoveRef, RollBack
from sim.iceberg.pyiceberg_branches import placed, row_key
from sim.iceberg.python_statements import ChangeSeen, OverwritePartitions, PythonAlone, TagAndRollBack
from sim.iceberg.sql_statements import Delete
from sim.iceberg.statements import (
    AddColumn,
    Append,
    ChangeRow,
    Copy,
    Overwrite,
    Scan,
    SetProperty,
    Statement,
    Transaction,
    steps_of,
)

Step = Append | Delete | ChangeRow | Copy | Overwrite | SetProperty | AddColumn
"""What a transaction of PyIceberg may have here."""
OfSnapshots = RollBack | Expire | CreateRef | RemoveRef | Publish | TagAndRollBack
"""What PyIceberg has to manage snapshots with."""
PyStatement = Step | Scan | Transaction | Upsert | OfSnapshots | AppendTo | OverwriteIn | PythonAlone
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
        case Append(rows) | Overwrite(rows) | OverwritePartitions(rows):
            return rows
        case Delete(key):
            return ((key, None),)
        case ChangeRow(key, value) | Upsert(key, value) | ChangeSeen(key, value):
            return ((key, value),)
    return ()
