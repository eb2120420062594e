"""Merging the manifests of one content that a commit lists: those of each spec into one, but for that of the first.

The first manifest is that of what the commit adds, or, if it adds nothing of the content, the newest one that stays. Of
its spec, 100 manifests have to be there; of every other spec, two are enough. So a table with files of several specs is
listed with one manifest for each of the others from the next such commit on.

Source: `core/ManifestMergeManager.java` of 1.11.0 (`groupBySpec`, `mergeGroup`, `createManifest`).

Choices: whatever is merged fits into one manifest (8 MB), and the first spec's threshold is out of reach
(`commit.manifest.min-count-to-merge`); merging is enabled (`commit.manifest-merge.enabled`).
"""

from collections.abc import Container, Sequence

from model.iceberg import coverage
from model.iceberg.commit_context import CommitContext
from model.iceberg.files import ADDED, DELETED, EXISTING, ManifestEntry, ManifestFile, Numbers


class ManifestMerger:
    """Merges the manifests of one content (data or deletes), and knows again what it has merged."""

    def __init__(self, commit: CommitContext, content: str) -> None:
        self._commit = commit
        self._content = content
        self._merged: dict[tuple[tuple[str, Numbers | None], ...], ManifestFile] = {}

    def merge(self, manifests: Sequence[ManifestFile]) -> list[ManifestFile]:
        """The manifests as they are listed: by spec, the last one first."""
        by_spec: dict[int, list[ManifestFile]] = {}
        for manifest in manifests:
            by_spec.setdefault(manifest.spec_id, []).append(manifest)
        if len(by_spec) < 2:
            return list(manifests)
        listed: list[ManifestFile] = []
        for spec_id in sorted(by_spec, reverse=True):
            of_spec = by_spec[spec_id]
            apart = len(of_spec) < 2 or spec_id == manifests[0].spec_id
            listed += of_spec if apart else [self._into_one(of_spec)]
        return listed

    def _into_one(self, manifests: list[ManifestFile]) -> ManifestFile:
        by_number = self._commit.rules.knows_manifests_by_number
        key = tuple([(manifest.path, manifest.numbers if by_number else None) for manifest in manifests])
        if key not in self._merged:
            self._commit.world.coverage.hit(coverage.MANIFESTS_MERGED)
            entries = [entry for manifest in manifests for entry in self._entries(manifest)]
            self._merged[key] = self._commit.write_manifest(self._content, tuple(entries))
        return self._merged[key]

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
