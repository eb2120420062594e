"""Metastore scenarios of two more caches: CachedStore in its default mode, and the unmerged patch of the design.

Choices: of managed tables they are asked what the design promises, of external ones what the event mode promises.
"""

from __future__ import annotations

from model.hive import coverage
from model.hive.rules import PATCH_51, SHIPPED, SHIPPED_REFRESH
from sim.hive.build import (
    ANSWERED,
    EVENTUAL,
    EXTERNAL,
    ONE_BUG,
    ONE_CHANGE,
    REMADE,
    RO,
    STOPPING,
    B,
    E,
    T,
    U,
    metastore,
    only,
)
from sim.hive.workload import (
    Abort,
    Alter,
    Commit,
    Create,
    Drop,
    Get,
    HiveTable,
    ListPartitions,
    PutPartition,
    Rename,
    Write,
)
from sim.world.scenario import Scenario

OWN = ("read-your-writes", *EVENTUAL)
DROPS = (*EVENTUAL, "drops-as-told")
REFRESHED: tuple[Scenario, ...] = (
    metastore(
        "refresh-stale-read",
        "CachedStore 4.0 by default: h2 answers from what its timer last read, whatever the list of the request has.",
        {"w1": ("h1", ONE_CHANGE), "r1": ("h2", (RO, Get(T)))},
        rules=SHIPPED_REFRESH,
        broken="freshness",
        pair="read-after-commit",
    ),
    metastore(
        "refresh-undoes-own-change",
        "One metastore alone: its refresh puts back what it read before a change, and a session misses its own.",
        {"w1": ("h1", (Alter(E, "e1"), Alter(E, "e2"), Get(E)))},
        rules=SHIPPED_REFRESH,
        tables=EXTERNAL,
        pollers=("h1",),
        properties=OWN,
        broken="read-your-writes",
    ),
    metastore(
        "refresh-first-partition",
        "One metastore alone: a refresh that found no partitions takes the first one away, without a look at the flag.",
        {"w1": ("h1", (Alter(E, "e1"), PutPartition(E, "d=1", "p1"), ListPartitions(E)))},
        rules=SHIPPED_REFRESH,
        tables=EXTERNAL,
        pollers=("h1",),
        properties=OWN,
        broken="read-your-writes",
    ),
    metastore(
        "refresh-one-entry-two-names",
        "h2 renames a table, h1 makes another of its old name: at h2 both names are one entry, for ever (R3).",
        {"w1": ("h2", (Rename(E, U), Create(E, "n0", managed=False, at="h1")))},
        rules=SHIPPED_REFRESH,
        tables=EXTERNAL,
        pollers=("h1", "h2"),
        properties=EVENTUAL,
        broken="convergence",
        pair="external-rename",
    ),
    metastore(
        "refresh-drop",
        "A table is dropped and made anew, with a partition, and no event is followed: every change is answered.",
        REMADE,
        rules=SHIPPED_REFRESH,
        tables=(*EXTERNAL, HiveTable(U, "u0", managed=False)),
        properties=ANSWERED,
        but=STOPPING,
        counters=(coverage.REFRESHED,),
        pair="shipped-drop-hangs",
    ),
    metastore(
        "refresh-drop-refused",
        "By default: h1 has added a partition of which h2 has not heard, and h2 refuses to drop the table.",
        {"w1": ("h1", (PutPartition(E, "d=1", "p1"),)), "w2": ("h2", (Drop(E),))},
        rules=SHIPPED_REFRESH,
        tables=EXTERNAL,
        properties=DROPS,
        but=STOPPING,
        broken="drops-as-told",
        pair="shipped-drops",
    ),
    metastore(
        "refresh-drop-twice",
        "By default: h1 has dropped a table, and h2, which has not heard of it, drops it once more.",
        {"w1": ("h1", (Drop(E),)), "w2": ("h2", (Drop(E),))},
        rules=SHIPPED_REFRESH,
        tables=EXTERNAL,
        properties=DROPS,
        but=STOPPING,
        broken="drops-as-told",
        pair="shipped-drops",
    ),
    metastore(
        "shipped-drops",
        "The same in event mode, where a drop asks the database: the table goes with its partitions, and goes once.",
        {"w1": ("h1", (PutPartition(E, "d=1", "p1"), Drop(E))), "w2": ("h2", (Drop(E),))},
        rules=SHIPPED,
        tables=EXTERNAL,
        properties=DROPS,
        but=STOPPING,
    ),
)
PATCHED: tuple[Scenario, ...] = (
    metastore(
        "patch-gap",
        "The unmerged patch: a commit beyond the high-water mark calls an open write below it committed.",
        {"w1": ("h1", (B, Alter(T, "v1"), Commit(), RO, Get(T, "h2"))), "w2": ("h1", (B, Write(T), Commit()))},
        rules=PATCH_51,
        but=only("freshness", ONE_BUG),
        broken="freshness",
        steps=("allocate_write_id", "alter_table", "commit_txn", "get_table", "poll", "apply"),
    ),
    metastore(
        "patch-one-flag",
        "The unmerged patch: another transaction's commit sets the flag of an entry with an open change.",
        {"w1": ("h1", (B, Alter(T, "v1"))), "w2": ("h1", (B, Write(T), Commit(), RO, Get(T, "h2")))},
        rules=PATCH_51,
        but=only("no-dirty-reads", ONE_BUG),
        broken="no-dirty-reads",
        steps=("allocate_write_id", "alter_table", "commit_txn", "get_table", "poll"),
    ),
    metastore(
        "patch-abort",
        "The unmerged patch: a transaction changes a table and aborts; its entry is not served again.",
        {"w1": ("h1", (B, Alter(T, "v1"), Abort()))},
        rules=PATCH_51,
        tables=(HiveTable(T, "v0"),),
        broken="convergence",
        pair="abort",
    ),
)  # fmt: skip
