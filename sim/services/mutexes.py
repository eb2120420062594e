"""Exclusive locks without leases, and counters: the memory of one operating system process, or a service for all.

A caller that has to wait is not ready: its `try_lock` is on offer only while the lock is free, and is granted when it
is picked. So a schedule names the grants and nothing else, and no run is spent on polls that fail.

Source: hudi/2.5 (`InProcessLockProvider`: a static map from base path to a lock; ZooKeeper's mutex).

Choices: in adversarial mode a caller waits as long as it takes; a lock that nobody releases ends the run as stuck. In
timed mode it waits for the time that it gave, and locks are granted in the order of waiting; a caller whose process
stands still is granted a lock, or gives up, when it goes on. A process that dies gives back what it held, at once: its
memory is gone, and so is its session. With `session_ms` one that stands still for longer loses what it holds of the
service for all (scope ""), and goes on as if it had it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from greenlet import getcurrent

from model.ports import Refused
from sim.kernel.kernel import Kernel
from sim.kernel.task import CAS, WRITE, Call
from sim.services.base import Interner, Service

SESSION_EXPIRED = "mutexes: session expired with a lock"


class MutexTable(Service):
    """All mutexes and counters of a run, by scope and name; `BoundMutexes` are the ports."""

    def __init__(
        self, kernel: Kernel, interner: Interner | None = None, *, session_ms: int | None = None
    ) -> None:  # fmt: skip
        super().__init__(kernel, interner)
        self._session_ms = session_ms
        self._holders: dict[str, str] = {}
        self._waiting: list[Call] = []
        self._counters: dict[str, int] = {}

    def try_lock(self, key: str, resource: str, owner: str, wait_ms: int) -> bool:
        """Wait for a lock. `key` is unique to scope and name; `resource` is the name in traces."""
        kernel = self.kernel
        task = kernel.current
        if self._holders.get(key) == owner:
            raise Refused(f"lock {resource}: expected it free, {owner} holds it already")
        if task is None or getcurrent() is not task:
            return bool(kernel.call("try_lock", resource, CAS, self._grant, key, owner))
        deadline_ms = kernel.now + wait_ms
        while kernel.latency is None or kernel.now <= deadline_ms:
            if key not in self._holders:
                granted = kernel.call("try_lock", resource, CAS, self._grant, key, owner)
            else:
                call = Call(task, "try_lock", resource, CAS, self._grant, (key, owner))
                self._waiting.append(call)
                if kernel.latency is not None:
                    kernel.at(int(deadline_ms), lambda call=call: self._give_up(call), call.name)  # type: ignore[misc]
                granted = kernel.hub.switch()
            if granted is not False:
                return granted is True
        return False

    def unlock(self, key: str, resource: str, owner: str) -> None:
        """Release a lock, if `owner` has it."""
        self.kernel.call("unlock", resource, WRITE, self._release, key, owner)

    def advance(self, key: str, value: int) -> int:
        """Raise a counter; the new value becomes known to the calling task."""
        counter = self._counters[key] = max(value, self._counters.get(key, -1) + 1)
        self._wrote(key, counter)
        kernel = self.kernel
        if kernel.observe is not None and kernel.current is not None:
            kernel.observe(kernel.current, ("counter", key, counter))
        return counter

    def crashed(self, process: str) -> None:
        """Take back what a dead process held, and forget what it waited for."""
        self._waiting = [call for call in self._waiting if call.task.process != process]
        for key in [key for key, owner in self._holders.items() if owner == process]:
            self._release(key, process)

    def paused(self, process: str, duration_ms: int) -> None:
        """Take back what a process holds of the service for all, when it has stood still as long as its session lasts:
        it is not told."""
        if self._session_ms is not None and duration_ms > self._session_ms:
            due_ms = int(self.kernel.now) + self._session_ms
            self.kernel.at(due_ms, lambda: self._expire(process), f"{process} session")

    def _expire(self, process: str) -> None:
        for key in [key for key, owner in self._holders.items() if owner == process and key.startswith("/")]:
            self._release(key, process)
            self.kernel.hit(SESSION_EXPIRED)

    def _grant(self, key: str, owner: str) -> bool:
        if key in self._holders:
            return False
        self._holders[key] = owner
        self._wrote(key, owner)
        ready = self.kernel.ready
        others = [call for call in ready if call.operation == "try_lock" and call.args[0] == key and call.reply is None]
        if others:
            ready[:] = [call for call in ready if call not in others]
            self._waiting += others
        return True

    def _release(self, key: str, owner: str) -> None:
        if self._holders.get(key) != owner:
            return
        del self._holders[key]
        self._removed(key)
        offered = [call for call in self._waiting if call.args[0] == key]
        if offered:
            self._waiting = [call for call in self._waiting if call.args[0] != key]
            for call in offered:
                self._offer(call)

    def _offer(self, call: Call) -> None:
        if self._can_hear(call, self._offer):
            self.kernel.ready.append(call)

    def _give_up(self, call: Call) -> None:
        if call in self._waiting and self._can_hear(call, self._give_up):
            self._waiting.remove(call)
            self.kernel.switch(call.task, None)  # nothing was answered: the wait is over

    def _can_hear(self, call: Call, later: Callable[[Call], None]) -> bool:
        """Whether the caller can go on now; if its process stands still, `later` is called when it does not."""
        task = call.task
        return not (task.crashed or task.cancelled or self.kernel.held(task, lambda: later(call)))

    def _contents(self) -> dict[str, int]:
        return dict(self._counters)

    def _replace(self, contents: Any) -> None:
        self._holders, self._waiting, self._counters = {}, [], dict(contents)


class BoundMutexes:
    """Implements `model.ports.Statics` for one owner in one scope; steps are `try_lock` and `unlock`."""

    __slots__ = ("_owner", "_scope", "_table")

    def __init__(self, table: MutexTable, scope: str, owner: str) -> None:
        self._table = table
        self._scope = scope
        self._owner = owner

    def try_lock(self, name: str, wait_ms: int) -> bool:
        return self._table.try_lock(f"{self._scope}/{name}", name, self._owner, wait_ms)

    def unlock(self, name: str) -> None:
        self._table.unlock(f"{self._scope}/{name}", name, self._owner)

    def advance(self, name: str, value: int) -> int:
        return self._table.advance(f"{self._scope}#{name}", value)
