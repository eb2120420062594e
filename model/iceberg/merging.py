"""Operations that may remove files: new manifests in front, rewritten ones behind, data before deletes.

Source: iceberg/1.3, iceberg/2.1; `core/MergingSnapshotProducer.java`, `core/MergeAppend.java`,
`core/StreamingDelete.java`, `core/BaseRewriteFiles.java`.

As shipped, which delete files are too old is told by the data files that stay, and not by those that a commit adds: a
compaction that pins the sequence number of its files may drop equality deletes that they need (#10312).
"""

from collections.abc import Container, Sequence

from model.iceberg import coverage, validations
from model.iceberg.appended_manifests import AppendedManifests
from model.iceberg.errors import InvalidOperation
from model.iceberg.expressions import Expression
from model.iceberg.files import (
    DATA,
    DELETES,
    AnyDeletes,
    DataFile,
    EqualityDeleteFile,
    ManifestFile,
)
from model.iceberg.manifest_filter import ManifestFilter
from model.iceberg.manifest_merge import ManifestMerger
from model.iceberg.merged_vectors import AddedDeletes
from model.iceberg.metadata import APPEND, DELETE, REPLACE, Snapshot, TableMetadata
from model.iceberg.producer import Counters, SnapshotProducer
from model.iceberg.table import IcebergTable


