"""Substitutes for `time`, `random`, `uuid`, `os` and `datetime` that ask the world of the calling simulated process.

Outside a simulated task, and outside `acting_as`, they are the real thing: substituting a module's attribute for good
leaves every other user of that library in the process as he was.
"""

from __future__ import annotations

import contextlib
import datetime as real_datetime
import os as real_os
import random as real_random
import time as real_time
import uuid as real_uuid
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from importlib import import_module
from typing import Any

from greenlet import getcurrent

from model.ports import World
from sim.kernel.task import Task
from sim.world.simulation import Simulation

EPOCH_S = 1_700_000_000
Substitution = tuple[str, str, Any]
_acting: list[World] = []
_simulations: list[Simulation] = []


def current_world() -> World | None:
    """The ports of the process on whose behalf the caller runs; None outside a simulation."""
    task = getcurrent()
    if task.__class__ is Task and _simulations:
        return _simulations[-1].world(task.process)
    return _acting[-1] if _acting else None


@contextlib.contextmanager
def acting_as(world: World) -> Iterator[None]:
    """Let set-up and read-back code, which runs outside tasks, draw from a process's world."""
    _acting.append(world)
    try:
        yield
    finally:
        _acting.pop()


def enter(simulation: Simulation) -> None:
    """From now on, simulated tasks belong to this simulation (there is one at a time)."""
    _simulations[:] = [simulation]


def _fresh(kind: str) -> int | None:
    world = current_world()
    return None if world is None else world.chance.fresh(kind)


class _Standin:
    """A module whose listed functions are ours and whose rest is the real one's."""

    def __init__(self, real: Any, **ours: Callable[..., Any]) -> None:
        self._real = real
        self.__dict__.update(ours)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def _now_s() -> float:
    world = current_world()
    return real_time.time() if world is None else EPOCH_S + world.clock.now_ms() / 1000


def _monotonic() -> float:
    world = current_world()
    return real_time.monotonic() if world is None else world.clock.now_ms() / 1000


def _sleep(seconds: float) -> None:
    world = current_world()
    if world is None:
        real_time.sleep(seconds)
    else:
        world.clock.sleep_ms(round(seconds * 1000))


def _uniform(low: float, high: float) -> float:
    world = current_world()
    if world is None:
        return real_random.uniform(low, high)
    return low + (high - low) * world.chance.below("jitter", 4) / 4


def _bytes(kind: str, size: int) -> bytes | None:
    number = _fresh(kind)
    return None if number is None else blake2b(f"{kind} {number}".encode(), digest_size=size).digest()


def _uuid4() -> real_uuid.UUID:
    drawn = _bytes("uuid", 16)
    return real_uuid.uuid4() if drawn is None else real_uuid.UUID(bytes=drawn, version=4)


def _urandom(size: int) -> bytes:
    return _bytes("bytes", size) or real_os.urandom(size)


class SimulatedDatetime(real_datetime.datetime):
    """`datetime` whose `now` is the simulated clock's."""

    @classmethod
    def now(cls, tz: real_datetime.tzinfo | None = None) -> SimulatedDatetime:
        return cls.fromtimestamp(_now_s(), tz or real_datetime.UTC)


class InlineExecutor:
    """An executor that runs each call at once in the caller's task: what a thread pool does, in one fixed order."""

    def map(self, function: Callable[..., Any], *iterables: Iterable[Any]) -> list[Any]:
        """All results, in order."""
        return [function(*arguments) for arguments in zip(*iterables, strict=False)]

    def submit(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> _Done:
        """A finished future."""
        return _Done(function(*args, **kwargs))


class _Done:
    def __init__(self, value: Any) -> None:
        self._value = value

    def result(self, timeout: float | None = None) -> Any:
        return self._value


TIME = _Standin(real_time, time=_now_s, monotonic=_monotonic, sleep=_sleep)
RANDOM = _Standin(real_random, uniform=_uniform)
UUID = _Standin(real_uuid, uuid4=_uuid4)
OS = _Standin(real_os, urandom=_urandom)
DATETIME = _Standin(real_datetime, datetime=SimulatedDatetime)


def substitute(manifest: Iterable[Substitution]) -> None:
    """Set module attributes: (module, attribute, value), the attribute dotted for class members.

    Raises: `AttributeError` naming what the library does not have (its version is not the manifest's).
    """
    for module, attribute, value in manifest:
        owner: Any = import_module(module)
        *path, name = attribute.split(".")
        for part in path:
            owner = getattr(owner, part)
        if not hasattr(owner, name):
            raise AttributeError(f"{module}.{attribute}: expected an attribute to substitute, got none; other version?")
        setattr(owner, name, value)
