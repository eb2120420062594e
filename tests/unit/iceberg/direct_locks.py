"""A metastore's locks, over plain Python objects: the port of `direct_world` for the Hive catalog."""

from typing import Any

from model.ports import NotLocked

Lease = tuple[int, str, int, str]


class Locks:
    """Implements `model.ports.LockService`. Args: `calls` makes a call of an actor; `shared` is what all share."""

    def __init__(self, calls: Any, shared: Any) -> None:
        self._calls, self.s = calls, shared

    def _live(self) -> list[Lease]:
        self.s.leases = [lease for lease in self.s.leases if lease[2] > self.s.now_ms]
        leases: list[Lease] = self.s.leases
        return leases

    def _extend(self, lock_id: int) -> str:
        for i, (number, name, _, owner) in enumerate(self._live()):
            if number == lock_id:
                self.s.leases[i] = (number, name, self.s.now_ms + self.s.lease_ms, owner)
                return name
        raise NotLocked(f"lock {lock_id}")

    def _first(self, name: str) -> int:
        return next(int(lease[0]) for lease in self.s.leases if lease[1] == name)

    def lock(self, name: str, owner: str) -> tuple[int, bool]:
        """Ask for it."""

        def apply() -> tuple[int, bool]:
            self._live()
            self.s.locks_made += 1
            self.s.leases.append((self.s.locks_made, name, self.s.now_ms + self.s.lease_ms, owner))
            return self.s.locks_made, self._first(name) == self.s.locks_made

        lock_id, granted = self._calls.call("lock", apply)
        return int(lock_id), bool(granted)

    def show_locks(self, name: str) -> tuple[tuple[int, str, bool], ...]:
        """Those of a table."""

        def apply() -> tuple[tuple[int, str, bool], ...]:
            found = [(number, owner) for number, of, _, owner in self._live() if of == name]
            return tuple([(number, owner, self._first(name) == number) for number, owner in found])

        shown: tuple[tuple[int, str, bool], ...] = self._calls.call("show_locks", apply)
        return shown

    def check_lock(self, lock_id: int) -> bool:
        """Whether it is granted."""
        return bool(self._calls.call("check_lock", lambda: self._first(self._extend(lock_id)) == lock_id))

    def heartbeat(self, lock_id: int) -> None:
        """Keep it."""
        self._calls.call("heartbeat", lambda: self._extend(lock_id))

    def unlock(self, lock_id: int) -> None:
        """Let go of it."""

        def apply() -> None:
            self._extend(lock_id)
            self.s.leases = [lease for lease in self.s.leases if lease[0] != lock_id]

        self._calls.call("unlock", apply)