class MergingProducer(SnapshotProducer):
    """Adds and removes data files and delete files."""

    looks_again = True

    def __init__(self, table: IcebergTable) -> None:
        super().__init__(table)
        self.start: int | None = None
        self.added_data: dict[str, DataFile] = {}
        self.added_deletes = AddedDeletes()
        self._vector_merges = 0
        self.delete_numbers: dict[str, int] = {}  # of delete files that have a data sequence number of their own
        self.data_filter = ManifestFilter(self.context, DATA)
        self.delete_filter = ManifestFilter(self.context, DELETES)
        self._data_merger = ManifestMerger(self.context, DATA)
        self._delete_merger = ManifestMerger(self.context, DELETES)
        self.data_number: int | None = None  # of the data files that are added, if it is not to be the commit's own
        self._new_data: list[ManifestFile] = []
        self._new_deletes: list[ManifestFile] = []
        self.appended = AppendedManifests(self.context, table.ops.current.format_version)

    def add_data(self, file: DataFile) -> None:
        """Add a data file. Files are a set by path (`DataFileSet`)."""
        self.added_data.setdefault(file.path, file)

    def fail_missing_delete_paths(self) -> None:
        """From now on, every file named for removal must still be live. Source: iceberg/4 (second hook)."""
        self.data_filter.fail_missing = True
        self.delete_filter.fail_missing = True

    def _add_delete_file(self, file: AnyDeletes) -> None:
        """Raises: `InvalidOperation` if it is none of the table's format."""
        self._refuse_other_format(file, self.table.ops.current.format_version)
        self.added_deletes.add(file)

    def apply(self, base: TableMetadata, parent: Snapshot | None) -> Sequence[ManifestFile]:
        self._refuse_added_of_other_format(base.format_version)
        if self.rules.specs_stay_known:
            self.context.refuse_unknown_specs([*self.added_data.values(), *self.added_deletes.given])
        manifests = self.context.manifests_of(parent)
        data = self.data_filter.filter([m for m in manifests if m.content == DATA])
        numbers = [m.min_sequence_number for m in data if m.min_sequence_number is not None]
        if self.rules.added_files_count and self.data_number is not None:
            numbers.append(self.data_number)
        oldest = min([base.last_sequence_number, *numbers])
        self.delete_filter.drop_deletes_older_than(oldest, bool(self.data_filter.to_remove))
        self.delete_filter.drop_vectors_of(self.data_filter.to_remove)
        deletes = self.delete_filter.filter([m for m in manifests if m.content == DELETES])
        new_data = self._new_data_manifests()
        listed = self._data_merger.merge([*new_data, *self.appended.listed, *filter(self._keep, data)])
        return (*listed, *self._delete_merger.merge([*self._new_delete_manifests(), *filter(self._keep, deletes)]))

    def _keep(self, manifest: ManifestFile) -> bool:
        return manifest.has_live_files or manifest.added_snapshot_id == self.context.snapshot_id

    def _new_data_manifests(self) -> Sequence[ManifestFile]:
        if not self.reuses(self._new_data) and self.added_data:
            self._new_data[:] = self.context.write_added(DATA, self.added_data.values(), self.data_number, {})
        return self._new_data

    def _new_delete_manifests(self) -> Sequence[ManifestFile]:
        """Source: `MergingSnapshotProducer.newDeleteFilesAsManifests`."""
        if not self.reuses(self._new_deletes) and self.added_deletes:
            self._vector_merges += 1
            name = f"merged-dvs-{self.context.snapshot_id}-{self._vector_merges}"
            files = self.added_deletes.merged(self.table, name, self.delete_numbers)
            self._new_deletes[:] = self.context.write_added(DELETES, files, None, self.delete_numbers)
        return self._new_deletes

    def _refuse_added_of_other_format(self, version: int) -> None:
        for file in self.added_deletes.given:
            self._refuse_other_format(file, version)

    def _refuse_other_format(self, file: AnyDeletes, version: int) -> None:
        """Source: `MergingSnapshotProducer.validateDeleteFileForVersion`, when a file is added, and in each attempt
        (`validateDeleteFilesForVersion`, #16146): vectors from format 3 on, position deletes before; none in format 1.
        """
        if version < 2:
            self.world.coverage.hit(coverage.DELETES_OF_ANOTHER_FORMAT)
            raise InvalidOperation(f"add {file.path}: expected no deletes in format 1, got some")
        if isinstance(file, EqualityDeleteFile):
            return
        if file.is_vector != (version >= 3):
            self.world.coverage.hit(coverage.DELETES_OF_ANOTHER_FORMAT)
            kind = "a deletion vector" if version >= 3 else "a position delete file"
            raise InvalidOperation(f"add {file.path}: expected {kind} in format {version}, got the other kind")

    def clean_uncommitted(self, committed: Container[str]) -> None:
        """Source: iceberg/2.4; `MergingSnapshotProducer.cleanUncommitted`."""
        self._data_merger.clean_uncommitted(committed)
        self.data_filter.clean_uncommitted(committed)
        self._delete_merger.clean_uncommitted(committed)
        self.delete_filter.clean_uncommitted(committed)
        for written in (self._new_data, self._new_deletes):
            self._clean_new(written, committed)
        self.appended.clean_copies(committed)
        self.appended.clean_merged(committed)

    def _clean_new(self, written: list[ManifestFile], committed: Container[str]) -> None:
        """What was merged into another manifest goes; an update of a transaction that is applied again writes it anew.

        Source: `SnapshotProducer.deleteUncommitted`, which forgets all if one of them goes.
        """
        gone = [manifest.path for manifest in written if manifest.path not in committed]
        for path in gone:
            self.context.delete_manifest(path)
        if gone:
            written.clear()

    def summary(self) -> Counters:
        removed = len(self.data_filter.to_remove)
        counters = (
            ("added-data-files", len(self.added_data) + self.appended.files),
            ("deleted-data-files", removed),
            ("added-delete-files", self.added_deletes.committed),
            ("removed-delete-files", len(self.delete_filter.to_remove)),
        )
        return tuple(counter for counter in counters if counter[1])


class MergeAppend(MergingProducer):
    """Adds data files: what Spark's INSERT commits. Source: iceberg/4.1; `core/MergeAppend.java`."""

    starts_at_commit = True

    def append_file(self, file: DataFile) -> "MergeAppend":
        """Add a data file."""
        self.add_data(file)
        return self

    def append_manifest(self, manifest: ManifestFile) -> "MergeAppend":
        """Add the files of a manifest that the caller has written. Raises: as `AppendedManifests.add`."""
        self.appended.add(manifest)
        return self

    def operation(self) -> str:
        return APPEND


