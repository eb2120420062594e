"""Metastore scenarios of databases that are to get other names while tables of them are locked, and updated.

As shipped nobody's table has another name then, and what is known of locks and of changes has: who holds a lock keeps
nobody out any more, and who has had a write id before, and asks for a lock afterwards, meets nobody who has changed
what he changes.

Source: `model.hive.databases`; hive/1.6.
"""

from __future__ import annotations

from dataclasses import replace

from model.hive import coverage
from model.hive.rules import UNCACHED
from sim.hive.build import B, Sessions, T
from sim.hive.live import LOCK_STEPS, RENAME_DATABASE, UPDATE_STEPS
from sim.hive.lock_statements import Lock
from sim.hive.renamed_databases import RENAMED
from sim.hive.updating import CONFLICTS, NAMED, NAMED_LOCKED, both, update, updates
from sim.hive.workload import Commit, Get
from sim.world.scenario import Scenario

LOCKS: Sessions = {
    **both((B, Lock(T, "exclusive"), Get(T), Commit()), (B, Lock(T, "exclusive"), Commit())), "d1": ("h1", RENAMED)
}  # fmt: skip
UPDATES: Sessions = {**both(update(), update()), "d1": ("h1", RENAMED)}
SHARED: Sessions = {**both(*[update(kind="shared-write") for _ in "12"]), "d1": ("h1", RENAMED)}
LOCKING = (RENAME_DATABASE, *LOCK_STEPS, "get_table", "commit_txn", "get_open_txns")
UPDATING = (RENAME_DATABASE, *UPDATE_STEPS, *LOCK_STEPS, "allocate_write_id", "commit_txn", "get_open_txns")
EXCLUDE = ("locks-exclude", "calls-answered")

RENAMED_UNDER_LOCKS: tuple[Scenario, ...] = (
    updates(
        "locks-database-renamed",
        "A database gets another name with its tables, while two sessions lock one: the lock goes along.",
        LOCKS,
        rules=replace(NAMED_LOCKED, renames_databases=True),
        steps=LOCKING,
        properties=EXCLUDE,
        counters=(coverage.LOCK_WAITED,),
        pair="locks-database-renamed-as-shipped",
    ),
    updates(
        "locks-database-renamed-as-shipped",
        "As 4.0.1 does: the table stays, its lock goes, and both have it.",
        LOCKS,
        steps=LOCKING,
        properties=EXCLUDE,
        broken="locks-exclude",
        pair="locks-database-renamed",
    ),
    updates(
        "updates-database-renamed",
        "The same beside two updates: who has his write id, and locks by the name that the table had, is refused.",
        UPDATES,
        rules=replace(NAMED_LOCKED, renames_databases=True),
        steps=UPDATING,
        counters=(coverage.OTHER_MEANT, coverage.LOCK_WAITED),
        pair="updates-database-renamed-as-shipped",
    ),
    updates(
        "updates-database-renamed-as-shipped",
        "As 4.0.1 does: he has his lock, and is not told that another one has committed, whose change is lost.",
        UPDATES,
        steps=UPDATING,
        broken="updates-build-on-each-other",
        pair="updates-database-renamed",
    ),
    updates(
        "updates-database-renamed-checked",
        "The same where commits are checked for conflicts, and a database gets its name with its tables.",
        SHARED,
        rules=replace(NAMED, renames_databases=True),
        properties=CONFLICTS,
        steps=UPDATING,
        counters=(coverage.OTHER_MEANT,),
        pair="updates-database-renamed-checked-as-shipped",
    ),
    updates(
        "updates-database-renamed-checked-as-shipped",
        "As 4.0.1 does: what the first has changed is known by the name that no database has, and both commit.",
        SHARED,
        rules=UNCACHED,
        properties=CONFLICTS,
        steps=UPDATING,
        broken="first-committer-wins",
        pair="updates-database-renamed-checked",
    ),
)  # fmt: skip
