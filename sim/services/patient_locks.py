"""Exclusive locks that are waited for without a step: the lock service where the polling for a lock is of no interest.

A request is granted in the order of requests, at the unlock before it. A client that asks is told when it has the lock,
so the loop of checks and sleeps around a wait is never entered, and no schedule is spent on it; so is who asks for the
state of a lock that he was not told of. Leases do not run out.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from model.ports import NotLocked
from sim.kernel.kernel import Kernel
from sim.kernel.task import CAS, READ, WRITE, Task
from sim.services.base import Interner, Service


class PatientLocks(Service):
    """Implements `model.ports.LockService`; steps are `lock`, `show_locks`, `check_lock`, `unlock`."""

    def __init__(self, kernel: Kernel, interner: Interner | None = None) -> None:
        super().__init__(kernel, interner)
        self._queue: list[tuple[int, str, str]] = []
        self._next_id = 1
        self._waiting: dict[int, Task] = {}

    def lock(self, name: str, owner: str) -> tuple[int, bool]:
        """Ask for the lock and wait until it is granted."""
        lock_id: int = self.kernel.call("lock", name, CAS, self._ask, name, owner)
        self._wait(lock_id)
        return lock_id, True

    def show_locks(self, name: str) -> tuple[tuple[int, str, bool], ...]:
        """Those of this name, in order."""
        shown: tuple[tuple[int, str, bool], ...] = self.kernel.call("show_locks", name, READ, self._show, name)
        return shown

    def check_lock(self, lock_id: int) -> bool:
        """Wait until it is granted. Raises: `NotLocked`."""
        self.kernel.call("check_lock", str(lock_id), READ, self._held, lock_id)
        self._wait(lock_id)
        return True

    def _wait(self, lock_id: int) -> None:
        task = self.kernel.current
        if not self._held(lock_id) and task is not None:
            self.kernel.hit("locks: waited")
            self._waiting[lock_id] = task
            self.kernel.hub.switch()

    def heartbeat(self, lock_id: int) -> None:
        """Nothing runs out."""

    def unlock(self, lock_id: int) -> None:
        """Let go; the next in line has the lock. Raises: `NotLocked`."""
        self.kernel.call("unlock", str(lock_id), WRITE, self._release, lock_id)

    def _ask(self, name: str, owner: str) -> int:
        lock_id, self._next_id = self._next_id, self._next_id + 1
        self._queue.append((lock_id, name, owner))
        return lock_id

    def _show(self, name: str) -> tuple[tuple[int, str, bool], ...]:
        return tuple([(lock_id, owner, self._held(lock_id)) for lock_id, of, owner in self._queue if of == name])

    def _name(self, lock_id: int) -> str:
        for other, name, _ in self._queue:
            if other == lock_id:
                return name
        raise NotLocked(f"lock {lock_id}: expected one that was asked for, got none")

    def _held(self, lock_id: int) -> bool:
        name = self._name(lock_id)
        return next(other for other, locked, _ in self._queue if locked == name) == lock_id

    def _release(self, lock_id: int) -> None:
        self._name(lock_id)
        self._queue = [one for one in self._queue if one[0] != lock_id]
        for waiting in [other for other, _, _ in self._queue if other in self._waiting and self._held(other)]:
            task = self._waiting.pop(waiting)
            self.kernel.at(self.kernel.now, lambda task=task: self.kernel.wake(task), task.name)  # type: ignore[misc]

    def state_key(self) -> Hashable:
        """Who is in line; who waits follows from what each process has observed."""
        return tuple(self._queue), self._next_id

    def _contents(self) -> Any:
        return None  # every run starts without locks

    def _replace(self, contents: Any) -> None:
        self._queue, self._next_id, self._waiting = [], 1, {}
