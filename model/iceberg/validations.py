"""The validators: which concurrent commits refuse this one.

Each looks at the snapshots between the starting snapshot and the head, chooses among them by their operation label,
and reads only manifests that those snapshots added. The unit of conflict is a file or a filter, never a row.

Source: iceberg/4 (table of validate methods); `core/MergingSnapshotProducer.java`.

Choices: no partition sets.
"""

from collections.abc import Iterable, Iterator

from model.iceberg import coverage
from model.iceberg.commit_context import CommitContext
from model.iceberg.errors import InvalidOperation, ValidationFailed
from model.iceberg.expressions import TRUE, Expression
from model.iceberg.files import ADDED, DATA, DELETED, DELETES, AnyDeletes, DataFile, EqualityDeleteFile, ManifestFile
from model.iceberg.metadata import APPEND, DELETE, OVERWRITE, REPLACE, Snapshot, TableMetadata, ancestors
from model.iceberg.scan import second_vectors

ADDS_DATA = (APPEND, OVERWRITE)
REMOVES_DATA = (OVERWRITE, REPLACE, DELETE)
REMOVES_DATA_UNLESS_DELETE = (OVERWRITE, REPLACE)
ADDS_DELETES = (OVERWRITE, DELETE)
ADDS_VECTORS = (OVERWRITE, DELETE, REPLACE)


