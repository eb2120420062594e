"""The simulated lock service: exclusive locks in request order, each a lease that heartbeats extend.

A lock whose lease has run out is dropped at the next call that looks at it; its holder is not told. Source: Hive's
lock manager with `hive.txn.timeout` (the lock is acquired, waits, or is gone), whose table says of a lock that it waits
until somebody asks for it when it is the first.
"""

from __future__ import annotations

from collections.abc import Hashable

from model.ports import NotLocked
from sim.kernel.kernel import Kernel
from sim.kernel.task import CAS, READ, WRITE
from sim.services.base import Interner, Service

Lease = tuple[int, str, str, int, bool]
"""Number, name, owner, when it ends, and whether anybody was told that it is granted."""


class LockTable(Service):
    """Implements `model.ports.LockService`; steps are `lock`, `show_locks`, `check_lock`,
    `heartbeat`, `unlock`.

    Args: `lease_ms` is how long a lock lives without a heartbeat.
    """

    def __init__(self, kernel: Kernel, interner: Interner | None = None, *, lease_ms: int = 300_000) -> None:
        super().__init__(kernel, interner)
        self.lease_ms = lease_ms
        self._queue: list[Lease] = []
        self._next_id = 1
        self._none_expires_before = 0

    def lock(self, name: str, owner: str) -> tuple[int, bool]:
        reply: tuple[int, bool] = self.kernel.call("lock", name, CAS, self._lock, name, owner)
        return reply

    def show_locks(self, name: str) -> tuple[tuple[int, str, bool], ...]:
        shown: tuple[tuple[int, str, bool], ...] = self.kernel.call("show_locks", name, READ, self._show, name)
        return shown

    def check_lock(self, lock_id: int) -> bool:
        held: bool = self.kernel.call("check_lock", str(lock_id), WRITE, self._check, lock_id)
        return held

    def heartbeat(self, lock_id: int) -> None:
        self.kernel.call("heartbeat", str(lock_id), WRITE, self._heartbeat, lock_id)

    def unlock(self, lock_id: int) -> None:
        self.kernel.call("unlock", str(lock_id), WRITE, self._unlock, lock_id)

    def _expire(self) -> None:
        now = self.kernel.now
        if now < self._none_expires_before:
            return
        live = [lease for lease in self._queue if lease[3] > now]
        if len(live) < len(self._queue):
            self.kernel.hit("lease expired")
            self._queue = live
        self._none_expires_before = min([lease[3] for lease in live], default=0)

    def _lock(self, name: str, owner: str) -> tuple[int, bool]:
        self._expire()
        lock_id, self._next_id = self._next_id, self._next_id + 1
        held = all(lease[1] != name for lease in self._queue)
        self._queue.append((lock_id, name, owner, int(self.kernel.now) + self.lease_ms, held))  # the last one to expire
        return lock_id, held

    def _show(self, name: str) -> tuple[tuple[int, str, bool], ...]:
        self._expire()
        return tuple([(lock_id, owner, held) for lock_id, of, owner, _, held in self._queue if of == name])

    def _first(self, name: str) -> int:
        return next(lease[0] for lease in self._queue if lease[1] == name)

    def _find(self, lock_id: int) -> int:
        self._expire()
        for i, lease in enumerate(self._queue):
            if lease[0] == lock_id:
                return i
        raise NotLocked(f"lock {lock_id}: expected a live lease, got none (released, expired or never granted)")

    def _check(self, lock_id: int) -> bool:
        i = self._find(lock_id)
        held = self._first(self._queue[i][1]) == lock_id
        self._extend(i, held=held)
        return held

    def _heartbeat(self, lock_id: int) -> None:
        self._extend(self._find(lock_id))

    def _extend(self, i: int, *, held: bool = False) -> None:
        lock_id, name, owner, _, known = self._queue[i]
        self._queue[i] = (lock_id, name, owner, int(self.kernel.now) + self.lease_ms, known or held)

    def _unlock(self, lock_id: int) -> None:
        del self._queue[self._find(lock_id)]

    def state_key(self) -> Hashable:
        """Leases by what is left of them, so that equal situations at different times are one state."""
        now = int(self.kernel.now)
        return tuple((*lease[:3], max(0, lease[3] - now), lease[4]) for lease in self._queue), self._next_id

    def _contents(self) -> tuple[tuple[Lease, ...], int]:
        return tuple(self._queue), self._next_id

    def _replace(self, contents: tuple[tuple[Lease, ...], int]) -> None:
        self._queue, self._next_id = list(contents[0]), contents[1]
        self._none_expires_before = 0
