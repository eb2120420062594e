"""What was appended to a branch, and whether it is there when a race has ended.

Rows beside main are no part of the history. But of a branch that nobody moves, removes or overwrites, each row stays
that an append was told it has brought. Source: `docs/branching`: a branch is a lineage of its own.

Choices: a branch that somebody moves, removes or overwrites, and one of a table that somebody makes or drops, is not
looked at. One whose head is gone has lost its rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from model.iceberg.metadata import TableMetadata
from sim.iceberg.creating import OfTables
from sim.iceberg.heads import rows_at
from sim.iceberg.managing import (
    MAIN,
    AppendTo,
    MoveBranch,
    OverwriteIn,
    RemoveRef,
    RenameBranch,
    ReplaceRef,
    ReplaceTable,
)
from sim.iceberg.statements import Statement, steps_of


def unkept_rows(
    objects: Mapping[str, Any], metadata: TableMetadata, sent: Sequence[Statement], done: Sequence[AppendTo]
) -> list[str]:
    """The branches that lack rows, as sentences.

    Args: `sent`: all statements, also those before the race; `done`: appends that were acknowledged.
    """
    if any(isinstance(one, OfTables | ReplaceTable) for one in sent):
        return []
    names = dict.fromkeys(
        [one.branch for one in done if one.branch != MAIN and not _is_moved(one.branch, steps_of(*sent))]
    )
    return [text for name in names for text in _lacks(objects, metadata, name, done)]


def _lacks(objects: Mapping[str, Any], metadata: TableMetadata, name: str, done: Sequence[AppendTo]) -> list[str]:
    head = metadata.snapshot(dict(metadata.refs).get(name))
    there = () if head is None else rows_at(objects, head)
    if there is None:
        return [f"branch: {name} cannot be read"]
    rows = [row for one in done if one.branch == name for row in one.rows if row not in there]
    return [f"branch: expected {key} = {value} in {name}, which was appended, got none" for key, value in rows]


def _is_moved(name: str, sent: Sequence[object]) -> bool:
    moves = [one for one in sent if isinstance(one, MoveBranch | RemoveRef | ReplaceRef | RenameBranch)]
    return any(one.name == name for one in moves) or any(
        isinstance(one, OverwriteIn) and one.branch == name for one in sent
    )
