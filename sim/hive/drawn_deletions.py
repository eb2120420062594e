"""Who deletes statistics, in a drawn race where somebody writes some: the very last draw, and a rare one."""

from __future__ import annotations

from dataclasses import replace

from sim.generation.draws import Draws
from sim.hive.statistics_statements import Analyze, DeleteStatistics
from sim.hive.workload import HiveSession, HiveWorkload

SELDOM = ("no", "no", "deletes", "deletes naming no column")
DELETER = "d1"


def with_deletions(draws: Draws, workload: HiveWorkload) -> HiveWorkload:
    """The workload, with a session that deletes them, twice, if that is drawn; else as it was."""
    said = [one for each in workload.sessions for one in each.statements if isinstance(one, Analyze)]
    which = draws.one_of("statistics are deleted", SELDOM) if said else "no"
    if which == "no":
        return workload
    unnamed = which != "deletes"
    deletes = DeleteStatistics(said[0].table, partition=said[0].partition, unnamed=unnamed)
    session = HiveSession(DELETER, draws.one_of("deletes at", workload.replicas), (deletes, deletes))
    return replace(workload, sessions=(*workload.sessions, session))
