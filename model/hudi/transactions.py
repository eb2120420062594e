"""Lock manager and transaction manager: retries around a provider, and who owns the critical section.

The manager makes a provider for each acquisition and closes it after the release, so a file-system lock is deleted
twice. After an acquisition or a release that failed the provider stays, and closing the client closes it.

Source: hudi/2.4; `LockManager` (`unlock`, `closeQuietly`), `RetryHelper`, `TransactionManager.beginStateChange` and
`endStateChange`.

Choices: without a wait between attempts there is no sleep.
"""

from collections.abc import Callable
from contextlib import suppress

from model.hudi import coverage
from model.hudi.config import HudiConfig
from model.hudi.errors import LockFailed, StorageFailed
from model.hudi.locks import LockProvider, table_lock
from model.hudi.observer import HOLD, Observer
from model.hudi.rules import Rules
from model.ports import World


def do_nothing() -> None:
    """What becomes of who cannot be interrupted."""


class LockManager:
    """Takes and releases the table's lock for one client."""

    def __init__(
        self, world: World, config: HudiConfig, rules: Rules, observer: Observer, owner: str,
        interrupt: Callable[[], None] = do_nothing,
    ) -> None:  # fmt: skip
        self._world = world
        self._config = config
        self._rules = rules
        self._observer = observer
        self._owner = owner
        self._interrupt = interrupt
        self._provider: LockProvider | None = None
        self._hold: int | None = None

    def lock(self) -> None:
        """Take the lock. Raises: LockFailed after the configured number of retries."""
        if self._provider is None:
            self._provider = table_lock(self._world, self._config, self._rules, self._owner, self._interrupt)
        provider, mark = self._provider, self._world.coverage.hit
        for attempt in range(self._config.lock_retries + 1):
            if attempt and self._config.lock_retry_wait_ms:
                self._world.clock.sleep_ms(self._config.lock_retry_wait_ms)
            if provider.try_lock():
                mark(coverage.LOCK_TAKEN)
                self._hold = self._observer.began(HOLD, provider.name)
                return
            mark(coverage.LOCK_BUSY)
        mark(coverage.LOCK_RETRIES_EXHAUSTED)
        raise LockFailed(f"lock {provider.name}: expected it within {self._config.lock_retries} retries, it is held")

    def unlock(self) -> None:
        """Release the lock, and close its provider. Raises: StorageFailed if the release was not acknowledged."""
        if self._hold is not None:
            self._observer.ended(self._hold)
            self._hold = None
        if self._provider is not None:
            self._provider.unlock()
            self.close()

    def unlock_unheld(self) -> None:
        """Release the lock though this client never asked for it: a provider is made for that. Raises: as `unlock`."""
        if self._provider is None:
            self._provider = table_lock(self._world, self._config, self._rules, self._owner, self._interrupt)
        self.unlock()

    def close(self) -> None:
        """Close the provider of an acquisition, if there is one; what goes wrong is nobody's business any more."""
        if self._provider is not None:
            provider, self._provider = self._provider, None
            with suppress(StorageFailed):
                provider.close()


class TransactionManager:
    """One critical section at a time per client. `owner` and `last_completed` are those of the present one."""

    def __init__(self, locks: LockManager, needed: bool) -> None:
        self._locks = locks
        self._needed = needed
        self._inside = False
        self.owner: int | None = None
        self.last_completed: int | None = None

    def begin(self, owner: int | None = None, last_completed: int | None = None) -> None:
        """Enter. Raises: LockFailed if the lock cannot be had, or this client is inside already."""
        if not self._needed:
            return
        if self._inside:
            raise LockFailed(f"begin of {owner}: expected no transaction, {self.owner} is inside")
        self._locks.lock()
        self._inside, self.owner, self.last_completed = True, owner, last_completed

    def end(self, owner: int | None = None) -> None:
        """Leave, if `owner` is the one that entered or nobody is known to be inside; else nothing happens."""
        if not self._needed or not self._inside or (self.owner is not None and owner != self.owner):
            return
        self._inside, self.owner, self.last_completed = False, None, None
        self._locks.unlock()

    def end_unentered(self) -> None:
        """Leave without having entered: with nobody known to be inside, the lock is released, whoever has it.

        Source: `TransactionManager.endStateChange`, `reset` (1.2.0).
        """
        if self._needed and not self._inside:
            self._locks.unlock_unheld()

    def close(self) -> None:
        """What a client does in the end."""
        self._locks.close()
