"""What a workload of sessions must be, or is refused when it is made: each argument by its name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

_TABLE = re.compile(r"[^\s=:,./]+\.[^\s=:,./]+")
_OBJECT = re.compile(r"[^\s=:,./]+(\.[^\s=:,./]+(/[^\s,@]+)?)?")
_WORD = re.compile(r"[^\s=:,]+")
_TABLES, _REPLICAS = ("table", "to"), ("at",)


def check_statement(statement: Any) -> None:
    """Refuse a statement whose fields are not what their names say. Raises: `ValueError`."""
    kind = type(statement).__name__
    for one in fields(statement):
        value = getattr(statement, one.name)
        if value == one.default:
            continue
        where = f"{kind}: {one.name}"
        if one.name in _TABLES:
            check_table(where, value)
        elif one.name == "tables":
            for name in sequence(where, value):
                check_table(where, name)
        elif one.name in _REPLICAS:
            if value != "":
                check_word(where, value)
        elif one.type in ("str", str):
            check_text(where, value)


def check_table(where: str, name: Any) -> None:
    """Raises: `ValueError` unless it is a table's full name."""
    if not (isinstance(name, str) and _TABLE.fullmatch(name)):
        raise ValueError(f"{where}: expected a name as in 'default.t', got {name!r}")


def check_object(where: str, name: Any) -> None:
    """Raises: `ValueError` unless it is the name of what can be locked."""
    if not (isinstance(name, str) and _OBJECT.fullmatch(name)):
        raise ValueError(f"{where}: expected a name as 'default', 'default.t' or 'default.t/d=1', got {name!r}")


def check_word(where: str, word: Any) -> None:
    """Raises: `ValueError` unless it can be the name of a session or a replica."""
    if not (isinstance(word, str) and _WORD.fullmatch(word)):
        raise ValueError(f"{where}: expected a name without spaces, got {word!r}")


def check_text(where: str, text: Any) -> None:
    """Raises: `ValueError` unless it is a text with something in it."""
    if not (isinstance(text, str) and text):
        raise ValueError(f"{where}: expected a text, got {text!r}")


def sequence(where: str, items: Any) -> Sequence[Any]:
    """The items, if they are a tuple. Raises: `ValueError`, for one item without its comma, too."""
    if not isinstance(items, tuple):
        raise ValueError(f"{where}: expected a tuple, got {items!r}")
    return items


def check_once(where: str, names: Iterable[Any]) -> None:
    """Raises: `ValueError` if a name is there twice."""
    seen: list[Any] = []
    for name in names:
        if name in seen:
            raise ValueError(f"{where}: expected each once, got {name!r} twice")
        seen.append(name)


def check_known(where: str, names: Iterable[str], known: Sequence[str]) -> None:
    """Raises: `ValueError` if a name is none of those that are known."""
    for name in names:
        if name not in known:
            raise ValueError(f"{where}: expected one of {', '.join(known)}, got {name!r}")
