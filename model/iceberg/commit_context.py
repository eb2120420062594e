"""What the parts of one commit share: its snapshot id, the manifests that it reads, and those that it writes.

Source: iceberg/1.2, iceberg/2.6; `core/SnapshotProducer.java` (`newManifestOutputFile`), `core/BaseSnapshot.java`.
"""

from collections.abc import Collection, Mapping

from model.iceberg import coverage
from model.iceberg.errors import InvalidOperation
from model.iceberg.files import (
    ADDED,
    DELETED,
    EXISTING,
    AnyDeletes,
    DataFile,
    ManifestEntry,
    ManifestFile,
    spec_id_of,
)
from model.iceberg.manifest_bins import ManifestMerging
from model.iceberg.manifest_bounds import bounds_of
from model.iceberg.meanings import ENTRIES
from model.iceberg.metadata import Snapshot
from model.iceberg.row_ids import unassigned
from model.iceberg.table import IcebergTable


class CommitContext:
    """One commit in the making, as its validators and its manifest filters see it."""

    __slots__ = ("_read_lists", "_table", "_written", "files", "rules", "snapshot_id", "world")

    def __init__(self, table: IcebergTable) -> None:
        self.files = table.files
        self._table = table
        self.world = table.world
        self.rules = table.rules
        self.snapshot_id = table.world.chance.fresh("snapshot")
        self._read_lists: dict[str, tuple[ManifestFile, ...]] = {}
        self._written = 0

    @property
    def known_specs(self) -> tuple[int, ...]:
        """The ids of the specs that the table has as it is known."""
        return self._table.ops.current.partitioning.ids

    @property
    def merging(self) -> ManifestMerging:
        """How the table as it is known has manifests merged."""
        return self._table.ops.current.properties.merging

    def begin_attempt(self) -> None:
        """Forget the manifest lists that the last attempt read."""
        self._read_lists.clear()

    def manifests_of(self, snapshot: Snapshot | None) -> tuple[ManifestFile, ...]:
        """A snapshot's manifests, read once per attempt (`core/BaseSnapshot.java` keeps them while it lives)."""
        if snapshot is None:
            return ()
        manifests = self._read_lists.get(snapshot.manifest_list)
        if manifests is None:
            self._read_lists[snapshot.manifest_list] = manifests = self.files.manifests(snapshot)
        return manifests

    def write_manifest(self, content: str, entries: tuple[ManifestEntry, ...]) -> ManifestFile:
        """Write a manifest of this commit, of one spec. Its own sequence number is left open, for the list to fill in.

        The name is fixed before the write, but only a manifest whose write was acknowledged is ours to delete: upstream
        learns of it when the writer is closed.
        """
        path = f"{self._table.location}/metadata/{self.snapshot_id}-m{self._written}"
        self._written += 1
        self.files.write(path, entries, ENTRIES)
        counts, rows = [0, 0, 0], [0, 0, 0]
        for entry in entries:
            counts[entry.status] += 1
            rows[entry.status] += entry.file.record_count
        live = [e.sequence_number for e in entries if e.status != DELETED and e.sequence_number is not None]
        low = min(live) if live else None
        spec_id = spec_id_of(entries[0].file.partition) if entries else 0
        bounds = bounds_of([entry.file.partition for entry in entries])
        named, live_rows = (path, content, None, low, self.snapshot_id), rows[ADDED] + rows[EXISTING]
        return ManifestFile(*named, counts[1], counts[0], counts[2], spec_id, live_rows=live_rows, bounds=bounds)

    def write_added(
        self, content: str, files: Collection[DataFile | AnyDeletes], number: int | None, numbers: Mapping[str, int]
    ) -> list[ManifestFile]:
        """Write these files as added, into one manifest for each spec of theirs. Args: `number`: their data sequence
        number, if it is not to be the commit's own; `numbers`: of those that have one of their own, by their paths.

        Source: `SnapshotProducer.writeDataManifests`, which is asked for the files of each spec (a `HashMap`).
        """
        self.refuse_unknown_specs(files)
        by_spec: dict[int, list[ManifestEntry]] = {}
        for file in files:
            entry = ManifestEntry(ADDED, self.snapshot_id, numbers.get(file.path, number), unassigned(file))
            by_spec.setdefault(spec_id_of(file.partition), []).append(entry)
        return [self.write_manifest(content, tuple(by_spec[spec_id])) for spec_id in sorted(by_spec)]

    def refuse_unknown_specs(self, files: Collection[DataFile | AnyDeletes]) -> None:
        """Raise `InvalidOperation` if the table does not have the spec of a file that is added any more.

        Source: `MergingSnapshotProducer.spec`, `FastAppend.spec`: null, and a `NullPointerException` of who writes the
        manifest. What was written before is not looked at again.
        """
        known = self.known_specs
        for file in files:
            if spec_id_of(file.partition) not in known:
                self.world.coverage.hit(coverage.SPEC_GONE)
                raise InvalidOperation(f"add {file.path}: expected a spec of the table, got {file.partition}")

    def delete_manifest(self, path: str) -> None:
        """Delete a manifest of this commit."""
        self.world.coverage.hit(coverage.CLEANED_MANIFEST)
        self.files.delete(path)
