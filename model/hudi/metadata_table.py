"""The metadata table, by which readers and writers list files: a table of its own below `.hoodie/metadata`.

Every commit, and every clean, writes a delta commit of its own instant into it: within the data table's lock, after the
conflict check, before its COMPLETED file. Upserts and inserts announce it when their commit begins, before they look at
their heartbeat and wait for the lock, and find then whether somebody has taken that back; all but services announce it
within the lock. The rollback of a write takes back its delta commit, if there is one, before it takes the write off the
timeline.

Who carries out compaction or clustering announces it when he has begun, before he writes a file; what another executor
of the instant has made, be it completed, he rolls back first. When both have announced it each completes one: the
inflight file of the second is renamed over the first one's, or in vain (on object stores it is refused), his log file
has a name of its own, and so has his completed file. Nothing says that there are two, and files of both are listed.

Who lists by it looks at its timeline and its files, then at the data table's timeline, and passes over delta
commits whose instant is pending in the data table. One whose instant the data table does not know at all counts: it is
taken for archived.

Source: hudi/2.7; `HoodieBackedTableMetadataWriter.commitInternal`, `update`, `startCommit`;
`StreamingMetadataWriteHandler`, `SparkRDDTableServiceClient.partialUpdateTableMetadata`,
`WriteOperationType.streamingWritesToMetadataSupported`;
`HoodieTableMetadataUtil.getValidInstantTimestamps`, `isValidInstant`; `BaseHoodieWriteClient.doInitTable`,
`writeToMetadataTable`; `BaseRollbackActionExecutor.finishRollback`, `CleanActionExecutor.runClean` (1.2.0).

Choices: its `files` partition alone (see `metadata_records`), one log file for each executor of a delta commit, of
table version 8 or 9, as Spark writes it by default (`hoodie.metadata.streaming.write.enabled`); it is there from the
beginning. It is cleaned and compacted by `metadata_services`. Left out are its own lock, which is one of a process, its
heartbeats and markers.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.config import HudiConfig
from model.hudi.errors import (
    ConfigError,
    InstantExists,
    MetadataCompacted,
    OutcomeUnknown,
    RestoreFailed,
    StorageFailed,
)
from model.hudi.file_groups import BULK_INSERT, INSERT, UPSERT, RollbackPlan
from model.hudi.keys import METADATA as ENABLE
from model.hudi.keys import MOST
from model.hudi.metadata_folder import Below, OwnNotes
from model.hudi.metadata_records import Files, FilesRecord, merged
from model.hudi.metadata_restoring import MetadataRestorer
from model.hudi.metadata_services import MetadataServices
from model.hudi.metadata_slices import FILES, LOG, OfMetadata, log_path, logs_of, newest_slice, read_slice
from model.hudi.names import (
    COMPLETED,
    DELTA_COMMIT,
    INFLIGHT,
    METADATA,
    REQUESTED,
    ROLLBACK,
    text,
)
from model.hudi.rules import SHIPPED, Rules
from model.hudi.storage import TableStorage
from model.hudi.timeline import Instant, Timeline, last_compaction
from model.ports import Body, World

RENAMING = ("file", "hdfs")
"""The schemes where the file of an inflight delta commit, which has content, is renamed into its place, over another
one's or in vain: either way nobody is told."""
STREAMED = (UPSERT, INSERT, BULK_INSERT)
"""The operations that announce a delta commit before the lock."""


