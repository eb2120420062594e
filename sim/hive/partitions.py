"""Metastore scenarios of partitions that get other names: by synchronized caches, as shipped, and by Impala's daemon.

Source: the design document, "Read" (list queries); `HiveAlterHandler.alterPartition`, `SharedCache.TableWrapper`
(`alterPartition`) 4.0.1; Impala `MetastoreEvents.AlterPartitionEvent`, `CatalogOpExecutor.reloadPartitionsFromEvent`.
"""

from __future__ import annotations

from model.hive import coverage
from model.hive.impala_rules import IMPALA
from model.hive.rules import SHIPPED, SHIPPED_REFRESH, Rules
from sim.hive.build import EVENTUAL, MONOTONIC, QUIET, RO, STEPS, B, E, Sessions, T, metastore, only
from sim.hive.faults import ANY_FAULT
from sim.hive.impala import ONE_THING, PER_REPLICA, daemon
from sim.hive.live import RENAME_PARTITION
from sim.hive.partition_renames import RenamePartition
from sim.hive.workload import Commit, HiveTable, ListPartitions, PutPartition
from sim.world.scenario import Scenario

PARTITIONED = (HiveTable(T, "v0", partitions=(("d=1", "p0"),)),)
EXTERNAL = (HiveTable(E, "e0", managed=False, partitions=(("d=1", "p0"),)),)
RENAMING = (*STEPS, RENAME_PARTITION)
FEWER = (RENAME_PARTITION, "commit_txn", "get_partitions", "poll")
OWN: Sessions = {
    "w1": ("h1", (B, RenamePartition(T, "d=1", "d=2", "p1"), ListPartitions(T, "h2"), Commit(), RO,
                  ListPartitions(T, "h2")))
}  # fmt: skip
READ: Sessions = {
    "w1": ("h1", (B, RenamePartition(T, "d=1", "d=2", "p1"), Commit())),
    "r1": ("h2", (RO, ListPartitions(T), ListPartitions(T))),
}
BY_HIVE: Sessions = {"w1": ("h1", (RenamePartition(E, "d=1", "d=2", "p1"),)), "r1": ("h2", (ListPartitions(E),))}
LISTED: Sessions = {**READ, "r1": ("h2", (RO, ListPartitions(T), Commit(), RO, ListPartitions(T)))}
MOVED = daemon(renamed_partitions="moved")


def _impala(name: str, summary: str, rules: Rules, *, broken: str | None, pair: str) -> Scenario:
    return metastore(
        name,
        summary,
        BY_HIVE,
        rules=rules,
        tables=EXTERNAL,
        properties=EVENTUAL,
        but={PER_REPLICA: ONE_THING},
        broken=broken,
        steps=(RENAME_PARTITION, "get_partitions", "poll", "apply"),
        pair=pair,
    )


PARTITIONS: tuple[Scenario, ...] = (
    metastore(
        "partition-rename",
        "A partition gets another name at h1: whose list has that finds it at h2 under the new one, and not the old.",
        READ,
        tables=PARTITIONED,
        steps=RENAMING,
        counters=(coverage.HIT, coverage.STALE, coverage.UNFINISHED),
        pair="shipped-partition-rename",
    ),
    metastore(
        "partition-rename-own",
        "A session gives a partition another name at h1, and looks for it at h2, in its transaction and in the next.",
        OWN,
        tables=PARTITIONED,
        but=MONOTONIC,
        faults=ANY_FAULT,
        steps=FEWER,
        counters=(coverage.OWN_WRITE_MARKED, coverage.HIT),
        pair="shipped-partition-rename",
    ),
    metastore(
        "shipped-partition-rename",
        "CachedStore 4.0 at h2 lists a partition under the name that the session has taken away from it.",
        OWN,
        rules=SHIPPED,
        tables=PARTITIONED,
        broken="read-your-writes",
        steps=RENAMING,
        pair="partition-rename-own",
    ),
    metastore(
        "external-partition-rename",
        "Partitions of an external table change names, and one is made anew: every cache ends with those that are.",
        {"w1": ("h1", (RenamePartition(E, "d=1", "d=2", "p1"), PutPartition(E, "d=1", "p2"))),
         "r1": ("h2", (ListPartitions(E), ListPartitions(E)))},
        rules=SHIPPED,
        tables=EXTERNAL,
        properties=EVENTUAL,
        steps=RENAMING,
        counters=(coverage.CONTENT_APPLIED,),
    ),
    metastore(
        "refresh-partition-rename",
        "The same by default, on one metastore: what it renames itself no refresh under way takes back.",
        {"w1": ("h1", (RenamePartition(E, "d=1", "d=2", "p1"), ListPartitions(E), PutPartition(E, "d=1", "p2"),
                       ListPartitions(E)))},
        rules=SHIPPED_REFRESH,
        tables=EXTERNAL,
        pollers=("h1",),
        properties=("read-your-writes", *EVENTUAL),
        steps=(RENAME_PARTITION, "put_partition", "get_partitions", "poll", "refresh_partitions", "apply"),
        counters=(coverage.OWN_CHANGE, coverage.PARTITIONS_SKIPPED),
    ),
    _impala(
        "impala-partition-rename",
        "Hive gives a partition another name: Impala's daemon keeps the old one for ever, and never has the new one.",
        IMPALA,
        broken="convergence",
        pair="impala-partition-rename-mended",
    ),
    metastore(
        "impala-partition-rename-listed",
        "The same of a managed table: a list that has the rename is answered with the partition under its old name.",
        LISTED,
        rules=IMPALA,
        tables=PARTITIONED,
        but=only("freshness", ONE_THING, (*QUIET, PER_REPLICA)),
        broken="freshness",
        steps=(*FEWER, "apply"),
    ),
    _impala(
        "impala-partition-rename-mended",
        "The same with the event's old name looked at, which nobody ships: the daemon has what there is.",
        MOVED,
        broken=None,
        pair="impala-partition-rename",
    ),
)  # fmt: skip
