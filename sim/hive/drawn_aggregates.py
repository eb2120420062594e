"""Who asks for statistics of partitions together, in a drawn race where one is analyzed: a last draw and a rare one.

Two sessions ask, twice, for all partitions of the table, or for the one.
"""

from __future__ import annotations

from dataclasses import replace

from sim.generation.draws import Draws
from sim.hive.statistics_statements import Analyze, GetAggregate
from sim.hive.workload import Begin, Commit, HiveSession, HiveWorkload, Statement

SELDOM = ("no", "no", "together")
ASKERS = ("g1", "g2")


def with_aggregates(draws: Draws, workload: HiveWorkload) -> HiveWorkload:
    """The workload, with two sessions that ask if that is drawn; else as it was."""
    said = [one for each in workload.sessions for one in each.statements if isinstance(one, Analyze) and one.partition]
    if not said or draws.one_of("statistics together", SELDOM) == "no":
        return workload
    table = next(table for table in workload.tables if table.name == said[0].table)
    names = tuple([name for name, _ in table.partitions])
    which = draws.one_of("of them", (names, (said[0].partition,))) if len(names) > 1 else names
    asks: tuple[Statement, ...] = (GetAggregate(table.name, which),)
    if table.managed:
        asks = (Begin((table.name,), read_only=True), *asks, Commit())
    sessions = [HiveSession(name, draws.one_of("asks them at", workload.replicas), asks * 2) for name in ASKERS]
    return replace(workload, sessions=(*workload.sessions, *sessions))
