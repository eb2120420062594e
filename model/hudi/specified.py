"""A client with what the TLA+ specification of Hudi has and no release: locks of file groups for a whole write
(pessimistic control), and an index with each key once (the primary-key check).

A write looks which file groups its keys are in, takes a lock of each, and reads them again; it keeps the locks until
its client is closed. New keys are put into the index when their files are written, before the commit, and stay there
whatever becomes of the write. Whoever finds a key there is refused.

Source: hudi/5.1; Vanlightly's TLA+ specification, `KeyLookup`, `ReadMergeTargetFileSlice`, `UpdateIndexes`.

Choices: locks and keys are names at the coordination service, in the order of which locks are taken; a key is counted
there, which is no step. A new key begins a file group of its own, which has no lock; who finds such a group only once
he has his locks is refused.
"""

from typing import NoReturn

from model.hudi import coverage
from model.hudi.client import HudiClient
from model.hudi.errors import LockFailed, WriteConflict
from model.hudi.file_groups import Changes
from model.hudi.jobs import Parts, Places, changes_of
from model.hudi.partitions import ONE_PARTITION, Partitions
from model.hudi.written import Written


class SpecifiedClient(HudiClient):
    """One client of one write. Its rules say which of both it has."""

    _locked: tuple[str, ...] = ()

    def upsert(
        self, rows: Changes, instant: int, where: Partitions = ONE_PARTITION, *, work_ms: int = 0, attempts: int = 1,
        tasks: int = 1, places: Places | None = None,
    ) -> Written:  # fmt: skip
        """As the base, under locks, and with new keys in the index. Raises: as the base; WriteConflict."""
        if self.rules.locks_file_groups:
            self._lock_groups(where.split(rows))
        effort = {"work_ms": work_ms, "attempts": attempts, "tasks": tasks}
        written = super().upsert(rows, instant, where, **effort, places=places)
        if self.rules.locks_file_groups:
            self._refuse_unlocked(instant, written)
        if self.rules.indexes_new_keys:
            self._index(instant, [key for key, value in written.before if value is None])
        return written

    def close(self) -> None:
        """As the base; and all locks are released."""
        for name in self._locked:
            self._world.coordinator.unlock(name)
        self._locked = ()
        super().close()

    def _lock_groups(self, parts: Parts) -> None:
        """Take the locks of the file groups that hold keys of a write. Raises: LockFailed, StorageFailed."""
        timeline = self.timeline.load()
        slices = [each for partition, _ in parts for each in self._data.slices_with_rows(partition, timeline)]
        for name in sorted([each.file.file_id for each, _ in changes_of(slices, parts)[0]]):
            if not self._world.coordinator.try_lock(name, self.config.lock_wait_ms):
                raise LockFailed(f"lock {name}: expected it within {self.config.lock_wait_ms} ms, it is held")
            self._world.coverage.hit(coverage.GROUP_LOCKED)
            self._locked += (name,)

    def _refuse_unlocked(self, instant: int, written: Written) -> None:
        """Refuse a change of a group that was not there when the locks were taken. Raises: WriteConflict."""
        for file_id, _ in written.bases:
            if file_id not in self._locked:
                self._refuse(instant, f"{file_id} was begun since its keys were looked up")

    def _index(self, instant: int, keys: list[str]) -> None:
        """Put new keys into the index. Raises: WriteConflict if one is there."""
        for key in keys:
            if self._world.coordinator.advance(f"key {key}", 0):
                self._world.coverage.hit(coverage.KEY_INDEXED)
                self._refuse(instant, f"key {key} is in another file group")

    def _refuse(self, instant: int, why: str) -> NoReturn:
        error = WriteConflict(f"write conflict: {why}")
        self._gave_up(instant, error)
        raise error
