"""What runs: tasks in processes, which are started, woken, paused and crashed as a whole; and what they leave behind.

Choices: a task that starts another goes on; the new one begins when its maker next waits.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Hashable
from typing import Any, Protocol

from greenlet import getcurrent

from sim.kernel.task import Call, Task
from sim.kernel.timers import Timers
from sim.kernel.trace import Note, Row


class Versioned(Protocol):
    """A service that can show an older state."""

    def reads(self) -> tuple[Callable[..., Any], ...]: ...
    def stale(self, operation: str, name: str, /) -> Any: ...


class Processes(Timers):
    """Tasks by process. `current` is the task that runs, `ready` what the others wait for."""

    def __init__(self, max_steps: int) -> None:
        super().__init__(max_steps)
        self.hub = getcurrent()
        self.ready: list[Call] = []
        self.tasks: list[Task] = []
        self.current: Task | None = None
        self.waiting_main = 0
        self.closed = False
        self.trace: list[Row] = []
        self.coverage: dict[str, int] = {}
        self.notes: list[Note] | None = None
        self.versioned: list[Versioned] = []
        self.on_crash: Callable[[str], None] | None = None
        self.observe: Callable[[Task, Hashable], None] | None = None
        self._named: dict[str, int] = {}
        self._paused_until: dict[str, int] = {}
        self._cut_off: dict[str, tuple[int, frozenset[str]]] = {}
        self._clock_steps: dict[str, int] = {}

    def start(self, name: str, body: Callable[[], None], *, process: str | None = None, daemon: bool = False) -> Task:
        """Create a task and run it to its first port call. Daemons do not keep the run alive.

        A second task of one name is called `name-2`: steps and states are told apart by these names.
        """
        count = self._named[name] = self._named.get(name, 0) + 1
        unique = name if count == 1 else f"{name}-{count}"
        task = Task(self.hub, unique, process or name, body, daemon, self.cancel)
        self.tasks.append(task)
        if not daemon:
            self.waiting_main += 1
        if getcurrent() is self.hub:
            self.switch(task)
        else:
            self.at(self._now, lambda: self.wake(task), task.name)
        return task

    def switch(self, task: Task, value: Any = None, error: BaseException | None = None) -> None:
        """Let a task go on with a reply until it waits again or ends."""
        previous, self.current = self.current, task
        if not task:  # not started yet: the first switch carries no reply
            task.switch()
        elif error is None:
            task.switch(value)
        else:
            task.throw(error)
        self.current = previous
        if not task and not task.finished:
            self.ended(task)

    def ended(self, task: Task) -> None:
        """Note that a task will never run again."""
        task.finished = True
        if not task.daemon:
            self.waiting_main -= 1

    def wake(self, task: Task) -> None:
        """Go on after a sleep (or begin); a process that stands still does so afterwards."""
        if task.crashed or task.cancelled or self.held(task, lambda: self.wake(task)):
            return
        if self.observe is not None:
            self.observe(task, "wake")
        self.switch(task)

    def held(self, task: Task, action: Callable[[], None]) -> bool:
        """Whether the task's process stands still; `action` is then put off until it does not."""
        until_ms = self._paused_until.get(task.process, 0)
        if until_ms > self._now:
            self.at(until_ms, action, task.name)
            return True
        return False

    def hit(self, name: str) -> None:
        """Count that a path ran."""
        if self.closed and getcurrent() is not self.hub:
            return  # a `finally` of a task that the run left behind
        self.coverage[name] = self.coverage.get(name, 0) + 1

    def pause(self, process: str, duration_ms: int) -> None:
        """Make a whole process stand still: none of its tasks runs until `duration_ms` have passed."""
        until_ms = self._paused_until[process] = self._now + duration_ms
        waiting = [call for call in self.ready if call.task.process == process]
        self.ready[:] = [call for call in self.ready if call.task.process != process]
        self.at(until_ms, lambda: self.ready.extend(c for c in waiting if not c.task.crashed), f"{process} paused")

    def cut_off(self, process: str, duration_ms: int, operations: frozenset[str]) -> None:
        """Keep a process from the services of some operations until `duration_ms` have passed; it goes on running."""
        self._cut_off[process] = self._now + duration_ms, operations

    def is_cut_off(self, call: Call) -> bool:
        """Whether the call's process cannot reach its service now."""
        until_ms, operations = self._cut_off.get(call.task.process, (0, frozenset()))
        return until_ms > self._now and call.operation in operations

    def partitions(self) -> tuple[tuple[str, int], ...]:
        """Which processes are cut off now, and until when."""
        return tuple(sorted([(name, until) for name, (until, _) in self._cut_off.items() if until > self._now]))

    def set_clock(self, process: str, step_ms: int) -> None:
        """Make the clock of a process jump, for good: it is its host's, and outlives it."""
        self._clock_steps[process] = self._clock_steps.get(process, 0) + step_ms

    def cancel(self, task: Task) -> None:
        """Let a task go no further than where it waits."""
        task.cancelled = True
        if not task.finished and task is not self.current:
            self.ended(task)
            self.ready[:] = [call for call in self.ready if call.task is not task]

    def crash(self, process: str) -> None:
        """Kill every task of a process where it stands; nothing of theirs runs again."""
        for task in self.tasks:
            if task.process == process and not task.finished:
                task.crashed = True
                self.ended(task)
        self.ready[:] = [call for call in self.ready if not call.task.crashed]
        self._paused_until.pop(process, None)
        self._cut_off.pop(process, None)
        if self.on_crash is not None:
            self.on_crash(process)

    def close(self) -> None:
        """End the world: what is left of its tasks is unwound without effect, and nothing refers to them any more."""
        self.closed = True
        self.current = self.on_crash = self.observe = None
        tasks = self.tasks[:]
        for left in (self.tasks, self.ready, self._queue, self.versioned):
            left.clear()
        for task in tasks:
            if task:
                with contextlib.suppress(Exception):  # nobody is left to hear of what a clean-up meets
                    task.throw()
