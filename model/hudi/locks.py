"""Lock providers: in process, by a file, and by a coordination service, which marker locks need; by an object of the
storage: `storage_lock.py`, by a metastore: `metastore_lock.py`.

The file-system provider tries once, whatever time it is given. Its file says who made it, and nobody looks: `unlock`
deletes the file of whoever holds the lock, and so does `close`, which every client calls, also one that never had it.
Repaired, a provider that may have made the file looks before it deletes: a release that got no answer may have been
applied, and the file may be the next holder's. Where an expired lock is not whoever's (F-3), a lock file has a name of
its own in it, and is never deleted: who gives it back, or finds it too old, moves it to a path with that name. That
happens once, for a move does not replace what is there. Who finds it too old has read the name before he asked how old
it is; so what he moves is what was too old, or nothing.

Source: hudi/2.5, F-1, F-3; `InProcessLockProvider`, `FileSystemBasedLockProvider`.

Choices: the in-process lock's second acquisition by one thread fails, as in Hudi; a release by somebody else is
ignored. The reading of the owner's text after a failed attempt is left out: it is only logged. Methods of the
file-system provider are atomic among the threads of one JVM; writers here are on hosts of their own. The coordination
service stands for ZooKeeper with sessions that never expire.
"""

from collections.abc import Callable
from typing import Protocol

from model.hudi import coverage
from model.hudi.config import HudiConfig
from model.hudi.errors import LockFailed, StorageFailed
from model.hudi.keys import FILE_SYSTEM, METASTORE, STORAGE_BASED, ZOOKEEPER
from model.hudi.meanings import (
    AsksAgeOfLock,
    BreaksLock,
    ConfirmsLock,
    DeletesLock,
    LooksForLock,
    LooksForLockToRelease,
    LooksWhoseLockToRelease,
    MakesLock,
)
from model.hudi.metastore_lock import MetastoreLockProvider
from model.hudi.names import LOCK
from model.hudi.rules import Rules
from model.hudi.storage_lock import StorageLockProvider
from model.ports import Mutexes, NotFound, PortError, Refused, Unanswered, World

TABLE = "table"


class LockProvider(Protocol):
    """A way to exclude others. `close` is called by everybody in the end."""

    name: str

    def try_lock(self) -> bool: ...
    def unlock(self) -> None: ...
    def close(self) -> None: ...


class MutexProvider:
    """A lock in the memory of one process, or of a coordination service."""

    def __init__(self, mutexes: Mutexes, name: str, wait_ms: int) -> None:
        self.name = name
        self._mutexes = mutexes
        self._wait_ms = wait_ms
        self._held = False

    def try_lock(self) -> bool:
        """Wait for the lock. Raises: LockFailed if the caller has it already, or the service fails."""
        try:
            self._held = self._mutexes.try_lock(self.name, self._wait_ms)
        except Refused as error:
            raise LockFailed(f"lock {self.name}: expected it free or another's, got {error}") from error
        except PortError as error:
            raise LockFailed(f"lock {self.name}: expected an answer, got {error}") from error
        return self._held

    def unlock(self) -> None:
        """Release the lock if it is the caller's. Raises: StorageFailed if the service does not answer."""
        if self._held:
            self._held = False
            try:
                self._mutexes.unlock(self.name)
            except PortError as error:
                raise StorageFailed(f"unlock {self.name}: expected an acknowledgement, got {error}") from error

    def close(self) -> None:
        """As `unlock`."""
        self.unlock()


