"""Removing files from manifests: every manifest that holds a file to remove is rewritten, the others stay as they are.

What one attempt found is kept for the next ones, keyed by manifest. That cache decides more than speed: when a commit
that landed is reported as lost, the retry meets the manifests that its first attempt wrote, finds in the cache that
the required files were removed by them, and so does not complain that they are missing.

Source: iceberg/4 (second hook), iceberg/1.3 (old delete files); `core/ManifestFilterManager.java`.

Choices: manifest-level pruning is left out; delete files that are named carry the location of a
manifest that is still there, which upstream trusts then; manifests are looked into one after the other, as one worker
does it: with several, how many old deletes one commit drops is a race.
"""

from collections.abc import Container

from model.iceberg import coverage
from model.iceberg.commit_context import CommitContext
from model.iceberg.errors import InvalidOperation, ValidationFailed
from model.iceberg.expressions import FALSE, Expression, either
from model.iceberg.files import (
    DATA,
    DELETED,
    EXISTING,
    AnyDeletes,
    DataFile,
    ManifestEntry,
    ManifestFile,
    Numbers,
    Partition,
)
from model.iceberg.manifest_bounds import may_be_of


class ManifestFilter:
    """Removes files by name or by row filter from the manifests of one content (data or deletes)."""

    def __init__(self, commit: CommitContext, content: str) -> None:
        self._commit = commit
        self._content = content
        self._row_filter: Expression = FALSE
        self._min_sequence_number = 0
        self._look_for_old = False
        self._gone: Container[str] = ()
        self._filtered: dict[tuple[str, Numbers | None], tuple[str, ManifestFile]] = {}
        self._removed: dict[str, tuple[DataFile | AnyDeletes, ...]] = {}
        self.removed_records = 0
        # Named for removal, and (as upstream) whatever an earlier attempt removed: by row filter, or as an old delete.
        # So a retry requires delete files that its first attempt dropped in passing; if the commit that won dropped
        # them, too, it is refused for good, although nothing conflicts.
        self.to_remove: dict[str, None] = {}
        self._named: dict[str, None] = {}
        self._partitions: dict[Partition, None] = {}
        self._referenced: list[str] = []
        self._trusted = False
        self._specs = commit.known_specs
        self._dropped: dict[Partition, None] = {}
        self.fail_missing = False
        self.fail_any = False

    def remove(self, file: DataFile | AnyDeletes) -> None:
        """Name a file for removal."""
        self.to_remove[file.path] = self._named[file.path] = self._partitions[file.partition] = None
        if isinstance(file, DataFile):
            self._referenced.append(file.manifest)

    def remove_by_row_filter(self, row_filter: Expression) -> None:
        """Remove every file whose rows all match this or an earlier filter.

        A file of which only some rows match makes the commit fail.
        """
        self._row_filter = either(self._row_filter, row_filter)

    def drop_partition(self, partition: Partition) -> None:
        """Remove every file of a partition. Source: `ManifestFilterManager.dropPartition`."""
        self._dropped[partition] = None

    @property
    def removes_files(self) -> bool:
        """Whether anything was asked to be removed."""
        return bool(self.to_remove or self._dropped) or self._row_filter is not FALSE

    def drop_deletes_older_than(self, sequence_number: int, files_removed: bool) -> None:
        """Also remove delete files that can apply to no data file any more.

        Args: `files_removed`: whether the commit removes data files; if not, delete manifests are not even opened.
        """
        self._min_sequence_number = sequence_number
        self._look_for_old = files_removed

    def drop_vectors_of(self, data_files: Container[str]) -> None:
        """Also remove the deletion vectors of data files that are removed. Source: `removeDanglingDeletesFor`."""
        self._gone = data_files

    def filter(self, manifests: list[ManifestFile]) -> list[ManifestFile]:
        """The manifests without the removed files.

        Raises: `ValidationFailed` if a required file is not there, or if rows of a file match the filter in part.
        """
        self._trusted = self._trusts_references([manifest.path for manifest in manifests])
        filtered = [self._filter_manifest(manifest) for manifest in manifests]
        files = [file for manifest in filtered for file in self._removed.get(manifest.path, ())]
        removed = [file.path for file in files]
        self.removed_records = sum([file.record_count for file in files])
        if self.fail_missing:
            required = self._named if self._commit.rules.requires_named_files_only else self.to_remove
            self._refuse_missing([path for path in required if path not in removed])
        return filtered

    def _refuse_missing(self, missing: list[str]) -> None:
        """Source: iceberg/4 (second hook); `ManifestFilterManager.validateRequiredDeletes`."""
        if missing:
            self._commit.world.coverage.hit(coverage.MISSING_DELETE_PATHS_REFUSED)
            raise ValidationFailed(f"remove {missing}: expected files of the table, they are missing")

    def clean_uncommitted(self, committed: Container[str]) -> None:
        """Delete the manifests that were written here and are not committed, and forget them."""
        for key, (original, filtered) in list(self._filtered.items()):
            if filtered.path not in committed:
                if filtered.path != original:
                    self._commit.delete_manifest(filtered.path)
                del self._filtered[key]
                self._removed.pop(filtered.path, None)

    def _filter_manifest(self, manifest: ManifestFile) -> ManifestFile:
        key = manifest.path, manifest.numbers if self._commit.rules.knows_manifests_by_number else None
        if key in self._filtered:
            return self._filtered[key][1]
        result = manifest
        if manifest.has_live_files and self._opens(manifest):
            entries = self._commit.files.live_entries(manifest)
            removed = [entry for entry in entries if self._removes(entry)]
            if removed or not self._trusted:
                self._refuse_unknown_spec(manifest)
            if removed and self._trusts(removed):
                self._refuse_any(removed)
                result = self._rewrite(entries, removed)
                self._removed[result.path] = tuple(entry.file for entry in removed)
                self.to_remove.update(dict.fromkeys([entry.file.path for entry in removed]))
        self._filtered[key] = manifest.path, result
        return result

    def _opens(self, manifest: ManifestFile) -> bool:
        """Whether a manifest is looked into: its list may say that no file in it is of a partition that is meant.

        What was removed in passing counts as named from then on, but no partition of it is known: so no delete manifest
        behind it is opened any more, and none that a retry meets for the first time; old deletes stay in both.
        So does a deletion vector that replaced the one that a first attempt dropped: it is of a data file that is gone.
        Source: `canContainDroppedFiles`, `canContainExpressionDeletes`, `canContainDroppedPartitions`,
        `filterManifestWithDeletedFiles` (1.11.0; later: on a retry); apache/iceberg#18197.
        """
        if self._look_for_old and not self.to_remove:
            return True
        if manifest.spec_id not in self._specs:
            return self._opens_of_new_spec(manifest)
        if self._row_filter.may_match_within(manifest.bounds):
            return True
        return may_be_of(manifest, (*self._partitions, *self._dropped))

    def _refuse_unknown_spec(self, manifest: ManifestFile) -> None:
        """Raise `InvalidOperation` if the table does not have the spec of a manifest any more that is looked into.

        Source: `ManifestReader`: a `NullPointerException` (seen on 1.11.0).
        """
        if manifest.spec_id not in self._commit.known_specs:
            self._commit.world.coverage.hit(coverage.SPEC_UNKNOWN)
            raise InvalidOperation(f"read {manifest.path}: expected a spec of the table, got {manifest.spec_id}")

    def _trusts_references(self, paths: list[str]) -> bool:
        """Whether only manifests that files were named from are looked into: they are there still.

        Source: `canTrustManifestReferences`.
        """
        if self._row_filter is not FALSE or self._dropped or not self._named:
            return False
        return self._content != DATA or all(path in paths for path in self._referenced)

    def _opens_of_new_spec(self, manifest: ManifestFile) -> bool:
        """Whether a manifest is looked into of a spec that came to be since this was made.

        Raises: `InvalidOperation` if what is to be removed is looked for in it by its partitions.

        Source: `canContainDeletedFiles`, `specsById`: a `NullPointerException` (seen on 1.11.0).
        """
        if self._trusted:
            return False
        if self._row_filter is not FALSE or self.to_remove or self._dropped:
            self._commit.world.coverage.hit(coverage.SPEC_UNKNOWN)
            raise InvalidOperation(f"look into {manifest.path}: expected a spec that is known, got {manifest.spec_id}")
        return False

    def _trusts(self, removed: list[ManifestEntry]) -> bool:
        """Whether a manifest is rewritten for these: if delete files are named, only one that holds such a file.

        Source: `canTrustManifestReferences`.
        """
        named_deletes = self._named and self._content != DATA
        return not named_deletes or any(entry.file.path in self._named for entry in removed)

    def _rewrite(self, entries: tuple[ManifestEntry, ...], removed: list[ManifestEntry]) -> ManifestFile:
        """Source: iceberg/1.2: DELETED entries carry the snapshot that deleted them; numbers become explicit."""
        snapshot_id = self._commit.snapshot_id
        return self._commit.write_manifest(
            self._content,
            tuple(
                ManifestEntry(DELETED, snapshot_id, entry.sequence_number, entry.file)
                if entry in removed
                else entry._replace(status=EXISTING)
                for entry in entries
            ),
        )

    def _removes(self, entry: ManifestEntry) -> bool:
        file = entry.file
        if file.path in self.to_remove or file.partition in self._dropped:
            return True
        if not isinstance(file, DataFile):
            number = entry.sequence_number or 0
            if file.is_vector and file.referenced_data_file in self._gone:
                return True
            return 0 < number < self._min_sequence_number or self._row_filter.must_match_delete(file)
        if not self._row_filter.may_match(file):
            return False
        if self._row_filter.must_match(file):
            return True
        self._refuse_partial_match(file)
        return False

    def _refuse_any(self, removed: list[ManifestEntry]) -> None:
        """Source: `ManifestFilterManager.failAnyDelete` ("Operation would delete existing data")."""
        if self.fail_any:
            self._commit.world.coverage.hit(coverage.ANY_REMOVAL_REFUSED)
            paths = ", ".join([entry.file.path for entry in removed])
            raise ValidationFailed(f"append only: expected nothing to be removed, got {paths}")

    def _refuse_partial_match(self, file: DataFile) -> None:
        """Source: `ManifestFilterManager.manifestHasDeletedFiles` ("some, but not all, rows match filter")."""
        self._commit.world.coverage.hit(coverage.PARTIAL_MATCH_REFUSED)
        raise ValidationFailed(
            f"remove by filter {self._row_filter}: expected all or no rows of {file.path} to match, got some"
        )
