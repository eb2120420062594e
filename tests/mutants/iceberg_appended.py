"""Mutants of appends by manifests. Source: `model.iceberg.appended_manifests`."""

from collections.abc import Container

from model.iceberg.appended_manifests import NO_SNAPSHOT, AppendedManifests
from model.iceberg.errors import InvalidOperation
from model.iceberg.files import ManifestFile
from model.iceberg.transaction import Transaction
from tests.mutants.damage import left_out, replaced


def takes_existing(_: AppendedManifests, manifest: ManifestFile) -> None:
    """Whatever it says of its files."""
    if manifest.added_snapshot_id != NO_SNAPSHOT:
        raise InvalidOperation("a snapshot's")


def takes_committed(_: AppendedManifests, manifest: ManifestFile) -> None:
    """Whichever snapshot has it."""
    if manifest.existing_files or manifest.deleted_files:
        raise InvalidOperation("existing files")


def lists_it(self: AppendedManifests, manifest: ManifestFile) -> None:
    """In format 1 as in the others."""
    self._refuse(manifest)
    self.given.append(manifest)


def whatever_came_of_it(self: AppendedManifests, committed: Container[str]) -> None:
    """Also where nothing is committed."""
    for manifest in self.given:
        if manifest.path not in committed:
            self._commit.delete_manifest(manifest.path)


def all_noted(self: Transaction, _: frozenset[str]) -> tuple[str, ...]:
    """What was noted goes, though a snapshot has it."""
    return tuple(self._deleted)


APPENDED = (
    replaced("existing-files-appended", AppendedManifests, "_refuse", takes_existing, "files that no commit added"),
    replaced("committed-manifests-appended", AppendedManifests, "_refuse", takes_committed, "files are listed twice"),
    replaced("appended-manifests-not-copied", AppendedManifests, "add", lists_it, "format 1 has no inheritance"),
    left_out("appended-copies-stay", AppendedManifests, "clean_copies", "copies of failed commits stay"),
    left_out("merged-manifest-stays", AppendedManifests, "clean_merged", "a manifest stays that no snapshot has"),
    replaced(
        "appended-manifest-deleted-after-failure", AppendedManifests, "clean_merged", whatever_came_of_it,
        "the caller cannot try it again",
    ),
    replaced(
        "noted-files-deleted", Transaction, "_uncommitted", all_noted, "a manifest goes that the transaction has"
    ),
)  # fmt: skip
