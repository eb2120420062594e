"""Renames of partitions in a drawn race: the last draw and a rare one, so that the other races stay as they were.

A session of its own gives a partition another name, which one of the table may have already, and may look at the list
at another metastore then; in a transaction that commits, aborts or stays open, if the table has write ids.
"""

from __future__ import annotations

from dataclasses import replace

from sim.generation.draws import Draws
from sim.hive.drawn_sessions import ENDINGS
from sim.hive.partition_renames import RenamePartition
from sim.hive.workload import Begin, HiveSession, HiveTable, HiveWorkload, ListPartitions, Statement

SELDOM = ("no",) * 10 + ("renames", "renames and lists")
NAMES = ("d=1", "d=2", "d=3")
RENAMER = "p1"


def with_partition_renames(draws: Draws, workload: HiveWorkload) -> HiveWorkload:
    """The workload, with a session that renames a partition if that is drawn; else as it was."""
    which = draws.one_of("partition renames", SELDOM)
    if which == "no":
        return workload
    table = draws.one_of("of table", [each for each in workload.tables if each.partitions] or workload.tables)
    old = draws.one_of("renamed", NAMES[:2])
    new = draws.one_of("new name", [name for name in NAMES[::-1] if name != old])
    home = draws.one_of("renames at", workload.replicas)
    statements: list[Statement] = [RenamePartition(table.name, old, new, "p1")]
    if which != "renames":
        statements.append(ListPartitions(table.name, draws.one_of("lists at", workload.replicas[::-1])))
    renamer = HiveSession(RENAMER, home, _transaction(draws, table, statements))
    return replace(workload, sessions=(*workload.sessions, renamer))


def _transaction(draws: Draws, table: HiveTable, statements: list[Statement]) -> tuple[Statement, ...]:
    if not table.managed:
        return tuple(statements)
    end = ENDINGS[draws.one_of("its end", ("commit", "commit", "commit", "abort", "none"))]
    return (Begin((table.name,)), *statements, *end)
