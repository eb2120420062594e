"""Metastore scenarios of statistics of a table's column, or a partition's: who is told of which, by which cache.

Source: hive/7 (row 49); `CachedStore.updateTableColumnStatistics`, `getTableColumnStatistics`, `updateTableColStats`,
`prewarm`, `updateStatsForAlterTable` 4.0.1; live: tests/live/hive/test_statistics_replays.py, test_statistics.py.
"""

from __future__ import annotations

from model.hive import coverage
from model.hive.rules import SHIPPED, SHIPPED_REFRESH, UNCACHED
from sim.hive.build import EVENTUAL, EXTERNAL, MONOTONIC, RO, STOPPING, B, E, Sessions, T, metastore
from sim.hive.statistics_statements import Analyze, DeleteStatistics, GetAggregate, GetStatistics
from sim.hive.workload import Abort, Alter, Commit, HiveTable
from sim.world.scenario import Scenario

STEPS = ("update_statistics", "get_statistics", "commit_txn", "abort_txn", "poll")
REFRESHES = ("update_statistics", "get_statistics", "poll", "refresh_partitions", "apply")
CHANGES = ("update_statistics", "alter_table")
ALTERED: Sessions = {"w1": ("h1", (Analyze(E, "10"), Alter(E, "e1"), Alter(E, "e2")))}
TWICE: Sessions = {"w2": ("h2", (Analyze(E, "10"),)), "w1": ("h1", (Analyze(E, "20"),))}
ABORTED: Sessions = {
    "w1": ("h1", (B, Analyze(T, "10"), Abort())),
    "r1": ("h1", (RO, GetStatistics(T), Commit(), RO, GetStatistics(T))),
}
COMMITTED: Sessions = {
    "w1": ("h1", (B, Analyze(T, "10"), Commit(), RO, GetStatistics(T, "h2"))),
    "r1": ("h2", (RO, GetStatistics(T), GetStatistics(T))),
}
PART = "d=1"
PARTED = (HiveTable(T, "v0", partitions=((PART, "p0"),)),)
UNLISTED: Sessions = {
    "w1": ("h1", (B, Analyze(T, "10", partition=PART), Abort())),
    "r1": ("h1", (RO, GetStatistics(T, partition=PART), Commit(), RO, GetStatistics(T, partition=PART))),
}
SEEN: Sessions = {
    "w1": ("h1", (B, Analyze(T, "10", partition=PART), Commit(), RO, GetAggregate(T, (PART,), "h2"))),
    "r1": ("h2", (RO, GetAggregate(T, (PART,)), GetAggregate(T, (PART,)))),
}
TOGETHER: Sessions = {
    "w1": ("h1", (B, Analyze(T, "10", partition=PART), GetAggregate(T, (PART,)), Abort())),
    "r1": ("h1", (RO, GetAggregate(T, (PART,)), Commit(), RO, GetAggregate(T, (PART,)))),
}
LISTED: Sessions = {
    "w1": ("h1", (B, Analyze(T, "10", partition=PART), Commit(), RO, GetStatistics(T, "h2", PART))),
    "r1": ("h2", (RO, GetStatistics(T, partition=PART), GetStatistics(T, partition=PART))),
}
UNNAMED: Sessions = {
    "w1": ("h1", (Analyze(E, "10", partition=PART), DeleteStatistics(E, partition=PART, unnamed=True))),
    "r1": ("h2", (GetStatistics(E, partition=PART), GetStatistics(E, partition=PART))),
}
PARTED_EXTERNAL = (HiveTable(E, "e0", managed=False, partitions=((PART, "p0"),)),)
DELETES = ("update_statistics", "delete_statistics", "get_statistics", "poll", "apply")

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
        pair="refresh-statistics-aborted",
    ),
    metastore(
        "analyzed-and-altered",
        "A session analyzes a table and alters it, twice: every cache has what it said last.",
        ALTERED,
        tables=EXTERNAL,
        pollers=("h1",),
        but=MONOTONIC,
        steps=(*CHANGES, "poll"),
        pair="shipped-analyzed-reverts",
    ),
    metastore(
        "shipped-analyzed-reverts",
        "One metastore alone: its own replay of an alter fails at the table's statistics, and takes the next one back.",
        ALTERED,
        rules=SHIPPED,
        tables=EXTERNAL,
        pollers=("h1",),
        properties=EVENTUAL,
        broken="acknowledged-writes-survive",
        steps=(*CHANGES, "poll"),
        pair="analyzed-and-altered",
    ),
    metastore(
        "shipped-analyzed-partition",
        "The same if a partition was analyzed, but that nothing is taken back: no later alter is followed.",
        {"w1": ("h1", (Analyze(E, "10", partition=PART), Alter(E, "e1"), Alter(E, "e2")))},
        rules=SHIPPED,
        tables=(HiveTable(E, "e0", managed=False, partitions=((PART, "p0"),)),),
        pollers=("h1",),
        properties=EVENTUAL,
        broken="convergence",
        steps=(*CHANGES, "poll"),
        pair="analyzed-and-altered",
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
        "By default a refresh puts a table back as it was before it was analyzed: then who has any list is told.",
        ABORTED,
        rules=SHIPPED_REFRESH,
        pollers=("h1",),
        but=STOPPING,
        broken="no-dirty-reads",
        steps=STEPS,
        counters=(coverage.OWN_CHANGE,),
        pair="statistics-aborted",
    ),
    metastore(
        "partition-statistics",
        "A session analyzes a partition at h1: who is told of that at h2 has a list with it, and whose list has it is.",
        LISTED,
        tables=PARTED,
        steps=STEPS,
        counters=(coverage.HIT, coverage.STALE, coverage.UNFINISHED),
        pair="shipped-partition-statistics",
    ),
    metastore(
        "partition-statistics-aborted",
        "No cache: of what a transaction has analyzed of a partition, and that aborts, nobody is told.",
        UNLISTED,
        rules=UNCACHED,
        tables=PARTED,
        pollers=(),
        but=STOPPING,
        steps=STEPS,
        pair="refresh-partition-statistics",
    ),
    metastore(
        "shipped-partition-statistics",
        "The cache tells everybody of a partition's statistics, whatever became of the transaction that wrote them.",
        UNLISTED,
        rules=SHIPPED,
        tables=PARTED,
        pollers=("h1",),
        but=STOPPING,
        broken="no-dirty-reads",
        steps=STEPS,
        pair="partition-statistics-aborted",
    ),
    metastore(
        "refresh-partition-statistics",
        "The same by default: no list is looked at for a partition's statistics.",
        UNLISTED,
        rules=SHIPPED_REFRESH,
        tables=PARTED,
        pollers=("h1",),
        but=STOPPING,
        broken="no-dirty-reads",
        steps=STEPS,
        counters=(coverage.OWN_CHANGE,),
        pair="partition-statistics-aborted",
    ),
    metastore(
        "deleted-statistics",
        "A session analyzes a partition and deletes its statistics, naming no column: no cache has any.",
        UNNAMED,
        tables=PARTED_EXTERNAL,
        pollers=("h1", "h2"),
        properties=EVENTUAL,
        steps=DELETES,
        counters=(coverage.EVENTUAL,),
        pair="shipped-deleted-statistics",
    ),
    metastore(
        "shipped-deleted-statistics",
        "As 4.0.1 follows it: of no column named no cache takes any away, and whoever asks is told what was deleted.",
        UNNAMED,
        rules=SHIPPED,
        tables=PARTED_EXTERNAL,
        pollers=("h1", "h2"),
        properties=EVENTUAL,
        broken="convergence",
        steps=DELETES,
        pair="deleted-statistics",
    ),
    metastore(
        "aggregate",
        "A session analyzes a partition: who is told of all partitions together at h2 has a list with it.",
        SEEN,
        tables=PARTED,
        steps=STEPS,
        counters=(coverage.HIT, coverage.STALE, coverage.UNFINISHED),
        pair="shipped-aggregate",
    ),
    metastore(
        "aggregate-aborted",
        "No cache: of all partitions together nobody is told what a transaction has analyzed that aborts, but itself.",
        TOGETHER,
        rules=UNCACHED,
        tables=PARTED,
        pollers=(),
        but=STOPPING,
        steps=STEPS,
        pair="shipped-aggregate",
    ),
    metastore(
        "shipped-aggregate",
        "The cache keeps what it has told one session of all partitions together, and tells everybody, for ever.",
        TOGETHER,
        rules=SHIPPED,
        tables=PARTED,
        pollers=("h1",),
        but=STOPPING,
        broken="no-dirty-reads",
        steps=STEPS,
        pair="aggregate-aborted",
    ),
)  # fmt: skip