class Listing(NamedTuple):
    """A look at the metadata table: answers as a storage does, that is asked for folders and their files."""

    files: Files

    def list(self, folder: str) -> tuple[str, ...]:
        """The names of a partition's files."""
        return tuple(sorted(self.files.names.get(folder, {})))

    def folders(self) -> tuple[str, ...]:
        """The partitions."""
        return tuple(sorted(self.files.partitions))

    def partitions(self, folders: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Partitions, each with what it holds."""
        return ((folder, self.list(folder)) for folder in folders)


class MetadataTable:
    """One client's hand on the metadata table of its table."""

    def __init__(self, world: World, config: HudiConfig, rules: Rules = SHIPPED) -> None:
        if config.layout == 1:
            raise ConfigError(ENABLE, "true", "false with table version 6, for it is modelled from 8 on")
        own = replace(world, files=Below(world.files, METADATA), notes=OwnNotes(world.notes))
        self._world = world
        self._storage = TableStorage(own, config)
        self._timeline = ActiveTimeline(own, self._storage, config.layout)
        self._announced: list[int] = []
        self._files = TableStorage(world, config)
        self._data = ActiveTimeline(world, self._files, config.layout)
        self._config = config
        self._services = MetadataServices(own, self._storage, self._timeline, self._data, config)
        self._restorer = MetadataRestorer(own, self._storage, self._timeline, self._files, self._data)
        self._remakes = rules.restores_remake_metadata

    def announce(self, instant: int, time_ms: Callable[[], int]) -> None:
        """Announce the delta commit of an instant, before the data table's lock. Raises: as `update`."""
        self._make_if_gone(time_ms)
        self._timeline.create_requested(instant, DELTA_COMMIT)
        self._announced.append(instant)

    def announce_service(self, instant: int, time_ms: Callable[[], int]) -> None:
        """Announce the delta commit of a plan that is carried out; what another executor of it has made here is rolled
        back first, be it completed. Raises: as `update`."""
        self._make_if_gone(time_ms)
        for known in _delta_commit(instant, self._timeline.load()):
            self._world.coverage.hit(coverage.METADATA_ANNOUNCED_TWICE)
            self._roll_back(known, time_ms)
        self._timeline.create_requested(instant, DELTA_COMMIT)
        self._announced.append(instant)

    def update(self, instant: int, record: FilesRecord, time_ms: Callable[[], int]) -> None:
        """Write the delta commit of a data table's instant. Raises: StorageFailed, InstantGone, InstantExists."""
        self._make_if_gone(time_ms)
        self._write(instant, record, time_ms)

    def _write(self, instant: int, record: FilesRecord, time_ms: Callable[[], int]) -> None:
        if instant not in self._announced:
            self._timeline.create_requested(instant, DELTA_COMMIT)
        number = 1 if self._is_first(instant) else 1 + len(self._logs(instant))
        self._world.notes.intend(OfMetadata(instant, DELTA_COMMIT, LOG))
        self._storage.create(log_path(instant, number), record)
        self._complete(instant, None, DELTA_COMMIT, time_ms)
        self._world.coverage.hit(coverage.METADATA_WRITTEN)

    def _is_first(self, instant: int) -> bool:
        """Begin a delta commit; False if another executor of the instant has, or may have. Raises: InstantGone,
        StorageFailed; InstantExists where it is not renamed into its place (`TableStorage.create_immutable`)."""
        try:
            self._timeline.to_inflight(instant, DELTA_COMMIT, ())
        except InstantExists:
            if self._config.scheme not in RENAMING:
                raise
            self._world.coverage.hit(coverage.METADATA_WRITTEN_TWICE)
            return False
        return not self._storage.renames

    def take_back(self, instant: int, time_ms: Callable[[], int]) -> None:
        """Roll back the delta commit of a data table's instant, if there is one. Raises: as `update`;
        MetadataCompacted."""
        own = self._timeline.load()
        for found in _delta_commit(instant, own):
            self._refuse_compacted(found, own)
            self._world.coverage.hit(coverage.METADATA_TAKEN_BACK)
            self._roll_back(found, time_ms)

    def perform_services(self, time_ms: Callable[[], int]) -> None:
        """Carry out the table services of it, and make it, if it is not there. Raises: as `update`."""
        self._make_if_gone(time_ms)
        self._services.perform(time_ms)

    def begin_restore(self, savepoint: int) -> None:
        """What comes before a restore, and before its first look at the timeline. Raises: StorageFailed."""
        self._restorer.delete_if_older(savepoint)

    def obstacle(self, savepoint: int) -> str:
        """What it lacks to be taken back to a savepoint; "" if nothing. Raises: StorageFailed."""
        return self._restorer.obstacle(savepoint)

    def restore(self, savepoint: int, restore: int, time_ms: Callable[[], int]) -> None:
        """Take it back to a savepoint's commit, as a restore that is about to be completed has taken back the files.

        Raises: as `update`; RestoreFailed.
        """
        self._make_if_gone(time_ms)
        try:
            self._restorer.undo(savepoint, time_ms)
        except RestoreFailed:
            if not self._remakes:
                raise
            self._restorer.delete()
            self._make_if_gone(time_ms)
        self._write(time_ms(), self._restorer.unlike(self._listed(self._timeline.load()).files, restore), time_ms)

    def last_compaction(self) -> int | None:
        """When it was compacted last; None if it never was. Raises: StorageFailed."""
        return last_compaction(self._timeline.load())

    def listing(self) -> Listing | TableStorage:
        """What it says now; the files themselves, if it is not there. Raises: StorageFailed."""
        own = self._timeline.load()
        return self._listed(own) if self._is_there(own) else self._files

    def _listed(self, own: Timeline) -> Listing:
        newest = newest_slice(own, self._storage.list(FILES))
        if newest.base is None and not newest.logs:
            raise StorageFailed("list the metadata table: expected a slice of it, there is none")
        pending = frozenset([each.requested for each in self._data.load().instants if not each.is_completed])
        return Listing(merged(*read_slice(self._storage, newest, pending)))

    def _make_if_gone(self, time_ms: Callable[[], int]) -> None:
        """Make it of the files that are there, if somebody has deleted it."""
        if self._config.restored and not self._is_there(self._timeline.load()):
            self._write(0, self._restorer.files_of_commits(), time_ms)
            self._world.coverage.hit(coverage.METADATA_MADE)

    def _is_there(self, own: Timeline) -> bool:
        """Whether its first delta commit is: what others tell of that is deleted meanwhile is none (Hudi has it in the
        table's properties)."""
        return not self._config.restored or any(each.requested == 0 for each in own.completed)

    def _refuse_compacted(self, target: Instant, own: Timeline) -> None:
        """Refuse to roll back what was completed before the last compaction. Raises: MetadataCompacted.

        Source: `HoodieBackedTableMetadataWriter.validateRollback` (1.2.0).
        """
        last = last_compaction(own)
        if target.is_completed and last is not None and target.visible_at <= last:
            self._world.coverage.hit(coverage.METADATA_KEPT)
            raise MetadataCompacted(
                f"rollback of {text(target.requested)}: expected it to be later than the metadata table's compaction "
                f"{text(last)}, it is earlier"
            )

    def _roll_back(self, target: Instant, time_ms: Callable[[], int]) -> None:
        """Plan the rollback of a delta commit, delete its log files, and take it off the timeline."""
        plan, instant = RollbackPlan(target.requested, self._logs(target.requested)), time_ms()
        self._timeline.create_requested(instant, ROLLBACK, plan)
        self._timeline.to_inflight(instant, ROLLBACK)
        if target.is_completed:
            self._timeline.delete(target, COMPLETED)
        for path in plan.paths:
            self._storage.delete(path)
        self._timeline.delete(target, INFLIGHT, REQUESTED)
        self._complete(instant, plan, ROLLBACK, time_ms)

    def _logs(self, instant: int) -> tuple[str, ...]:
        """The log files of a delta commit. Raises: StorageFailed."""
        return logs_of(instant, self._storage.list(FILES))

    def _complete(self, instant: int, body: Body, action: str, time_ms: Callable[[], int]) -> None:
        try:
            self._timeline.complete(instant, time_ms, body, action)
        except OutcomeUnknown as error:
            raise StorageFailed(f"metadata table: {error}") from error


class NoMetadataTable:
    """In its place where there is none: files are listed."""

    def __init__(self, storage: TableStorage) -> None:
        self._storage = storage

    def announce(self, instant: int, time_ms: Callable[[], int]) -> None:
        """Nothing is announced."""

    def announce_service(self, instant: int, time_ms: Callable[[], int]) -> None:
        """Nothing is announced."""

    def update(self, instant: int, record: FilesRecord, time_ms: Callable[[], int]) -> None:
        """Nothing is written."""

    def take_back(self, instant: int, time_ms: Callable[[], int]) -> None:
        """Nothing is there."""

    def perform_services(self, time_ms: Callable[[], int]) -> None:
        """It has none."""

    def begin_restore(self, savepoint: int) -> None:
        """Nothing is deleted."""

    def restore(self, savepoint: int, restore: int, time_ms: Callable[[], int]) -> None:
        """Nothing is taken back."""

    def last_compaction(self) -> int:
        """Nobody waits for one."""
        return MOST

    def listing(self) -> TableStorage:
        """The storage itself, which lists when it is asked."""
        return self._storage


def _delta_commit(instant: int, own: Timeline) -> list[Instant]:
    """The delta commit of an instant, if there is one; of two completions the first."""
    return [each for each in own.instants if each.action == DELTA_COMMIT and each.requested == instant][:1]


AnyMetadata = MetadataTable | NoMetadataTable
AnyListing = Listing | TableStorage


def metadata_of(world: World, storage: TableStorage, config: HudiConfig, rules: Rules = SHIPPED) -> AnyMetadata:
    """The metadata table, if there is one. Raises: ConfigError."""
    return MetadataTable(world, config, rules) if config.metadata else NoMetadataTable(storage)
