"""The storage-based lock: one object, changed by conditional writes, valid until a time that its holder puts off.

    {expired, validUntil, owner}, at .hoodie/.locks/table_lock.json

Who finds no object, an expired one, or one whose time has passed by more than half a second of its own clock, writes
its own in its place, on the condition that nobody has written meanwhile. A helper of the holder's renews it at a fixed
rate. A release writes that it has expired. There is no fencing: who stood still past the time is not stopped by the
lock.

What a holder that has lost its lock learns: the next renewal is refused, and ends the helper; from 1.2.0 on
(`lost_lock_interrupts_holder`) the helper then interrupts the holder's thread; a release that is refused fails, from
1.2.0 on (`release_tells_takeover`). A renewal that got no answer may have been applied: then the holder does not know
the object's version any more, and its own renewal makes the next one fail.

Source: RFC-91; `StorageBasedLockProvider` (`tryLock`, `renewLock`, `unlock`, `tryExpireCurrentLock`),
`LockProviderHeartbeatManager`, `StorageBasedLockConfig` (1.2.0; #17870, #17871 and #18439 are in it).

Choices: a provider that waits looks again every second; here it looks at the beginning of its time and in the last
second. Who is interrupted fails at its next call of the storage, where Java's thread fails at the next call that can be
interrupted. The helper goes on until the release has been written, where Hudi ends it first: a release takes no time to
speak of, and here somebody else may have steps to make meanwhile. Who took the lock, and was not answered, has not got
it, as there: it waits for its own object to expire. Left out: the audit, a file that says when locks were taken and
released and that nobody reads back; the shutdown hook; a helper that cannot be started.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from model.hudi import coverage
from model.hudi.config import HudiConfig
from model.hudi.errors import LockFailed, StorageFailed
from model.hudi.meanings import ExpiresLockObject, LooksAtLockObject, RenewsLockObject, TakesLockObject
from model.hudi.names import LOCK_OBJECT
from model.hudi.rules import Rules
from model.ports import (
    CasLost,
    FileSystem,
    NotFound,
    PortError,
    Refused,
    Status,
    TaskHandle,
    Unanswered,
    Versioned,
    World,
)

DRIFT_MS = 500
LOOK_EVERY_MS = 1_000
TOO_MANY = 429
THROTTLED_WAITS_MS = (1_000, 2_000, 4_000)


class LockObject(NamedTuple):
    """What the object says. `owner` is one provider of one client."""

    expired: bool
    valid_until_ms: int
    owner: str


class Interruptible:
    """A client's files, until its thread is interrupted: then its next call fails, and those after it do not."""

    def __init__(self, files: FileSystem) -> None:
        self._files = files
        self._interrupted = False

    def interrupt(self) -> None:
        """Let the next call fail."""
        self._interrupted = True

    def __getattr__(self, name: str) -> Any:
        if self._interrupted:
            self._interrupted = False
            raise Refused(f"{name}: interrupted, for the lock is another's")
        return getattr(self._files, name)


