"""Replacing manifests by others of the same files: `RewriteManifests`, as Spark's `rewrite_manifests` asks for it.

Spark reads the manifests of the snapshot that its session knows, writes one new manifest of the data files and one of
the delete files, and names both sides: nobody clusters anything, and each attempt keeps whatever else is there. A
manifest that is gone by then refuses it for good.

Source: `core/BaseRewriteManifests.java` (`apply`, `validateDeletedManifests`, `keepActiveManifests`);
`spark/actions/RewriteManifestsSparkAction.java` (`doExecute`, `replaceManifests`) of 1.11.0 for Spark 3.5.

Choices: whatever is replaced fits into one manifest (8 MB). New manifests are named as those of the commit. That both
sides have as many files is by construction (`validateFilesCounts`). No `rewriteIf`, no clusters.
"""

from collections.abc import Container, Sequence

from model.iceberg import coverage
from model.iceberg.api import run_commit
from model.iceberg.errors import IcebergError, ValidationFailed
from model.iceberg.files import DATA, DELETES, EXISTING, ManifestFile
from model.iceberg.metadata import REPLACE, Snapshot, TableMetadata
from model.iceberg.producer import Counters, SnapshotProducer
from model.iceberg.result import CommandResult
from model.iceberg.table import IcebergTable


class RewriteManifests(SnapshotProducer):
    """Puts manifests that are given in the place of others."""

    def __init__(self, table: IcebergTable) -> None:
        super().__init__(table)
        self.added: list[ManifestFile] = []
        self._replaced: dict[str, None] = {}

    def replace(self, manifests: Sequence[ManifestFile], content: str) -> None:
        """Write one manifest of what is live in these, and put it in their place."""
        entries = [entry for manifest in manifests for entry in self.files.live_entries(manifest)]
        there = tuple([entry._replace(status=EXISTING) for entry in entries])
        self.added.append(self.context.write_manifest(content, there))
        self._replaced |= dict.fromkeys([manifest.path for manifest in manifests])

    def operation(self) -> str:
        return REPLACE

    def summary(self) -> Counters:
        return (("manifests-created", len(self.added)), ("manifests-replaced", len(self._replaced)))

    def apply(self, base: TableMetadata, parent: Snapshot | None) -> Sequence[ManifestFile]:
        there = self.context.manifests_of(parent)
        missing = [path for path in self._replaced if all(manifest.path != path for manifest in there)]
        if missing:
            self.world.coverage.hit(coverage.MANIFEST_GONE)
            raise ValidationFailed(f"rewrite manifests: expected {', '.join(missing)} in {base.current_snapshot_id}")
        return (*self.added, *[manifest for manifest in there if manifest.path not in self._replaced])

    def clean_uncommitted(self, committed: Container[str]) -> None:
        """It has written none itself: the manifests belong to whoever gave them."""


def rewrite_manifests(table: IcebergTable) -> CommandResult:
    """`CALL system.rewrite_manifests(t)`: replace the manifests of the default spec that the client knows; one alone of
    its kind stays.

    Raises: any `IcebergError`; the new manifests are deleted where that is safe.
    """
    head = table.metadata.current
    known = () if head is None else table.files.manifests(head)
    command = CommandResult(table.metadata.current_snapshot_id)
    producer, spec_id = RewriteManifests(table), table.metadata.partitioning.default_id
    for content in (DATA, DELETES):
        matching = [manifest for manifest in known if (manifest.content, manifest.spec_id) == (content, spec_id)]
        if len(matching) > 1:
            producer.replace(matching, content)
    if not producer.added:
        return command
    try:
        return run_commit(producer, command)
    except IcebergError as error:
        if error.cleanable:
            table.files.delete_quietly([manifest.path for manifest in producer.added])
        raise
