"""What a cache is believed of a table, in a drawn race: the last draw and a rare one, so that other races stay.

A session adds a partition to a table through one metastore and changes the table; then it drops the table through
another one, whose cache has not heard of the partition unless it has been refreshed, and looks at it there.
"""

from __future__ import annotations

from dataclasses import replace

from sim.generation.draws import Draws
from sim.hive.drawn_sessions import ENDINGS
from sim.hive.workload import (
    Alter,
    Begin,
    Drop,
    DropPartition,
    Get,
    HiveSession,
    HiveTable,
    HiveWorkload,
    PutPartition,
    Statement,
)

SELDOM = ("no",) * 7 + ("drops", "drops a partition")
BELIEVER, PARTITION = "b1", "d=3"


def with_believed(draws: Draws, workload: HiveWorkload) -> HiveWorkload:
    """The workload, with a session that asks two metastores if that is drawn; else as it was."""
    which = draws.one_of("believed", SELDOM)
    if which == "no":
        return workload
    table = draws.one_of("of which table", workload.tables)
    first = draws.one_of("changes at", workload.replicas)
    other = draws.one_of("drops at", workload.replicas[::-1])
    made: list[Statement] = [PutPartition(table.name, PARTITION, BELIEVER), Alter(table.name, BELIEVER)]
    gone = Drop(table.name, other) if which == "drops" else DropPartition(table.name, PARTITION, other)
    return replace(
        workload,
        sessions=(
            *workload.sessions,
            HiveSession(BELIEVER, first, _in_txn(table, *made, gone, Get(table.name, other))),
        ),
    )


def _in_txn(table: HiveTable, *statements: Statement) -> tuple[Statement, ...]:
    if not table.managed:
        return statements
    return (Begin((table.name,)), *statements, *ENDINGS["commit"])
