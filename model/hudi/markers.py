"""Direct markers: an empty file for every data file that an instant may write, made before it.

A rollback deletes what is marked; early conflict detection looks for others' markers of the same file group.

Source: hudi/3.5, hudi/4; `DirectWriteMarkers`.

Choices: markers of one partition lie in one folder; nested partitions have one level here.
"""

from functools import lru_cache

from model.hudi.names import BaseFile, marker_folder, marker_path, parse_base_file
from model.hudi.storage import TableStorage


@lru_cache(maxsize=1 << 14)
def marked_file(marker: str) -> BaseFile | None:
    """The data file that a marker's name names."""
    return parse_base_file(marker.split(".marker.", 1)[0])


class DirectMarkers:
    """The markers of one instant."""

    __slots__ = ("_storage", "instant")

    def __init__(self, storage: TableStorage, instant: int) -> None:
        self._storage = storage
        self.instant = instant

    def create(self, partition: str, file: BaseFile, kind: str) -> None:
        """Mark a data file. Raises: StorageFailed, also if the marker exists."""
        self._storage.create(marker_path(self.instant, partition, file.name, kind), None)

    def files(self, partition: str) -> tuple[BaseFile, ...]:
        """The marked files of a partition. Raises: StorageFailed."""
        found = [marked_file(name) for name in self._storage.list(marker_folder(self.instant, partition))]
        return tuple([file for file in found if file is not None])

    def partitions(self) -> tuple[str, ...]:
        """The partitions that have markers. Raises: StorageFailed."""
        return self._storage.list(marker_folder(self.instant))

    def delete_all(self) -> bool:
        """Delete the instant's whole marker folder; False if there was none. Raises: StorageFailed."""
        return self._storage.delete(marker_folder(self.instant))