class StorageLockProvider:
    """One provider of one client. `interrupt` is called when it has lost the lock that it holds."""

    name = LOCK_OBJECT

    def __init__(
        self, world: World, config: HudiConfig, rules: Rules, owner: str, interrupt: Callable[[], None]
    ) -> None:
        self._world = world
        self._rules = rules
        self._owner = f"{owner}-{world.chance.fresh('lock owner')}"
        self._interrupt = interrupt
        self._wait_ms = config.lock_wait_ms
        self._validity_ms = 1_000 * config.lock_validity_s
        self._renewal_ms = 1_000 * config.lock_renewal_s
        self._held: Versioned | None = None
        self._renewal: TaskHandle | None = None

    def try_lock(self) -> bool:
        """Wait for the lock for as long as is set. Raises: LockFailed if the helper of a lost lock goes on."""
        if not self._wait_ms:
            return False  # Hudi's loop ends before it has begun
        if self._attempt():
            return True
        clock, last_ms = self._world.clock, max(0, self._wait_ms - LOOK_EVERY_MS)
        if last_ms:
            clock.sleep_ms(last_ms)
            if self._attempt():
                return True
        clock.sleep_ms(self._wait_ms - last_ms)
        return False

    def _attempt(self) -> bool:
        """Look at the object once, and write it if nobody's lock is valid (`tryLock()`)."""
        if self._held is not None and self._is_valid(self._held.value):
            return True  # who has it, has it
        if self._renewal is not None:
            raise LockFailed(f"lock {self.name}: expected no renewal without a lock, there is one")
        try:
            seen = self._look()
            if seen is not None and self._is_valid(seen.value):
                return False
            if seen is not None and not seen.value.expired:
                self._world.coverage.hit(coverage.LOCK_OUTLIVED)
            self._write(LockObject(False, self._now_ms() + self._validity_ms, self._owner), seen)
        except PortError:
            return False
        self._renewal = self._world.tasks.spawn("renewal", self._renew)
        return True

    def _look(self) -> Versioned | None:
        self._world.notes.intend(LooksAtLockObject())
        try:
            return self._world.register.load(LOCK_OBJECT)
        except NotFound:
            return None

    def _write(self, value: LockObject, seen: Versioned | None) -> None:
        """Take the lock: put an object in the place of the one that was seen. Raises: PortError."""
        self._world.notes.intend(TakesLockObject())
        self._held = self._swap(0 if seen is None else seen.version, value)

    def _swap(self, version: int, value: LockObject) -> Versioned:
        """Put an object in the place of the one of a version; repaired, who is refused, or not answered, looks whether
        it has done so, and goes on from what it has written before. Raises: PortError."""
        try:
            return Versioned(self._world.register.commit(LOCK_OBJECT, version, value), value)
        except (CasLost, Unanswered):
            seen = self._look() if self._rules.lost_answers_are_looked_up else None
            if seen is None or seen.value.owner != self._owner:
                raise
            self._world.coverage.hit(coverage.LOCK_FOUND_OURS)
            if seen.value == value:
                return seen
            return Versioned(self._world.register.commit(LOCK_OBJECT, seen.version, value), value)

    def _is_valid(self, lock: LockObject) -> bool:
        """Whether a lock may still be somebody's, by the own clock (`isLockStillValid`)."""
        return not lock.expired and self._now_ms() <= lock.valid_until_ms + DRIFT_MS

    def _now_ms(self) -> int:
        return self._world.clock.now_ms()

    def _renew(self) -> None:
        """Put off the end of the lock at a fixed rate, until that is refused."""
        due_ms = self._now_ms()
        while True:
            due_ms += self._renewal_ms
            self._world.clock.sleep_ms(max(0, due_ms - self._now_ms()))
            if not self._renew_once():
                self._renewal = None
                self._tell_holder()
                return

    def _renew_once(self) -> bool:
        """Whether to go on renewing: an answer that says nothing is one to wait for the next time (`renewLock`)."""
        held = self._held
        if held is None:
            return False
        value = LockObject(False, self._now_ms() + self._validity_ms, self._owner)
        self._world.notes.intend(RenewsLockObject())
        try:
            renewed = self._swap(held.version, value)
        except CasLost:
            self._world.coverage.hit(coverage.LOCK_LOST)
            return False
        except PortError:
            return True
        self._world.coverage.hit(coverage.LOCK_RENEWED)
        self._held = renewed
        return True

    def _tell_holder(self) -> None:
        """Interrupt who believes that it holds the lock (#17870)."""
        if self._rules.lost_lock_interrupts_holder:
            self._interrupt()

    def unlock(self) -> None:
        """Write that the lock has expired, and renew no more. Raises: StorageFailed if that is not clear, or if it is
        another's by now."""
        try:
            if self._held is not None:
                self._release()
        finally:
            if self._renewal is not None:
                self._renewal.cancel()
                self._renewal = None

    def _release(self) -> None:
        """Write it, again and again if the storage is throttled. Raises: StorageFailed."""
        for wait_ms in THROTTLED_WAITS_MS:
            if self._expire() != TOO_MANY:
                return
            self._world.clock.sleep_ms(wait_ms)
        if self._expire() == TOO_MANY:
            raise StorageFailed(f"unlock {self.name}: expected an acknowledgement, got status {TOO_MANY}")

    def _expire(self) -> int:
        """One try to write it. Returns: 429 if it is to be made again, else 0. Raises: StorageFailed."""
        held = self._held
        assert held is not None
        self._world.notes.intend(ExpiresLockObject())
        try:
            self._swap(held.version, held.value._replace(expired=True))
        except CasLost as error:
            if self._held is not held:
                return self._expire()  # it was renewed on the way
            self._held = None
            self._world.coverage.hit(coverage.LOCK_LOST)
            if self._rules.release_tells_takeover:
                raise StorageFailed(f"unlock {self.name}: expected it to be ours, got {error}") from error
            return 0
        except Status as error:
            if error.code == TOO_MANY:
                return TOO_MANY
            raise StorageFailed(f"unlock {self.name}: expected an acknowledgement, got {error}") from error
        except PortError as error:
            raise StorageFailed(f"unlock {self.name}: expected an acknowledgement, got {error}") from error
        self._held = None
        return 0

    def close(self) -> None:
        """As `unlock`; what goes wrong is only logged."""
        with suppress(StorageFailed):
            self.unlock()
