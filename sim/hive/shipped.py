"""Metastore scenarios of what 4.0 ships: CachedStore, and the database side that a synchronized cache would meet.

Choices: of managed tables CachedStore is asked what the design promises, of external ones what it promises itself. The
two that are named "reference without" are the reference over a database side as in 4.0.
"""

from __future__ import annotations

from dataclasses import replace

from model.hive import FIXED, SHIPPED
from sim.hive.build import (
    EVENTUAL,
    EXTERNAL,
    ONE_CHANGE,
    QUIET,
    RO,
    B,
    E,
    T,
    U,
    W,
    metastore,
)
from sim.hive.workload import (
    Alter,
    Begin,
    Commit,
    Create,
    Drop,
    Get,
    HiveTable,
    ListPartitions,
    PutPartition,
    Rename,
    Update,
)
from sim.world.scenario import Scenario

CACHED_STORE: tuple[Scenario, ...] = (
    metastore(
        "shipped-stale-read",
        "CachedStore 4.0 at h2 answers a request whose list has the change with the table before it.",
        {"w1": ("h1", ONE_CHANGE), "r1": ("h2", (RO, Get(T)))},
        rules=SHIPPED,
        broken="freshness",
        pair="read-after-commit",
    ),
    metastore(
        "shipped-failover",
        "A session reads at h1, then at h2, which is behind: its reads go backwards.",
        {"w1": ("h1", ONE_CHANGE), "r1": ("h1", (RO, Get(T, "h1"), Get(T, "h2")))},
        rules=SHIPPED,
        properties=("monotonic-reads", *QUIET),
        broken="monotonic-reads",
    ),
    metastore(
        "shipped-own-write",
        "A session writes at h1 and does not find its write at h2.",
        {"w1": ("h1", (B, Alter(T, "v1"), Commit(), RO, Get(T, "h2")))},
        rules=SHIPPED,
        broken="read-your-writes",
        pair="own-writes",
    ),
    metastore(
        "shipped-wrong-table",
        "A table is dropped and made anew; h2 serves the old one to a request that names the new one's id.",
        {"w1": ("h1", (B, Drop(T), Create(T, "n0"), Commit())), "r1": ("h2", (RO, Get(T), Commit(), RO, Get(T)))},
        rules=SHIPPED,
        broken="right-incarnation",
        pair="rename",
    ),
    metastore(
        "shipped-half-a-transaction",
        "A transaction's changes went through both replicas; h2 serves one of them, and its reader's list has both.",
        {"w1": ("h1", (B, PutPartition(T, "d=1", "p1", "h1"), PutPartition(T, "d=2", "p2", "h1"), Commit())),
         "r1": ("h2", (RO, ListPartitions(T)))},
        rules=SHIPPED,
        broken="all-or-nothing",
        pair="two-replicas-one-transaction",
        but={
            "freshness": "half of a transaction is a stale read, too, as in hive/shipped-stale-read",
            "no-dirty-reads": "the tag of what an open transaction changed breaks it first",
        },
    ),
    metastore(
        "shipped-old-client",
        "A client without lists reads a managed table at h2 and is given what there was.",
        {"w1": ("h1", ONE_CHANGE), "r1": ("h2", (RO, Get(T)))},
        rules=SHIPPED,
        old_clients=("r1",),
        broken="freshness",
        pair="old-client",
    ),
    metastore(
        "shipped-replay-writes-back",
        "h2 replays an alter and writes its old value into the database, over a newer one (R1).",
        {"w1": ("h1", (Alter(E, "e1"), Alter(E, "e2"))), "r1": ("h1", (Get(E),))},
        rules=SHIPPED,
        tables=EXTERNAL,
        properties=EVENTUAL,
        broken="acknowledged-writes-survive",
        but={"convergence": "the replay of the last alter ends the loss"},
    ),
    metastore(
        "shipped-batch-reverts",
        "A replay fails and repeats its batch at every poll and write of h2: an old alter over each newer, for ever.",
        {"w1": ("h2", (Alter(E, "e1", "h1"), Rename(U, W, "h1"), Alter(E, "e2"), Alter(E, "e3")))},
        rules=SHIPPED,
        tables=(*EXTERNAL, HiveTable(U, "u0", managed=False)),
        properties=EVENTUAL,
        broken="acknowledged-writes-survive",
        pair="external-rename",
    ),
    metastore(
        "shipped-rename-freezes",
        "The replay of a rename fails, and is tried again for ever: the cache is frozen (R2).",
        {"w1": ("h1", (Rename(E, U), Alter(U, "e1")))},
        rules=SHIPPED,
        tables=EXTERNAL,
        properties=EVENTUAL,
        broken="convergence",
    ),
    metastore(
        "shipped-rename-takes-another",
        "A replayed rename renames the table that has the old name now, and gives it the renamed one's content.",
        {"w1": ("h1", (Create(E, "e0", managed=False), Rename(E, U), Create(E, "n0", managed=False, at="h2"),
                       Rename(U, W)))},
        rules=SHIPPED,
        tables=(),
        properties=EVENTUAL,
        broken="acknowledged-writes-survive",
    ),
    metastore(
        "shipped-drop-freezes",
        "A table is altered and dropped before h2 polls: the replay of the alter fails for ever, the cache is frozen.",
        {"w1": ("h1", (Alter(E, "e1"), Drop(E), Alter(U, "u1")))},
        rules=SHIPPED,
        tables=(*EXTERNAL, HiveTable(U, "u0", managed=False)),
        properties=EVENTUAL,
        broken="convergence",
    ),
    metastore(
        "shipped-dead-content",
        "A table is altered, dropped and made anew: the replay writes the dead table's content into the new one.",
        {"w1": ("h1", (Alter(E, "e1"), Drop(E), Create(E, "n0", managed=False)))},
        rules=SHIPPED,
        tables=EXTERNAL,
        properties=EVENTUAL,
        broken="acknowledged-writes-survive",
        pair="external-drop",
    ),
    metastore(
        "shipped-miss-hides-partitions",
        "A table is cached on a miss, without its partitions; the next request is told that there are none (R6).",
        {"w1": ("h1", (Begin(), Create(T, "v0"), PutPartition(T, "d=1", "p1"), Commit())),
         "r1": ("h2", (RO, Get(T), ListPartitions(T)))},
        rules=SHIPPED,
        tables=(),
        broken="freshness",
    ),
    metastore(
        "reference-without-conflict-event",
        "A write conflict aborts a transaction and no event says so: a synchronized cache waits for it for ever (R7).",
        {"w1": ("h1", (B, Update(T), Alter(T, "v1"), Commit())), "w2": ("h2", (B, Update(T), Commit()))},
        rules=replace(FIXED, conflict_abort_is_logged=False),
        broken="convergence",
        steps=("get_open_txns", "alter_table", "commit_txn", "poll"),
        pair="write-conflict",
    ),
    metastore(
        "reference-without-atomic-rename",
        "A rename moves the write ids, then the table: who begins in between is served old content as fresh (R8).",
        {"w1": ("h1", (*ONE_CHANGE, RO, Get(T, "h2"))), "w2": ("h1", (B, Rename(T, U)))},
        rules=replace(FIXED, rename_moves_write_ids_with_it=False),
        broken="read-your-writes",
        steps=("alter_table", "commit_txn", "rename_table", "get_table", "poll"),
    ),
)  # fmt: skip
