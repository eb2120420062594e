"""One simulated thread: a greenlet that belongs to a process, and the port call at which it is suspended.

A process is what crashes, restarts and pauses as a whole. A crashed task is never resumed: its `finally` blocks do not
run while the simulation lives, as they would not on a machine that lost power.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from greenlet import greenlet

if TYPE_CHECKING:
    from sim.kernel import Kernel

READ, WRITE, CAS = "read", "write", "cas"


class Call:
    """A port call: its footprint (operation, resource, mode), what applies it, and the task that waits for it.

    `reply` is None while the call waits to be applied; afterwards, if replies are steps of their own, it holds
    (value, error) until the reply is picked. `due_ms` is set for sleeps.
    """

    __slots__ = ("apply", "args", "due_ms", "mode", "operation", "reply", "resource", "task")

    def __init__(
        self, task: Task, operation: str, resource: str, mode: str, apply: Callable[..., Any], args: tuple[Any, ...]
    ) -> None:
        self.task = task
        self.operation = operation
        self.resource = resource
        self.mode = mode
        self.apply = apply
        self.args = args
        self.reply: tuple[Any, BaseException | None] | None = None
        self.due_ms: int | None = None

    @property
    def name(self) -> str:
        """The step's name in the schedule language, without its resource: `w1.commit` or `w1.commit/reply`."""
        return f"{self.task.name}.{self.operation}{'/reply' if self.reply is not None else ''}"

    def __repr__(self) -> str:
        return f"{self.task.name}.{self.operation}({self.resource})"


class Task(greenlet):
    """A simulated thread. `daemon` tasks (heartbeats, pollers) do not keep a run alive."""

    def __init__(self, kernel: Kernel, name: str, process: str, body: Callable[[], None], daemon: bool) -> None:
        super().__init__(body, kernel.hub)
        self.kernel = kernel
        self.name = name
        self.process = process
        self.daemon = daemon
        self.crashed = False
        self.cancelled = False
        self.finished = False

    def cancel(self) -> None:
        """Make the task's next port call not happen; a sleeping task never wakes."""
        self.cancelled = True
