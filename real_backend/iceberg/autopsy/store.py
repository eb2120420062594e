"""The files of one table, by keys that stay the same wherever the table lies, and wherever it was copied to.

Choices:
* A table that was copied says in its metadata where it was. If its metadata files lie elsewhere now than they say, its
  own paths are read below the folder where they are now.
* Paths are compared as text after `file:` and other names of `s3:` are taken off; nothing in them is decoded.
"""

from collections.abc import Mapping
from pathlib import PurePosixPath

from pyiceberg.io import FileIO, InputFile

from checkers.iceberg.autopsy.records import Stored

MAX_BYTES = 1 << 30
"""Of a metadata file or an Avro file: what is larger is not read into memory."""


def normal(location: str) -> str:
    """A location as it is compared: `file:///a/` and `/a` are one, `s3a://b` and `s3://b` are."""
    if location.startswith("file:"):
        location = "/" + location[5:].lstrip("/")
    for alias in ("s3a://", "s3n://"):
        if location.startswith(alias):
            location = f"s3://{location[len(alias) :]}"
    return location.rstrip("/") or "/"


class Store:
    """Files below a table's folder, and others by their whole address.

    Args: `io` opens files; `root` is the table's folder; it may be the address of an object store.
    """

    def __init__(self, io: FileIO, root: str) -> None:
        self._io = io
        self.root = normal(root)
        self._roots = [self.root]

    @property
    def was_copied(self) -> bool:
        """Whether the table's own paths lead to another folder."""
        return len(self._roots) > 1

    def also_called(self, location: str) -> None:
        """Say that paths below `location` mean files in the table's folder."""
        if normal(location) not in self._roots:
            self._roots.append(normal(location))

    def key(self, location: str) -> str:
        """The key of a file, from its address or from a path that metadata has."""
        location = normal(location)
        for root in self._roots:
            if location.startswith(f"{root}/"):
                return location[len(root) + 1 :]
        return location

    def address(self, key: str) -> str:
        """Where the file of this key is now."""
        return key if key.startswith("/") or "://" in key else f"{self.root}/{key}"

    def open(self, key: str) -> InputFile:
        """A file for PyIceberg's readers. Raises: ValueError if no file system has such an address."""
        return self._io.new_input(self.address(key))

    def read(self, key: str) -> bytes:
        """A whole file. Raises: FileNotFoundError, OSError, ValueError."""
        with self.open(key).open() as stream:
            body = stream.read(MAX_BYTES + 1)
        if len(body) > MAX_BYTES:
            raise ValueError(f"more than {MAX_BYTES:,} bytes")
        return body

    def exists(self, key: str) -> bool | None:
        """Whether a file is there; None if nobody can say."""
        try:
            return self.open(key).exists()
        except Exception:  # whatever a file system of somebody else's raises: refused, unknown scheme, no network
            return None

    def files(self, folder: str = "", deep: bool = True) -> Mapping[str, Stored] | None:
        """All files below the table's folder, or one in it, by key; None if this file system cannot list.

        Args: `deep`: also those in folders inside it.
        """
        try:
            return self._listed(self.address(folder) if folder else self.root, deep)
        except Exception:  # as above; who cannot list can still read
            return None

    def _listed(self, address: str, deep: bool) -> Mapping[str, Stored] | None:
        from pyarrow.fs import FileSelector, FileType
        from pyiceberg.io.pyarrow import PyArrowFileIO

        if not isinstance(self._io, PyArrowFileIO):
            return None
        scheme, netloc, path = self._io.parse_location(address, self._io.properties)
        system = self._io.fs_by_scheme(scheme, netloc)
        found = system.get_file_info(FileSelector(path, recursive=deep))
        prefix = self.key(f"{address}/x")[:-1]
        return {
            prefix + str(PurePosixPath(one.path).relative_to(path)): Stored(one.size, (one.mtime_ns or 0) // 1_000_000)
            for one in found
            if one.type == FileType.File
        }
