"""Statistics in a drawn race: a last draw and a rare one, so that the other races stay as they were.

A session of its own says what the statistics of a table's column are, in a transaction if the table has write ids;
another one may ask for them, twice, at any metastores. Where somebody locks nothing is analyzed.
"""

from __future__ import annotations

from dataclasses import replace

from sim.generation.draws import Draws
from sim.hive.drawn_sessions import ENDINGS
from sim.hive.statistics_statements import Analyze, GetStatistics
from sim.hive.workload import Begin, Commit, HiveSession, HiveTable, HiveWorkload, Statement

ANALYZERS = ("s1", "s2")
SELDOM = ("no",) * 10 + ("analyzes", "analyzes and asks", "analyzes and asks")


def with_statistics(draws: Draws, workload: HiveWorkload) -> HiveWorkload:
    """The workload, with sessions that analyze and ask if that is drawn. One that is returned as it was has none."""
    which = draws.one_of("statistics", SELDOM)
    if which == "no":
        return workload
    table = draws.one_of("analyzed", workload.tables)
    home = draws.one_of("analyzes at", workload.replicas)
    end = ENDINGS[draws.one_of("its end", ("commit", "abort", "none"))] if table.managed else ()
    sessions = [HiveSession(ANALYZERS[0], home, _transactions(table, (Analyze(table.name, "s1"),), end))]
    if which != "analyzes":
        at = draws.one_of("asks at", workload.replicas[::-1])
        asks = _transactions(table, (GetStatistics(table.name),), (Commit(),) if table.managed else ())
        sessions.append(HiveSession(ANALYZERS[1], at, asks * 2))
    return replace(workload, sessions=(*workload.sessions, *sessions))


def _transactions(
    table: HiveTable, statements: tuple[Statement, ...], end: tuple[Statement, ...]
) -> tuple[Statement, ...]:
    if not table.managed:
        return statements
    return (Begin((table.name,), read_only=isinstance(statements[0], GetStatistics)), *statements, *end)
