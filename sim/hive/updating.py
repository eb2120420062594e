"""Metastore scenarios of updates under locks: what waits is taken anew, dynamic partitions, history that is cleaned.

Source: hive/1.5, hive/1.6, hive/1.7; HIVE-26472; the upstream tests `testWriteSetTracking3`, `testWriteSetTracking7`,
`testInsertSnapshotIsolation`.
"""

from __future__ import annotations

from dataclasses import replace

from model.hive import FIXED, coverage
from model.hive.rules import UNCACHED
from sim.hive.build import MONOTONIC, QUIET, RO, B, Sessions, T, U, metastore
from sim.hive.live import CLEAN_STEPS, LOCK_STEPS, UPDATE_STEPS
from sim.hive.lock_statements import Lock
from sim.hive.update_statements import CleanHistory, LockedUpdate
from sim.hive.workload import Abort, Alter, Begin, Commit, Get, Rename, Statement, Write
from sim.world.scenario import Scenario

WRITE_LOCKED = replace(UNCACHED, exclusive_writes=True)
NAMED = replace(UNCACHED, rename_moves_write_ids_with_it=True, writes_name_table=True)
"""Where a write says which table it means, and a rename is one step."""
NAMED_LOCKED = replace(NAMED, exclusive_writes=True)
UPDATES = ("updates-build-on-each-other", "locks-exclude", "calls-answered")
CONFLICTS = ("first-committer-wins", "conflicts-have-a-rival", "calls-answered")
SNAPSHOTS = (*QUIET, "lists-keep-their-snapshot")
NO_CACHES = dict.fromkeys(QUIET, "no replica is polled here")
OLD_NAME = (*UPDATE_STEPS, *LOCK_STEPS, "rename_table", "commit_txn", "get_open_txns")
FEW = (*UPDATE_STEPS, "get_open_txns", "check_lock", "give_up_lock", "commit_txn", "abort_txn")


def updates(name: str, summary: str, sessions: Sessions, **given: object) -> Scenario:
    """A race of updates on metastores without caches."""
    kept = {"rules": WRITE_LOCKED, "properties": UPDATES, "but": NO_CACHES, "pollers": (), "steps": FEW} | given
    kept["but"] = {name: why for name, why in NO_CACHES.items() if name not in kept["properties"]}  # type: ignore[operator]
    return metastore(name, summary, sessions, **kept)  # type: ignore[arg-type]


def update(*partitions: str, kind: str = "excl-write", renews: bool = True) -> tuple[Statement, ...]:
    """A transaction that updates rows of `default.t`."""
    return (B, LockedUpdate(T, kind, partitions, renews), Commit())  # type: ignore[arg-type]


def both(first: tuple[Statement, ...], second: tuple[Statement, ...]) -> Sessions:
    """Two updates."""
    return {"w1": ("h1", first), "w2": ("h2", second)}


def by_old_name(kind: str) -> Sessions:
    """An update that asks for its lock by the name that the table had, and one by who renames the table."""
    renames = (B, Lock(T, "exclusive"), Rename(T, U), LockedUpdate(U, kind), Commit())  # type: ignore[arg-type]
    return both(update(kind=kind), renames)


def all_but(asked: str) -> dict[str, str]:
    """What is not asked of a race that asks for one property."""
    return {name: "one consequence is asked about" for name in QUIET if name != asked}


SHARED_1, SHARED_2 = update("d=1", kind="shared-write"), update("d=2", kind="shared-write")
ABORTED: Sessions = {
    "w1": ("h1", (B, Alter(T, "v1"), Abort())), "k1": ("h1", (CleanHistory(),)), "r1": ("h2", (RO, Get(T)))
}  # fmt: skip
OVERTAKEN: Sessions = {
    "w1": ("h1", (B, Write(T), Commit())), "w2": ("h1", (B, Write(T), Abort())), "k1": ("h1", (CleanHistory(),)),
    "r1": ("h1", (RO, RO, Get(T)))
}  # fmt: skip
"""Whoever reads begins when others have ended, in its second transaction."""
LISTED = ("lists-have-the-committed", "write-ids-given-once")
ROWS = ("clean_write_ids", "open_txn", "allocate_write_id", "commit_txn", "abort_txn")
UNSEEN: Sessions = {"w1": ("h1", (B, Alter(T, "v1"), Commit())), "k1": ("h1", (CleanHistory(),))}

