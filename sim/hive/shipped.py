"""Metastore scenarios of what 4.0 ships: CachedStore, and the database side that a synchronized cache would meet."""

from __future__ import annotations

from dataclasses import replace

from model.hive import FIXED, SHIPPED
from sim.hive.build import EXTERNAL, ONE_CHANGE, RO, B, E, T, U, metastore
from sim.hive.workload import (
    Alter,
    Begin,
    Commit,
    Create,
    Drop,
    Get,
    ListPartitions,
    PutPartition,
    Rename,
    Update,
)
from sim.world.scenario import FaultSpace, Scenario

CACHED_STORE: tuple[Scenario, ...] = (
    metastore(
        "shipped-stale-read",
        "CachedStore 4.0 at h2 answers a request whose list has the change with the table before it.",
        {"w1": ("h1", ONE_CHANGE), "r1": ("h2", (RO, Get(T)))},
        rules=SHIPPED,
        properties=("freshness",),
        broken="freshness",
        pair="read-after-commit",
    ),
    metastore(
        "shipped-failover",
        "A session reads at h1, then at h2, which is behind: its reads go backwards.",
        {"w1": ("h1", ONE_CHANGE), "r1": ("h1", (RO, Get(T, "h1"), Get(T, "h2")))},
        rules=SHIPPED,
        properties=("monotonic-reads",),
        broken="monotonic-reads",
    ),
    metastore(
        "shipped-own-write",
        "A session writes at h1 and does not find its write at h2.",
        {"w1": ("h1", (B, Alter(T, "v1"), Commit(), RO, Get(T, "h2")))},
        rules=SHIPPED,
        properties=("read-your-writes",),
        broken="read-your-writes",
        pair="own-writes",
    ),
    metastore(
        "shipped-wrong-table",
        "A table is dropped and made anew; h2 serves the old one to a request that names the new one's id.",
        {"w1": ("h1", (B, Drop(T), Create(T, "n0"), Commit(), RO, Get(T, "h2")))},
        rules=SHIPPED,
        properties=("right-incarnation",),
        broken="right-incarnation",
        pair="rename",
    ),
    metastore(
        "shipped-half-a-transaction",
        "A transaction's changes went through both replicas; h2 serves one of them, and its reader's list has both.",
        {"w1": ("h1", (B, PutPartition(T, "d=1", "p1", "h1"), PutPartition(T, "d=2", "p2", "h1"), Commit())),
         "r1": ("h2", (RO, ListPartitions(T)))},
        rules=SHIPPED,
        properties=("all-or-nothing",),
        broken="all-or-nothing",
        pair="two-replicas-one-transaction",
    ),
    metastore(
        "shipped-old-client",
        "A client without lists reads a managed table at h2 and is given what there was.",
        {"w1": ("h1", ONE_CHANGE), "r1": ("h2", (RO, Get(T)))},
        rules=SHIPPED,
        old_clients=("r1",),
        properties=("freshness",),
        broken="freshness",
        pair="old-client",
    ),
    metastore(
        "shipped-replay-writes-back",
        "h2 replays an alter and writes its old value into the database, over a newer one (R1).",
        {"w1": ("h1", (Alter(E, "e1"), Alter(E, "e2"))), "r1": ("h1", (Get(E),))},
        rules=SHIPPED,
        tables=EXTERNAL,
        properties=("acknowledged-writes-survive",),
        broken="acknowledged-writes-survive",
    ),
    metastore(
        "shipped-rename-freezes",
        "The replay of a rename fails, and is tried again for ever: the cache is frozen (R2).",
        {"w1": ("h1", (Rename(E, U), Alter(U, "e1")))},
        rules=SHIPPED,
        tables=EXTERNAL,
        properties=("convergence",),
        broken="convergence",
    ),
    metastore(
        "shipped-miss-hides-partitions",
        "A table is cached on a miss, without its partitions; the next request is told that there are none (R6).",
        {"w1": ("h1", (Begin(), Create(T, "v0"), PutPartition(T, "d=1", "p1"), Commit(), RO, Get(T, "h2"),
                       ListPartitions(T, "h2")))},
        rules=SHIPPED,
        tables=(),
        properties=("freshness",),
        broken="freshness",
    ),
    metastore(
        "shipped-conflict-abort",
        "A write conflict aborts a transaction and no event says so: a synchronized cache waits for it for ever (R7).",
        {"w1": ("h1", (B, Update(T), Alter(T, "v1"), Commit())), "w2": ("h2", (B, Update(T), Commit()))},
        rules=replace(FIXED, conflict_abort_is_logged=False),
        properties=("convergence",),
        broken="convergence",
        steps=("get_open_txns", "alter_table", "commit_txn", "poll"),
        pair="write-conflict",
    ),
    metastore(
        "shipped-rename-in-two-transactions",
        "The server dies when a rename has moved the write ids and not the table: old content looks fresh (R8).",
        {"w1": ("h1", (*ONE_CHANGE, RO, Get(T, "h2"))), "w2": ("h1", (B, Rename(T, U)))},
        rules=replace(FIXED, rename_moves_write_ids_with_it=False),
        properties=("freshness",),
        broken="freshness",
        faults=FaultSpace({"rename_table": ("crash",)}, 1, ("w2",)),
        steps=("alter_table", "commit_txn", "rename_table", "get_table", "poll"),
    ),
)  # fmt: skip
