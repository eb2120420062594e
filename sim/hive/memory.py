"""Metastore scenarios of caches that have no room for all tables: one is taken out, and comes back with a read.

A read of a table that the cache does not have makes an entry of it, without its partitions (R6). Where every table
fits, that takes a table that was made since the prewarm; where they do not, any.

Source: `SharedCache.initialize` (`metastore.cached.rawstore.max.cache.memory`, 1 GB by default),
`CachedStore.getTable`, `SharedCache.addTableToCache`.
"""

from __future__ import annotations

from model.hive import coverage
from model.hive.rules import SHIPPED, SHIPPED_REFRESH
from sim.hive.build import EVENTUAL, MONOTONIC, RO, STEPS, B, E, Sessions, T, metastore
from sim.hive.evictions import Evict
from sim.hive.live import EVICT
from sim.hive.workload import Commit, Get, HiveTable, ListPartitions, PutPartition
from sim.world.scenario import Scenario

PARTITIONED = (HiveTable(E, "e0", managed=False, partitions=(("d=1", "p0"),)),)
MANAGED = (HiveTable(T, "v0", partitions=(("d=1", "p0"),)),)
EVICTING = (*STEPS, EVICT)
FULL: Sessions = {"m1": ("h1", (Evict(E),))}
READ: Sessions = {"r1": ("h1", (Get(E), ListPartitions(E)))}
ADDED: Sessions = {"w1": ("h1", (PutPartition(E, "d=2", "p1"), Get(E), ListPartitions(E)))}

MEMORY: tuple[Scenario, ...] = (
    metastore(
        "evicted-partitions",
        "One metastore, and nobody writes: a table is evicted, read again, and has no partitions from then on.",
        {**READ, **FULL},
        rules=SHIPPED,
        tables=PARTITIONED,
        pollers=("h1",),
        properties=EVENTUAL,
        broken="convergence",
        steps=EVICTING,
        pair="evicted",
    ),
    metastore(
        "refresh-evicted-partitions",
        "The same by default: a session adds a partition, and its list has none until the next refresh.",
        {**ADDED, **FULL},
        rules=SHIPPED_REFRESH,
        tables=PARTITIONED,
        pollers=("h1",),
        properties=("read-your-writes", *EVENTUAL),
        broken="read-your-writes",
        steps=EVICTING,
        pair="evicted",
    ),
    metastore(
        "evicted",
        "Synchronized caches have no room for a table at some moment: its readers are sent to the database.",
        {"w1": ("h1", (B, PutPartition(T, "d=2", "p1"), Commit())), "r1": ("h2", (RO, Get(T), ListPartitions(T))),
         "m1": ("h2", (Evict(T),))},
        tables=MANAGED,
        but=MONOTONIC,
        steps=("put_partition", "commit_txn", "get_table", "get_partitions", "poll", EVICT),
        counters=(coverage.EVICTED, coverage.NOT_CACHED, coverage.HIT),
    ),
)  # fmt: skip
