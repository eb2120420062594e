"""Merging the manifests of one content that a commit lists: those of each spec, bin by bin, into one.

The first manifest is that of what the commit adds, or, if it adds nothing of the content, the newest one that stays. A
bin with it is merged from `commit.manifest.min-count-to-merge` manifests on, every other one from two on. So a table
with files of several specs is listed with one manifest for each of the others from the next such commit on.

Source: `core/ManifestMergeManager.java` of 1.11.0 (`groupBySpec`, `mergeGroup`, `createManifest`, `cleanUncommitted`).

Choices: bins are merged one after the other, as one worker does it. A bin with a manifest that cannot be read leaves
what has been written of it, as the writer is closed, and nobody deletes that.
"""

from collections.abc import Container, Sequence
from contextlib import suppress

from model.iceberg import coverage
from model.iceberg.commit_context import CommitContext
from model.iceberg.errors import IcebergError
from model.iceberg.files import ADDED, DELETED, EXISTING, ManifestEntry, ManifestFile, Numbers


class ManifestMerger:
    """Merges the manifests of one content (data or deletes), and knows again what it has merged."""

    def __init__(self, commit: CommitContext, content: str) -> None:
        self._commit = commit
        self._content = content
        self._settings = commit.merging  # those of the table as it is when the commit is begun
        self._merged: dict[tuple[tuple[str, Numbers | None], ...], ManifestFile] = {}

    def merge(self, manifests: Sequence[ManifestFile]) -> list[ManifestFile]:
        """The manifests as they are listed: by spec, the last one first. Args: `manifests`: the commit's own first."""
        if not self._settings.enabled:
            return list(manifests)
        by_spec: dict[int, list[ManifestFile]] = {}
        for manifest in manifests:
            by_spec.setdefault(manifest.spec_id, []).append(manifest)
        listed: list[ManifestFile] = []
        for spec_id in sorted(by_spec, reverse=True):
            for packed in self._settings.bins(by_spec[spec_id]):
                listed += packed if self._stays(packed, manifests[0]) else [self._into_one(packed)]
        return listed

    def _stays(self, packed: Sequence[ManifestFile], first: ManifestFile) -> bool:
        """Whether these of one bin are not merged: one alone, or too few yet."""
        return len(packed) < 2 or (len(packed) < self._settings.min_count and packed[0].path == first.path)

    def _into_one(self, manifests: Sequence[ManifestFile]) -> ManifestFile:
        by_number = self._commit.rules.knows_manifests_by_number
        key = tuple([(manifest.path, manifest.numbers if by_number else None) for manifest in manifests])
        if key not in self._merged:
            self._commit.world.coverage.hit(coverage.MANIFESTS_MERGED)
            self._merged[key] = self._commit.write_manifest(self._content, self._entries_of(manifests))
        else:
            self._commit.world.coverage.hit(coverage.MERGED_REUSED)
        return self._merged[key]

    def _entries_of(self, manifests: Sequence[ManifestFile]) -> tuple[ManifestEntry, ...]:
        entries: list[ManifestEntry] = []
        try:
            for manifest in manifests:
                entries += self._entries(manifest)
        except IcebergError:
            with suppress(IcebergError):
                self._commit.write_manifest(self._content, tuple(entries))
            raise
        return tuple(entries)

    def _entries(self, manifest: ManifestFile) -> list[ManifestEntry]:
        """What this commit has added or deleted stays as it is, what others have deleted goes, all else exists, with
        the row ids that it has, though the manifest may be of this commit, too (#16263)."""
        own = self._commit.snapshot_id
        committed = manifest.added_snapshot_id != own
        return [
            entry if entry.snapshot_id == own and entry.status in (ADDED, DELETED) else entry._replace(status=EXISTING)
            for entry in self._commit.files.entries(manifest, committed=committed)
            if entry.status != DELETED or entry.snapshot_id == own
        ]

    def clean_uncommitted(self, committed: Container[str]) -> None:
        """Delete the manifests that were written here and are not committed, and forget them."""
        for key, merged in list(self._merged.items()):
            if merged.path not in committed:
                self._commit.delete_manifest(merged.path)
                del self._merged[key]
