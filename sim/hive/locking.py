"""Metastore scenarios of sessions that lock tables, wait, time out, and of calls of the lock manager that are late."""

from __future__ import annotations

from dataclasses import replace

from model.hive import FIXED, coverage
from model.hive.rules import PATCH_51, UNCACHED
from sim.hive.build import MONOTONIC, ONE_BUG, ONE_CHANGE, QUIET, RO, STOPPING, B, T, metastore, only
from sim.hive.lock_statements import Lock, TimeOut
from sim.hive.workload import Alter, Commit, Get, Statement
from sim.world.fault_spaces import Port, wide
from sim.world.scenario import Scenario

LOCK_STEPS = ("lock_table", "check_lock", "give_up_lock")
LOST_LOCK = wide(Port("lock requests", {"lock_table": ("late",)}))
"""One request for a lock arrives late: its client has been told that the connection is closed."""


def locked(*statements: Statement, kind: str = "exclusive") -> tuple[Statement, ...]:
    """A transaction on `default.t` that locks it first."""
    return (B, Lock(T, kind), *statements, Commit())  # type: ignore[arg-type]


OPEN: tuple[Statement, ...] = (B, Alter(T, "v1"))
SILENT = {"w1": ("h1", OPEN), "k1": ("h1", (TimeOut("w1"),)), "r1": ("h2", (RO, Get(T), RO, Get(T)))}
"""A writer that is never heard of again, the house keeper, and a reader at the other metastore."""
TIMED = ("alter_table", "time_out", "get_table", "poll")
KEPT = ("acknowledged-writes-survive", "calls-answered")
NO_CACHES = {name: "no replica is polled here" for name in QUIET if name not in KEPT}
LATE = {"w1": ("h1", locked(Alter(T, "v1"))), "w2": ("h1", locked(Alter(T, "v2")))}


LOCKING: tuple[Scenario, ...] = (
    metastore(
        "locked-writers",
        "Two sessions change a table under exclusive locks, one waits for the other or gives up; a third one reads.",
        {"w1": ("h1", locked(Alter(T, "v1"))), "w2": ("h2", locked(Alter(T, "v2"))),
         "r1": ("h2", (RO, Get(T)))},
        but=MONOTONIC,
        steps=("lock_table", "check_lock", "alter_table", "commit_txn", "get_table", "poll"),
        counters=(coverage.LOCK_WAITED, coverage.LOCK_GRANTED, coverage.LOCK_GIVEN_UP, coverage.HIT),
    ),
    metastore(
        "timed-out-writer",
        "A transaction that has changed a table times out; its abort is in the log, and the entry is served again.",
        SILENT,
        but=MONOTONIC,
        steps=TIMED,
        counters=(coverage.TIMED_OUT, coverage.ABORT_APPLIED, coverage.HIT),
    ),
    metastore(
        "timed-out-writer-without-event",
        "The same where a time-out leaves no event, as before HIVE-27797: the entry waits for its writer for ever.",
        SILENT,
        rules=replace(FIXED, timeout_abort_is_logged=False),
        broken="convergence",
        steps=TIMED,
        pair="timed-out-writer",
    ),
    metastore(
        "patch-timed-out-writer",
        "The unmerged patch: its entry waits for a writer that has timed out for ever, event or not.",
        SILENT,
        rules=PATCH_51,
        but=only("convergence", ONE_BUG),
        broken="convergence",
        steps=TIMED,
        pair="timed-out-writer",
    ),
    metastore(
        "timed-out-reader",
        "A reader's transaction times out and its lock goes; another one changes the table, and the reader goes on.",
        {"r1": ("h2", (B, Lock(T, "shared-read"), Get(T), Get(T))), "k1": ("h1", (TimeOut("r1"),)),
         "w1": ("h1", locked(Alter(T, "v1")))},
        but=MONOTONIC,
        steps=("lock_table", "check_lock", "time_out", "alter_table", "commit_txn", "get_table", "poll"),
        counters=(coverage.TIMED_OUT, coverage.LOCK_WAITED, coverage.LOCK_GRANTED, coverage.HIT),
    ),
    metastore(
        "timed-out-lock",
        "A writer's transaction times out between its lock and its change, which is made all the same, uncommitted.",
        {"w1": ("h1", locked(Alter(T, "v1"))), "k1": ("h1", (TimeOut("w1"),)), "w2": ("h1", (*ONE_CHANGE[:1], Get(T)))},
        but=MONOTONIC,
        steps=("lock_table", "time_out", "alter_table", "commit_txn", "get_table", "poll"),
        counters=(coverage.TIMED_OUT,),
    ),
    metastore(
        "locked-readers",
        "A reader locks the table, too: reads of one metastore do not go back any more, whatever writers leave open.",
        {"w1": ("h1", locked(Alter(T, "v1"))), "w2": ("h1", (B, Lock(T, "exclusive"), Alter(T, "v2"))),
         "r1": ("h2", (B, Lock(T, "shared-read"), Get(T), Get(T)))},
        but=STOPPING,
        steps=("lock_table", "alter_table", "commit_txn", "get_table", "poll"),
        counters=(coverage.LOCK_WAITED, coverage.LOCK_GIVEN_UP, coverage.HIT),
    ),
    metastore(
        "late-lock",
        "A request for a lock arrives late, when its transaction has committed: it is refused, nobody waits for it.",
        LATE,
        rules=replace(UNCACHED, locks_need_open_txn=True),
        properties=KEPT,
        but=NO_CACHES,
        pollers=(),
        faults=LOST_LOCK,
        steps=(*LOCK_STEPS, "commit_txn"),
        counters=(coverage.LOCK_AGAIN, "late apply refused"),
    ),
    metastore(
        "shipped-late-lock",
        "The same on 4.0.1: a transaction that has committed gets the lock, and whoever asks after it waits for ever.",
        LATE,
        rules=UNCACHED,
        properties=KEPT,
        but=NO_CACHES,
        pollers=(),
        faults=LOST_LOCK,
        steps=(*LOCK_STEPS, "commit_txn"),
        broken="calls-answered",
        pair="late-lock",
    ),
)  # fmt: skip
