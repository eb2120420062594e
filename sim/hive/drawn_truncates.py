"""Truncates in a drawn race: a last draw and a rare one, so that the other races stay as they were.

A session truncates a table, in a transaction if the table has write ids, and may read it or list its partitions then.
Where somebody locks, or drops or renames a partition, nobody does.
"""

from __future__ import annotations

from dataclasses import replace

from sim.generation.draws import Draws
from sim.hive.drawn_sessions import within
from sim.hive.partition_renames import RenamePartition
from sim.hive.truncate_statements import Truncate
from sim.hive.workload import DropPartition, HiveSession, HiveWorkload, ListPartitions, Statement

SELDOM = ("no",) * 14 + ("truncates", "truncates and lists")
TRUNCATER = "v1"


def with_truncates(draws: Draws, workload: HiveWorkload) -> HiveWorkload:
    """The workload, with a session that truncates a table if that is drawn; else as it was."""
    of_parts = workload.has(DropPartition, RenamePartition)
    which = "no" if of_parts else draws.one_of("truncates", SELDOM)
    if which == "no":
        return workload
    table = draws.one_of("truncated", workload.tables)
    statements: list[Statement] = [Truncate(table.name)]
    if which != "truncates":
        statements.append(ListPartitions(table.name))
    statements = within(draws, table, statements)
    session = HiveSession(TRUNCATER, draws.one_of("truncates at", workload.replicas[::-1]), tuple(statements))
    return replace(workload, sessions=(*workload.sessions, session))
