"""Statistics in a drawn race: a last draw and a rare one, so that the other races stay as they were.

A session of its own says what the statistics of a table's column are, or of a partition's that there is before the
race, in a transaction if the table has write ids; another one may ask for them, twice, at any metastores. Where
somebody locks nothing is analyzed, and where partitions get other names no partition is.
"""

from __future__ import annotations

from dataclasses import replace

from sim.generation.draws import Draws
from sim.hive.drawn_sessions import ENDINGS
from sim.hive.partition_renames import RenamePartition
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
    at = draws.one_of("asks at", workload.replicas[::-1]) if which != "analyzes" else ""
    parts = () if workload.has(RenamePartition) else tuple([name for name, _ in table.partitions])
    part = draws.one_of("analyzed partition", ("", *parts)) if parts else ""
    analyzes = Analyze(table.name, "s1", partition=part)
    sessions = [HiveSession(ANALYZERS[0], home, _transactions(table, (analyzes,), end))]
    if which != "analyzes":
        asks = _transactions(table, (GetStatistics(table.name, partition=part),), (Commit(),) if table.managed else ())
        sessions.append(HiveSession(ANALYZERS[1], at, asks * 2))
    return replace(workload, sessions=(*workload.sessions, *sessions))


def _transactions(
    table: HiveTable, statements: tuple[Statement, ...], end: tuple[Statement, ...]
) -> tuple[Statement, ...]:
    if not table.managed:
        return statements
    return (Begin((table.name,), read_only=isinstance(statements[0], GetStatistics)), *statements, *end)
