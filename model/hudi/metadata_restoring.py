"""Restores of the metadata table, with those of the data table: it is taken back to the savepoint's commit as well.

Before the restore begins, and without the lock: if the savepoint is not later than the first compaction of the metadata
table, that is deleted; who asks for the lock next makes it anew, of the files that are there. When the restore has
taken back what it was to, within the lock and before it is completed: there must be a slice that is not later than the
savepoint; then what completed here after the savepoint's delta commit goes, and so do the compactions whose instants
are later. In the end the files are listed, and a delta commit says what is unlike.

A compaction may come after the savepoint, and cleaning delete all slices before it, while an older compaction is on the
timeline, by which the table is not deleted: then the restore fails when all else has been taken back, and each time
that it is gone on with; and nobody can begin to write any more. As repaired the table is made anew.

Source: `BaseHoodieWriteClient.restoreToSavepoint`, `BaseRestoreActionExecutor.writeToMetadata`,
`HoodieBackedTableMetadataWriter.update` (of restores), `fetchOutofSyncFilesRecordsFromMetadataTable`,
`initializeFromFilesystem`, `RestorePlanActionExecutor`, `HoodieTableMetadataUtil.deleteMetadataTable`,
`DirectoryInfo` (1.2.0); HUDI-9694, #18572.

Choices: the folder is deleted in one step, as on HDFS. The rollbacks of delta commits and compactions have no instants
of their own, nor is a restore of the metadata table gone on with that somebody has left. Nobody archives the timeline
of the metadata table: what Hudi archives there is older than all commits and pending instants of the data table, of
which the savepoint's commit is one.
"""

from collections.abc import Callable

from model.hudi import coverage
from model.hudi.active_timeline import ActiveTimeline
from model.hudi.errors import OutcomeUnknown, RestoreFailed, StorageFailed
from model.hudi.file_groups import RestorePlan
from model.hudi.metadata_records import Files, FilesRecord
from model.hudi.metadata_slices import FILES, OfMetadata, base_files, base_path, is_made_anew, log_path, slices_of
from model.hudi.names import (
    COMMIT,
    COMPACTION,
    COMPLETED,
    DELTA_COMMIT,
    INFLIGHT,
    METADATA,
    REQUESTED,
    RESTORE,
    parse_data_file,
    text,
)
from model.hudi.storage import TableStorage
from model.hudi.timeline import Instant, Timeline
from model.ports import World

COMPACTIONS = (COMMIT, COMPACTION)


