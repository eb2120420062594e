"""The table's files behind the file system port: how a file that must be new is made, and what storage errors mean.

`create_immutable` is the primitive that every state of an instant rests on. With scheme `hdfs`, a file with content is
written under a temporary name and renamed; if the rename is refused because the target exists, the temporary file is
deleted and the call returns normally: the loser of the race is not told. A file without content (a write's requested
file), and any with another scheme, is the storage's own create-only write, which is as atomic as the storage is
(`sim.services.file_system` has the modes). So with `abfs`, whose files are there, and empty, from their creation until
what was written is flushed: of a writer that fails in between an empty file is left, which `read` gives as None.

Source: hudi/1.2; `HoodieStorage.createImmutableFileInPath`, `needCreateTempFile` (1.2.0: `hdfs`, `viewfs`, `file`).

Choices: on `file` Hudi 1.2.0 also writes a temporary file and renames it; with one writer of a name that is the same as
a create, and a live gate matches both. What is torn on `hdfs` and `file` is a temporary file, an empty one (marker,
heartbeat, requested file), or a data file that no commit names, which nobody reads: torn files are asked of `abfs`.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from model.hudi import coverage
from model.hudi.config import HudiConfig
from model.hudi.errors import InstantExists, StorageFailed
from model.hudi.meanings import TEMPORARY, DeletesData, Enters
from model.hudi.names import META, parse_data_file
from model.ports import AlreadyExists, Body, NotFound, PortError, Unanswered, World


class TableStorage:
    """One client's access to the files of one table; paths are relative to the table's base path."""

    __slots__ = ("_world", "files", "notes", "renames")

    def __init__(self, world: World, config: HudiConfig) -> None:
        self._world = world
        self.files = world.files
        self.notes = world.notes
        self.renames = config.scheme == "hdfs"

    def create_immutable(self, path: str, state: Enters) -> None:
        """Make the file of a new state.

        Raises: InstantExists if the storage refused; StorageFailed, or `Unanswered` if that is not clear.
        """
        try:
            if self.renames and state.body is not None:
                self._rename_into_place(path, state)
            else:
                self.notes.intend(state)
                self.files.create(path, state.body)
        except AlreadyExists:
            self._world.coverage.hit(coverage.CREATE_REFUSED)
            raise InstantExists(f"create {path}: expected no such file, there is one") from None
        except Unanswered:
            raise
        except PortError as error:
            raise StorageFailed(f"create {path}: expected an acknowledgement, got {error}") from error

    def _rename_into_place(self, path: str, state: Enters) -> None:
        temporary = f"{path}.{self._world.chance.fresh('temporary file')}"
        self.notes.intend(TEMPORARY)
        self.files.write(temporary, state.body)
        self.notes.intend(state)
        if not self.files.rename(temporary, path):
            self._world.coverage.hit(coverage.RENAME_LOST_SILENTLY)
            self.notes.intend(TEMPORARY)
            self.files.delete(temporary)

    def create(self, path: str, body: Body) -> None:
        """Make a new file that is no state of an instant (marker, data). Raises: StorageFailed."""
        try:
            self.files.create(path, body)
        except PortError as error:
            raise StorageFailed(f"create {path}: expected an acknowledgement, got {error}") from error

    def write(self, path: str, body: Body) -> None:
        """Write a file, over whatever is there. Raises: StorageFailed."""
        try:
            self.files.write(path, body)
        except PortError as error:
            raise StorageFailed(f"write {path}: expected an acknowledgement, got {error}") from error

    def overwrite(self, path: str) -> None:
        """Begin to write a file anew: from here to `close` it cannot be read. Raises: StorageFailed."""
        try:
            self.files.overwrite(path)
        except PortError as error:
            raise StorageFailed(f"overwrite {path}: expected an acknowledgement, got {error}") from error

    def close(self, path: str, body: Body) -> None:
        """Give a file that is written anew its content. Raises: StorageFailed."""
        try:
            self.files.close(path, body)
        except PortError as error:
            raise StorageFailed(f"close {path}: expected an acknowledgement, got {error}") from error

    def read(self, path: str) -> Any:
        """A file's body; None if it does not exist. Raises: StorageFailed."""
        try:
            return self.files.read(path)
        except NotFound:
            return None
        except PortError as error:
            raise StorageFailed(f"read {path}: expected its content, got {error}") from error

    def read_existing(self, path: str) -> Any:
        """A file's body; None if it is empty. Raises: StorageFailed, also if there is no such file."""
        try:
            return self.files.read(path)
        except PortError as error:
            raise StorageFailed(f"read {path}: expected its content, got {error}") from error

    def exists(self, path: str) -> bool:
        """Whether there is such a file. Raises: StorageFailed."""
        try:
            return self.files.exists(path)
        except PortError as error:
            raise StorageFailed(f"exists {path}: expected an answer, got {error}") from error

    def list(self, folder: str) -> tuple[str, ...]:
        """The names directly below a folder; none if there is no such folder. Raises: StorageFailed."""
        try:
            return self.files.list(folder)
        except PortError as error:
            raise StorageFailed(f"list {folder}: expected its names, got {error}") from error

    def folders(self) -> tuple[str, ...]:
        """The names directly below the table that are not its metadata's. Raises: StorageFailed."""
        return tuple([name for name in self.list("") if name != META])

    def files_of(self, instant: int) -> tuple[str, ...]:
        """The paths of the data files that an instant has written, by listing all. Raises: StorageFailed."""
        return tuple([
            f"{partition}/{name}"
            for partition, names in self.partitions(self.folders())
            for name in names
            if (file := parse_data_file(name)) is not None and file.instant == instant
        ])  # fmt: skip

    def partitions(self, folders: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The partitions that folders are, or that are below them, each with what it holds. Raises: StorageFailed."""
        for folder in folders:
            names = self.list(folder)
            if names and all(parse_data_file(name) is None for name in names):
                yield from self.partitions([f"{folder}/{name}" for name in names])
            else:
                yield folder, names

    def delete(self, path: str) -> bool:
        """Delete a file, or a folder with all that it holds; False if there was none. Raises: StorageFailed."""
        try:
            return self.files.delete(path)
        except PortError as error:
            raise StorageFailed(f"delete {path}: expected an acknowledgement, got {error}") from error

    def delete_marked(self, path: str) -> bool:
        """Delete what a marker is taken to name; False if there was nothing. Raises: StorageFailed, also for a folder
        that holds something: it is deleted as a file."""
        file = parse_data_file(path.rpartition("/")[2])
        if file is None and self.list(path):
            raise StorageFailed(f"delete {path}: expected a file, got a folder that holds something")
        self.notes.intend(DeletesData(file))
        return self.delete(path)

    def mtime_ms(self, path: str) -> int | None:
        """When a file was last written, by the storage's clock; None if there is none. Raises: StorageFailed."""
        try:
            return self.files.mtime_ms(path)
        except NotFound:
            return None
        except PortError as error:
            raise StorageFailed(f"mtime {path}: expected a time, got {error}") from error
