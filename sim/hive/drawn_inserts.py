"""Inserts in a drawn race whose history is cleaned, and where nobody notes whom a transaction may have missed.

A session inserts into two managed tables, and another one reads both in one transaction; nothing fails, and
nobody else does anything but the house keeper. The very last draw, and a rare one.
"""

from __future__ import annotations

from dataclasses import replace

from model.hive.rules import Rules
from sim.generation.draws import Draws
from sim.generation.generator import Settings
from sim.hive.drawn_updates import CLEANER
from sim.hive.inserting import unnoted
from sim.hive.promises import CLEANED_UP
from sim.hive.update_statements import CleanHistory, LockedInsert
from sim.hive.workload import Begin, Commit, Get, HiveSession, HiveWorkload, ListPartitions, Statement

SELDOM = ("no",) * 4 + ("inserts",)
INSERTER, READER = "i1", "i2"


def with_inserts(
    draws: Draws, workload: HiveWorkload, rules: Rules, settings: Settings
) -> tuple[HiveWorkload, Rules]:  # fmt: skip
    """The workload of these, and rules without `MIN_HISTORY_LEVEL`, if that is drawn; else both as they were."""
    if settings.get(CLEANED_UP) != "yes":
        return workload, rules
    managed = [table.name for table in workload.tables if table.managed]
    which = draws.one_of("inserts beside cleaning", SELDOM) if len(managed) > 1 else "no"
    if which == "no":
        return workload, rules
    home, other = workload.replicas[0], workload.replicas[-1]
    inserts: list[Statement] = [LockedInsert(name) for name in managed]
    sessions = (
        HiveSession(INSERTER, home, (Begin(), *inserts, Commit())),
        HiveSession(READER, other, (Begin((managed[0],), read_only=True), Get(managed[0]), ListPartitions(managed[1]))),
        HiveSession(CLEANER, home, (CleanHistory(),)),
    )
    return replace(workload, sessions=sessions, earlier=(), lagging=()), unnoted(rules)
