"""Write ids that go astray, in a drawn race: the last draws and rare ones, so that other races stay as they were.

Where history is cleaned, one transaction may commit under a higher write id than a later one has, which aborts, beside
others or alone. Where no name changes hands else and nobody locks, a database may get another name: with its tables, or
without them. Somebody reads in his second transaction then, by either name.
"""

from __future__ import annotations

from dataclasses import replace

from sim.generation.draws import Draws
from sim.hive.database_renames import RenameDatabase
from sim.hive.drawn_sessions import ENDINGS
from sim.hive.drawn_updates import CLEANER
from sim.hive.workload import Alter, Begin, Commit, Get, HiveSession, HiveWorkload, Statement, Write

OVERTAKEN = ("no", "no", "writes", "writes alone")
SELDOM = ("no",) * 12 + ("renames", "renames", "writes and renames")
WRITERS, LATER = ("y1", "y2"), "y3"
RENAMER, READER = "z1", "z2"
RENAME = RenameDatabase("default", "sales")


def with_overtaken(draws: Draws, workload: HiveWorkload) -> HiveWorkload:
    """The workload, whose history is cleaned, with two writers and a reader if they are drawn; else as it was."""
    managed = [table.name for table in workload.tables if table.managed]
    which = draws.one_of("overtaken", OVERTAKEN) if managed else "no"
    if which == "no":
        return workload
    table = draws.one_of("overtaken on", managed)
    home = workload.replicas[0]
    sessions = [
        HiveSession(name, home, (Begin(), Write(table), *ENDINGS[end]))
        for name, end in zip(WRITERS, ("commit", "abort"), strict=True)
    ]
    others = [each for each in workload.sessions if which == "writes" or each.actor == CLEANER]
    return replace(workload, sessions=(*sessions, *others, _reader(LATER, table, home)))


def with_renamed_database(draws: Draws, workload: HiveWorkload) -> HiveWorkload:
    """The workload, with a session that renames a database if that is drawn; else as it was."""
    which = draws.one_of("database", SELDOM)
    if which == "no":
        return workload
    table = draws.one_of("read afterwards", workload.tables)
    homes = [draws.one_of("renames the database at", workload.replicas) for _ in "12"]
    renames: tuple[Statement, ...] = (RENAME,)
    if which != "renames" and table.managed:
        renames = (Begin((table.name,)), Alter(table.name, RENAMER), *ENDINGS["commit"], RENAME)
    name = draws.one_of("by name", (table.name, RENAME.renamed(table.name)))
    reads = _reader(READER, name, homes[1]) if table.managed else HiveSession(READER, homes[1], (Get(name), Get(name)))
    return replace(workload, sessions=(*workload.sessions, HiveSession(RENAMER, homes[0], renames), reads))


def _reader(actor: str, table: str, home: str) -> HiveSession:
    begins = Begin((table,), read_only=True)
    return HiveSession(actor, home, (begins, Commit(), begins, Get(table)))
