"""PyIceberg 0.12.0 on our ports: a `FileIO` over the object store, a catalog over one compare-and-swap register.

The catalog reuses PyIceberg's own staging of commits (`MetastoreCatalog`): requirements, updates, metadata file. Only
the pointer is ours. Files are read whole at open and become visible at close, as objects do, so that no task is ever
suspended under a foreign frame.

Source: `pyiceberg/catalog/sql.py` (`SqlCatalog.commit_table`) for the order of load, stage, write, swap.

Choices: an answer that leaves the swap's outcome open is `CommitStateUnknownException`, as in PyIceberg's REST catalog.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, NamedTuple

import pyiceberg.io.pyarrow  # noqa: F401 (now, not in a run: its C extensions look at the size of the real datetime)
import rich.console  # as above: the library imports both at its first write, and they draw a random number
import rich.table  # noqa: F401
from pyiceberg.catalog import MetastoreCatalog
from pyiceberg.exceptions import CommitFailedException, CommitStateUnknownException, NoSuchTableError, ServerError
from pyiceberg.io import FileIO, InputFile, OutputFile
from pyiceberg.manifest import _ManifestCache
from pyiceberg.serializers import FromInputFile
from pyiceberg.table import CommitTableResponse, Table
from pyiceberg.table.update import AddSnapshotUpdate

from model.ports import Absent, CasLost, NotFound, Unanswered, World
from sim.iceberg.python.counters import REQUIREMENT_FAILED, SWAP_LOST
from sim.world import substitutes
from sim.world.simulation import Simulation
from sim.world.substitutes import Substitution

NAME, LOCATION = "db.t", "mem://warehouse"
DROPPED = "dropped "


def location_of(name: str) -> str:
    """Where a table of this name is. Example: "mem://warehouse/t"."""
    return f"{LOCATION}/{name.rpartition('.')[2]}"


def place_of(value: Any) -> str:
    """What the place in a catalog has: a metadata file, or the drop that has left none."""
    return f"{DROPPED}{value.by}" if isinstance(value, Absent) else str(value)


def _no_cache() -> Any:
    cache = _ManifestCache()
    cache._cache = None  # process-global upstream: simulated processes would share it, and it would hide reads
    return cache


MANIFEST: tuple[Substitution, ...] = (
    ("pyiceberg.table", "time", substitutes.TIME),
    ("pyiceberg.table", "random", substitutes.RANDOM),
    ("pyiceberg.table", "uuid", substitutes.UUID),
    ("pyiceberg.table.snapshots", "time", substitutes.TIME),
    ("pyiceberg.table.locations", "uuid", substitutes.UUID),
    ("pyiceberg.table.metadata", "uuid", substitutes.UUID),
    ("pyiceberg.table.metadata", "datetime", substitutes.DATETIME),
    ("pyiceberg.table.update", "datetime", substitutes.SimulatedDatetime),
    ("pyiceberg.table.update.snapshot", "uuid", substitutes.UUID),
    ("pyiceberg.table.update.snapshot", "datetime", substitutes.SimulatedDatetime),
    ("pyiceberg.avro.file", "os", substitutes.OS),
    ("pyiceberg.io.pyarrow", "uuid", substitutes.UUID),
    ("pyiceberg.utils.concurrent", "ExecutorFactory.get_or_create", staticmethod(substitutes.InlineExecutor)),
    ("pyiceberg.manifest", "_manifest_cache", _no_cache()),
)


def _asked(call: Callable[..., Any], *arguments: Any) -> Any:
    """What the storage answers. Raises: `OSError` if it does not, as PyArrow's file systems do."""
    try:
        return call(*arguments)
    except Unanswered as error:
        raise OSError(f"storage: {error}") from error


class StoreInput(InputFile):
    """One object, read whole when it is opened."""

    def __init__(self, world: World, location: str) -> None:
        super().__init__(location)
        self._world = world

    def __len__(self) -> int:
        return len(self._read())

    def exists(self) -> bool:
        return bool(_asked(self._world.store.exists, self.location))

    def open(self, seekable: bool = True) -> Any:
        return io.BytesIO(self._read())

    def _read(self) -> bytes:
        try:
            body: bytes = _asked(self._world.store.get, self.location)
        except NotFound:
            raise FileNotFoundError(f"no object at {self.location}") from None
        return body


class _PutAtClose(io.BytesIO):
    def __init__(self, world: World, location: str) -> None:
        super().__init__()
        self._world = world
        self._location = location

    def close(self) -> None:
        if not self.closed:
            body = self.getvalue()
            super().close()
            _asked(self._world.store.put, self._location, body)

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        if kind is None:
            self.close()
        else:
            super().close()  # an upload that fails half-way leaves no object

    def __del__(self) -> None:
        """A stream that is thrown away uploads nothing."""


class StoreOutput(OutputFile):
    """One object, visible when its stream is closed."""

    def __init__(self, world: World, location: str) -> None:
        super().__init__(location)
        self._world = world

    def __len__(self) -> int:
        return len(StoreInput(self._world, self.location))

    def exists(self) -> bool:
        return bool(_asked(self._world.store.exists, self.location))

    def to_input_file(self) -> StoreInput:
        return StoreInput(self._world, self.location)

    def create(self, overwrite: bool = False) -> Any:
        return _PutAtClose(self._world, self.location)


