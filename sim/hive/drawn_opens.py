"""Opens that stand still in a drawn race of database statements: the last draw and a rare one.

One session changes a table and aborts, another one reads it, and nobody else does anything; their processes may stand
still where their opens commit, or before these get their ids.
"""

from __future__ import annotations

from dataclasses import replace

from sim.generation.draws import Draws
from sim.hive.opens import standing_still
from sim.hive.workload import Abort, Alter, Begin, Get, HiveSession, HiveWorkload
from sim.world.scenario import FaultSpace

SELDOM = ("no",) * 4 + ("at its commit", "before its id")
STANDS = {"at its commit": "open_txn", "before its id": "next_value"}
"""Where a process may stand still."""
STEPS = ("next_value", "open_txn", "get_open_txns", "get_table", "poll", "apply")
"""What is a step then: opens, snapshots, reads, and what caches do."""
OPENERS = ("o1", "o2")


def with_slow_opens(
    draws: Draws, workload: HiveWorkload, faults: FaultSpace
) -> tuple[HiveWorkload, FaultSpace]:  # fmt: skip
    """The workload of these two, and their faults, if that is drawn; else both as they were."""
    managed = [table.name for table in workload.tables if table.managed]
    which = draws.one_of("open stands still", SELDOM) if managed else "no"
    if which == "no":
        return workload, faults
    home, other = workload.replicas[0], workload.replicas[-1]
    sessions = (
        HiveSession(OPENERS[0], home, (Begin(), Alter(managed[0], OPENERS[0]), Abort())),
        HiveSession(OPENERS[1], other, (Begin(read_only=True), Get(managed[0]))),
    )
    return replace(workload, sessions=sessions), standing_still(STANDS[which])
