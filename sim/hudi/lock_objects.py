"""The object of a storage-based lock, which is written in time.

As for heartbeats (`files.py`): a scheduler that is free to keep a request waiting finds that a lock can always expire,
which says nothing of Hudi. Here a renewal comes when it is due; it is late, or fails, only by a fault of its own write
or of its process. Who asks for the lock waits as long as others have steps to make; but a request that is on its way
for more than `TIMEOUT_MS` has timed out, and is not applied.
"""

from __future__ import annotations

from typing import Any

from greenlet import getcurrent

from model.hudi.storage_lock import LockObject
from model.ports import Body, ConnectionLost
from sim.kernel.task import CAS
from sim.services.base import require_immutable
from sim.services.register import RegisterService

TIMEOUT_MS = 5_000


class LockObjects(RegisterService):
    """As its base, but for when writes are applied."""

    def commit(self, name: str, expected: int, value: Body, key: str | None = None) -> int:
        kernel = self.kernel
        task = kernel.current
        if task is None or getcurrent() is not task or not self._is_step():
            return super().commit(name, expected, value, key)
        require_immutable(name, value)
        if not task.daemon:
            asked: int = kernel.call("commit", name, CAS, self._in_time, int(kernel.now), name, expected, value)
            return asked
        version: int = kernel.call_on_time("commit", name, CAS, self._commit, name, expected, value, key)
        return version

    def _in_time(self, sent_ms: int, name: str, expected: int, value: Any) -> int:
        """Apply a request, unless it has timed out; a release does not."""
        releases = isinstance(value, LockObject) and value.expired
        if not releases and self.kernel.now - sent_ms > TIMEOUT_MS:
            raise ConnectionLost(f"register {name}: expected a request within {TIMEOUT_MS} ms, it was late")
        return self._commit(name, expected, value, None)

    def _is_step(self) -> bool:
        kernel = self.kernel
        return kernel.latency is None and (kernel.yield_points is None or "commit" in kernel.yield_points)
