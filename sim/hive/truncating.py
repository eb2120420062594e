"""Metastore scenarios of truncates: what they take back, and what they do not reach. Source: `model.hive.truncates`."""

from __future__ import annotations

from model.hive import coverage
from model.hive.rules import SHIPPED, SHIPPED_REFRESH, UNCACHED
from sim.hive.build import EVENTUAL, EXTERNAL, QUIET, RO, STEPS, STOPPING, B, E, Sessions, T, metastore
from sim.hive.evictions import Evict
from sim.hive.live import EVICT, TRUNCATE
from sim.hive.truncate_statements import Truncate
from sim.hive.workload import Alter, Commit, Get, HiveTable, ListPartitions, PutPartition
from sim.world.scenario import Scenario

TOLD = "truncates-as-told"
KEPT = (*EVENTUAL, TOLD)
UNREAD = {"monotonic-reads-per-replica": "nobody reads twice", "convergence": "nothing is cached"}
PARTED = (HiveTable(E, "e0", managed=False, partitions=(("d=1", "p0"),)),)
ALTERED: Sessions = {"w1": ("h1", (Alter(E, "e1"), Truncate(E, "h2")))}
BESIDE: Sessions = {"w1": ("h1", (Alter(E, "e1"),)), "w2": ("h2", (Truncate(E),))}
ADDED: Sessions = {"w1": ("h1", (PutPartition(E, "d=2", "q0"), Truncate(E, "h2")))}
TWO_PARTS = (HiveTable(E, "e0", managed=False, partitions=(("d=1", "p0"), ("d=2", "q0"))),)
TWICE: Sessions = {"w1": ("h1", (Truncate(E), Truncate(E)))}
EVICTED: Sessions = {"w1": ("h1", (Evict(E), Get(E), Truncate(E)))}

TRUNCATES: tuple[Scenario, ...] = (
    metastore(
        "truncate",
        "A session truncates a table beside one that changes it, and its partitions: both are seen, none is lost.",
        {
            "w1": ("h1", (B, Alter(T, "v1"), PutPartition(T, "d=2", "q0"), Commit())),
            "w2": ("h2", (B, Truncate(T), Commit(), RO, ListPartitions(T))),
        },
        tables=(HiveTable(T, "v0", partitions=(("d=1", "p0"), ("d=3", "r0"))),),
        properties=(*QUIET, TOLD),
        but={"monotonic-reads-per-replica": "hive/one-replica-two-writers breaks it", **STOPPING},
        steps=(TRUNCATE, "alter_table", "put_partition", "commit_txn", "get_partitions", "poll"),
        counters=(coverage.HIT,),
        pair="refresh-truncate-partitions",
    ),
    metastore(
        "truncate-altered",
        "The same of a table without partitions, which another session alters.",
        {
            "w1": ("h1", (B, Alter(T, "v1"), Commit())),
            "w2": ("h2", (B, Truncate(T), Commit(), RO, Get(T))),
        },
        properties=(*QUIET, TOLD),
        but={"monotonic-reads-per-replica": "hive/one-replica-two-writers breaks it", **STOPPING},
        steps=("read_to_truncate", TRUNCATE, "alter_table", "commit_txn", "get_table", "poll"),
        pair="truncate-read-before",
    ),
    metastore(
        "refresh-truncate-reverts",
        "By default: h1 has altered a table, and h2, which has not heard of it, truncates it and takes that back.",
        ALTERED,
        rules=SHIPPED_REFRESH,
        tables=EXTERNAL,
        properties=KEPT,
        but=STOPPING,
        broken="acknowledged-writes-survive",
        steps=(*STEPS, TRUNCATE),
        pair="uncached-truncate",
    ),
    metastore(
        "uncached-truncate",
        "The same without a cache, and beside each other, where a truncate does not stop.",
        {**ALTERED, "w2": BESIDE["w2"]},
        rules=UNCACHED,
        tables=EXTERNAL,
        pollers=(),
        properties=("acknowledged-writes-survive", TOLD),
        but=UNREAD,
        steps=("alter_table", "read_to_truncate"),
    ),
    metastore(
        "truncate-read-before",
        "Without a cache: a truncate reads the table before it changes it, and takes back who alters it in between.",
        BESIDE,
        rules=UNCACHED,
        tables=EXTERNAL,
        pollers=(),
        properties=("acknowledged-writes-survive", TOLD),
        but=UNREAD,
        broken="acknowledged-writes-survive",
        steps=("alter_table", "read_to_truncate", TRUNCATE),
        pair="uncached-truncate",
    ),
    metastore(
        "refresh-truncate-partitions",
        "By default: h1 has added a partition, and h2, which has not heard of it, truncates the table without it.",
        ADDED,
        rules=SHIPPED_REFRESH,
        tables=PARTED,
        properties=KEPT,
        but=STOPPING,
        broken=TOLD,
        steps=(*STEPS, TRUNCATE),
        pair="uncached-truncate-partitions",
    ),
    metastore(
        "uncached-truncate-partitions",
        "The same without a cache: the partition that is added is truncated, if it is there.",
        ADDED,
        rules=UNCACHED,
        tables=PARTED,
        pollers=(),
        properties=("acknowledged-writes-survive", "monotonic-reads-per-replica", TOLD),
        but={"convergence": "nothing is cached"},
        steps=(*STEPS, TRUNCATE),
    ),
    metastore(
        "evicted-truncate",
        "A table is evicted from a full cache, read, and truncated: no partition is, and that is acknowledged.",
        EVICTED,
        rules=SHIPPED,
        tables=PARTED,
        pollers=("h1",),
        properties=KEPT,
        but=STOPPING,
        broken=TOLD,
        steps=(*STEPS, TRUNCATE, EVICT),
        pair="uncached-truncate-partitions",
    ),
    metastore(
        "shipped-truncate-refused",
        "In event mode: a truncate of two partitions is refused when the first is changed, and all rows are deleted.",
        TWICE,
        rules=SHIPPED,
        tables=TWO_PARTS,
        pollers=("h1",),
        properties=KEPT,
        but=STOPPING,
        broken=TOLD,
        steps=(*STEPS, TRUNCATE),
        pair="refresh-truncate-both",
    ),
    metastore(
        "refresh-truncate-both",
        "The same by default, where no log is followed: both partitions are truncated, and that is acknowledged.",
        TWICE,
        rules=SHIPPED_REFRESH,
        tables=TWO_PARTS,
        pollers=("h1",),
        properties=KEPT,
        but=STOPPING,
        steps=(*STEPS, TRUNCATE),
    ),
)
