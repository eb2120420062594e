"""Mutants of what PyIceberg's own catalogs talk to: each rule of the simulated database, REST service and metastore.

Source: as of the modules that they damage: a conditional UPDATE tells how many rows it has changed, and one transaction
writes at a time; a REST catalog checks the requirements of a commit, and says of a conflict that it is one; a metastore
grants a table's lock to one client at a time, and alters what it is told to alter.
"""

from __future__ import annotations

from typing import Any

from hive_metastore.ttypes import LockResponse, LockState

from sim.iceberg.python.metastore import Connection
from sim.iceberg.python.rest_service import RestService
from sim.iceberg.python.sql import _Cursor
from sim.services.sql_database import SqlDatabase, _copy
from tests.mutants.damage import nothing
from tests.mutants.edited import edited
from tests.mutants.mutant import Mutant


def everybody_writes(self: Any, session: Any) -> bool:
    """A transaction begins whoever else writes."""
    self.writer = session
    session.own = session.own or _copy(self.committed)
    return True


def granted_anyway(self: Any, request: Any) -> LockResponse:
    """A lock that is granted to whoever asks."""
    lock_id, _ = self._asked(self._world.locks.lock, "db.t", request.user)
    return LockResponse(lock_id, LockState.ACQUIRED)


SQL_SERVICE: tuple[Mutant, ...] = (
    Mutant(
        "sql-row-count-is-one", "an UPDATE that has found no row says that it has changed one",
        ((_Cursor, "rowcount", property(lambda _: 1)),),
    ),
    Mutant(
        "sql-many-write-at-once", "a transaction commits the copy that it began with over another one's commit",
        ((SqlDatabase, "take", everybody_writes),),
    ),
)  # fmt: skip
REST_SERVICE: tuple[Mutant, ...] = (
    edited(
        "rest-requirements-ignored", "a commit is applied to whatever the table is by then",
        (RestService, "commit", ("request.requirements, request.updates", "(), request.updates")),
    ),
    edited(
        "rest-conflict-says-done", "a commit that was refused is answered with 200",
        (RestService, "commit", ("return refusal(409, error)", "return _told(table)")),
    ),
)  # fmt: skip
REST_TABLES: tuple[Mutant, ...] = (
    edited(
        "rest-create-replaces", "a table is made, whatever has its name by then",
        (RestService, "_made", ("self._current(name)", "None")),
    ),
)  # fmt: skip
"""What is met where tables are made, which no generated race does."""
HIVE_SERVICE: tuple[Mutant, ...] = (
    Mutant("hms-lock-granted-anyway", "a lock is granted while another one has it",
           ((Connection, "lock", granted_anyway),)),
    edited(
        "hms-waiting-says-granted", "who asks for a lock again is told that it has it",
        (Connection, "check_lock", ("LockState.ACQUIRED if granted else LockState.WAITING", "LockState.ACQUIRED")),
    ),
    Mutant("hms-alter-left-out", "an alter that was acknowledged changes nothing",
           ((Connection, "alter_table_with_environment_context", nothing),)),
    Mutant("hms-never-unlocks", "a lock that was given back stays until its lease ends",
           ((Connection, "unlock", nothing),)),
)  # fmt: skip
SERVICES: tuple[Mutant, ...] = (*SQL_SERVICE, *REST_SERVICE, *REST_TABLES, *HIVE_SERVICE)
