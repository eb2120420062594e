"""One simulated thread: a greenlet that belongs to a process, and the port call at which it is suspended.

A process is what crashes, restarts and pauses as a whole. A crashed task is never resumed: its `finally` blocks do not
run while the simulation lives, as they would not on a machine that lost power.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from greenlet import greenlet

READ, WRITE, CAS = "read", "write", "cas"


class Call:
    """A port call: its footprint (operation, resource, mode), what applies it, and the task that waits for it."""

    __slots__ = ("apply", "args", "mode", "operation", "reply_ms", "resource", "task")
    reply: tuple[Any, BaseException | None] | None = None
    due_ms: int | None = None
    timely = False

    def __init__(
        self, task: Task, operation: str, resource: str, mode: str, apply: Callable[..., Any], args: tuple[Any, ...]
    ) -> None:
        self.task = task
        self.operation = operation
        self.resource = resource
        self.mode = mode
        self.apply = apply
        self.args = args
        self.reply_ms = 0  # timed mode: how long the reply takes

    @property
    def name(self) -> str:
        """The step's name in the schedule language, without its resource: `w1.commit` or `w1.commit/reply`."""
        return f"{self.task.name}.{self.operation}{'/reply' if self.reply is not None else ''}"

    def __repr__(self) -> str:
        return f"{self.task.name}.{self.operation}({self.resource})"


class Sleep(Call):
    """A call that moves the clock: due at `due_ms`."""

    __slots__ = ("due_ms",)

    def __init__(self, task: Task, due_ms: int) -> None:
        super().__init__(task, "sleep", "clock", WRITE, nothing, ())
        self.due_ms = due_ms


class Timely(Call):
    """A call of a helper that is on time: no time passes over it."""

    __slots__ = ()
    timely = True


class Reply(Call):
    """The second point of an applied call, when it is a step of its own: `reply` is (value, error)."""

    __slots__ = ("reply",)

    def __init__(self, call: Call, value: Any, error: BaseException | None) -> None:
        super().__init__(call.task, call.operation, call.resource, call.mode, nothing, call.args)
        self.reply = (value, error)


def nothing() -> None:
    """What a call applies that asks no service: a sleep, a reply."""


class Task(greenlet):
    """A simulated thread. `daemon` tasks (heartbeats, pollers) do not keep a run alive."""

    __slots__ = ("_on_cancel", "cancelled", "crashed", "daemon", "finished", "name", "process")

    def __init__(
        self,
        hub: greenlet,
        name: str,
        process: str,
        body: Callable[[], None],
        daemon: bool,
        on_cancel: Callable[[Task], None],
    ) -> None:
        super().__init__(body, hub)
        self._on_cancel = on_cancel
        self.name = name
        self.process = process
        self.daemon = daemon
        self.crashed = False
        self.cancelled = False
        self.finished = False

    def cancel(self) -> None:
        """Make the port call that the task waits in (or its next one) not happen; a sleeping task never wakes."""
        self._on_cancel(self)
