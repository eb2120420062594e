"""Locks and time-outs in a drawn race: a last draw and a rare one, so that the other races stay as they were.

Sessions that lock do so before their first statement of a table, exclusively if the transaction changes anything; a
house keeper aborts the open transaction of the first session, whenever that is.
"""

from __future__ import annotations

from dataclasses import replace

from sim.generation.draws import Draws
from sim.hive.lock_statements import Lock, TimeOut
from sim.hive.workload import Begin, Get, HiveSession, HiveWorkload, ListPartitions, Statement

SELDOM = ("no", "no", "no", "no", "no", "no", "no", "locks", "locks and a time-out")
KEEPER = "k1"


def with_locks(draws: Draws, workload: HiveWorkload) -> HiveWorkload:
    """The workload, with locks if they are drawn. A workload that is returned as it was has none."""
    which = draws.one_of("locks", SELDOM)
    if which == "no":
        return workload
    sessions = [_locking(session) if _locks(draws) else session for session in workload.sessions]
    if which != "locks":
        sessions.append(HiveSession(KEEPER, workload.replicas[0], (TimeOut(workload.sessions[0].actor),)))
    return replace(workload, sessions=tuple(sessions))


def _locks(draws: Draws) -> bool:
    return draws.one_of("a session locks", (False, True, True))


def _locking(session: HiveSession) -> HiveSession:
    """The session with a lock for each of its transactions that names a table."""
    found: list[Statement] = []
    for place, statement in enumerate(session.statements):
        found.append(statement)
        if isinstance(statement, Begin):
            found += _lock_of(session.statements[place + 1 :])
    return replace(session, statements=tuple(found))


def _lock_of(following: tuple[Statement, ...]) -> list[Statement]:
    """The lock of the transaction that these statements begin with: of the table that it names first."""
    named: list[Statement] = []
    for statement in following:
        if isinstance(statement, Begin):
            break
        if hasattr(statement, "table"):
            named.append(statement)
    if not named:
        return []
    reads = all(isinstance(statement, Get | ListPartitions) for statement in named)
    return [Lock(named[0].table, "shared-read" if reads else "exclusive")]  # type: ignore[union-attr]
