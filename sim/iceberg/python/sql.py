"""PyIceberg's own `SqlCatalog`, unmodified, on SQLAlchemy and the simulated SQL database.

The dialect `sqlite+simulated` is SQLAlchemy's own of Python's `sqlite3`, whose connections are sessions of the
simulation: each statement and each commit of the catalog is a step.

Source: `pyiceberg/catalog/sql.py` (`SqlCatalog.commit_table`: a load, then `UPDATE ... WHERE metadata_location = ...`);
`sqlalchemy/dialects/sqlite/pysqlite.py` (`SQLiteDialect_pysqlite`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pyiceberg.catalog.sql import SqlCatalog
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from sim.iceberg.creating import MOVED
from sim.iceberg.python.ports import DROPPED, FILE_IO, LOCATION, NAME
from sim.iceberg.python.sending import EMPTY, SendingTables
from sim.services.sql_database import Answer, Session, SqlDatabase
from sim.world import substitutes
from sim.world.simulation import Simulation

CALLED = {name.rpartition(".")[2]: name for name in (NAME, MOVED)}
NAMED = f"FROM iceberg_tables WHERE table_name IN ({', '.join(map(repr, CALLED))}) ORDER BY table_name DESC"
"""The race's table: the one that was renamed, if one was."""
WATCH = f"SELECT metadata_location {NAMED}"
registry.register("sqlite.simulated", __name__, "SimulatedDialect")
_connecting: list[Session] = []


class SimulatedDialect(SQLiteDialect_pysqlite):
    """SQLite as SQLAlchemy knows it, over the session of the process that connects."""

    supports_statement_cache = True

    @classmethod
    def get_pool_class(cls, url: Any) -> Any:
        """One connection a process."""
        return StaticPool

    def connect(self, *_: Any, **__: Any) -> Any:
        """The session of the process that makes its catalog."""
        return _Connection(_connecting[-1])


class _Connection:
    """What SQLAlchemy asks of a connection of `sqlite3`."""

    isolation_level = ""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.commit, self.rollback = session.commit, session.rollback

    def cursor(self) -> _Cursor:
        """A new cursor."""
        return _Cursor(self._session)

    def create_function(self, *_: Any, **__: Any) -> None:
        """The catalog's statements use no functions."""

    def close(self) -> None:
        """What is open is rolled back."""
        self._session.rollback()


class _Cursor:
    """What SQLAlchemy asks of a cursor; all rows have been fetched when a statement has been carried out."""

    lastrowid = None
    arraysize = 1

    def __init__(self, session: Session) -> None:
        self._session = session
        self._answer = Answer()
        self._rows: Iterator[Any] = iter(())

    @property
    def description(self) -> list[tuple[Any, ...]] | None:
        """The columns; None if there are none."""
        return [(name, *[None] * 6) for name in self._answer.columns] or None

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        return self._answer.changed

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> _Cursor:
        """Carry a statement out."""
        self._answer = self._session.execute(statement, tuple(parameters))
        self._rows = iter(self._answer.rows)
        return self

    def fetchone(self) -> Any:
        """The next row; None after the last."""
        return next(self._rows, None)

    def fetchmany(self, size: int = 1) -> list[Any]:
        """The next rows."""
        return [row for row, _ in zip(self._rows, range(size), strict=False)]

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        return list(self._rows)

    def close(self) -> None:
        """Nothing is open."""


class OwnSqlCatalog(SendingTables, SqlCatalog):
    """The catalog of one process."""


class InSql:
    """The table in PyIceberg's SQL catalog. Implements `python.catalogs.Catalogs`."""

    errors = (DBAPIError,)
    manifest = (EMPTY, ("sqlalchemy.sql.compiler", "perf_counter", substitutes.TIME.monotonic))

    def client(self, simulation: Simulation, process: str) -> OwnSqlCatalog:
        """The catalog of a process."""
        with _session(simulation, process) as session:
            made = OwnSqlCatalog("simulated", uri="sqlite+simulated://", warehouse=LOCATION, **FILE_IO)
        made.sent = []
        session.told = lambda place: made.note(self.locations(simulation)[place])
        return made

    def create(self, simulation: Simulation, process: str, *what: Any, **properties: Any) -> Any:
        """Set-up only: make the table."""
        made = self.client(simulation, process)
        if what[0] == NAME:
            made.create_namespace(NAME.partition(".")[0])
        return made.create_table(*what, **properties)

    def locations(self, simulation: Simulation) -> Sequence[str]:
        """The metadata files that the table has had since the race began, and its drops."""
        return [f"{DROPPED}{place}" if one is None else one for place, one in enumerate(_database(simulation).history)]

    def name(self, simulation: Simulation) -> str:
        """What the race's table is called by now."""
        found = _database(simulation).committed.execute(f"SELECT table_name {NAMED}").fetchone()
        return CALLED[found[0]] if found else NAME

    def forget(self, simulation: Simulation) -> None:
        """What was before the race is not in its image."""


def _database(simulation: Simulation) -> SqlDatabase:
    return simulation.attach("sql", lambda kernel, interner: SqlDatabase(kernel, interner, watch=WATCH))


@contextmanager
def _session(simulation: Simulation, process: str) -> Iterator[Session]:
    _connecting.append(Session(_database(simulation), process))
    try:
        yield _connecting[-1]
    finally:
        _connecting.pop()


CATALOGS = InSql()