UPDATING: tuple[Scenario, ...] = (
    updates(
        "locked-updates",
        "Two sessions update a table under locks: who had to wait takes snapshot and write id anew, or begins again.",
        both(update(), update()),
        counters=(coverage.LOCK_WAITED, coverage.RENEWED, coverage.OUTDATED),
    ),
    updates(
        "locked-updates-not-renewed",
        "The same by clients that go on after the wait with what they had: one's changes are lost.",
        both(update(renews=False), update(renews=False)),
        broken="updates-build-on-each-other",
        pair="locked-updates",
    ),
    metastore(
        "renewed-update",
        "A write id is given up for another one after a wait: caches call it settled, as lists do, and serve it.",
        {"w1": ("h1", update()), "w2": ("h1", (B, LockedUpdate(T), Abort())), "r1": ("h2", (RO, Get(T)))},
        rules=replace(FIXED, exclusive_writes=True),
        properties=QUIET,
        but=MONOTONIC,
        steps=("lock_update", "check_lock", "latest_conflict", "commit_txn", "abort_txn", "get_table", "poll"),
        counters=(coverage.RENEWED, coverage.HIT),
    ),
    updates(
        "dynamic-updates",
        "Two sessions update one partition, which they know at the end alone: the second commit is refused.",
        both(SHARED_1, SHARED_1),
        rules=UNCACHED,
        properties=CONFLICTS,
        counters=(coverage.DYNAMIC, coverage.WRITE_CONFLICT),
    ),
    updates(
        "dynamic-updates-apart",
        "The same in two partitions: both commit, and nobody is refused.",
        both(SHARED_1, SHARED_2),
        rules=UNCACHED,
        properties=CONFLICTS,
        counters=(coverage.DYNAMIC,),
    ),
    updates(
        "dynamic-updates-unchecked",
        "Two updates of one partition under shared locks, whose commits say that their locks kept others out.",
        both(SHARED_1, SHARED_1),
        rules=WRITE_LOCKED,
        properties=CONFLICTS,
        broken="first-committer-wins",
        pair="dynamic-updates",
    ),
    metastore(
        "cleaned-history",
        "What is known of ended transactions is cleaned at any moment: no list of an open snapshot changes.",
        {"w1": ("h1", (B, Alter(T, "v1"), Commit())), "k1": ("h1", (CleanHistory(),)),
         "r1": ("h2", (Begin(read_only=True), Get(T)))},
        properties=SNAPSHOTS,
        but=MONOTONIC,
        steps=(*CLEAN_STEPS, "get_open_txns", "get_valid_write_ids", "alter_table", "commit_txn", "get_table", "poll"),
        counters=(coverage.HISTORY_CLEANED, coverage.HIT),
    ),
    metastore(
        "cleaned-abort",
        "The same beside a transaction that aborts: it is not forgotten as long as its write ids are known.",
        ABORTED,
        properties=SNAPSHOTS,
        but=MONOTONIC,
        steps=(*CLEAN_STEPS, "get_open_txns", "alter_table", "abort_txn", "get_table", "poll"),
        counters=(coverage.HISTORY_CLEANED, coverage.HIT),
    ),
    metastore(
        "cleaned-abort-as-shipped",
        "As 4.0.1 cleans: the aborted transaction is gone, its write id is there, and lists call it committed.",
        ABORTED,
        rules=replace(FIXED, cleaner_keeps_write_ids=False),
        properties=SNAPSHOTS,
        but=MONOTONIC | {"convergence": "hive/cleaned-abort-unserved asks"},
        broken="no-dirty-reads",
        steps=(*CLEAN_STEPS, "get_open_txns", "alter_table", "abort_txn", "get_table", "poll"),
        pair="cleaned-abort",
    ),
    metastore(
        "cleaned-abort-unserved",
        "The same, and a cache that has heard of the abort: no list will ever do for its tag, it is not asked again.",
        ABORTED,
        rules=replace(FIXED, cleaner_keeps_write_ids=False),
        properties=("convergence",),
        but=all_but("convergence"),
        broken="convergence",
        steps=(*CLEAN_STEPS, "alter_table", "abort_txn", "poll"),
        pair="cleaned-abort",
    ),
    metastore(
        "cleaned-before-looked-up",
        "A cache that has not seen a transaction open looks up its write ids, which are cleaned: it reads anew.",
        UNSEEN,
        properties=("convergence",),
        but=all_but("convergence"),
        cold=("h2",),
        steps=(*CLEAN_STEPS, "alter_table", "commit_txn", "prewarm", "poll"),
        counters=(coverage.HISTORY_CLEANED, coverage.IDS_FORGOTTEN, coverage.IDS_LOOKED_UP),
    ),
    metastore(
        "cleaned-and-passed-over",
        "The same where what nobody knows is passed over, as designed: the table is never served from the cache again.",
        UNSEEN,
        rules=replace(FIXED, reloads_forgotten=False),
        properties=("convergence",),
        but=all_but("convergence"),
        cold=("h2",),
        broken="convergence",
        steps=(*CLEAN_STEPS, "alter_table", "commit_txn", "prewarm", "poll"),
        pair="cleaned-before-looked-up",
    ),
    updates(
        "cleaned-higher-id",
        "A writer commits under a higher write id than one that began later, and aborts: cleaned or not, it is listed.",
        OVERTAKEN,
        rules=FIXED,
        properties=LISTED,
        steps=ROWS,
        counters=(coverage.HISTORY_CLEANED,),
    ),
    updates(
        "cleaned-higher-id-as-shipped",
        "As 4.0.1 lists it: what is cleaned was the highest one, and the acknowledged rows are in no list.",
        OVERTAKEN,
        rules=UNCACHED,
        properties=LISTED,
        steps=ROWS,
        broken="lists-have-the-committed",
        pair="cleaned-higher-id",
    ),
    updates(
        "lock-of-renamed",
        "Who has locked a table and gives it another name has the lock under that one: others wait.",
        {"w1": ("h1", (B, Lock(T, "exclusive"), Rename(T, U), Get(U), Commit())),
         "w2": ("h2", (B, Lock(U, "exclusive")))},
        steps=(*LOCK_STEPS, "rename_table", "commit_txn", "get_open_txns", "get_table"),
        properties=("locks-exclude", "calls-answered"),
        counters=(coverage.LOCK_WAITED,),
    ),
    updates(
        "update-of-renamed",
        "A table gets another name between two updates that conflict: what was changed goes with it.",
        {"w1": ("h1", (B, Lock(T, "shared-write"), *SHARED_1[1:])),
         "w2": ("h2", (B, Lock(T, "exclusive"), Rename(T, U), LockedUpdate(U, "shared-write", ("d=1",)), Commit()))},
        rules=NAMED,
        properties=CONFLICTS,
        steps=(*UPDATE_STEPS, *LOCK_STEPS, "rename_table", "commit_txn", "get_open_txns"),
        counters=(coverage.WRITE_CONFLICT,),
    ),
    updates(
        "update-by-old-name",
        "A table gets another name between an update's write id and its lock: asked for by the old one it is refused.",
        by_old_name("excl-write"),
        rules=NAMED_LOCKED,
        steps=OLD_NAME,
        counters=(coverage.OTHER_MEANT, coverage.LOCK_WAITED),
        pair="shipped-update-by-old-name",
    ),
    updates(
        "update-by-old-name-checked",
        "The same where commits are checked for conflicts.",
        by_old_name("shared-write"),
        rules=NAMED,
        properties=CONFLICTS,
        steps=OLD_NAME,
        counters=(coverage.OTHER_MEANT, coverage.LOCK_WAITED, coverage.OUTDATED),
        pair="shipped-update-by-old-name-checked",
    ),
    updates(
        "shipped-update-by-old-name",
        "On 4.0.1 it is granted, nobody else wants that name: the update is made without what the renamer has changed.",
        by_old_name("excl-write"),
        steps=OLD_NAME,
        broken="updates-build-on-each-other",
        pair="update-by-old-name",
    ),
    updates(
        "shipped-update-by-old-name-checked",
        "The same where commits are checked for conflicts: what is changed is noted by the old name, and both commit.",
        by_old_name("shared-write"),
        rules=UNCACHED,
        properties=CONFLICTS,
        steps=OLD_NAME,
        broken="first-committer-wins",
        pair="update-by-old-name-checked",
    ),
)  # fmt: skip
