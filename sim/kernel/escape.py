"""The escape detector: simulated code that touches wall time, randomness, sockets or threads is stopped on the spot.

While a `guarded` block is active, the usual doors (`time`, `random`, `uuid`, of `os` what draws or differs between
processes, `datetime.now`, and what the interpreter audits: sleeping, sockets, threads, processes) raise `EscapeError`
with the call site when they are used inside a simulated task; everything else in the process goes on as before.

Choices: names that a module has bound by `from time import sleep` are guarded in that module. What was bound in a
class, a closure or a default cannot be seen, and of `datetime` only what is reached through its module (a type may be a
key of somebody's table). What only works on what it is given is let through: `gmtime(0)`, `Random(1)`. Reading files is
no escape: imports do it. The order of a set, `hash` and `id` have no door: running one seed in two processes with
different hash seeds shows them, and nothing else does.
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
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

from greenlet import getcurrent

from sim.kernel.errors import EscapeError
from sim.kernel.task import Task

REAL_DATETIME = datetime.datetime
CLOCKS = (
    "time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time process_time_ns thread_time "
    "thread_time_ns clock_gettime clock_gettime_ns clock_getres get_clock_info sleep"
)
RANDOM = [name for name in random.__all__ if not name[0].isupper()]
DOORS: tuple[tuple[Any, list[str]], ...] = (
    (time, CLOCKS.split()),
    (random, [*RANDOM, "_urandom"]),
    (uuid, ["uuid1", "uuid4", "uuid6", "uuid7", "uuid8"]),
    (os, ["urandom", "getrandom", "times", "getpid", "getppid", "getloadavg"]),
    (threading.Thread, ["start"]),
)
"""What is no use to code that has to repeat; not every platform and version has them all."""
GIVEN: tuple[tuple[Any, str, int], ...] = (
    (time, "localtime", 0),
    (time, "gmtime", 0),
    (time, "ctime", 0),
    (time, "asctime", 0),
    (time, "strftime", 1),
    (random.Random, "seed", 1),
)
"""What asks the real world only if the argument at this place is missing: `gmtime()`, `Random()`."""
OBSERVERS = ("hypothesis", "_pytest", "pytest", "coverage")
AUDITED = (
    "time.sleep",
    "socket.",
    "_thread.start_new_thread",
    "subprocess.Popen",
    "os.fork",
    "os.system",
    "os.posix_spawn",
)


FREQUENT = frozenset({"builtins.id", "object.__getattr__"})
"""What is audited and harmless, and done millions of times: a deep copy asks for the id of all that it meets."""


def _inside() -> bool:
    return getcurrent().__class__ is Task


def _by_observer(module: str) -> bool:
    """Whether the caller is a test tool, which the garbage collector calls back in the middle of whatever runs."""
    return module.split(".", 1)[0] in OBSERVERS


def _refuse(what: str) -> None:
    frames = reversed(traceback.extract_stack())
    site = next((f for f in frames if f.filename not in (__file__, threading.__file__, random.__file__)), None)
    where = f"{site.filename}:{site.lineno} in {site.name}" if site else "unknown place"
    raise EscapeError(f"{what}: expected simulated code to use its ports, got a call of the real thing at {where}")


def _door(name: str, real: Callable[..., Any], place: int | None = None) -> Callable[..., Any]:
    """What stands in for the real thing. Args: `place` of the argument with which that needs nothing of the world."""

    def guarded_door(*args: Any, **kwargs: Any) -> Any:
        given = place is not None and (kwargs.get("a") if len(args) <= place else args[place]) is not None
        if not given and _inside() and not _by_observer(sys._getframe(1).f_globals.get("__name__", "")):
            _refuse(name)
        return real(*args, **kwargs)

    return guarded_door


class _LooksReal(type):
    """Instances and subclasses of the real `datetime` count as ones of the guarded class, which stands in for it."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, REAL_DATETIME) if cls is GuardedDatetime else super().__instancecheck__(instance)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, REAL_DATETIME) if cls is GuardedDatetime else super().__subclasscheck__(subclass)


