"""What a scenario may be made of. It is looked at when it is made, so that a mistake is told with the line that makes
it, and not thousands of runs later.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from functools import cache
from reprlib import Repr
from types import FunctionType
from typing import Any

from sim.kernel.fault_kinds import KINDS, OTHERS

NAMED = f"503-after-retry, {', '.join(sorted(OTHERS))}"
NAME = "a name like bank/transfer, of at most 250 characters"
ACTOR = "a name that a schedule can spell: a letter, then letters, digits, _ or -, at most 64"
_PATH = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)*")
_ACTOR = re.compile(r"[A-Za-z_][\w-]{0,63}")
_short = Repr()
_short.maxstring = _short.maxother = 60


def require(good: object, what: str, expected: str, got: object) -> None:
    """Raise `ValueError`, which says `what` is wrong, what was `expected` and what was `got`, unless it is `good`."""
    if not good:
        raise ValueError(f"{what}: expected {expected}, got {_short.repr(got)}")


def is_text(value: object) -> bool:
    """Whether `value` is a text."""
    return isinstance(value, str)


def is_text_or_none(value: object) -> bool:
    """Whether `value` is a text, or None."""
    return value is None or isinstance(value, str)


def is_path(value: object) -> bool:
    """Whether `value` is a name like bank/transfer: it becomes a path below the folder of runs."""
    return isinstance(value, str) and len(value.encode(errors="replace")) <= 250 and bool(_PATH.fullmatch(value))


def are_texts(value: object) -> bool:
    """Whether `value` is a tuple of texts, none of them empty."""
    return isinstance(value, tuple) and all(isinstance(one, str) and one for one in value)


def are_pairs(value: object) -> bool:
    """Whether `value` is a tuple of pairs of texts."""
    return isinstance(value, tuple) and all(
        isinstance(one, tuple) and len(one) == 2 and all(map(is_text, one)) for one in value
    )


def is_count(value: object) -> bool:
    """Whether `value` is a whole number from 0."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_program(value: object) -> bool:
    """Whether `value` has the methods of a program."""
    return all(takes_simulation(getattr(value, name, None)) for name in ("prepare", "start", "finish"))


def takes_simulation(function: object) -> bool:
    """Whether `function` can be called with a simulation and nothing else."""
    if not callable(function):
        return False
    try:
        inspect.signature(function).bind(None)
    except TypeError:
        return False
    except ValueError:  # written in C: nobody knows
        return True
    return True


def require_faults(kinds: object, limit: object, actors: object) -> None:
    """Raise `ValueError` unless this is a space of faults; the arguments are fields of `FaultSpace`, a good `limit`."""
    require(are_texts(actors), "faults: actors", "a tuple of names, as in ('w1',)", actors)
    require(isinstance(kinds, Mapping), "faults: kinds", "kinds by operation, as in {'commit': ('503-after',)}", kinds)
    assert isinstance(kinds, Mapping)
    for operation, named in kinds.items():
        require(isinstance(operation, str), "faults", "names of operations", operation)
        wanted = f"a tuple of kinds, as in ({named!r},)" if isinstance(named, str) else "a tuple of kinds"
        require(isinstance(named, (tuple, list)), f"faults: {operation}", wanted, named)
        for kind in named:
            known = isinstance(kind, str) and kind in KINDS
            require(known, f"faults: {operation}", f"a kind such as {NAMED}", kind)
    if limit and not any(kinds.values()):
        raise ValueError(f"faults: expected kinds of faults for a limit of {limit}, got none")


@cache
def is_actor(name: str) -> bool:
    """Whether a schedule can spell `name`."""
    return _ACTOR.fullmatch(name) is not None


def require_task(name: Any, body: Callable[[], None]) -> None:
    """Raise `ValueError` unless a task may be called `name` and `body` is a function. Cheap: every run asks this."""
    if name.__class__ is not str or not is_actor(name):
        require(False, "actor", ACTOR, name)
    wants = body.__code__.co_argcount - len(body.__defaults__ or ()) if body.__class__ is FunctionType else 0
    if wants or not callable(body):
        require(False, f"actor {name}", "a function without arguments", body)


def require_duration(duration_ms: Any) -> None:
    """Raise `ValueError` unless `duration_ms` is a whole number of milliseconds from 0."""
    if duration_ms.__class__ is not int or duration_ms < 0:
        require(False, "sleep_ms", "whole milliseconds from 0", duration_ms)
