"""Replacing manifests by others of the same files: `RewriteManifests`, by clusters, or by manifests that are given.

Whoever clusters names no manifest: each attempt that does not find all that it has rewritten deletes what it has
written, and writes it anew from what is there; delete manifests stay as they are. Whoever gives manifests names those
that they replace: one that is gone by then refuses it for good, and each attempt keeps whatever else is there.

Source: `core/BaseRewriteManifests.java` of 1.11.0 (`apply`, `requiresRewrite`, `performRewrite`, `reset`,
`keepActiveManifests`, `validateDeletedManifests`, `validateFilesCounts`, `copyManifest`).

As shipped, an attempt that has landed, and was said to be lost, is taken for one of somebody else: its own manifests,
which the table has by now, are those that it deletes before it reads them.

Choices: what is of one cluster and spec fits into one manifest, if its header does, and is written when all has been
read; a write that fails ends the writing. Manifests that are given are named as those of the commit.
"""

from collections.abc import Callable, Container, Sequence
from itertools import chain

from model.iceberg import coverage
from model.iceberg.errors import IcebergError, InvalidOperation, ValidationFailed
from model.iceberg.files import DATA, EXISTING, AnyDeletes, DataFile, ManifestEntry, ManifestFile
from model.iceberg.manifest_bins import MANIFEST_BYTES
from model.iceberg.metadata import REPLACE, Snapshot, TableMetadata
from model.iceberg.producer import Counters, SnapshotProducer
from model.iceberg.table import IcebergTable

Key = Callable[[DataFile | AnyDeletes], str]


