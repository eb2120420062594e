"""The table's files behind the store port: paths, reading with inheritance, writing, and deleting.

Source: iceberg/1.2 (inheritance), iceberg/2.6 (names); `core/InheritableMetadataFactory.java`.

Choices: the snapshot id stands in names where Iceberg has a random commit UUID; both are unique per commit. A store
error other than "not found" is `StorageFailed`, which is not cleanable, like Java's runtime IO errors. Every read is a
port call: client-side caches of manifests change no outcome and are left out.
"""

from typing import Any

from model.iceberg.errors import IcebergError, StorageFailed, TableUnreadable
from model.iceberg.files import (
    DATA,
    DELETED,
    DataFile,
    DeleteFile,
    EqualityDeleteFile,
    ManifestEntry,
    ManifestFile,
    Position,
    Rows,
    container,
)
from model.iceberg.meanings import DELETES_LEFTOVER, ENTRIES, IDS, MANIFESTS, METADATA, POSITIONS, ROWS, Content
from model.iceberg.metadata import Snapshot, TableMetadata
from model.iceberg.row_ids import inherited
from model.ports import NotFound, PortError, World


class TableFiles:
    """Reads and writes the files of one table below `location`."""

    __slots__ = ("_notes", "_store", "location")

    def __init__(self, world: World, location: str) -> None:
        self._store = world.store
        self._notes = world.notes
        self.location = location

    def _read(self, path: str, content: Content) -> Any:
        """A file's body. Raises `TableUnreadable` if it does not exist, `StorageFailed` on any other store error."""
        self._notes.intend(content)
        try:
            return self._store.get(path)
        except NotFound:
            raise TableUnreadable(f"read {path}: expected a file that the metadata names, it does not exist") from None
        except PortError as error:
            raise StorageFailed(f"read {path}: expected its content, got {error}") from error

    def write(self, path: str, body: Any, content: Content) -> None:
        """Write a new file of some kind. Raises `StorageFailed` if the store did not answer normally."""
        self._notes.intend(content)
        try:
            self._store.put(path, body)
        except PortError as error:
            raise StorageFailed(f"write {path}: expected an acknowledgement, got {error}") from error

    def delete(self, path: str) -> None:
        """Delete a file; one that is gone already is fine."""
        self._notes.intend(DELETES_LEFTOVER)
        try:
            self._store.delete(path)
        except NotFound:
            return
        except PortError as error:
            raise StorageFailed(f"delete {path}: expected an acknowledgement, got {error}") from error

    def manifests(self, snapshot: Snapshot | None) -> tuple[ManifestFile, ...]:
        """The manifests of a snapshot, in list order; none for no snapshot."""
        if snapshot is None:
            return ()
        manifests: tuple[ManifestFile, ...] = self._read(snapshot.manifest_list, MANIFESTS)
        return manifests

    def entries(self, manifest: ManifestFile, *, committed: bool = True) -> tuple[ManifestEntry, ...]:
        """A manifest's entries; an ADDED entry inherits the sequence number of the manifest list's row, a file its row
        ids (`committed`: as `inherited`)."""
        entries: tuple[ManifestEntry, ...] = self._read(manifest.path, ENTRIES)
        number = manifest.sequence_number
        numbered = tuple([entry.numbered(number, manifest.added_snapshot_id) for entry in entries])
        return inherited(numbered, manifest.first_row_id, committed=committed) if manifest.content == DATA else numbered

    def live_entries(self, manifest: ManifestFile) -> tuple[ManifestEntry, ...]:
        """The entries that are not DELETED."""
        return tuple(entry for entry in self.entries(manifest) if entry.status != DELETED)

    def rows(self, file: DataFile) -> Rows:
        """A data file's rows."""
        rows: Rows = self._read(file.path, ROWS)
        return rows

    def positions(self, file: DeleteFile) -> tuple[Position, ...]:
        """A position delete file's positions; of a deletion vector its own, whatever else is in its file."""
        positions: tuple[Position, ...] = self._read(container(file.path), POSITIONS)
        return tuple([each for each in positions if each[0] == file.lower]) if file.is_vector else positions

    def ids(self, file: EqualityDeleteFile) -> tuple[int, ...]:
        """An equality delete file's ids."""
        ids: tuple[int, ...] = self._read(file.path, IDS)
        return ids

    def metadata(self, location: str) -> TableMetadata:
        """The metadata in a file that a catalog's pointer names."""
        metadata: TableMetadata = self._read(location, METADATA)
        return metadata

    def delete_quietly(self, paths: tuple[str, ...] | list[str]) -> bool:
        """Delete files until the first store error, which is suppressed; False if there was one.

        Source: `core/util/Exceptions.java` (`suppressAndThrow`): the error that made us clean up is the one to report.
        """
        try:
            for path in paths:
                self.delete(path)
        except IcebergError:
            return False
        return True
