"""Tables that shipped PyIceberg writes into a folder, and what can be done to them."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyiceberg.catalog import MetastoreCatalog
from pyiceberg.exceptions import CommitFailedException, NoSuchTableError
from pyiceberg.schema import Schema
from pyiceberg.serializers import FromInputFile
from pyiceberg.table import CommitTableResponse
from pyiceberg.types import LongType, NestedField

from checkers.iceberg.autopsy.judge import autopsy
from lakeproof.talk import progress
from real_backend.iceberg.autopsy.find import at_path
from real_backend.iceberg.autopsy.read import read_table

SCHEMA = Schema(NestedField(1, "id", LongType(), required=False))
NAME = "db.t"
POINTER = "pointer"


class FolderCatalog(MetastoreCatalog):
    """A catalog whose pointer is a file.

    Attributes: `asleep`: it forgets to compare, as who holds an expired lock does; `rival`: what somebody else does
    between the next writing of metadata and its comparison.
    """

    def __init__(self, name: str, **properties: str) -> None:
        super().__init__(name, **properties)
        self.folder = Path(properties["folder"])
        self.asleep = False
        self.rival: Any = None

    @property
    def location(self) -> str:
        return (self.folder / POINTER).read_text()

    def point(self, location: str) -> None:
        """Move the pointer without asking."""
        (self.folder / POINTER).write_text(location)

    def load_table(self, identifier: Any) -> Any:
        from pyiceberg.table import Table

        if not (self.folder / POINTER).exists():
            raise NoSuchTableError(f"Table does not exist: {identifier}")
        io = self._load_file_io(self.properties, self.location)
        metadata = FromInputFile.table_metadata(io.new_input(self.location))
        return Table(self.identifier_to_tuple(identifier), metadata, self.location, io, self)

    def create_table(self, identifier: Any, schema: Any, *args: Any, **kwargs: Any) -> Any:
        staged = self._create_staged_table(identifier, schema, str(self.folder / "t"), *args, **kwargs)
        self._write_metadata(staged.metadata, staged.io, staged.metadata_location)
        self.point(staged.metadata_location)
        return self.load_table(identifier)

    def commit_table(self, table: Any, requirements: Any, updates: Any) -> CommitTableResponse:
        current = table if self.asleep else self.load_table(table.name())
        staged = self._update_and_stage_table(current, table.name(), () if self.asleep else requirements, updates)
        self._write_metadata(staged.metadata, staged.io, staged.metadata_location)
        if self.rival is not None:
            rival, self.rival = self.rival, None
            rival()
        if not self.asleep and self.location != current.metadata_location:
            raise CommitFailedException("moved")
        self.point(staged.metadata_location)
        response: Any = {"metadata": staged.metadata, "metadata-location": staged.metadata_location}
        return CommitTableResponse(**response)


_WHOLE: Any = FolderCatalog
_WHOLE.__abstractmethods__ = frozenset()  # names and views take no part


class Made:
    """A table in a folder, and its catalog."""

    def __init__(self, folder: Path, **properties: str) -> None:
        self.catalog: Any = _WHOLE("folder", folder=str(folder))
        self.folder = folder / "t"
        self.table = self.catalog.create_table(NAME, SCHEMA, properties=properties)

    def append(self, *ids: int, table: Any = None) -> int:
        """Append rows; the snapshot's id."""
        table = table or self.load()
        table.append(rows(*ids))
        found: int = table.metadata.current_snapshot_id
        return found

    def load(self) -> Any:
        """The table as the catalog has it now."""
        return self.catalog.load_table(NAME)

    @property
    def current(self) -> Path:
        """The metadata file that the catalog points at."""
        return Path(self.catalog.location)

    @property
    def versions(self) -> list[Path]:
        """The metadata files, by name."""
        return sorted((self.folder / "metadata").glob("*.metadata.json"))

    def edit(self, change: Any, file: Path | None = None) -> None:
        """Change the JSON of a metadata file, the current one if no other is named."""
        file = file or self.current
        data = json.loads(file.read_text())
        change(data)
        file.write_text(json.dumps(data))

    def find(self, path: Path | None = None) -> Any:
        """The autopsy of the table, from its current metadata file or another path."""
        return examined(path or self.current)


def rows(*ids: int) -> Any:
    """Rows as PyIceberg takes them."""
    return pa.table({"id": pa.array(ids, pa.int64())})


def examined(path: Path, newest: int = 500) -> Any:
    """The autopsy of a path."""
    return autopsy(read_table(at_path(str(path), {}), newest, progress))


def remains(path: Path) -> Any:
    """What is left of a table, as data."""
    return read_table(at_path(str(path), {}), 500, progress)


def kinds(found: Any) -> list[str]:
    """The kinds of its findings."""
    return [finding.kind for finding in found.findings]