class Window:
    """What was committed after `start` up to `parent`. `start` None: the whole history."""

    __slots__ = ("_base", "_commit", "_parent", "_start")

    def __init__(self, commit: CommitContext, base: TableMetadata, parent: Snapshot, start: int | None) -> None:
        self._commit = commit
        self._base = base
        self._parent = parent
        self._start = start

    def start_is_ancestor(self) -> None:
        """Source: `core/BaseRowDelta.java`: a start outside the ancestry is an illegal argument."""
        if self._start is None:
            return
        if all(snapshot.snapshot_id != self._start for snapshot in ancestors(self._base, self._parent)):
            self._commit.world.coverage.hit(coverage.START_NOT_ANCESTOR)
            raise InvalidOperation(
                f"validate from {self._start}: expected an ancestor of {self._parent.snapshot_id}, it is none"
            )

    def added_data_files(self, conflict_filter: Expression) -> None:
        """`validateAddedDataFiles`: no data file that may match was added."""
        found = [f for f in self._data_files(ADDS_DATA, ADDED) if conflict_filter.may_match(f)]
        self._refuse(found, coverage.ADDED_DATA_FILES_REFUSED, f"no new data files that match {conflict_filter}")

    def deleted_data_files(self, conflict_filter: Expression) -> None:
        """`validateDeletedDataFiles`: no data file that may match was removed."""
        found = [f for f in self._data_files(REMOVES_DATA, DELETED) if conflict_filter.may_match(f)]
        self._refuse(found, coverage.DELETED_DATA_FILES_REFUSED, f"no removed data files that match {conflict_filter}")

    def data_files_exist(self, paths: Iterable[str], conflict_filter: Expression, *, skip_deletes: bool) -> None:
        """`validateDataFilesExist`: no referenced data file was removed.

        Args: `skip_deletes`: commits labelled `delete` do not count; their rows were to go anyway.
        """
        required = frozenset(paths)
        labels = REMOVES_DATA_UNLESS_DELETE if skip_deletes else REMOVES_DATA
        found = [f for f in self._data_files(labels, DELETED) if f.path in required and conflict_filter.may_match(f)]
        self._refuse(found, coverage.DATA_FILES_EXIST_REFUSED, "referenced data files to exist; missing")

    def no_new_delete_files(self, conflict_filter: Expression) -> None:
        """`validateNoNewDeleteFiles`: no delete file was added that can apply to matching rows."""
        found = self._delete_files(conflict_filter)
        self._refuse(found, coverage.NEW_DELETE_FILES_REFUSED, f"no new delete files that match {conflict_filter}")

    def no_new_deletes_for_data_files(
        self, files: Iterable[DataFile], conflict_filter: Expression | None, *, ignore_equality: bool = False
    ) -> None:
        """`validateNoNewDeletesForDataFiles`: no delete file was added that applies to one of `files`.

        They are put into the index of a scan: a data file, be it any, that has got one deletion vector after another
        refuses this commit, too (apache/iceberg#17764, mended after 1.11.0).

        Args: `ignore_equality`: equality deletes do not count (`ignoreEqualityDeletes`).
        """
        deletes = self._delete_files(conflict_filter or TRUE)
        again = second_vectors(deletes)
        self._refuse(again, coverage.NEW_DELETES_FOR_DATA_FILES_REFUSED, "one new deletion vector of a data file")
        if ignore_equality:
            deletes = [delete for delete in deletes if not isinstance(delete, EqualityDeleteFile)]
        found = [file for file in files if any(delete.may_apply_to(file) for delete in deletes)]
        self._refuse(found, coverage.NEW_DELETES_FOR_DATA_FILES_REFUSED, "no new deletes for replaced data files")

    def no_added_vectors(self, data_files: Iterable[str | None], conflict_filter: Expression) -> None:
        """`validateAddedDVs`: no deletion vector was added of a data file that this commit adds one of."""
        own = frozenset(data_files)
        manifests, snapshots = self._history(ADDS_VECTORS, DELETES)
        found = [
            entry.file
            for manifest in manifests
            for entry in self._commit.files.live_entries(manifest)
            if not isinstance(entry.file, DataFile) and entry.file.is_vector and entry.snapshot_id in snapshots
            and entry.file.referenced_data_file in own and conflict_filter.may_match_delete(entry.file)
        ]  # fmt: skip
        self._refuse(found, coverage.ADDED_VECTORS_REFUSED, "no new deletion vectors of the same data files")

    def _refuse(self, found: Iterable[DataFile | AnyDeletes], mark: str, expected: str) -> None:
        paths = [file.path for file in found]
        if paths:
            self._commit.world.coverage.hit(mark)
            raise ValidationFailed(
                f"commit {self._commit.snapshot_id} on {self._parent.snapshot_id}, started at {self._start}:"
                f" expected {expected}, got {', '.join(paths)}"
            )

    def _data_files(self, labels: tuple[str, ...], status: int) -> Iterator[DataFile]:
        manifests, snapshots = self._history(labels, DATA)
        for manifest in manifests:
            for entry in self._commit.files.entries(manifest):
                if entry.status == status and entry.snapshot_id in snapshots:
                    assert isinstance(entry.file, DataFile)
                    yield entry.file

    def _delete_files(self, conflict_filter: Expression) -> list[AnyDeletes]:
        """Live delete files newer than the start; in format 1 there are none, and no history is asked for.

        Source: `MergingSnapshotProducer.addedDeleteFiles`, `validateNoNewDeletesForDataFiles`.
        """
        if not self._may_have_deletes():
            return []
        start = self._base.snapshot(self._start)
        newer_than = 0 if start is None else start.sequence_number
        return [
            entry.file
            for manifest in self._history(ADDS_DELETES, DELETES)[0]
            for entry in self._commit.files.live_entries(manifest)
            if not isinstance(entry.file, DataFile)
            and (entry.sequence_number or 0) > newer_than
            and conflict_filter.may_match_delete(entry.file)
        ]

    def _may_have_deletes(self) -> bool:
        return self._base.format_version > 1

    def _history(self, labels: tuple[str, ...], content: str) -> tuple[list[ManifestFile], frozenset[int]]:
        """`validationHistory`: the manifests added in the window by commits of these labels, and those commits.

        Raises: `ValidationFailed` if the walk ends before the start: an ancestor has expired.
        """
        manifests: list[ManifestFile] = []
        snapshots: list[int] = []
        oldest = None
        for snapshot in ancestors(self._base, self._parent, self._start):
            oldest = snapshot
            if snapshot.operation in labels:
                snapshots.append(snapshot.snapshot_id)
                manifests += [
                    manifest
                    for manifest in self._commit.manifests_of(snapshot)
                    if manifest.content == content and manifest.added_snapshot_id == snapshot.snapshot_id
                ]
        if oldest is not None and oldest.parent_id != self._start:
            self._refuse_unknown_history(oldest)
        return manifests, frozenset(snapshots)

    def _refuse_unknown_history(self, oldest: Snapshot) -> None:
        """Source: iceberg/4.3; `MergingSnapshotProducer.validationHistory` ("Cannot determine history")."""
        self._commit.world.coverage.hit(coverage.HISTORY_UNKNOWN)
        raise ValidationFailed(
            f"history of {self._parent.snapshot_id}: expected to reach {self._start},"
            f" got no further than {oldest.snapshot_id}"
        )
