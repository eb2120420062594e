"""Metastore scenarios of Impala's catalog daemon: what it ships, and what it shipped before a ticket was closed.

Choices: a ticket's scenario has the daemon as it ships but for what the ticket repaired; `FIXES` has the rules with the
repair, on which the same schedules are quiet. Clients talk to the daemon as to a metastore.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from model.hive.impala_rules import IMPALA, IMPALA_SYNCED
from model.hive.rules import Rules
from sim.hive.build import EVENTUAL, EXTERNAL, ONE_CHANGE, QUIET, RO, STEPS, B, E, T, metastore, only
from sim.hive.workload import (
    Abort,
    Alter,
    Commit,
    Create,
    Drop,
    DropPartition,
    Get,
    HiveTable,
    ListPartitions,
    PutPartition,
    Write,
)
from sim.world.scenario import Scenario

LOADING = (*STEPS, "apply", "load_table", "load_list", "fill", "pull")
F = "default.f"
PER_REPLICA, ONE_THING = "monotonic-reads-per-replica", "one thing is asked about"
KEPT = (*QUIET, PER_REPLICA)


def daemon(base: Rules = IMPALA, **options: Any) -> Rules:
    """The daemon with other options of its own."""
    assert base.catalogd is not None
    return replace(base, catalogd=replace(base.catalogd, **options))


SHELL = daemon(own_changes="loaded")
TWO_PARTS = (HiveTable(T, "v0", partitions=(("d=1", "p0"), ("d=2", "q0"))),)
TWO_CHANGE = {
    "w1": ("h1", (B, PutPartition(T, "d=1", "p1"), Commit(), RO, ListPartitions(T, "h2"))),
    "w2": ("h1", (B, Write(T), PutPartition(T, "d=2", "q1"))),
}
MERGING = ("allocate_write_id", "put_partition", "commit_txn", "get_partitions", "poll", "apply")
UNCHECKED = daemon(unknown_aborts="refused", failures="stop")
DAEMONS: tuple[Scenario, ...] = (
    metastore(
        "impala-list-after-table",
        "Impala's daemon reads a table, then its list: a change in between is served as if it were there.",
        {"w1": ("h1", (*ONE_CHANGE, B, Alter(T, "v2"), Commit())), "r1": ("h2", (RO, Get(T), Commit(), RO, Get(T)))},
        rules=IMPALA,
        but=only("freshness", ONE_THING, KEPT),
        broken="freshness",
        steps=("get_open_txns", "alter_table", "commit_txn", "get_table", "load_list"),
    ),
    metastore(
        "impala-merged-events",
        "Two writers change partitions, and one commits in between: its commit is applied before its change.",
        TWO_CHANGE,
        rules=IMPALA,
        tables=TWO_PARTS,
        but=only("freshness", ONE_THING, KEPT),
        broken="freshness",
        steps=MERGING,
        pair="impala-merged-events-mended",
    ),
    metastore(
        "impala-merged-events-mended",
        "The same where events are processed one by one.",
        TWO_CHANGE,
        rules=daemon(merges=False),
        tables=TWO_PARTS,
        but=only("freshness", ONE_THING, KEPT),
        steps=MERGING,
    ),
    metastore(
        "impala-open-change",
        "Impala's daemon loads what a transaction has changed that has not committed, and serves it.",
        {"w1": ("h1", (B, Alter(T, "v1"))), "r1": ("h2", (RO, Get(T)))},
        rules=IMPALA,
        but=only("no-dirty-reads", ONE_THING, KEPT),
        broken="no-dirty-reads",
        steps=(*STEPS, "apply"),
    ),
    metastore(
        "impala-late-load",
        "A load began before a change and ends when its event has passed: Impala's daemon is stale for ever.",
        {"r1": ("h2", (Alter(E, "e1"), Get(E))), "w1": ("h1", (Alter(E, "e2"),))},
        rules=IMPALA,
        tables=EXTERNAL,
        properties=EVENTUAL,
        but={PER_REPLICA: ONE_THING},
        broken="convergence",
        steps=LOADING,
    ),
    metastore(
        "impala-synced-late-event",
        "With enable_sync_to_latest_event_on_ddls a load notes the last event after it has read the table: a change in "
        "between is never loaded.",
        {"r1": ("h2", (Create(F, "f0", managed=False), Get(F))), "w1": ("h1", (Alter(F, "f1"),))},
        rules=IMPALA_SYNCED,
        tables=EXTERNAL,
        properties=EVENTUAL,
        but={PER_REPLICA: ONE_THING},
        broken="convergence",
        steps=LOADING,
    ),
    metastore(
        "impala-no-table-id",
        "Impala's metastore endpoint passes no table id on: a list of the new table is answered with the old one.",
        {"w1": ("h1", (B, Drop(T), Create(T, "n0"), Commit())), "r1": ("h2", (RO, Get(T), Commit(), RO, Get(T)))},
        rules=replace(IMPALA, checks_table_id=False),
        but=only("right-incarnation", ONE_THING, KEPT),
        broken="right-incarnation",
        steps=(*STEPS, "apply"),
    ),
    metastore(
        "impala-older-event",
        "IMPALA-10926: Impala's shell adds a partition, and an older event then takes it away from the cache.",
        {"w1": ("h1", (DropPartition(E, "d=1"),)),
         "r1": ("h2", (PutPartition(E, "d=1", "p2"), ListPartitions(E), ListPartitions(E)))},
        rules=SHELL,
        tables=(HiveTable(E, "e0", False, (("d=1", "p1"),)),),
        properties=EVENTUAL,
        but=only(PER_REPLICA, ONE_THING, EVENTUAL),
        broken=PER_REPLICA,
        steps=LOADING,
    ),
    metastore(
        "impala-own-event",
        "IMPALA-12543: an event is processed before its change counts as the daemon's own; the next is taken for it.",
        {"r1": ("h2", (Alter(E, "e1"),)), "w1": ("h1", (Alter(E, "e2"),))},
        rules=daemon(own_changes="loaded", in_flight="after"),
        tables=EXTERNAL,
        properties=EVENTUAL,
        but={PER_REPLICA: ONE_THING},
        broken="convergence",
        steps=LOADING,
    ),
    metastore(
        "impala-forgotten-allocation",
        "IMPALA-12851: a table is made and its write id allocated in one batch of events; its abort is passed over.",
        {"w1": ("h1", (Create(F, "t0"), B, Alter(F, "t1"), Abort())), "r1": ("h2", (RO, Get(F)))},
        rules=daemon(allocations="of-loaded-tables"),
        but=only("convergence", ONE_THING, KEPT),
        broken="convergence",
        steps=(*STEPS, "apply"),
    ),
    metastore(
        "impala-unknown-abort",
        "IMPALA-12827: an abort of a write id that is no exception of the list stops all events.",
        {"w1": ("h1", (B, Write(T), Abort(), Alter(E, "e1"))),
         "w2": ("h1", (Drop(T), Create(T, "n0"), B, Write(T), Commit(), RO, Get(T, "h2")))},
        rules=UNCHECKED,
        tables=(HiveTable(T, "v0"), *EXTERNAL),
        but=only("convergence", ONE_THING, KEPT),
        broken="convergence",
        steps=("allocate_write_id", "drop_table", "abort_txn", "alter_table", "get_table", "poll", "apply"),
    ),
)  # fmt: skip
FIXES: Mapping[str, Rules] = {
    "hive/impala-list-after-table": daemon(loads="list-first"),
    "hive/impala-late-load": daemon(loads="list-first"),
    "hive/impala-synced-late-event": daemon(IMPALA_SYNCED, loads="list-first"),
    "hive/impala-no-table-id": IMPALA,
    "hive/impala-older-event": IMPALA_SYNCED,
    "hive/impala-own-event": SHELL,
    "hive/impala-forgotten-allocation": IMPALA,
    "hive/impala-unknown-abort": daemon(failures="stop"),
}
"""What repairs a scenario: where it is not the daemon as it ships, Impala ships it, or it is a flag; or it is ours."""
