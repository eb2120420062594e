"""Metastore scenarios of databases that are to get other names: with their tables, and as 4.0.1 answers.

Source: the design document, "Deal with Rename"; `model.hive.databases`.
"""

from __future__ import annotations

from dataclasses import replace

from model.hive import FIXED, coverage
from model.hive.rules import SHIPPED, SHIPPED_REFRESH, UNCACHED
from sim.hive.build import EXTERNAL, MONOTONIC, QUIET, RO, STOPPING, B, E, Sessions, T, metastore
from sim.hive.database_renames import RenameDatabase
from sim.hive.other_caches import DROPS
from sim.hive.updating import LISTED, NO_CACHES
from sim.hive.workload import Alter, Begin, Commit, Drop, Get, Statement, Write
from sim.world.scenario import Scenario

MOVED = "sales.t"
RENAMED: tuple[Statement, ...] = (RenameDatabase("default", "sales"),)
BY_NEW_NAME: tuple[Statement, ...] = (Begin((MOVED,), read_only=True), Get(MOVED))
TWICE: Sessions = {
    "w1": ("h1", (B, Write(T), Commit(), B, Write(T), Commit())), "d1": ("h1", RENAMED), "r1": ("h1", (RO, Get(T)))
}  # fmt: skip
"""One writer, with two transactions, and a reader of the name that the table had."""
ROW_STEPS = ("rename_database", "open_txn", "allocate_write_id", "commit_txn", "get_table")

DATABASES: tuple[Scenario, ...] = (
    metastore(
        "database-renamed",
        "A database gets another name with its tables, beside a writer and a reader of both names.",
        {"w1": ("h1", (B, Alter(T, "v1"), Commit())), "d1": ("h1", RENAMED), "r1": ("h2", (RO, Get(T), *BY_NEW_NAME))},
        properties=(*QUIET, *LISTED),
        but=MONOTONIC,
        steps=("rename_database", "alter_table", "commit_txn", "get_table", "poll"),
        counters=(coverage.RENAMED, coverage.HIT),
    ),
    metastore(
        "database-renamed-as-shipped",
        "As 4.0.1 does: the name stays, the write ids go, and a second writer gets those of the first.",
        TWICE,
        rules=UNCACHED,
        properties=LISTED,
        but=NO_CACHES,
        pollers=(),
        steps=ROW_STEPS,
        broken="write-ids-given-once",
        pair="database-renamed",
    ),
    metastore(
        "database-renamed-unlisted",
        "The same, and a reader who begins then: committed rows are in no list of the table.",
        {"w1": ("h1", (B, Write(T), Commit())), "d1": ("h1", RENAMED), "r1": ("h1", (RO, RO, Get(T)))},
        rules=UNCACHED,
        properties=LISTED,
        but=NO_CACHES,
        pollers=(),
        steps=ROW_STEPS,
        broken="lists-have-the-committed",
        pair="database-renamed",
    ),
    metastore(
        "database-renamed-synchronized",
        "The same beside a synchronized cache: who begins then has a list of nothing, for which any old entry will do.",
        {"w1": ("h1", (B, Alter(T, "v1"), Commit())), "d1": ("h1", RENAMED), "r1": ("h2", (RO, RO, Get(T)))},
        rules=replace(FIXED, renames_databases=False),
        but=MONOTONIC,
        steps=("rename_database", "open_txn", "alter_table", "commit_txn", "get_table", "poll"),
        broken="freshness",
        pair="database-renamed",
    ),
    metastore(
        "refresh-database-renamed",
        "As 4.0.1 does by default: the cache has the new name alone, and its metastore refuses to drop a table.",
        {"d1": ("h1", RENAMED), "w1": ("h1", (Drop(E),))},
        rules=SHIPPED_REFRESH,
        tables=EXTERNAL,
        properties=DROPS,
        but=STOPPING,
        steps=("rename_database", "drop_table", "poll"),
        pollers=("h1",),
        broken="drops-as-told",
        pair="shipped-database-renamed",
    ),
    metastore(
        "shipped-database-renamed",
        "The same in event mode, where a drop asks the database: the table goes.",
        {"d1": ("h1", RENAMED), "w1": ("h1", (Drop(E),))},
        rules=SHIPPED,
        tables=EXTERNAL,
        properties=DROPS,
        but=STOPPING,
        steps=("rename_database", "drop_table", "poll"),
        pollers=("h1",),
        counters=(coverage.DATABASE_UNKNOWN,),
    ),
)  # fmt: skip
