"""Locks of more than a table, in a drawn race: one of the last draws and a rare one, so that other races stay.

Two sessions ask for locks of a table, of a partition of it, of its database, and of another table, in one request each,
and look at the table while they have them.
"""

from __future__ import annotations

from dataclasses import replace

from model.hive.lock_queue import EXCL_WRITE, EXCLUSIVE, SHARED_READ, SHARED_WRITE, LockKind
from sim.generation.draws import Draws
from sim.hive.drawn_sessions import PARTITIONS
from sim.hive.lock_statements import LockSet
from sim.hive.workload import Begin, Commit, Get, HiveSession, HiveWorkload

SELDOM = ("no",) * 8 + ("sets",)
LOCKERS = ("l1", "l2")
OTHER = "default.other"
"""A table that nobody else has anything to do with: locks need none to be there."""
KINDS: tuple[LockKind, ...] = (EXCLUSIVE, EXCL_WRITE, SHARED_READ, SHARED_WRITE)


def with_lock_sets(draws: Draws, workload: HiveWorkload) -> HiveWorkload:
    """The workload, with two sessions that lock in sets if that is drawn; else as it was."""
    if draws.one_of("sets of locks", SELDOM) == "no":
        return workload
    table = draws.one_of("sets of", workload.tables).name
    sessions = [_locker(draws, workload, name, table) for name in LOCKERS]
    return replace(workload, sessions=(*workload.sessions, *sessions))


def _locker(draws: Draws, workload: HiveWorkload, name: str, table: str) -> HiveSession:
    objects = (table, f"{table}/{PARTITIONS[0]}", table.partition(".")[0], f"{table}/{PARTITIONS[1]}")
    parts: list[tuple[LockKind, str]] = [(draws.one_of("kind", KINDS), draws.one_of("locked", objects))]
    if draws.flag("another table, too"):
        parts.insert(0, (SHARED_READ, OTHER))
    home = draws.one_of("locks at", workload.replicas)
    return HiveSession(name, home, (Begin(), LockSet(tuple(parts)), Get(table), Commit()))