class RewriteManifests(SnapshotProducer):
    """Puts manifests in the place of others."""

    def __init__(self, table: IcebergTable) -> None:
        super().__init__(table)
        self._specs = self.context.known_specs  # those of the table as it was loaded, whatever it has later
        self._key: Key | None = None
        self._is_chosen: Callable[[ManifestFile], bool] = lambda manifest: manifest.content == DATA
        self.given: list[ManifestFile] = []
        self._copied: list[ManifestFile] = []
        self._replaced: dict[str, ManifestFile] = {}
        self._written: list[ManifestFile] = []
        self._rewritten: dict[str, ManifestFile] = {}
        self._processed = 0
        self._kept = 0

    def cluster_by(self, key: Key) -> "RewriteManifests":
        """Write the files of each key, and of each spec, into a manifest of their own."""
        self._key = key
        return self

    def rewrite_if(self, is_chosen: Callable[[ManifestFile], bool]) -> "RewriteManifests":
        """Rewrite only these data manifests; all others stay."""
        self._is_chosen = lambda manifest: manifest.content == DATA and is_chosen(manifest)
        return self

    def delete_manifest(self, manifest: ManifestFile) -> "RewriteManifests":
        """Take a manifest out, which has to be there."""
        self._replaced[manifest.path] = manifest
        return self

    def add_manifest(self, manifest: ManifestFile) -> "RewriteManifests":
        """Put a manifest in, all of whose files are there already. In format 1 it is copied, and the copy is put in.

        Raises: `InvalidOperation` if it adds or deletes files, or is in a snapshot.
        """
        self._refuse_to_add(manifest)
        if self.copies:
            self._copied.append(self.context.write_manifest(manifest.content, self.files.entries(manifest)))
        self.given.append(manifest)
        return self

    def _refuse_to_add(self, manifest: ManifestFile) -> None:
        if manifest.added_files or manifest.deleted_files:
            raise InvalidOperation(f"add manifest {manifest.path}: expected existing files alone, got {manifest}")
        if manifest.sequence_number is not None:
            raise InvalidOperation(f"add manifest {manifest.path}: expected one of no snapshot, got {manifest}")

    def existing(self, manifests: Sequence[ManifestFile]) -> list[ManifestEntry]:
        """What is live in these, as it is written again."""
        return [as_existing(entry) for manifest in manifests for entry in self.files.live_entries(manifest)]

    def replace(self, manifests: Sequence[ManifestFile], entries: Sequence[ManifestEntry]) -> None:
        """Write one manifest of these entries, if there are any, and put it in the place of those that they are of,
        which are of one content and spec. Raises: as `add_manifest`."""
        if entries:
            self.add_manifest(self.context.write_manifest(manifests[0].content, tuple(entries)))
        for manifest in manifests:
            self.delete_manifest(manifest)

    def give_again(self, manifests: Sequence[ManifestFile]) -> None:
        """Put these, which the table has, in the place of themselves. Raises: as `add_manifest`."""
        for manifest in manifests:
            self.add_manifest(manifest)
            self.delete_manifest(manifest)

    @property
    def copies(self) -> bool:
        """Whether manifests that are given are copied: those of format 1 say whose they are.

        Source: `SnapshotProducer.canInheritSnapshotId`."""
        return self.table.ops.current.format_version == 1

    @property
    def _added(self) -> list[ManifestFile]:
        """What was given, or its copies."""
        return self._copied or self.given

    def operation(self) -> str:
        return REPLACE

    def summary(self) -> Counters:
        return (
            ("manifests-created", len(self._written) + len(self._added)),
            ("manifests-kept", self._kept),
            ("manifests-replaced", len(self._rewritten) + len(self._replaced)),
            ("entries-processed", self._processed),
        )

    def apply(self, base: TableMetadata, parent: Snapshot | None) -> Sequence[ManifestFile]:
        if base.current is None:
            raise InvalidOperation("rewrite manifests: expected a snapshot, the table has none")
        there = self.context.manifests_of(base.current)
        self._refuse_missing(base, there)
        left = [manifest for manifest in there if manifest.path not in self._replaced]
        if self._key is not None and self._is_outdated(there):
            self._rewrite(left, self._key, base.partitioning.ids)
        kept = [manifest for manifest in left if manifest.path not in self._rewritten]
        self._kept = len(kept)
        self._refuse_other_counts()
        return (*self._written, *self._added, *kept)

    def _refuse_missing(self, base: TableMetadata, there: Sequence[ManifestFile]) -> None:
        """Source: `validateDeletedManifests`."""
        missing = [path for path in self._replaced if all(manifest.path != path for manifest in there)]
        if missing:
            self.world.coverage.hit(coverage.MANIFEST_GONE)
            raise ValidationFailed(f"rewrite manifests: expected {', '.join(missing)} in {base.current_snapshot_id}")

    def _refuse_other_counts(self) -> None:
        """Source: `validateFilesCounts`."""
        created = live_files_of([*self._written, *self._added])
        replaced = live_files_of([*self._rewritten.values(), *self._replaced.values()])
        if created != replaced:
            self.world.coverage.hit(coverage.OTHER_FILE_COUNTS)
            raise ValidationFailed(f"rewrite manifests: expected {replaced} files in new manifests, got {created}")

    def _is_outdated(self, there: Sequence[ManifestFile]) -> bool:
        """Whether nothing has been rewritten yet, or some of it is gone. Source: `requiresRewrite`."""
        paths = frozenset([manifest.path for manifest in there])
        return not self._rewritten or any(path not in paths for path in self._rewritten)

    def _rewrite(self, manifests: Sequence[ManifestFile], key: Key, known: Container[int]) -> None:
        """Args: `known` are the specs of the table as it is now, by which manifests are read.

        Source: `performRewrite`: `Tasks` goes on with the others after one has failed, and writers are closed.
        """
        self._reset()
        clusters: dict[tuple[str, int], list[ManifestEntry]] = {}
        failed: IcebergError | None = None
        for manifest in filter(self._is_chosen, manifests):
            self._rewritten[manifest.path] = manifest
            try:
                self._refuse_unknown_spec(manifest, known)
                for entry in self.files.live_entries(manifest):
                    self._refuse_unknown_spec(manifest, self._specs)
                    of_file = clusters.setdefault((key(entry.file), manifest.spec_id), [])
                    of_file.append(as_existing(entry))
            except IcebergError as error:
                failed = failed or error
        for entries in clusters.values():
            self._written += [self.context.write_manifest(DATA, part) for part in self._rolled(entries)]
            self._processed += len(entries)
        if failed is not None:
            raise failed

    def _rolled(self, entries: Sequence[ManifestEntry]) -> list[tuple[ManifestEntry, ...]]:
        """A cluster's entries by the manifests they are written into: one that is as large as is wanted takes no more.

        Source: `WriterWrapper.addEntry`, which looks at what has reached the file: its header alone, in a race.
        """
        fits = self.context.merging.target_bytes > MANIFEST_BYTES
        return [tuple(entries)] if fits else [(entry,) for entry in entries]

    def _refuse_unknown_spec(self, manifest: ManifestFile, known: Container[int]) -> None:
        """Source: `ManifestReader`, `WriterWrapper`, whose spec is null: a `NullPointerException`."""
        if manifest.spec_id not in known:
            self.world.coverage.hit(coverage.SPEC_GONE)
            raise InvalidOperation(f"rewrite {manifest.path}: expected a spec that is known, got {manifest.spec_id}")

    def _reset(self) -> None:
        if self._rewritten:
            self.world.coverage.hit(coverage.CLUSTERED_AGAIN)
        for manifest in self._written:
            self.context.delete_manifest(manifest.path)
        self._written, self._rewritten, self._processed = [], {}, 0

    def clean_uncommitted(self, committed: Container[str]) -> None:
        """What it has written itself; what was given belongs to whoever gave it."""
        for manifest in chain(self._written, self._copied):
            if manifest.path not in committed:
                self.context.delete_manifest(manifest.path)


def as_existing(entry: ManifestEntry) -> ManifestEntry:
    """The entry as it is written again, with the number that it has. Source: `ManifestWriter.existing`."""
    return entry._replace(status=EXISTING)


def live_files_of(manifests: Sequence[ManifestFile]) -> int:
    """How many files these manifests have that are not deleted."""
    return sum([manifest.added_files + manifest.existing_files for manifest in manifests])
