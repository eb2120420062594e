"""Direct markers: an empty file for every data file that an instant may write, made before it.

A rollback deletes what is marked; early conflict detection looks for others' markers of the same file group.

Source: hudi/3.5, hudi/4; `DirectWriteMarkers`.

The path of a data file is that of its marker up to `.marker`, the first one: in a partition whose name has one in it,
the path that comes of it is that of no file. A rollback and a reconciliation then delete nothing, or fail, if a folder
has that path (`WriteMarkers.stripMarkerSuffix` 1.2.0).

Choices: a folder of markers is told from a marker by its name, where Hudi asks the storage what it is.
"""

from functools import lru_cache

from model.hudi.meanings import DeletesMarkers, LooksForMarkers, Marks, SeesMarked
from model.hudi.names import BLOOM_FILE, DataFile, marker_folder, marker_path, parse_data_file
from model.hudi.rules import Rules
from model.hudi.storage import TableStorage

MARKED = ".marker."
SUFFIX = ".marker"


@lru_cache(maxsize=1 << 14)
def marked_file(marker: str) -> DataFile | None:
    """The data file that a marker's name names."""
    return parse_data_file(marker.split(MARKED, 1)[0])


@lru_cache(maxsize=1 << 14)
def marked_files(markers: tuple[str, ...]) -> tuple[DataFile, ...]:
    """The data files that markers name."""
    return tuple([file for file in map(marked_file, markers) if file is not None])


def marked_path(partition: str, file: DataFile, rules: Rules) -> str:
    """Where rollback and reconciliation take a marked file to be."""
    path = f"{partition}/{file.name}"
    return path.split(SUFFIX, 1)[0] if rules.marker_suffix_is_first else path


class DirectMarkers:
    """The markers of one instant."""

    __slots__ = ("_storage", "instant")

    def __init__(self, storage: TableStorage, instant: int) -> None:
        self._storage = storage
        self.instant = instant

    def create(self, partition: str, file: DataFile, kind: str) -> None:
        """Mark a data file. Raises: StorageFailed, also if the marker exists."""
        self._storage.notes.intend(Marks(file))
        self._storage.create(marker_path(self.instant, partition, file.name, kind), None)

    def names(self, partition: str) -> tuple[str, ...]:
        """The names of the markers of a partition. Raises: StorageFailed."""
        self._storage.notes.intend(LooksForMarkers(self.instant))
        names = self._storage.list(marker_folder(self.instant, partition))
        self._storage.notes.learn(SeesMarked(self.instant, marked_files(names)))
        return names

    def files(self, partition: str) -> tuple[DataFile, ...]:
        """The marked files of a partition. Raises: StorageFailed."""
        return marked_files(self.names(partition))

    def everywhere(self) -> tuple[tuple[str, DataFile], ...]:
        """Every marked file, with its partition. Raises: StorageFailed."""
        self._storage.notes.intend(LooksForMarkers(self.instant))
        folders = self._storage.list(marker_folder(self.instant))
        if not folders:
            self._storage.notes.learn(SeesMarked(self.instant, ()))
        return tuple([found for folder in folders for found in self._below(folder)])

    def _below(self, folder: str) -> list[tuple[str, DataFile]]:
        """The marked files of a folder that may be a partition, and of those in it."""
        names = self.names(folder)
        found = [(folder, file) for file in marked_files(names)]
        for name in names:
            if MARKED not in name and name != BLOOM_FILE:
                found += self._below(f"{folder}/{name}")
        return found

    def delete_all(self) -> bool:
        """Delete the instant's whole marker folder; False if there was none. Raises: StorageFailed."""
        self._storage.notes.intend(DeletesMarkers(self.instant))
        return self._storage.delete(marker_folder(self.instant))