class GuardedDatetime(datetime.datetime, metaclass=_LooksReal):
    """`datetime.datetime` without its clock; it makes instances of the real class."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        return REAL_DATETIME(*args, **kwargs) if cls is GuardedDatetime else super().__new__(cls, *args, **kwargs)

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Any:
        if _inside():
            _refuse("datetime.now")
        return REAL_DATETIME.now(tz)

    @classmethod
    def utcnow(cls) -> Any:
        if _inside():
            _refuse("datetime.utcnow")
        return REAL_DATETIME.now(datetime.UTC).replace(tzinfo=None)

    @classmethod
    def today(cls) -> Any:
        if _inside():
            _refuse("datetime.today")
        return REAL_DATETIME.now()


def _audit(event: str, _: tuple[Any, ...]) -> None:
    if event not in FREQUENT and guarded.depth and event.startswith(AUDITED) and _inside():
        _refuse(event)


def _pair(owner: Any, name: str, place: int | None = None) -> tuple[Any, str, Any, Any]:
    real = getattr(owner, name)
    return owner, name, real, _door(f"{getattr(owner, '__name__', owner)}.{name}", real, place)


_PAIRS = [_pair(owner, name) for owner, names in DOORS for name in names if hasattr(owner, name)]
_PAIRS += [_pair(*given) for given in GIVEN]
_DOOR_BY_REAL = {id(real): (real, door) for _, _, real, door in _PAIRS}
_PAIRS.append((datetime, "datetime", REAL_DATETIME, GuardedDatetime))


def _bound_elsewhere() -> list[tuple[Any, str, Any, Any]]:
    """The names by which other modules know the doors."""
    modules = [(module, vars(module)) for module in list(sys.modules.values()) if hasattr(module, "__dict__")]
    homes = [*(owner for owner, _ in DOORS), sys.modules[__name__]]
    return [
        (module, name, *_DOOR_BY_REAL[id(value)])
        for module, names in modules
        if module not in homes
        for name, value in list(names.items())
        if id(value) in _DOOR_BY_REAL
    ]


def _exchange(pairs: list[tuple[Any, str, Any, Any]], *, close: bool) -> None:
    """Put up the doors, or take them down again. A name that has been given something else meanwhile keeps that."""
    for owner, name, real, door in pairs:
        there, instead = (real, door) if close else (door, real)
        if owner.__dict__.get(name) is there:
            setattr(owner, name, instead)


class guarded(contextlib.ContextDecorator):
    """Guard the doors for the duration of a `with` block, or of a function; blocks may nest.

    A search takes the outermost block, so that not each of its runs has to put up the doors.
    """

    depth = 0
    _hooked = False
    _doors: tuple[int, list[tuple[Any, str, Any, Any]]] = (0, [])

    def __enter__(self) -> None:
        if not guarded._hooked:
            sys.addaudithook(_audit)  # cannot be removed; it does nothing outside a block
            guarded._hooked = True
        guarded.depth += 1
        if guarded.depth == 1:
            guarded._close()

    def __exit__(self, *_: object) -> None:
        guarded.depth -= 1
        if guarded.depth == 0:
            guarded._open()

    @staticmethod
    def _close() -> None:
        if guarded._doors[0] != len(sys.modules):
            guarded._doors = len(sys.modules), _PAIRS + _bound_elsewhere()
        _exchange(guarded._doors[1], close=True)

    @staticmethod
    def _open() -> None:
        _exchange(guarded._doors[1], close=False)


def imported(module: str) -> ModuleType:
    """Import a module as if no block were active: what it binds is the real thing, which C extensions insist on."""
    if module in sys.modules or not guarded.depth:
        return import_module(module)
    guarded._open()
    try:
        return import_module(module)
    finally:
        guarded._close()
