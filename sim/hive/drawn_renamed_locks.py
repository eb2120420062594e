"""Tables that get another name under their locks, in a drawn race: one of the last draws and a rare one.

One session locks a table, renames it, and goes on with it under its new name; another one meets it, before or after
that: it locks the new name, or it updates rows of the table under the old one, as the first does under the new.
The latter only where a write says which table it means, and a rename is one step: else who locks the name that the
table had updates it all the same, and nobody looks for a conflict (R8, `hive/shipped-update-by-old-name`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from model.hive.rules import Rules
from sim.generation.draws import Draws
from sim.hive.drawn_sessions import ENDINGS, NAMES_OF
from sim.hive.lock_statements import Lock
from sim.hive.update_statements import LockedUpdate
from sim.hive.workload import Begin, Get, HiveSession, HiveTable, HiveWorkload, Rename, Statement

SELDOM = ("no",) * 6 + ("locks", "updates")
RENAMERS = ("n1", "n2")
NOBODYS = NAMES_OF["managed"][-1]
"""The name that no table has at the start."""


def with_renamed_locks(draws: Draws, workload: HiveWorkload, rules: Rules) -> HiveWorkload:
    """The workload, with two sessions of which one renames a table under its lock if that is drawn; else as it was."""
    managed = [table for table in workload.tables if table.managed]
    which = draws.one_of("renamed under a lock", SELDOM) if managed else "no"
    if which == "no":
        return workload
    named = rules.writes_name_table and rules.rename_moves_write_ids_with_it
    table = draws.one_of("its table", managed)
    homes = [draws.one_of("meets at", workload.replicas) for _ in RENAMERS]
    updates = which == "updates" and named
    made = _updates(table, exclusive=rules.exclusive_writes) if updates else _locks(draws, table.name)
    sessions = [HiveSession(name, home, todo) for name, home, todo in zip(RENAMERS, homes, made, strict=True)]
    return replace(workload, sessions=(*workload.sessions, *sessions))


def _locks(draws: Draws, table: str) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
    """The renamer looks at the table under its new name; the other one wants the lock of that."""
    end = ENDINGS[draws.one_of("end of the rename", ("commit", "abort", "none"))]
    renames: tuple[Statement, ...] = (
        Begin((table,)), Lock(table, "exclusive"), Rename(table, NOBODYS), Get(NOBODYS), *end
    )  # fmt: skip
    return renames, (Begin(), Lock(NOBODYS, "exclusive"), Get(NOBODYS), *ENDINGS["commit"])


def _updates(given: HiveTable, *, exclusive: bool) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
    """Both update rows, the renamer after the rename, of one partition if the table has some."""
    table, parts = given.name, tuple([name for name, _ in given.partitions[:1]])
    kind: Literal["excl-write", "shared-write"] = "excl-write" if exclusive else "shared-write"
    renames: tuple[Statement, ...] = (
        Begin((table,)), Lock(table, "exclusive"), Rename(table, NOBODYS), LockedUpdate(NOBODYS, kind, parts),
        *ENDINGS["commit"],
    )  # fmt: skip
    return renames, (Begin((table,)), LockedUpdate(table, kind, parts), *ENDINGS["commit"])