class DeleteFiles(MergingProducer):
    """Removes whole data files, by row filter or by name; validates nothing unless told to.

    Source: iceberg/4.1 (DELETE provable from metadata), iceberg/4.2; `core/StreamingDelete.java`.
    """

    starts_at_commit = True  # its filter is evaluated anew by each attempt

    def delete_file(self, file: DataFile) -> "DeleteFiles":
        """Remove a data file."""
        self.data_filter.remove(file)
        return self

    def delete_from_row_filter(self, row_filter: Expression) -> "DeleteFiles":
        """Remove every file whose rows all match, as the table is when the commit is tried."""
        self.data_filter.remove_by_row_filter(row_filter)
        self.delete_filter.remove_by_row_filter(row_filter)
        return self

    def operation(self) -> str:
        return DELETE


class RewriteFiles(MergingProducer):
    """Replaces data files by others with the same rows: compaction.

    Source: iceberg/4.2 (own sequence number); `core/BaseRewriteFiles.java`.
    """

    def __init__(self, table: IcebergTable) -> None:
        super().__init__(table)
        self._replaced: list[DataFile] = []
        self.fail_missing_delete_paths()

    def delete_file(self, file: DataFile) -> "RewriteFiles":
        """Replace this file."""
        self._replaced.append(file)
        self.data_filter.remove(file)
        return self

    def delete_vector(self, vector: AnyDeletes) -> "RewriteFiles":
        """Remove the deletion vector of a file that is replaced."""
        self.delete_filter.remove(vector)
        return self

    def add_file(self, file: DataFile) -> "RewriteFiles":
        """By this one."""
        self.add_data(file)
        return self

    def validate_from_snapshot(self, snapshot_id: int | None) -> "RewriteFiles":
        """The snapshot that was read for the rewrite."""
        self.start = snapshot_id
        return self

    def data_sequence_number(self, number: int) -> "RewriteFiles":
        """The data sequence number of the new files: later equality deletes apply to them as to those replaced.

        So equality deletes that were committed meanwhile do not refuse the rewrite.
        """
        self.data_number = number
        return self

    @property
    def ignores_equality_deletes(self) -> bool:
        """Whether those that were committed meanwhile are of the new files, too. Source: `ignoreEqualityDeletes`."""
        return self.data_number is not None

    def operation(self) -> str:
        return REPLACE

    def validate(self, base: TableMetadata, parent: Snapshot | None) -> None:
        self._refuse_nothing_to_replace()
        if parent is not None:
            window = validations.Window(self.context, base, parent, self.start)
            ignores = self.ignores_equality_deletes
            window.no_new_deletes_for_data_files(self._replaced, None, ignore_equality=ignores)

    def _refuse_nothing_to_replace(self) -> None:
        """Source: `BaseRewriteFiles.validateReplacedAndAddedFiles`."""
        if not self._replaced:
            self.world.coverage.hit(coverage.REWRITE_OF_NOTHING)
            raise InvalidOperation("rewrite: expected files to replace, got none")

    def _write_manifest_list(
        self, base: TableMetadata, parent: Snapshot | None, manifests: Sequence[ManifestFile]
    ) -> Snapshot:
        snapshot = super()._write_manifest_list(base, parent, manifests)
        self._refuse_more_records()
        return snapshot

    def _refuse_more_records(self) -> None:
        """Source: `SnapshotProducer.apply` ("Invalid REPLACE operation"), after the manifest list is written."""
        added = sum(file.record_count for file in self.added_data.values())
        replaced = self.data_filter.removed_records
        if added > replaced:
            self.world.coverage.hit(coverage.REWRITE_TO_MORE_RECORDS)
            raise InvalidOperation(f"rewrite: expected at most the {replaced} records replaced, got {added} added")
