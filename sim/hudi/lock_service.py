"""The lock service of a Hive Metastore, on which a timer is on time.

As for heartbeats (`files.py`): a scheduler that is free to keep a beat waiting finds that a lock can always time out,
which says nothing of Hudi. Here a beat comes when it is due; it is late, or fails, only by a fault: of its own call, or
of its process.

Source: `sim.services.locks`; the lock manager of `model.hive.locks` grants one exclusive lock of one table in the same
order, and a test compares the two.

Choices: a lock whose time is over is taken at the next call that looks, where the metastore does it every minute.
"""

from __future__ import annotations

from greenlet import getcurrent

from model.hudi.locks import TABLE
from sim.kernel.task import WRITE
from sim.services.locks import LockTable


class MetastoreLocks(LockTable):
    """As its base, but for when beats are applied; the one lock is the table's, and each step is on it."""

    def unlock(self, lock_id: int) -> None:
        self.kernel.call("unlock", TABLE, WRITE, self._unlock, lock_id)

    def heartbeat(self, lock_id: int) -> None:
        kernel = self.kernel
        task = kernel.current
        if task is None or not task.daemon or getcurrent() is not task or not self._is_step():
            kernel.call("heartbeat", TABLE, WRITE, self._heartbeat, lock_id)
        else:
            kernel.call_on_time("heartbeat", TABLE, WRITE, self._heartbeat, lock_id)

    def _is_step(self) -> bool:
        kernel = self.kernel
        return kernel.latency is None and (kernel.yield_points is None or "heartbeat" in kernel.yield_points)