class FileSystemLockProvider:
    """The lock is the existence of one file."""

    name = LOCK

    def __init__(self, world: World, config: HudiConfig, rules: Rules, owner: str) -> None:
        self._files = world.files
        self._notes = world.notes
        self._world = world
        self._rules = rules
        self._expire_ms = config.lock_expire_minutes * 60_000
        self._owner = owner
        self._moves = bool(self._expire_ms) and not rules.breaks_any_lock
        self._own = owner
        self._held = False
        self._may_have_made = False

    def try_lock(self) -> bool:
        """One attempt. Storage errors count as a failed one, as in Hudi."""
        try:
            self._notes.intend(LooksForLock())
            if self._files.exists(LOCK):
                name = self._name() if self._moves else ""
                made_ms = self._made_ms()
                if made_ms is None or self._world.clock.now_ms() - made_ms <= self._expire_ms:
                    return False
                self._break(name)
            self._notes.intend(MakesLock())
            self._make()
            self._notes.intend(ConfirmsLock())
            self._held = self._files.exists(LOCK)
        except PortError:
            return False
        return self._held

    def _make(self) -> None:
        if self._moves:
            self._own = f"{self._owner}.{self._world.chance.fresh('lock file')}"
        try:
            self._create_file()
        except Unanswered:
            self._may_have_made = True
            raise
        self._may_have_made = True

    def _create_file(self) -> None:
        """Make the lock file, unless there is one (hudi/2.5)."""
        self._files.create(LOCK, self._own)

    def _name(self) -> str:
        """The name in the lock file. Raises: NotFound, if it is gone."""
        self._notes.intend(AsksAgeOfLock())
        return str(self._files.read(LOCK))

    def _made_ms(self) -> int | None:
        """When the lock file was made; None if it does not expire, or is gone."""
        if not self._expire_ms:
            return None
        try:
            self._notes.intend(AsksAgeOfLock())
            return self._files.mtime_ms(LOCK)
        except NotFound:
            return None

    def _break(self, name: str) -> None:
        """Take the lock file with this name away; F-3: whichever there is by now."""
        self._notes.intend(BreaksLock())
        self._remove(name)
        self._world.coverage.hit(coverage.LOCK_EXPIRED)

    def _give_back(self) -> bool:
        """Take the own lock file away; False if it was not there, or had been moved."""
        return self._remove(self._own)

    def _remove(self, name: str) -> bool:
        """Delete the lock file, or move it to a path with its name; False if it was not there, or had been moved."""
        return bool(self._files.rename(LOCK, f"{LOCK}.{name}") if self._moves else self._files.delete(LOCK))

    def unlock(self) -> None:
        """Delete the lock file, if there is one. Raises: StorageFailed if the storage does not answer."""
        try:
            if self._may_delete() and (self._looks_whose or self._is_there()):
                self._notes.intend(DeletesLock())
                self._give_back()
        except PortError as error:
            raise StorageFailed(f"unlock {LOCK}: expected an acknowledgement, got {error}") from error
        self._held = self._may_have_made = False

    def close(self) -> None:
        """Delete the lock file. Source: F-1: whoever made it. Raises: StorageFailed."""
        try:
            if self._may_delete():
                self._notes.intend(DeletesLock())
                if self._give_back() and not self._held:
                    self._world.coverage.hit(coverage.LOCK_DELETED_WITHOUT_HOLDING)
        except PortError as error:
            raise StorageFailed(f"close {LOCK}: expected an acknowledgement, got {error}") from error
        self._held = self._may_have_made = False

    @property
    def _looks_whose(self) -> bool:
        return not self._rules.deletes_lock_it_does_not_hold

    def _may_delete(self) -> bool:
        """Whether the lock file is this provider's to delete; F-1: it always is."""
        if not self._looks_whose:
            return True
        if not self._may_have_made:
            return False
        self._notes.intend(LooksWhoseLockToRelease())
        try:
            return bool(self._files.read(LOCK) == self._own)
        except NotFound:
            return False

    def _is_there(self) -> bool:
        self._notes.intend(LooksForLockToRelease())
        return self._files.exists(LOCK)


def table_lock(
    world: World, config: HudiConfig, rules: Rules, owner: str, interrupt: Callable[[], None]
) -> LockProvider:
    """A new provider of the configured kind for the table's lock; `interrupt` is for one that can be lost."""
    if config.lock_provider == STORAGE_BASED:
        return StorageLockProvider(world, config, rules, owner, interrupt)
    if config.lock_provider == FILE_SYSTEM:
        return FileSystemLockProvider(world, config, rules, owner)
    if config.lock_provider == METASTORE:
        return MetastoreLockProvider(world, config, rules, owner, TABLE)
    mutexes = world.coordinator if config.lock_provider == ZOOKEEPER else world.statics
    return MutexProvider(mutexes, TABLE, config.lock_wait_ms)
