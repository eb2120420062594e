"""Metastore scenarios of the design document's words, where they differ from what can be kept."""

from __future__ import annotations

from dataclasses import replace

from model.hive import DESIGN, FIXED
from sim.hive.build import ONE_CHANGE, RO, STEPS, B, T, U, metastore
from sim.hive.workload import (
    Alter,
    Begin,
    Commit,
    Get,
    HiveTable,
)
from sim.world.scenario import Scenario

DOCUMENT: tuple[Scenario, ...] = (
    metastore(
        "design-own-write",
        "Upstream's comparison calls a cache newer that lacks the session's own write (vector 25).",
        {"w1": ("h1", ONE_CHANGE), "w2": ("h1", (B, Alter(T, "v2"), Get(T, "h2"), Commit()))},
        rules=replace(FIXED, read_rule=DESIGN.read_rule),
        broken="read-your-writes",
        steps=("get_open_txns", "alter_table", "commit_txn", "get_table", "poll"),
        pair="own-writes",
    ),
    metastore(
        "design-prewarm",
        "Older events are applied to an entry whose tag has their successors: a committed change disappears (M13).",
        {"w1": ("h1", (B, Alter(T, "v1"), Commit(), B, Alter(T, "v2"), Commit(), RO, Get(T, "h2"), Get(T, "h2")))},
        rules=replace(FIXED, prewarm=DESIGN.prewarm),
        cold=("h2",),
        steps=("prewarm", "prewarm_tag", "alter_table", "commit_txn", "get_table", "poll"),
        broken="read-your-writes",
        pair="prewarm",
    ),
    metastore(
        "design-outdated-list",
        "A replica tags its entries with a list taken before a commit: the entry is never served again.",
        {"w1": ("h1", (*ONE_CHANGE, RO, Get(T, "h2")))},
        rules=replace(FIXED, prewarm="outdated-list"),
        cold=("h2",),
        steps=("prewarm_txns", "prewarm", "prewarm_table", "alter_table", "commit_txn", "get_table", "poll"),
        broken="convergence",
        pair="prewarm",
    ),
    metastore(
        "design-unless",
        'The ALLOC optimisation used "unless" the OPEN was seen: an entry is never served again (M9).',
        {"w1": ("h1", (Begin((T, U)), Alter(T, "v1"), Alter(U, "u1"), Commit()))},
        rules=replace(FIXED, write_ids=DESIGN.write_ids),
        tables=(HiveTable(T, "v0"), HiveTable(U, "u0")),
        cold=("h2",),
        steps=("prewarm", *STEPS),
        broken="convergence",
        pair="cold-start-two-tables",
    ),
)  # fmt: skip
