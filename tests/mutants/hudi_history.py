"""Mutants that put back what Hudi once had, or still has, and that issues tell of; each on rules that have it mended.

Source: hudi/3.9 (F-..), hudi/6, and the issues that are named there.
"""

from typing import Any

from model.hudi import transactions
from model.hudi.client import HudiClient
from model.hudi.conflicts import BUCKET_DIGITS, ConflictStrategy, Lookup
from model.hudi.early import EarlyDetection
from model.hudi.errors import StorageFailed
from model.hudi.file_groups import Group
from model.hudi.heartbeats import Heartbeats
from model.hudi.keys import IN_PROCESS
from model.hudi.locks import TABLE, FileSystemLockProvider, LockProvider, MutexProvider, table_lock
from model.hudi.markers import DirectMarkers
from model.hudi.names import LOCK, marker_folder
from model.hudi.rollback import Cleaner
from model.hudi.rules import SHIPPED
from model.hudi.storage_lock import StorageLockProvider
from model.hudi.timeline import Instant
from model.hudi.variants import FIXED, NEWER_BASE_REFUSED, OWNED_LOCK
from model.ports import PortError, World
from tests.mutants.mutant import Mutant

UNLOCK, CLOSE = FileSystemLockProvider.unlock, FileSystemLockProvider.close
IS_CANDIDATE = ConflictStrategy._is_pending_candidate


def nothing(*_: Any) -> None:
    """A step that is left out."""


def always(*_: Any) -> bool:
    """An answer without looking."""
    return True


def draw_then_announce(client: HudiClient, action: str) -> int:
    """An instant that is drawn under the lock, and announced without."""
    return client._announce(client.times.with_own_lock(client.times.time_ms), action)


def delete_anyones(provider: FileSystemLockProvider) -> None:
    """The lock file goes, whoever made it."""
    try:
        provider._files.delete(LOCK)
    except PortError as error:
        raise StorageFailed(f"unlock {LOCK}: expected an acknowledgement, got {error}") from error


def release_twice(provider: FileSystemLockProvider) -> None:
    """Who had the lock deletes it, and the next one's."""
    UNLOCK(provider)
    delete_anyones(provider)


def delete_unless_had(provider: FileSystemLockProvider) -> None:
    """Who never had the lock deletes it."""
    if not provider._may_have_made:
        delete_anyones(provider)
    CLOSE(provider)


def any_partition(strategy: ConflictStrategy, groups: frozenset[Group]) -> frozenset[Group]:
    """Buckets are compared, not the partitions that they are in."""
    return frozenset([("", file_id[:BUCKET_DIGITS]) for _, file_id in groups])


def begin_twice(cleaner: Cleaner, target: int, begun: Instant | None = None) -> Any:
    """A rollback that is planned in a critical section within the critical section."""
    cleaner._client.transactions.begin()
    try:
        cleaner._client.transactions.begin()
        return cleaner._plan(target, begun)
    finally:
        cleaner._client.transactions.end()


class RemovedLock(MutexProvider):
    """A lock in the memory of a process that is another one once somebody has closed it."""

    _mutexes: Any

    def try_lock(self) -> bool:
        self._which = f"{TABLE} {self._removed()}"
        self._held = self._mutexes.try_lock(self._which, self._wait_ms)
        return self._held

    def unlock(self) -> None:
        if self._held:
            self._held = False
            self._mutexes.unlock(self._which)

    def close(self) -> None:
        super().close()
        self._mutexes.advance("removed locks", self._removed() + 1)

    def _removed(self) -> int:
        """How often the lock has been removed."""
        counters: dict[str, int] = self._mutexes._table._counters
        return counters.get(f"{self._mutexes._scope}#removed locks", 0)


def removed_lock(world: World, config: Any, *others: Any) -> LockProvider:
    """A provider as it was when closing it removed the lock from the process."""
    if config.lock_provider == IN_PROCESS:
        return RemovedLock(world.statics, TABLE, config.lock_wait_ms)
    return table_lock(world, config, *others)


def look_then_list(detection: EarlyDetection, other: int, partition: str, file_id: str) -> bool:
    """A folder that is gone when it is listed fails the write that looked for it."""
    folder = marker_folder(other, partition)
    if not detection._storage.list(folder):
        return False
    names = DirectMarkers(detection._storage, other).names(partition)
    if not names:
        raise StorageFailed(f"list {folder}: expected the folder that was there, it is gone")
    return any(detection._is_marker_of(name, file_id) for name in names)


def newer_plans_alone(strategy: ConflictStrategy, instant: Instant, own: int, lookup: Lookup) -> bool:
    """A plan of clustering counts as every other pending instant does: if it is newer than the write."""
    return instant.requested > own and IS_CANDIDATE(strategy, instant, own, lookup)


HISTORY: tuple[Mutant, ...] = (
    Mutant(
        "unlocks-what-it-did-not-get", "who waited for the lock in vain, to draw a time, deletes it",
        ((HudiClient, "_start", draw_then_announce), (FileSystemLockProvider, "unlock", delete_anyones)), OWNED_LOCK,
    ),
    Mutant(
        "holder-deletes-lock-twice", "the second time it is somebody else's",
        ((FileSystemLockProvider, "unlock", release_twice),), OWNED_LOCK,
    ),
    Mutant(
        "failed-client-deletes-lock", "who could not have the lock takes it away from who has it",
        ((FileSystemLockProvider, "close", delete_unless_had),), OWNED_LOCK,
    ),
    Mutant(
        "5921-buckets-of-any-partition", "writers of different partitions refuse each other",
        ((ConflictStrategy, "_compared", any_partition),), NEWER_BASE_REFUSED,
    ),
    Mutant(
        "9371-older-plan-ignored", "an update that is allowed beside a plan is lost with it",
        ((ConflictStrategy, "_is_pending_candidate", newer_plans_alone),), NEWER_BASE_REFUSED,
    ),
    Mutant("2573-locks-twice", "no rollback gets its lock", ((Cleaner, "_schedule", begin_twice),), NEWER_BASE_REFUSED),
    Mutant(
        "6186-lock-removed", "who waits has another lock than who comes",
        ((transactions, "table_lock", removed_lock),), NEWER_BASE_REFUSED,
    ),
    Mutant(
        "17870-holder-not-told", "a holder whose lock is another's goes on",
        ((StorageLockProvider, "_tell_holder", nothing),), SHIPPED,
    ),
    Mutant(
        "18904-beats-end", "a writer that lives is refused, for one beat that was lost",
        ((Heartbeats, "_ends_after_failure", always),), FIXED,
    ),
    Mutant(
        "7165-failed-writer-beats-on", "its markers count for ever",
        ((Heartbeats, "stop_timers", nothing),), NEWER_BASE_REFUSED,
    ),
    Mutant(
        "9009-folder-gone", "a write fails because another one has ended",
        ((EarlyDetection, "_has_marker", look_then_list),), FIXED,
    ),
)  # fmt: skip
