"""The escape detector: simulated code that touches wall time, randomness, sockets or threads is stopped on the spot.

While `guarded()` is active, the usual doors (`time`, `random`, `uuid`, `os.urandom`, `socket`, `threading`, and what
the interpreter audits) raise `EscapeError` with the call site when they are used inside a simulated task; everything
else in the process goes on as before.

Choices: `datetime.now` bound by `from datetime import datetime` before the guard was set cannot be seen (the type is
immutable); code reached through `datetime.datetime` is. Reading files is not an escape: imports do it.
"""

from __future__ import annotations

import contextlib
import datetime
import os
import random
import sys
import threading
import time
import traceback
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from greenlet import getcurrent

from sim.errors import EscapeError
from sim.task import Task

DOORS: tuple[tuple[Any, tuple[str, ...]], ...] = (
    (time, ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "sleep")),
    (random, ("random", "randint", "randrange", "uniform", "choice", "choices", "shuffle", "sample", "getrandbits")),
    (uuid, ("uuid1", "uuid4")),
    (os, ("urandom",)),
    (threading.Thread, ("start",)),
)
AUDITED = ("time.sleep", "socket.", "_thread.start_new_thread", "subprocess.Popen", "os.fork")
_state = {"depth": 0, "hooked": 0}


def _inside() -> bool:
    return getcurrent().__class__ is Task


def _refuse(what: str) -> None:
    site = next(
        (f for f in reversed(traceback.extract_stack()) if f.filename != __file__ and "/threading.py" not in f.filename),
        None,
    )
    where = f"{site.filename}:{site.lineno} in {site.name}" if site else "unknown place"
    raise EscapeError(f"{what}: expected simulated code to use its ports, got a call of the real thing at {where}")


def _guard(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def guarded_door(*args: Any, **kwargs: Any) -> Any:
        if _inside():
            _refuse(name)
        return real(*args, **kwargs)

    return guarded_door


class _GuardedDatetime(datetime.datetime):
    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> _GuardedDatetime:
        if _inside():
            _refuse("datetime.now")
        return super().now(tz)


def _audit(event: str, _: tuple[Any, ...]) -> None:
    if _state["depth"] and event.startswith(AUDITED) and _inside():
        _refuse(event)


@contextlib.contextmanager
def guarded() -> Iterator[None]:
    """Guard the doors for the duration of the block; blocks may nest."""
    if not _state["hooked"]:
        sys.addaudithook(_audit)  # cannot be removed; it does nothing outside a block
        _state["hooked"] = 1
    saved = [(owner, name, getattr(owner, name)) for owner, names in DOORS for name in names]
    saved.append((datetime, "datetime", datetime.datetime))
    _state["depth"] += 1
    try:
        for owner, name, real in saved[:-1]:
            setattr(owner, name, _guard(f"{getattr(owner, '__name__', owner)}.{name}", real))
        setattr(datetime, "datetime", _GuardedDatetime)  # noqa: B010 (mypy: a type is not assignable)
        yield
    finally:
        _state["depth"] -= 1
        for owner, name, real in saved:
            setattr(owner, name, real)