class MetadataRestorer:
    """One client's restores of the metadata table. Raises: StorageFailed, InstantGone, InstantExists, RestoreFailed."""

    def __init__(
        self, world: World, storage: TableStorage, own: ActiveTimeline, files: TableStorage, data: ActiveTimeline
    ) -> None:  # fmt: skip
        """Args: `storage`, `own`: those of the metadata table; `files`, `data`: those of the data table."""
        self._world = world
        self._storage = storage
        self._own = own
        self._files = files
        self._data = data

    def delete_if_older(self, savepoint: int) -> None:
        """Delete the metadata table, if a savepoint is not later than its first compaction."""
        done = [each.requested for each in self._own.load().completed if each.action == COMMIT]
        if done and savepoint <= done[0]:
            self.delete()

    def delete(self) -> None:
        """Delete the metadata table."""
        self._world.notes.intend(OfMetadata(0, RESTORE, METADATA))
        self._files.delete(METADATA)
        self._world.coverage.hit(coverage.METADATA_DELETED)

    def files_of_commits(self) -> FilesRecord:
        """The files to make it of: those of instants not later than the last completed one, that are not pending."""
        seen = self._data.load()
        last = max([each.requested for each in seen.instants if each.is_completed], default=0)
        pending = {each.requested for each in seen.instants if not each.is_completed}
        return FilesRecord(tuple([path for path in self._listed(last) if _instant(path[1]) not in pending]))

    def obstacle(self, savepoint: int) -> str:
        """What there is not that is needed to take it back to a savepoint; "" if there is all.

        Source: `RestorePlanActionExecutor.getCompletionTime` (1.2.0). One that has just been made is as it should be.
        """
        seen = self._own.load()
        if all(each.instant > savepoint for each in slices_of(seen, self._storage.list(FILES))):
            return "a slice of the metadata table that is not later"
        if _is_just_made(seen) or _saved_at(seen, savepoint) is not None:
            return ""
        return "its delta commit in the metadata table"

    def undo(self, savepoint: int, time_ms: Callable[[], int]) -> None:
        """Take back what completed after the savepoint's delta commit. Raises: RestoreFailed if it cannot be done."""
        if missing := self.obstacle(savepoint):
            self._world.coverage.hit(coverage.METADATA_UNRESTORABLE)
            raise RestoreFailed(f"restore to {text(savepoint)}: expected {missing}, there is none")
        instant, targets = time_ms(), _later(self._own.load(), savepoint)
        plan = RestorePlan(savepoint, tuple([(each.requested, each.action) for each in targets]))
        self._own.create_requested(instant, RESTORE, plan)
        self._own.to_inflight(instant, RESTORE)
        for target in targets:
            self._undo(target)
        try:
            self._own.complete(instant, time_ms, plan, RESTORE)
        except OutcomeUnknown as error:
            raise StorageFailed(f"metadata table: {error}") from error
        self._world.coverage.hit(coverage.METADATA_RESTORED)

    def unlike(self, listed: Files, restore: int) -> FilesRecord:
        """What has to be said so that what is `listed` is what there is: of the files of instants until a restore's.
        Partitions that it does not know stay unknown."""
        there = self._listed(restore)
        folders = {folder for folder, _ in there}
        known = [(folder, name) for folder in listed.partitions for name in listed.names.get(folder, {})]
        return FilesRecord(
            tuple([path for path in there if path[0] in listed.partitions and path not in known]),
            tuple([path for path in known if path not in there]),
            unlisted=tuple([folder for folder in listed.partitions if folder not in folders]),
        )

    def _listed(self, until: int) -> list[tuple[str, str]]:
        """The data files of instants until then, each with its partition (`DirectoryInfo`)."""
        found = self._files.partitions(self._files.folders())
        files = [(folder, name) for folder, names in found for name in names if parse_data_file(name) is not None]
        return [path for path in files if _instant(path[1]) <= until]

    def _undo(self, target: Instant) -> None:
        begun = target._replace(action=COMPACTION) if target.action == COMMIT else target
        if target.is_completed:
            self._own.delete(target, COMPLETED)
        self._world.notes.intend(OfMetadata(target.requested, target.action, RESTORE))
        if target.action == DELTA_COMMIT:
            self._storage.delete(log_path(target.requested))
        for file in base_files(self._storage.list(FILES)) if target.action in COMPACTIONS else ():
            if file.instant == target.requested:
                self._storage.delete(base_path(file))
        self._own.delete(begun, INFLIGHT, REQUESTED)


def _is_just_made(seen: Timeline) -> bool:
    return all(each.requested == 0 for each in seen.instants)


def _saved_at(seen: Timeline, savepoint: int) -> int | None:
    """When the delta commit of a savepoint's commit completed; None if it is not there: in a table that was made anew
    there are none of before."""
    done = [each for each in seen.completed if (each.requested, each.action) == (savepoint, DELTA_COMMIT)]
    return None if not done or (savepoint == 0 and is_made_anew(seen)) else done[0].visible_at


def _later(seen: Timeline, savepoint: int) -> list[Instant]:
    """What goes, in its order: nothing, if the table has just been made.

    Source: `RestoreInstantComparatorFactory` (1.2.0).
    """
    saved_at = _saved_at(seen, savepoint)
    if saved_at is None:
        return []
    found = [*reversed(seen.pending), *reversed(seen.in_order())]
    return [each for each in found if _is_later(each, savepoint, saved_at)]


def _is_later(each: Instant, savepoint: int, saved_at: int) -> bool:
    """Whether it goes: of compactions their instants count."""
    if each.action in COMPACTIONS:
        return each.requested > savepoint
    return not each.is_completed or each.visible_at > saved_at


def _instant(name: str) -> int:
    file = parse_data_file(name)
    assert file is not None, name
    return file.instant
