"""Branches of a table that PyIceberg writes to: which branch a statement is in, and what its rows are called.

A history has the rows of all branches that its race names: those of main as `row:1`, those of another one as
`row:1 of b`. Whoever creates, moves or removes a branch writes its rows. Source: `docs/branching`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from model.iceberg.metadata import MAIN
from sim.iceberg.managing import AppendTo, OverwriteIn
from sim.iceberg.python_statements import OnBranch
from sim.iceberg.statements import Append, Overwrite, Statement, steps_of

OF = " of "
Value = TypeVar("Value")


def placed(statement: Statement) -> tuple[str, Statement]:
    """The branch that a statement is in, and what it does there."""
    match statement:
        case AppendTo(branch, rows):
            return branch, Append(rows)
        case OverwriteIn(branch, rows):
            return branch, Overwrite(rows)
        case OnBranch(branch, step):
            return branch, step
    return MAIN, statement


def branches_of(sent: Iterable[Statement]) -> tuple[str, ...]:
    """The branches beside main that somebody writes to or reads."""
    named = [placed(step)[0] for step in steps_of(*sent)]
    return tuple(sorted({name for name in named if name != MAIN}))


def row_key(identifier: int, branch: str) -> str:
    """What a history calls a row."""
    return f"row:{identifier}" if branch == MAIN else f"row:{identifier}{OF}{branch}"


def keys_in(branch: str, keys: Sequence[str]) -> list[str]:
    """Those of these keys that are rows of a branch."""
    return [key for key in keys if (key.partition(OF)[2] or MAIN) == branch]


def keyed(rows: Mapping[int, Value], branch: str) -> dict[str, Value]:
    """Rows by what a history calls them."""
    return {row_key(identifier, branch): value for identifier, value in rows.items()}
