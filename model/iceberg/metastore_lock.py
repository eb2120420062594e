"""The metastore lock around a commit: request, poll until granted, keep alive by heartbeats, let go.

Source: iceberg/3.1; `hive-metastore/.../hive/MetastoreLock.java`, `HiveLock.java`, `NoLock.java`.

Choices: the lock within one JVM is left out: every actor is a process. A lost reply to `lock` leaves a lock that only
its lease ends, because the port cannot look locks up by agent (`findLock`). The heartbeat task is a helper of the
committing process; like a scheduled executor's, it ends at its first failure.
"""

from model.iceberg import coverage
from model.iceberg.backoff import Backoff
from model.iceberg.errors import LockFailed
from model.iceberg.rules import Rules
from model.ports import PortError, TaskHandle, World

LOCK_TIMEOUT_MS = 180_000  # iceberg.hive.lock-timeout-ms
CHECK_MIN_WAIT_MS = 50
CHECK_MAX_WAIT_MS = 5_000
CHECK_SCALE = 1.5
HEARTBEAT_INTERVAL_MS = 240_000  # iceberg.hive.lock-heartbeat-interval-ms


class MetastoreLock:
    """An exclusive lock on one table, for one commit."""

    def __init__(
        self,
        world: World,
        name: str,
        rules: Rules,
        *,
        heartbeat_interval_ms: int = HEARTBEAT_INTERVAL_MS,
        timeout_ms: int = LOCK_TIMEOUT_MS,
    ) -> None:
        self._world = world
        self._name = name
        self._rules = rules
        self._interval_ms = heartbeat_interval_ms
        self._timeout_ms = timeout_ms
        self._lock_id: int | None = None
        self._heartbeat: TaskHandle | None = None
        self._heartbeat_error: PortError | None = None

    def lock(self) -> None:
        """Acquire. Raises `LockFailed` if the lock was not granted in time, or the service did not answer."""
        owner = f"iceberg-{self._world.chance.fresh('agent')}"
        try:
            self._lock_id, granted = self._world.locks.lock(self._name, owner)
        except PortError as error:
            self._world.coverage.hit(coverage.LOCK_REPLY_LOST)
            raise LockFailed(f"lock {self._name}: expected a lock, got {error}") from error
        if not granted:
            self._wait_until_granted(self._lock_id)
        if self._rules.hive_heartbeat:
            self._keep_alive()

    def ensure_active(self) -> None:
        """Raise `LockFailed` if a heartbeat has failed. It asks nobody: a lease may have run out unnoticed."""
        if self._heartbeat_error is not None:
            raise LockFailed(
                f"lock {self._lock_id} on {self._name}: expected live heartbeats, got {self._heartbeat_error}"
            )

    def unlock(self) -> None:
        """Let go, if there is anything to let go of; errors are only logged upstream, and marked here."""
        if self._heartbeat is not None:
            self._heartbeat.cancel()
        if self._lock_id is not None:
            self._release(self._lock_id)

    def _keep_alive(self) -> None:
        """Source: J06: renew the lease for as long as the commit lasts."""
        self._heartbeat = self._world.tasks.spawn("heartbeat", self._beat)

    def _wait_until_granted(self, lock_id: int) -> None:
        self._world.coverage.hit(coverage.LOCK_WAITED)
        unlimited = 1 << 30  # as upstream: time, not a count, ends the polling
        backoff = Backoff(
            self._world, unlimited, CHECK_MIN_WAIT_MS, CHECK_MAX_WAIT_MS, self._timeout_ms, scale=CHECK_SCALE
        )
        try:
            while not self._world.locks.check_lock(lock_id):
                if not backoff.may_retry():
                    self._world.coverage.hit(coverage.LOCK_TIMEOUT)
                    self._give_up(lock_id)
                    raise LockFailed(
                        f"lock {self._name}: expected to get it within {self._timeout_ms} ms,"
                        f" timed out after {backoff.elapsed_ms} ms"
                    )
                backoff.wait()
        except PortError as error:
            self._give_up(lock_id)
            raise LockFailed(f"check lock {lock_id} on {self._name}: expected an answer, got {error}") from error

    def _give_up(self, lock_id: int) -> None:
        self._lock_id = None
        self._release(lock_id)

    def _release(self, lock_id: int) -> None:
        try:
            self._world.locks.unlock(lock_id)
        except PortError:
            self._world.coverage.hit(coverage.UNLOCK_FAILED)

    def _beat(self) -> None:
        """First after half an interval, then every interval."""
        assert self._lock_id is not None
        wait_ms = self._interval_ms // 2
        while True:
            self._world.clock.sleep_ms(wait_ms)
            wait_ms = self._interval_ms
            try:
                self._world.locks.heartbeat(self._lock_id)
            except PortError as error:
                self._world.coverage.hit(coverage.HEARTBEAT_FAILED)
                self._heartbeat_error = error
                return
            self._world.coverage.hit(coverage.HEARTBEAT_SENT)


class NoLock:
    """What stands for the lock when the metastore compares the location itself."""

    def lock(self) -> None:
        """Nothing to acquire."""

    def ensure_active(self) -> None:
        """Nothing can be lost."""

    def unlock(self) -> None:
        """Nothing to let go of."""
