"""Manifests that a caller has written and gives to an append (`AppendFiles.appendManifest`).

One that names no snapshot is listed as it is, and inherits the commit's; in format 1, which has no inheritance, a copy
is written when it is given, and listed. The copy is the commit's own. What was given stays its caller's, unless a
merging append has committed and its files are in another manifest by then: that one deletes it. Nothing knows it again:
who gives a manifest twice, or a file beside a manifest that has it, lists it twice.

Source: `core/FastAppend.java`, `core/MergeAppend.java`, `core/MergingSnapshotProducer.java` (`add`, `copyManifest`,
`cleanUncommittedAppends`, `prepareNewDataManifests`), `SnapshotProducer.canInheritSnapshotId` of 1.11.0.

Choices: left out are manifests that say -1 for their snapshot, of writers of other libraries, which are copied in every
format, and `compatibility.snapshot-id-inheritance.enabled`.
"""

from collections.abc import Container

from model.iceberg import coverage
from model.iceberg.commit_context import CommitContext
from model.iceberg.errors import InvalidOperation
from model.iceberg.files import DATA, ManifestFile

NO_SNAPSHOT = 0
"""What a manifest, and its entries, say of their snapshot before it is known."""


class AppendedManifests:
    """Those of one append. Args: `version`: the table's format when the append was made."""

    def __init__(self, commit: CommitContext, version: int) -> None:
        self._commit = commit
        self._inherits = version > 1
        self.given: list[ManifestFile] = []
        self.copies: list[ManifestFile] = []
        self.files = self.records = 0

    def add(self, manifest: ManifestFile) -> None:
        """Take a manifest. Raises: `InvalidOperation` if it has files that are not added, or is in a snapshot."""
        self._refuse(manifest)
        self.files += manifest.added_files
        self.records += manifest.live_rows
        if self._inherits:
            self.given.append(manifest)
        else:
            self._commit.world.coverage.hit(coverage.APPENDED_COPIED)
            self.copies.append(self._copied(manifest))

    def _refuse(self, manifest: ManifestFile) -> None:
        if manifest.existing_files or manifest.deleted_files:
            raise InvalidOperation(f"append manifest {manifest.path}: expected added files alone, got {manifest}")
        if manifest.added_snapshot_id != NO_SNAPSHOT or manifest.sequence_number is not None:
            raise InvalidOperation(f"append manifest {manifest.path}: expected one of no snapshot, got {manifest}")

    def _copied(self, manifest: ManifestFile) -> ManifestFile:
        own = self._commit.snapshot_id
        entries = [entry._replace(snapshot_id=own) for entry in self._commit.files.entries(manifest)]
        return self._commit.write_manifest(DATA, tuple(entries))

    @property
    def listed(self) -> list[ManifestFile]:
        """As the commit lists them."""
        own = self._commit.snapshot_id
        return [each._replace(added_snapshot_id=own) for each in (*self.given, *self.copies)]

    def clean_copies(self, committed: Container[str]) -> None:
        """Delete the copies that are not committed; they are known still, as an attempt may list them again."""
        for manifest in self.copies:
            if manifest.path not in committed:
                self._commit.delete_manifest(manifest.path)

    def clean_merged(self, committed: Container[str]) -> None:
        """Delete what was given and is not committed, if anything was. Source: "the table now owns appendManifests"."""
        for manifest in self.given if committed else ():
            if manifest.path not in committed:
                self._commit.world.coverage.hit(coverage.APPENDED_MERGED)
                self._commit.delete_manifest(manifest.path)
