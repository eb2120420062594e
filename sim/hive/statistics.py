"""Metastore scenarios of statistics of a table's column: who is told of which, by which cache.

Source: hive/7 (row 49); `CachedStore.updateTableColumnStatistics`, `getTableColumnStatistics`, `updateTableColStats`,
`prewarm` 4.0.1; live: tests/live/hive/test_statistics.py.
"""

from __future__ import annotations

from model.hive import coverage
from model.hive.rules import SHIPPED_REFRESH, UNCACHED
from sim.hive.build import EVENTUAL, EXTERNAL, RO, STOPPING, B, E, Sessions, T, metastore
from sim.hive.statistics_statements import Analyze, GetStatistics
from sim.hive.workload import Abort, Commit
from sim.world.scenario import Scenario

STEPS = ("update_statistics", "get_statistics", "commit_txn", "abort_txn", "poll")
REFRESHES = ("update_statistics", "get_statistics", "poll", "refresh_partitions", "apply")
TWICE: Sessions = {"w2": ("h2", (Analyze(E, "10"),)), "w1": ("h1", (Analyze(E, "20"),))}
ABORTED: Sessions = {
    "w1": ("h1", (B, Analyze(T, "10"), Abort())),
    "r1": ("h1", (RO, GetStatistics(T), Commit(), RO, GetStatistics(T))),
}
COMMITTED: Sessions = {
    "w1": ("h1", (B, Analyze(T, "10"), Commit(), RO, GetStatistics(T, "h2"))),
    "r1": ("h2", (RO, GetStatistics(T), GetStatistics(T))),
}

STATISTICS: tuple[Scenario, ...] = (
    metastore(
        "statistics",
        "A session analyzes a table at h1: who is told of that at h2 has a list with it, and whose list has it is.",
        COMMITTED,
        steps=STEPS,
        counters=(coverage.HIT, coverage.STALE, coverage.UNFINISHED),
        pair="refresh-statistics-stay",
    ),
    metastore(
        "statistics-aborted",
        "No cache: of what a transaction has analyzed that aborts, nobody is told.",
        ABORTED,
        rules=UNCACHED,
        pollers=(),
        but=STOPPING,
        steps=STEPS,
    ),
    metastore(
        "refresh-statistics-stay",
        "By default h2 keeps the statistics that it was told first, whatever is analyzed at h1, refresh for refresh.",
        TWICE,
        rules=SHIPPED_REFRESH,
        tables=EXTERNAL,
        pollers=("h1", "h2"),
        properties=EVENTUAL,
        broken="convergence",
        steps=REFRESHES,
        pair="statistics",
    ),
    metastore(
        "refresh-statistics-aborted",
        "The same on one metastore with its cache as by default, which has what was analyzed at once.",
        ABORTED,
        rules=SHIPPED_REFRESH,
        pollers=("h1",),
        but=STOPPING,
        steps=STEPS,
        counters=(coverage.OWN_CHANGE,),
    ),
)  # fmt: skip
