"""PyIceberg's own `HiveCatalog`, unmodified, whose Thrift client is one of the simulated metastore.

It locks the table, waits for the lock by asking again (tenacity, four times), reads the table, alters it without a
condition, and unlocks. Nothing keeps the lock alive meanwhile.

Source: `pyiceberg/catalog/hive.py` (`HiveCatalog.commit_table`, `_wait_for_lock`); `thrift/transport/TSocket.py`
(`read`: a closed connection is `TTransportException`, and stays closed); Hive's `hive_metastore.thrift` (a lock that is
gone is `NoSuchLockException`, but when it is given back: executed on a live metastore 4.0.1).

Choices: what the metastore knows of a table is its parameters. A connection that was lost is not opened again within a
commit: so its `unlock` fails, too, and the lock stays until its lease ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any

from hive_metastore.ttypes import (
    AlreadyExistsException,
    Database,
    InvalidOperationException,
    LockResponse,
    LockState,
    NoSuchLockException,
    NoSuchObjectException,
)
from hive_metastore.ttypes import Table as HiveTable
from pyiceberg.catalog.hive import HiveCatalog
from thrift.Thrift import TException
from thrift.transport.TTransport import TTransportException

from model.ports import Absent, AlreadyExists, NotFound, NotLocked, Refused, Unanswered, World
from sim.iceberg.creating import MOVED
from sim.iceberg.python.counters import REFUSED_LOCK
from sim.iceberg.python.ports import FILE_IO, LOCATION, NAME, location_of, place_of
from sim.iceberg.python.sending import EMPTY, SendingTables
from sim.iceberg.renaming import name_at_end
from sim.services.metastore import Parameters
from sim.world import substitutes
from sim.world.simulation import Simulation
from sim.world.world import Services

LOCATED = "metadata_location"


class Connection:
    """A connection to the metastore, and the client on it: what `_HiveClient` opens for each use. Args: `note` is
    told where a call is to leave a table."""

    def __init__(self, world: World, note: Callable[[str], None]) -> None:
        self._world, self._note = world, note
        self._lost = False

    def __enter__(self) -> Connection:
        self._lost = False
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        """It is closed."""

    def lock(self, request: Any) -> LockResponse:
        """Ask for the table's lock."""
        lock_id, granted = self._asked(self._world.locks.lock, NAME, request.user)
        return LockResponse(lock_id, LockState.ACQUIRED if granted else LockState.WAITING)

    def check_lock(self, request: Any) -> LockResponse:
        """Ask whether it has been granted. Raises: `NoSuchLockException`."""
        granted = self._asked(self._world.locks.check_lock, request.lockid)
        if not granted:
            self._world.coverage.hit(REFUSED_LOCK)
        return LockResponse(request.lockid, LockState.ACQUIRED if granted else LockState.WAITING)

    def unlock(self, request: Any) -> None:
        """Give it back; a lock that is gone is none that a metastore misses."""
        with suppress(NoSuchLockException):
            self._asked(self._world.locks.unlock, request.lockid)

    def get_table(self, dbname: str, tbl_name: str) -> HiveTable:
        """The table. Raises: `NoSuchObjectException`."""
        found = self._asked(self._world.metastore.get_table, f"{dbname}.{tbl_name}")
        return HiveTable(dbName=dbname, tableName=tbl_name, parameters=found)

    def alter_table_with_environment_context(self, dbname: str, tbl_name: str, new_tbl: Any, **_: Any) -> None:
        """Replace its parameters, or all of it by a table of another name. Raises: `InvalidOperationException`."""
        name, to = f"{dbname}.{tbl_name}", f"{new_tbl.dbName}.{new_tbl.tableName}"
        try:
            if name == to:
                self._asked(self._world.metastore.alter_table, name, new_tbl.parameters)
            else:
                self._rename(name, to, new_tbl.parameters)
        except (NoSuchObjectException, AlreadyExistsException) as error:
            raise InvalidOperationException(error.message) from error

    def _rename(self, name: str, to: str, parameters: dict[str, str]) -> None:
        self._note(parameters[LOCATED])
        self._asked(self._world.metastore.rename_table, name, to, parameters)

    def create_table(self, table: Any) -> None:
        """Make a table. Raises: `AlreadyExistsException`."""
        self._note(table.parameters[LOCATED])
        self._asked(self._world.metastore.create_table, f"{table.dbName}.{table.tableName}", table.parameters)

    def drop_table(self, dbname: str, name: str, deleteData: bool) -> None:
        """Take the table of this name away, whichever it is by then. Raises: `NoSuchObjectException`."""
        by = self._world.chance.fresh("drop")
        self._note(place_of(Absent(by)))
        self._asked(self._world.metastore.drop_table, f"{dbname}.{name}", by)

    def get_database(self, name: str) -> Database:
        """The one database, without a step: where its tables are."""
        return Database(name=name, locationUri=LOCATION, parameters={})

    def _asked(self, call: Callable[..., Any], *arguments: Any) -> Any:
        if self._lost:
            raise TTransportException(TTransportException.NOT_OPEN, "Transport not open")
        try:
            return call(*arguments)
        except NotFound as error:
            raise NoSuchObjectException(str(error)) from error
        except AlreadyExists as error:
            raise AlreadyExistsException(str(error)) from error
        except NotLocked as error:
            raise NoSuchLockException(str(error)) from error
        except Refused as error:
            raise InvalidOperationException(str(error)) from error
        except Unanswered as lost:
            self._lost = True
            raise TTransportException(TTransportException.END_OF_FILE, f"TSocket read 0 bytes: {lost}") from lost


