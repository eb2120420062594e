"""The simulated world as one process sees it: the ports of `model.ports.World`, bound to a process name and a clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from greenlet import getcurrent

from model.ports import Meaning, Notes, Promise, TaskHandle, World
from sim.kernel.kernel import Kernel
from sim.kernel.task import Task
from sim.kernel.trace import Note
from sim.services.locks import LockTable
from sim.services.metastore import MetastoreService
from sim.services.register import RegisterService
from sim.services.store import ObjectStore
from sim.world.checks import require_duration, require_task


@dataclass(slots=True)
class Services:
    """The simulated services of one run. All processes share them."""

    store: ObjectStore
    register: RegisterService
    metastore: MetastoreService
    locks: LockTable


class HostClock:
    """A process's clock: the kernel's time plus a fixed offset. Reading it is no step."""

    __slots__ = ("_kernel", "offset_ms")

    def __init__(self, kernel: Kernel, offset_ms: int = 0) -> None:
        self._kernel = kernel
        self.offset_ms = offset_ms

    def now_ms(self) -> int:
        return self._kernel.clock_ms() + self.offset_ms

    def sleep_ms(self, duration_ms: int) -> None:
        require_duration(duration_ms)
        self._kernel.sleep(duration_ms)


class ProcessChance:
    """Draws from the run's choices; identifiers that depend on the process and its own count, never on the schedule."""

    __slots__ = ("_kernel", "_next", "_number")

    def __init__(self, kernel: Kernel, number: int) -> None:
        self._kernel = kernel
        self._number = number
        self._next: dict[str, int] = {}

    def below(self, name: str, bound: int) -> int:
        return self._kernel.choices.choose(name, bound)

    def fresh(self, kind: str) -> int:
        count = self._next.get(kind, 0) + 1
        self._next[kind] = count
        if count < 100:
            return 100 * self._number + count  # short, for people: 201 is the first one of the second process
        return 1_000_000 * self._number + count


class ProcessTasks:
    """Helper tasks of a process: daemons named `<process>-<name>`."""

    __slots__ = ("_kernel", "_process")

    def __init__(self, kernel: Kernel, process: str) -> None:
        self._kernel = kernel
        self._process = process

    def spawn(self, name: str, body: Callable[[], None]) -> TaskHandle:
        if getcurrent() is self._kernel.hub:
            return _NoTask()  # set-up runs alone and at one instant: nothing to keep alive
        require_task(name, body)
        return self._kernel.start(f"{self._process}-{name}", body, process=self._process, daemon=True)

    def promise(self) -> Promise:
        return TaskPromise(self._kernel)


class TaskPromise:
    """Implements `model.ports.Promise`. Who waits is woken at the time at which the value is given."""

    __slots__ = ("_given", "_kernel", "_value", "_waiting")

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._given = False
        self._value: Any = None
        self._waiting: Task | None = None

    def give(self, value: Any) -> None:
        self._given, self._value = True, value
        waiting, kernel = self._waiting, self._kernel
        if waiting is not None:
            kernel.at(int(kernel.now), lambda: kernel.wake(waiting), waiting.name)

    def wait(self) -> Any:
        if not self._given:
            self._waiting = self._kernel.current
            self._kernel.hub.switch()
        return self._value


class RunNotes:
    """Annotations at the place in the run's trace where the current task stands; there are none outside tasks."""

    __slots__ = ("_kernel", "_notes", "_trace")

    def __init__(self, kernel: Kernel, notes: list[Note]) -> None:
        self._kernel = kernel
        self._trace = kernel.trace
        self._notes = notes

    def intend(self, meaning: Meaning) -> None:
        task = self._kernel.current
        if task is not None:
            self._notes.append((len(self._trace), task.name, False, meaning))

    def learn(self, meaning: Meaning) -> None:
        task = self._kernel.current
        if task is not None:
            self._notes.append((len(self._trace), task.name, True, meaning))


class NoNotes:
    """What a run that nobody explains keeps of its annotations."""

    __slots__ = ()

    def intend(self, meaning: Meaning) -> None:
        """Nobody listens."""

    def learn(self, meaning: Meaning) -> None:
        """Nobody listens."""


NO_NOTES = NoNotes()


def notes_of(kernel: Kernel) -> Notes:
    """Returns: where the tasks of a run leave their annotations, if it keeps them."""
    return NO_NOTES if kernel.notes is None else RunNotes(kernel, kernel.notes)


class _NoTask:
    def cancel(self) -> None:
        """Nothing runs."""


def make_world(
    kernel: Kernel, services: Services, process: str, number: int, offset_ms: int = 0, **ports: Any
) -> World:
    """The ports for one process; `number` makes its identifiers its own, `ports` are more of them by name."""
    common: dict[str, Any] = {
        "store": services.store, "register": services.register, "metastore": services.metastore,
        "locks": services.locks, "clock": HostClock(kernel, offset_ms), "chance": ProcessChance(kernel, number),
        "tasks": ProcessTasks(kernel, process), "coverage": kernel, "notes": notes_of(kernel),
    }  # fmt: skip
    return World(**(common | ports))
