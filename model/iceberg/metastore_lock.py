"""The metastore lock around a commit: request, poll until granted, keep alive by heartbeats, let go.

| what is asked | what no answer to it means |
| --- | --- |
| `lock` | look for a lock of its agent; without one, or an answer, wait and ask again, for 3 minutes |
| `check_lock` | let go of it: there is no lock |
| `unlock` | nothing: it is there until its lease ends |

Who has got no lock, or was not told so, looks for one of his own to let go of. An agent is one lock's: that of one
attempt of a commit. `lock` is the one call that the metastore's client never sends again by itself.

Source: iceberg/3.1; `hive-metastore/.../hive/MetastoreLock.java` (`createLock`, `findLock`, `acquireLock`, `unlock`) of
1.11.0, `HiveLock.java`, `NoLock.java`; #6451. `IMetaStoreClient.lock` of Hive 2.3.9 is `RetrySemantics.CannotRetry`.

Choices: the lock within one JVM is left out: every actor is a process; so are Hive 1, of which no lock is looked for,
threads that are interrupted, and states other than acquired and waiting, which no lock without a transaction has. The
heartbeat task is a helper of the committing process; like a scheduled executor's, it ends at its first failure.
"""

from model.iceberg import coverage
from model.iceberg.backoff import Backoff
from model.iceberg.errors import LockFailed
from model.iceberg.rules import Rules
from model.ports import PortError, TaskHandle, World

LOCK_TIMEOUT_MS = 180_000  # iceberg.hive.lock-timeout-ms
CREATION_TIMEOUT_MS = 180_000  # iceberg.hive.lock-creation-timeout-ms
CREATION_MIN_WAIT_MS = 50
CREATION_MAX_WAIT_MS = 5_000
UNLIMITED = 1 << 30
"""As upstream: time, not a count, ends what is tried again."""
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
        self._agent = f"iceberg-{world.chance.fresh('agent')}"
        self._lock_id: int | None = None
        self._heartbeat: TaskHandle | None = None
        self._heartbeat_error: PortError | None = None

    def lock(self) -> None:
        """Acquire. Raises: `LockFailed` if there is no lock, or none was granted in time."""
        lock_id, granted = self._create()
        if not granted:
            self._wait_until_granted(lock_id)
        self._lock_id = lock_id
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
        lock_id = self._lock_id if self._lock_id is not None else self._left()
        if lock_id is not None:
            self._release(lock_id)

    def _create(self) -> tuple[int, bool]:
        """A lock, and whether it is granted. Raises: `LockFailed`. Source: `createLock`."""
        backoff = Backoff(self._world, UNLIMITED, CREATION_MIN_WAIT_MS, CREATION_MAX_WAIT_MS, CREATION_TIMEOUT_MS)
        while True:
            try:
                return self._asked_for()
            except LockFailed:
                if not self._may_ask_again(backoff):
                    raise
                backoff.wait()

    def _may_ask_again(self, backoff: Backoff) -> bool:
        may = backoff.may_retry()
        self._world.coverage.hit(coverage.LOCK_ASKED_AGAIN if may else coverage.LOCK_TIMEOUT)
        return may

    def _asked_for(self) -> tuple[int, bool]:
        """One request; what was not answered is looked for."""
        try:
            return self._world.locks.lock(self._name, self._agent)
        except PortError as error:
            self._world.coverage.hit(coverage.LOCK_REPLY_LOST)
            found = self._find()
            if found is None:
                raise LockFailed(f"lock {self._name}: expected a lock, got {error}, and none of its own") from error
            self._world.coverage.hit(coverage.LOCK_FOUND)
            return found

    def _find(self) -> tuple[int, bool] | None:
        """The first lock of this agent, and whether it is granted. Raises: `LockFailed`. Source: `findLock`."""
        try:
            shown = self._world.locks.show_locks(self._name)
        except PortError as error:
            raise LockFailed(f"locks of {self._name}: expected to be told of them, got {error}") from error
        return next(((lock_id, granted) for lock_id, agent, granted in shown if agent == self._agent), None)

    def _left(self) -> int | None:
        """A lock that is there though nobody has been told so."""
        try:
            found = self._find()
        except LockFailed:
            self._world.coverage.hit(coverage.UNLOCK_FAILED)
            return None
        if found is None:
            return None
        self._world.coverage.hit(coverage.LOCK_LEFT_FOUND)
        return found[0]

    def _keep_alive(self) -> None:
        """Source: J06: renew the lease for as long as the commit lasts."""
        self._heartbeat = self._world.tasks.spawn("heartbeat", self._beat)

    def _wait_until_granted(self, lock_id: int) -> None:
        self._world.coverage.hit(coverage.LOCK_WAITED)
        backoff = Backoff(
            self._world, UNLIMITED, CHECK_MIN_WAIT_MS, CHECK_MAX_WAIT_MS, self._timeout_ms, scale=CHECK_SCALE
        )
        try:
            while not self._world.locks.check_lock(lock_id):
                if not backoff.may_retry():
                    self._world.coverage.hit(coverage.LOCK_TIMEOUT)
                    self._release(lock_id)
                    raise LockFailed(
                        f"lock {self._name}: expected to get it within {self._timeout_ms} ms,"
                        f" timed out after {backoff.elapsed_ms} ms"
                    )
                backoff.wait()
        except PortError as error:
            self._release(lock_id)
            raise LockFailed(f"check lock {lock_id} on {self._name}: expected an answer, got {error}") from error

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
