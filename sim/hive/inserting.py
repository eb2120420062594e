"""Metastore scenarios of inserts whose commit a reader overtakes, where `MIN_HISTORY_LEVEL` is off and history cleaned.

A commit is two steps there: it looks for the highest transaction that there is (`commit_id`), and it is committed.

Source: hive/1.2, hive/1.7; `CommitTxnFunction`, `TxnHandler.performWriteSetGC`, `CleanTxnToWriteIdTableFunction` 4.0.1;
the upstream test `testInsertSnapshotIsolationMinHistoryDisabled`.
"""

from __future__ import annotations

from dataclasses import replace

from model.hive import FIXED, Rules, coverage
from model.hive.rules import UNCACHED
from sim.hive.build import MANAGED, QUIET, B, Sessions, T, U, metastore
from sim.hive.live import CLEAN_STEPS
from sim.hive.update_statements import CleanHistory, LockedInsert
from sim.hive.workload import Begin, Commit, Get, HiveTable
from sim.world.scenario import Scenario

KEEPS = "lists-keep-their-snapshot"
READ = ("no-dirty-reads", KEEPS)
NO_CACHES = {name: "no replica is polled here" for name in QUIET if name not in READ}
RACE: Sessions = {
    "w1": ("h1", (B, LockedInsert(T), LockedInsert(U), Commit())),
    "r1": ("h2", (Begin((T,), read_only=True), Get(T), Get(U))),
    "k1": ("h1", (CleanHistory(),)),
}
"""The reader takes its list of one table when it begins, and that of the other one when it has read the first."""
STEPS = ("open_txn", "commit_id", "commit_txn", CLEAN_STEPS[0], "get_table")
"""What has to come in an order: all else happens between two of these."""


def unnoted(rules: Rules) -> Rules:
    """The rules where nobody notes whom a transaction may have missed."""
    return replace(rules, keeps_min_history=False)


def inserts(name: str, summary: str, rules: Rules, **given: object) -> Scenario:
    """The race without `MIN_HISTORY_LEVEL`."""
    return metastore(
        name, summary, RACE, rules=unnoted(rules), properties=(*NO_CACHES, *READ), but=NO_CACHES, pollers=(),
        tables=(*MANAGED, HiveTable(U, "u0")), steps=STEPS, **given,  # type: ignore[arg-type]
    )  # fmt: skip


INSERTING: tuple[Scenario, ...] = (
    inserts(
        "insert-overtaken",
        "A reader begins while an insert commits; the cleaner dates that himself, and keeps what the reader needs.",
        FIXED, counters=(coverage.HISTORY_CLEANED,),
    ),
    inserts(
        "insert-overtaken-as-shipped",
        "As 4.0.1 commits without MIN_HISTORY_LEVEL: the insert seems older than the reader, who sees it in part.",
        UNCACHED, broken=KEEPS, pair="insert-overtaken",
    ),
)  # fmt: skip