class StoreFileIO(FileIO):
    """`FileIO` of one process."""

    def __init__(self, world: World) -> None:
        super().__init__({})
        self._world = world

    def new_input(self, location: str) -> StoreInput:
        return StoreInput(self._world, location)

    def new_output(self, location: str) -> StoreOutput:
        return StoreOutput(self._world, location)

    def delete(self, location: str | InputFile | OutputFile) -> None:
        _asked(self._world.store.delete, location if isinstance(location, str) else location.location)


class CallersFileIO(StoreFileIO):
    """`FileIO` of the process that makes it, for catalogs that make their own: it is named by `FILE_IO`."""

    def __init__(self, properties: Any) -> None:
        world = substitutes.current_world()
        assert world is not None
        super().__init__(world)
        self.properties = properties


FILE_IO = {"py-io-impl": f"{__name__}.{CallersFileIO.__name__}"}


class Sent(NamedTuple):
    """A commit. Args: `snapshots` that it adds; `location` of its metadata file, once that is written."""

    snapshots: tuple[int, ...]
    location: str = ""


Base: Any = object


class Sending(Base):
    """A catalog that keeps, in `sent`, the commits that it was asked for; whoever begins anew gives it a new list."""

    sent: list[Sent]

    def commit_table(self, table: Table, requirements: Any, updates: Any) -> Any:
        """As the library's."""
        added = [one.snapshot.snapshot_id for one in updates if isinstance(one, AddSnapshotUpdate)]
        self.sent.append(Sent(tuple(added)))
        return super().commit_table(table, requirements, updates)

    def _write_metadata(self, metadata: Any, io: Any, metadata_path: str) -> None:
        super()._write_metadata(metadata, io, metadata_path)
        if self.sent:
            self.sent[-1] = self.sent[-1]._replace(location=metadata_path)


class RegisterCatalog(MetastoreCatalog):
    """A catalog whose pointer to the metadata file is a register."""

    def __init__(self, world: World) -> None:
        super().__init__("simulated", warehouse=LOCATION)
        self._world = world
        self._io = StoreFileIO(world)

    def _load_file_io(self, properties: Any = None, location: str | None = None) -> FileIO:
        return self._io

    def _load(self, identifier: Any) -> tuple[int, Table]:
        name = ".".join(self.identifier_to_tuple(identifier))
        try:
            seen = self._world.register.load(name)
        except NotFound:
            raise NoSuchTableError(f"Table does not exist: {name}") from None
        except Unanswered as unanswered:
            raise ServerError(f"No answer to the load of {name}: {unanswered}") from unanswered
        metadata = FromInputFile.table_metadata(self._io.new_input(seen.value))
        table = Table(self.identifier_to_tuple(identifier), metadata, seen.value, self._io, self)
        return seen.version, table

    def load_table(self, identifier: Any) -> Table:
        return self._load(identifier)[1]

    def create_table(self, identifier: Any, schema: Any, *args: Any, **kwargs: Any) -> Table:
        """Set-up only: make a table."""
        staged = self._create_staged_table(identifier, schema, location_of(identifier), *args, **kwargs)
        self._write_metadata(staged.metadata, staged.io, staged.metadata_location)
        self._world.register.commit(".".join(staged.name()), 0, staged.metadata_location)
        return self.load_table(identifier)

    def commit_table(self, table: Table, requirements: Any, updates: Any) -> CommitTableResponse:
        version, current = self._load(table.name())
        try:
            staged = self._update_and_stage_table(current, table.name(), requirements, updates)
        except CommitFailedException:
            self._world.coverage.hit(REQUIREMENT_FAILED)
            raise
        self._write_metadata(staged.metadata, staged.io, staged.metadata_location)
        name = ".".join(table.name())
        try:
            self._world.register.commit(name, version, staged.metadata_location)
        except CasLost as lost:
            self._world.coverage.hit(SWAP_LOST)
            raise CommitFailedException(f"Table has been updated by another process: {name}") from lost
        except Unanswered as unanswered:
            raise CommitStateUnknownException(f"No answer to the commit of {name}: {unanswered}") from unanswered
        response: Any = {"metadata": staged.metadata, "metadata-location": staged.metadata_location}
        return CommitTableResponse(**response)


_Whole: Any = type("SimulatedCatalog", (Sending, RegisterCatalog), {})
"""Namespaces, views and renames take no part in commits and are left out."""
_Whole.__abstractmethods__ = frozenset()


class InRegister:
    """The table in a register. Implements `python.catalogs.Catalogs`."""

    errors = ()
    manifest = ()

    def client(self, simulation: Simulation, process: str) -> Any:
        """The catalog of a process."""
        return whole(simulation.world(process))

    def create(self, simulation: Simulation, process: str, *what: Any, **properties: Any) -> Any:
        """Set-up only: make the table."""
        return self.client(simulation, process).create_table(*what, **properties)

    def locations(self, simulation: Simulation) -> Sequence[str]:
        """The metadata files that the table has had since the race began."""
        return [place_of(version.value) for version in simulation.services.register.history[NAME]]

    def name(self, simulation: Simulation) -> str:
        """Nobody renames it here."""
        return NAME

    def forget(self, simulation: Simulation) -> None:
        """No stale load is older than the race."""
        del simulation.services.register.history[NAME][:-1]


def whole(world: World) -> Any:
    """The catalog of one process."""
    made = _Whole(world)
    made.sent = []
    return made


CATALOGS = InRegister()
