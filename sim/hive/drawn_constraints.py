"""Primary keys in a drawn race: a last draw and a rare one, so that the other races stay as they were.

A session gives a table a key, in a transaction if the table has write ids, and may take it away again; another one may
ask for it, twice. Where somebody locks nobody does; nor where a table is dropped: whose key is gone with it reads as
whose key was never there.
"""

from __future__ import annotations

from dataclasses import replace

from sim.generation.draws import Draws
from sim.hive.constraint_statements import AddKey, DropKey, GetKey
from sim.hive.drawn_sessions import within
from sim.hive.workload import Begin, Commit, Drop, HiveSession, HiveWorkload, Statement

SELDOM = ("no",) * 12 + ("adds", "adds and asks", "adds and drops")
KEYERS = ("j1", "j2")


def with_constraints(draws: Draws, workload: HiveWorkload) -> HiveWorkload:
    """The workload, with sessions that add a key and ask for it if that is drawn; else as it was."""
    which = "no" if workload.has(Drop) else draws.one_of("constraints", SELDOM)
    if which == "no":
        return workload
    table = draws.one_of("keyed", workload.tables)
    home = draws.one_of("keyed at", workload.replicas)
    statements: list[Statement] = [AddKey(table.name, "k1")]
    if which == "adds and drops":
        statements.append(DropKey(table.name, "k1"))
    sessions = [HiveSession(KEYERS[0], home, tuple(within(draws, table, statements)))]
    if which == "adds and asks":
        asks: tuple[Statement, ...] = (GetKey(table.name),)
        if table.managed:
            asks = (Begin((table.name,), read_only=True), *asks, Commit())
        sessions.append(HiveSession(KEYERS[1], draws.one_of("asks at", workload.replicas[::-1]), asks * 2))
    return replace(workload, sessions=(*workload.sessions, *sessions))
