"""The lock of a Hive Metastore: an exclusive one of the table, asked for once, kept by heartbeats, and timed out.

A request is granted or waits in line; who has to wait withdraws it, and asks again when its lock manager tries again. A
helper says every `hoodie.write.lock.heartbeat_interval_ms` that the holder is alive, first after half of it. The
metastore takes the lock of who was silent for `hive.txn.timeout`, and nobody is told: nothing in what a holder writes
says under which lock it did.

As shipped (1.2.0) a beat that fails for any reason is the last one (`failed_lock_beat_is_last`; #19334). A holder that
has lost its lock learns it at the release, which fails then, as does one that was not answered.

A request that was granted and not answered stays in line until the metastore takes it: who made it does not know its
number (the provider asks for lock 0 there, and is refused; #19370), and nobody beats for it. With the settings by
default that is 300 s, and who wants the lock gives up after 50 tries, 5 s apart.

Source: `HiveMetastoreBasedLockProvider` (`tryLock`, `acquireLockInternal`, `unlock`, `close`) and `Heartbeat`, from the
classes of 1.2.0; hudi/2.5, hudi/6 (18, 19).

Choices: the helper beats until the release was answered, where Hudi ends it first: a release takes no time to speak of,
and here somebody else may have steps to make meanwhile. The wait for an answer has no end of its own (Hudi:
`hoodie.write.lock.wait_time_ms`): an answer that does not come is a fault. Which table it is a lock of is not asked.
"""

from contextlib import suppress

from model.hudi import coverage
from model.hudi.config import HudiConfig
from model.hudi.errors import LockFailed, StorageFailed
from model.hudi.rules import Rules
from model.ports import NotLocked, PortError, TaskHandle, World

BEATER = "lock-heartbeat"


class MetastoreLockProvider:
    """One provider of one client."""

    def __init__(self, world: World, config: HudiConfig, rules: Rules, owner: str, name: str) -> None:
        self.name = name
        self._world = world
        self._rules = rules
        self._owner = owner
        self._interval_ms = config.lock_heartbeat_ms
        self._number: int | None = None
        self._beats: TaskHandle | None = None

    def try_lock(self) -> bool:
        """Ask once. Raises: LockFailed if an earlier request could not be withdrawn."""
        if self._number is not None:
            raise LockFailed(f"lock {self.name}: expected none of its own, got request {self._number}")
        try:
            number, held = self._world.locks.lock(self.name, self._owner)
        except PortError:
            return False
        self._number = number
        self._beats = self._world.tasks.spawn(BEATER, lambda: self._beat(number))
        if not held:
            with suppress(PortError):
                self._world.locks.unlock(number)
                self._forget()
        return held

    def _beat(self, number: int) -> None:
        """Say at a fixed rate that the holder is alive, until that fails."""
        clock = self._world.clock
        due_ms = clock.now_ms() + self._interval_ms // 2
        while True:
            clock.sleep_ms(max(0, due_ms - clock.now_ms()))
            due_ms += self._interval_ms
            if not self._beat_once(number):
                self._world.coverage.hit(coverage.LOCK_BEATS_ENDED)
                return

    def _beat_once(self, number: int) -> bool:
        """Whether to go on beating: from #19334 on, unless the lock is gone."""
        try:
            self._world.locks.heartbeat(number)
        except PortError as error:
            return not (self._rules.failed_lock_beat_is_last or isinstance(error, NotLocked))
        self._world.coverage.hit(coverage.LOCK_RENEWED)
        return True

    def unlock(self) -> None:
        """Give the lock back. Raises: StorageFailed if that is not clear, or if it was taken away."""
        if self._number is None:
            return
        number = self._number
        try:
            self._world.locks.unlock(number)
        except PortError as error:
            if isinstance(error, NotLocked):
                self._world.coverage.hit(coverage.LOCK_LOST)
            raise StorageFailed(f"unlock {self.name}: expected an acknowledgement, got {error}") from error
        finally:
            self._forget()

    def close(self) -> None:
        """As `unlock`; what goes wrong is only logged."""
        with suppress(StorageFailed):
            self.unlock()

    def _forget(self) -> None:
        self._number = None
        if self._beats is not None:
            self._beats.cancel()
            self._beats = None