class OwnHiveCatalog(SendingTables, HiveCatalog):
    """The catalog of one process, with a connection of ours."""

    def __init__(self, simulation: Simulation, process: str) -> None:
        self.sent = []
        self._connection = Connection(simulation.world(process), self.note)
        super().__init__("simulated", uri="thrift://metastore.simulated:9083", warehouse=LOCATION, **FILE_IO)

    def _create_hive_client(self, properties: dict[str, str]) -> Any:  # type: ignore[override]
        return self._connection


class Somebody:
    """Who asks for a lock: what the machine would say of its user and of itself."""

    getuser = staticmethod(lambda: "simulated")
    gethostname = staticmethod(lambda: "simulated")


class InHive:
    """The table in a Hive metastore. Implements `python.catalogs.Catalogs`."""

    errors = (TException,)
    manifest = (
        EMPTY,
        ("tenacity.nap", "time", substitutes.TIME),
        ("tenacity", "time", substitutes.TIME),
        ("pyiceberg.catalog.hive", "time", substitutes.TIME),
        ("pyiceberg.catalog.hive", "getpass", Somebody),
        ("pyiceberg.catalog.hive", "socket", Somebody),
    )

    def client(self, simulation: Simulation, process: str) -> OwnHiveCatalog:
        """The catalog of a process."""
        simulation.services.metastore.told = partial(_append, simulation.services)
        return OwnHiveCatalog(simulation, process)

    def create(self, simulation: Simulation, process: str, *what: Any, **properties: Any) -> Any:
        """Set-up only: make the table."""
        return self.client(simulation, process).create_table(*what, **{"location": location_of(what[0]), **properties})

    def locations(self, simulation: Simulation) -> Sequence[str]:
        """The metadata files that the table has had since the race began, and its drops."""
        return [place_of(version.value) for version in simulation.services.register.history[NAME]]

    def name(self, simulation: Simulation) -> str:
        """What the race's table is called by now."""
        return name_at_end(simulation)

    def forget(self, simulation: Simulation) -> None:
        """The race begins with the table as it is."""
        del simulation.services.metastore.tables[NAME][:-1]
        del simulation.services.register.history[NAME][:-1]


def _append(services: Services, name: str, parameters: Parameters | None, by: int) -> None:
    """Append to a register, which nobody asks, what the race's table is: its metadata file, or the drop. What has the
    name of a table that was renamed is another one."""
    moved = services.metastore.tables.get(MOVED, [None])[-1] is not None
    if name != (MOVED if moved else NAME):
        return
    value = Absent(by) if parameters is None else dict(parameters)[LOCATED]
    services.register.append(NAME, value)


CATALOGS = InHive()
