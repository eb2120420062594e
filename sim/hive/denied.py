"""Metastore scenarios of caches that are told not to hold a table: who reads it is sent to the database.

Source: `CachedStore.shouldCacheTable` (4.0.1): `metastore.cached.rawstore.cached.object.whitelist` and `.blacklist`.
"""

from __future__ import annotations

from model.hive import coverage
from model.hive.cached_objects import CachedObjects
from model.hive.rules import SHIPPED, SHIPPED_REFRESH
from sim.hive.build import EVENTUAL, QUIET, RO, B, E, Sessions, T, U, metastore
from sim.hive.workload import Alter, Commit, Get, HiveTable, ListPartitions, PutPartition
from sim.world.scenario import Scenario

TABLES = (HiveTable(E, "e0", managed=False, partitions=(("d=1", "p0"),)),)
OWN: Sessions = {"w1": ("h1", (Alter(E, "e1"), PutPartition(E, "d=2", "p2"), Get(E, "h2"), ListPartitions(E, "h2")))}
CHANGED: Sessions = {"w1": ("h1", (B, Alter(T, "v1"), Commit())), "r1": ("h1", (RO, Get(T, "h1"), Get(T, "h2")))}
DENIES_E, DENIES_T = CachedObjects(denied=rf"hive\.{E}"), CachedObjects(denied=rf"hive\.{T}")
ALLOWS_U = CachedObjects(allowed=rf"hive\.{U}")

DENIED: tuple[Scenario, ...] = (
    metastore(
        "denied-other",
        "By default a session does not find at h2 what it wrote at h1: it is another table that is not to be cached.",
        OWN,
        rules=SHIPPED_REFRESH,
        tables=TABLES,
        cached=DENIES_T,
        properties=("read-your-writes", *EVENTUAL),
        broken="read-your-writes",
        pair="denied",
    ),
    metastore(
        "denied",
        "The same where its own table is not to be cached: it finds what it wrote.",
        OWN,
        rules=SHIPPED_REFRESH,
        tables=TABLES,
        cached=DENIES_E,
        properties=("read-your-writes", "monotonic-reads", *EVENTUAL),
        counters=(coverage.NOT_TO_BE_CACHED,),
        pair="denied-other",
    ),
    metastore(
        "denied-managed",
        "In the event mode sessions read a managed table at two replicas, and an allow list has another one alone: "
        "nobody is sent back.",
        CHANGED,
        rules=SHIPPED,
        cached=ALLOWS_U,
        properties=("monotonic-reads", *QUIET),
        counters=(coverage.NOT_TO_BE_CACHED,),
        pair="shipped-failover",
    ),
)  # fmt: skip
