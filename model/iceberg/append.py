"""Appending data files: the operation that conflicts with nothing.

Source: iceberg/4.2 (first row); `core/FastAppend.java`.

Choices: `FastAppend` is the Java API's `newFastAppend`. Spark's INSERT uses `newAppend`, a merging producer
(`merging.MergeAppend`), which below the merge thresholds commits the same manifests but also looks for unused
manifests after the commit, at the cost of one read. Manifests that a caller has written: `appended_manifests`.
"""

from collections.abc import Container, Sequence

from model.iceberg.appended_manifests import AppendedManifests
from model.iceberg.files import DATA, DataFile, ManifestFile
from model.iceberg.metadata import APPEND, Snapshot, TableMetadata
from model.iceberg.producer import Counters, SnapshotProducer
from model.iceberg.table import IcebergTable


class FastAppend(SnapshotProducer):
    """Adds data files in one new manifest, or one for each spec of theirs, in front of the parent's manifests."""

    starts_at_commit = True

    def __init__(self, table: IcebergTable) -> None:
        super().__init__(table)
        self._added: dict[str, DataFile] = {}
        self._new_manifests: list[ManifestFile] = []
        self._appended = AppendedManifests(self.context, table.ops.current.format_version)

    @property
    def cleans_after_commit(self) -> bool:
        """Manifests are never rewritten here, so there is nothing to look for but copies (`cleanupAfterCommit`)."""
        return bool(self._appended.copies)

    def append_file(self, file: DataFile) -> "FastAppend":
        """Add a data file. Files are a set by path (`DataFileSet`)."""
        self._added.setdefault(file.path, file)
        return self

    def append_manifest(self, manifest: ManifestFile) -> "FastAppend":
        """Add the files of a manifest that the caller has written. Raises: as `AppendedManifests.add`."""
        self._appended.add(manifest)
        return self

    def operation(self) -> str:
        return APPEND

    def summary(self) -> Counters:
        return (
            ("added-data-files", len(self._added) + self._appended.files),
            ("added-records", sum([f.record_count for f in self._added.values()]) + self._appended.records),
        )

    def apply(self, base: TableMetadata, parent: Snapshot | None) -> Sequence[ManifestFile]:
        new = self._new_manifests
        if self.rules.specs_stay_known:
            self.context.refuse_unknown_specs(self._added.values())
        if not self.reuses(new) and self._added:
            new[:] = self.context.write_added(DATA, self._added.values(), None, {})
        return (*new, *self._appended.listed, *self.context.manifests_of(parent))

    def clean_uncommitted(self, committed: Container[str]) -> None:
        for manifest in self._new_manifests:
            if manifest.path not in committed:
                self.files.delete(manifest.path)
        self._appended.clean_copies(committed)
