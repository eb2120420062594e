"""What is wrong with the fields of a statement: of its choices, numbers, texts and rows. What each may be is said once,
by the types of its class."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from math import isfinite
from typing import Any, Literal, get_args, get_origin, get_type_hints

from sim.iceberg.managing import ManageSnapshots
from sim.iceberg.python_statements import OnBranch
from sim.iceberg.statements import Overwrite, Replace, Rows, Statement, Transaction, steps_of

ROWS = "at least one row as ((3, 'x'),)"
MAY_BE_EMPTY = Overwrite | Replace | Transaction
"""What may put nothing in the place of what goes, or have nothing in it."""


class RowId(int):
    """The id of a row, which may be below 0."""


OF_ROWS = {
    "id": RowId, "source": RowId, "target": RowId, "ids": tuple[RowId, ...], "also": tuple[RowId, ...],
}  # fmt: skip
"""Fields that name rows."""
WORDS: Mapping[type[Any], str] = {
    bool: "True or False",
    int: "a whole number from 0",
    RowId: "a whole number",
    float: "a number from 0",
    str: "some text",
}


def check_fields(where: str, statement: Statement) -> None:
    """Raise `ValueError` for a field of a statement, or of one in it, that is not of its type, or is empty where it may
    not be.

    Args: `where`: whose it is. A field may be empty where that is its default, too.
    """
    kind: Any = type(statement)
    for name, hint, may_be_empty in _fields(kind):
        value: Any = getattr(statement, name)
        if (may_be_empty and value in ("", ())) or (value == () and isinstance(statement, MAY_BE_EMPTY)):
            continue
        if expected := _expected(hint, value):
            raise ValueError(f"workload: {where}: {kind.__name__}: {name}: expected {expected}, got {value!r}")
    inside = steps_of(statement) if isinstance(statement, Transaction | ManageSnapshots) else ()
    for step in (statement.step,) if isinstance(statement, OnBranch) else inside:
        check_fields(where, step)


@cache
def _fields(kind: Hashable) -> Sequence[tuple[str, Any, bool]]:
    """The fields of a statement's class, their types, and whether each may be empty."""
    of: Any = kind
    hints = get_type_hints(of) | OF_ROWS
    return tuple([(field.name, hints[field.name], field.default in ("", ())) for field in fields(of)])


def _expected(hint: Any, value: Any) -> str:
    """What a value should have been that is not of this type ("": it is)."""
    if hint is Any:
        return ""
    if hint == Rows:
        return unlike_rows(value)
    if get_origin(hint) is Literal:
        return "" if value in get_args(hint) else " or ".join([repr(one) for one in get_args(hint)])
    if get_origin(hint) is tuple:
        inner = get_args(hint)[0]
        parts = isinstance(value, tuple) and value and not any(_expected(inner, one) for one in value)
        return "" if parts else f"at least one, each {_expected(inner, None) or 'a statement'}"
    if isinstance(hint, type):
        return "" if _is_of(hint, value) else _in_words(hint)
    of = get_args(hint)
    return _expected(of[0], value) if type(None) in of and value is not None else ""


def unlike_rows(value: Any) -> str:
    """What a value should have been that is no rows of one commit ("": it is)."""
    if not isinstance(value, tuple) or not value or not all(map(_is_row, value)):
        return ROWS
    return "" if len({key for key, _ in value}) == len(value) else "rows whose ids differ"


def _is_row(one: Any) -> bool:
    return isinstance(one, tuple) and len(one) == 2 and _is_of(RowId, one[0]) and _is_of(str, one[1])


def _is_of(kind: type[Any], value: Any) -> bool:
    if kind in (int, RowId):
        return isinstance(value, int) and not isinstance(value, bool) and (kind is RowId or value >= 0)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and value >= 0
    return isinstance(value, kind) and value != ""


def _in_words(kind: type[Any]) -> str:
    return WORDS.get(kind, f"a {kind.__name__}")
