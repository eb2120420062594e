"""What runs: tasks in processes, which are started, woken, paused and crashed as a whole; and what they leave behind.

Choices: a task that starts another goes on; the new one begins when its maker next waits.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager
from typing import Any, Protocol

from greenlet import getcurrent

from sim.kernel.task import Call, Task
from sim.kernel.timers import Timers
from sim.kernel.trace import Note, Row

SLOWEST = -90
"""By how many percent a clock can be slow at most."""


class Versioned(Protocol):
    """A service that can show an older state."""

    def reads(self) -> tuple[Callable[..., Any], ...]: ...
    def stale(self, operation: str, name: str, /) -> Any: ...


class Tearable(Protocol):
    """A service whose files can be torn: `tears` are what applies the writes of one."""

    def tears(self) -> tuple[Callable[..., Any], ...]: ...


class Log(Protocol):
    """A log that processes follow: events can be deleted before a reader has seen them, and ids be drawn wrongly."""

    def lose_next(self, reader: str) -> None: ...
    def unlocked(self, unseen: int) -> AbstractContextManager[None]: ...


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
        self.tearable: list[Tearable] = []
        self.log: Log | None = None
        self.on_crash: Callable[[str], None] | None = None
        self.on_pause: Callable[[str, int], None] | None = None
        self.observe: Callable[[Task, Hashable], None] | None = None
        self._named: dict[str, int] = {}
        self._paused_until: dict[str, int] = {}
        self._cut_off: dict[str, tuple[int, frozenset[str]]] = {}
        self._clock_steps: dict[str, int] = {}
        self._drifts: dict[str, tuple[int, int]] = {}

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
        if self.on_pause is not None:
            self.on_pause(process, duration_ms)

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

    def let_drift(self, process: str, percent: int) -> None:
        """Make the clock of a process go faster (slower: below 0) by so much more from now on, for good."""
        since_ms, before = self._drifts.get(process, (self._now, 0))
        self.set_clock(process, (self._now - since_ms) * before // 100)
        self._drifts[process] = self._now, max(SLOWEST, before + percent)

    def ahead_ms(self, process: str) -> int:
        """How far a process's clock is ahead of the time (behind: below 0)."""
        since_ms, percent = self._drifts.get(process, (0, 0))
        return self._clock_steps.get(process, 0) + (self._now - since_ms) * percent // 100

    def lasting_ms(self, process: str, duration_ms: int) -> int:
        """How long it takes until a process's clock has gone on by so much."""
        _, percent = self._drifts.get(process, (0, 0))
        return -(-duration_ms * 100 // (100 + percent))

    def drifts(self) -> tuple[tuple[str, int, int], ...]:
        """Which clocks drift, by how many percent, and how far they are ahead, in hundredths of milliseconds."""
        if not self._drifts:
            return ()
        return tuple(sorted([
            (name, percent, 100 * self._clock_steps.get(name, 0) + (self._now - since_ms) * percent)
            for name, (since_ms, percent) in self._drifts.items()
        ]))  # fmt: skip

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
        self.current = self.on_crash = self.on_pause = self.observe = self.log = None
        tasks = self.tasks[:]
        for left in (self.tasks, self.ready, self._queue, self.versioned, self.tearable):
            left.clear()
        for task in tasks:
            if task:
                with contextlib.suppress(Exception):  # nobody is left to hear of what a clean-up meets
                    task.throw()
