"""The losses of PyIceberg 0.12.0, as their pages tell them.

What runs is the library itself, unmodified, on simulated storage and a simulated catalog: there is no other code
between which a replay could show a difference.
"""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream, named

LIVE = "tests/live/iceberg/test_pyiceberg_losses.py"
SQL_CATALOG = (
    "What runs is PyIceberg 0.12.0 itself, unmodified, on simulated storage and a simulated catalog; the test does "
    "the same in turn with its own SQL catalog on SQLite and files in a folder."
)

PYICEBERG_LOSSES: tuple[Loss, ...] = (
    Loss(
        "PyIceberg deletes the manifest list that it has just committed",
        named(DEFECTS, "pyiceberg/append-resent"),
        "`commit.retry.num-retries` 0, or the last of the retries; a catalog, or what is before it, that answers 409 "
        "for a commit which was applied.",
        "Rare per commit: it takes such an answer to the last attempt.",
        "Leave retries on: before each the library looks for its own snapshot, which appends find.",
        (
            "tests/search/iceberg/test_pyiceberg.py"
            "::test_the_last_attempts_clean_up_deletes_the_committed_manifest_list",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg-python#3320", "the clean-up, as it was reviewed (merged)"),
                ("apache/iceberg#5752", "the same loss in Java, closed since"),
                ("apache/iceberg#14583", "the current manifest list is removed after a retry, in Java (open)"),
            ),
            ("PyIceberg commit failed cleanup deletes manifests snapshot committed CommitFailedException",),
        ),
        "What runs is PyIceberg 0.12.0 itself, unmodified, on simulated storage and a simulated catalog: there is no "
        "other code between which a replay could show a difference.",
    ),
    Loss(
        "PyIceberg cleans up a delete that has landed",
        named(DEFECTS, "pyiceberg/delete-resent"),
        "All defaults: `delete`, `overwrite` with a filter, or `upsert`, of some of the rows of a file; a catalog, "
        "or what is before it, that answers 409 for a commit which was applied. Such a statement has two producers "
        "of snapshots, of which the first finds no whole file to delete and makes none. Before a retry the library "
        "looks for the snapshots of all its producers, so it does not find that its commit is there; it meets its "
        "own snapshot as a conflict, refuses, and deletes the manifests and the manifest list that it has committed.",
        "Rare per commit: it takes such an answer, to any attempt. A client or a proxy that sends a request again "
        "after a lost answer gives it.",
        "Nothing that is set: a catalog that knows a request which is sent again. Statements that take whole files "
        "away, and appends, find their snapshots.",
        (f"{LIVE}::test_a_delete_that_is_misreported_as_a_conflict_makes_the_table_unreadable",),
        Upstream(
            "",
            (
                ("apache/iceberg-python#3320", "the look for its own snapshots, as it was reviewed (merged)"),
                ("apache/iceberg#14583", "the current manifest list is removed after a retry, in Java (open)"),
            ),
            (
                "iceberg-python commit retry lost response own snapshot detected all producers snapshot_id empty "
                "delete producer ValidationException cleanup deletes committed manifests",
            ),
        ),
        SQL_CATALOG,
    ),
    Loss(
        "PyIceberg inserts a row twice by two upserts",
        named(DEFECTS, "pyiceberg/upsert-upsert"),
        "`Table.upsert` by two processes of rows that are not there yet, at any isolation level: what it inserts is an "
        "append, which is never validated. An upsert beside an append of the same row does so, too.",
        "Certain, sooner or later: two upserts of one new key, of which one begins before the other commits. No fault.",
        "One process that upserts, or a look for rows that are there twice. Rows that are there already are safe: the "
        "second upsert is refused.",
        (f"{LIVE}::test_two_upserts_of_a_new_row_insert_it_twice",),
        Upstream(
            "",
            (
                ("apache/iceberg-python#3758", "upsert leaves rows twice on a partitioned table, alone (closed)"),
                ("apache/iceberg-python#3320", "how appends are sent again without validation (merged)"),
            ),
            ("pyiceberg upsert concurrent writers duplicate rows same key inserted twice",),
        ),
        SQL_CATALOG,
    ),
    Loss(
        "PyIceberg's expiry removes main",
        named(DEFECTS, "pyiceberg/roll-back-expire"),
        "`table.maintenance.expire_snapshots()`, by ids or by age, while another process moves main back to one of "
        "the snapshots that are expired, as `manage_snapshots().rollback_to_snapshot` and `set_current_snapshot` do. "
        "The commit of an expiry asserts the table's uuid alone, and a ref of a snapshot that goes is removed with "
        "it: main, a branch or a tag. Every catalog whose commits PyIceberg stages itself: SQL, Hive, Glue, DynamoDB.",
        "Rare: a roll-back within the time that an expiry takes from its load to its commit. No fault. Both are told "
        "of success, and the table is empty: a scan reads no row, and raises nothing.",
        "Tag the snapshot that is rolled back to before the roll-back, or stop expiries meanwhile. No file is deleted "
        "by it: an older metadata file has the table.",
        (f"{LIVE}::test_an_expiry_removes_main_after_a_roll_back_unless_a_tag_keeps_the_snapshot[False]",),
        Upstream(
            "",
            (
                ("apache/iceberg-go#672", "the same race, for which Go asserts every ref since (merged)"),
                ("apache/iceberg-python#1880", "how expiry came (merged)"),
            ),
            (
                "iceberg-python expire_snapshots concurrent tag removed AssertRefSnapshotId requirement missing main "
                "branch removed",
            ),
        ),
        SQL_CATALOG,
    ),
    Loss(
        "PyIceberg's Hive catalog overwrites a commit when its lock is gone",
        Defect(
            "pyiceberg/hive-append-slow",
            "an acknowledged append",
            "a commit in the Hive catalog that takes longer than a lease of its lock, which nothing keeps alive",
            "PyIceberg 0.12.0 itself, in the simulator",
            ("pyiceberg/hive-append-append",),
        ),
        "The Hive catalog with all defaults, and any two writers. A commit takes the table's lock, writes its metadata "
        "file, and alters the table; nothing keeps the lock alive meanwhile, and the alter names no location that it "
        "expects. A metastore ends a lock that is silent for `hive.txn.timeout` (five minutes), another writer gets "
        "it and commits, and the first one's alter takes that commit out of the table.",
        "Rare: a commit has to stand still for five minutes between its lock and its alter, on a storage that hangs, "
        "or in a process that is stopped; a metastore with a shorter time-out makes it likelier. No fault of a service "
        "is needed, and both are told of success: a metastore does not say that a lock which is given back is gone. In "
        "the schedule below the other one waits for the lock all the time; one that comes later needs no more retries.",
        "A longer `hive.txn.timeout`, or another catalog. Java's Hive catalog keeps its lock alive, and without a lock "
        "it names the location that it expects.",
        (
            "tests/live/iceberg/test_pyiceberg_hive_loss.py"
            "::test_a_commit_that_is_slower_than_its_locks_lease_overwrites_another_ones[True]",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg#5036", "how Java's lock came to be kept alive, for the same loss (merged)"),
                ("apache/iceberg-python#588", "the read of the table before its lock, since mended (closed)"),
                ("apache/iceberg-python#3121", "locks that stay when their process has died (closed)"),
            ),
            ("iceberg-python HiveCatalog lock heartbeat expired alter_table lost commit concurrent",),
        ),
        "What runs is PyIceberg 0.12.0 itself, unmodified, on simulated storage and a simulated metastore; the test "
        "does the same with a live metastore 4.0.1, whose locks end after two seconds.",
    ),
    Loss(
        "PyIceberg's Hive catalog renames a table, and takes back what was committed beside it",
        Defect(
            "pyiceberg/hive-rename-append",
            "an acknowledged append",
            "PyIceberg's Hive catalog, and a commit between the look of a rename and its alter; no fault",
            "PyIceberg 0.12.0 itself, in the simulator",
            ("pyiceberg/rest-rename-append",),
        ),
        "`HiveCatalog.rename_table` beside any commit, by whichever engine. It reads the table, changes its name in it"
        ", and sends it back by `alter_table_with_environment_context`: without the lock that a commit takes, and "
        "without a location that it expects. So the location goes back to what it has read.",
        "Rare for one rename, as the window is between two calls of the metastore; met where tables are renamed while "
        "jobs still write to them. No fault, no error, and both are told of success.",
        "Stop writers before a table is renamed, or rename it by a REST or SQL catalog, which change the name alone. "
        "Afterwards: the lost metadata file is still there, one number above the one that the table names; register "
        "it. A rename whose alter named the location that it has read would be refused "
        "(`tests/search/iceberg/test_pyiceberg_hive_rename.py`).",
        (
            "tests/live/iceberg/test_pyiceberg_hive_loss.py"
            "::test_a_rename_takes_back_what_was_committed_since_it_looked[True]",
        ),
        Upstream(
            "",
            (
                ("apache/hive#3612", "HIVE-26576: Hive's own alters put a location back that has changed (merged)"),
                ("linkedin/openhouse#700", "the same of OpenHouse's own catalog (open, August 2026)"),
                ("apache/iceberg-python#588", "a commit's read of the table before its lock, since mended (closed)"),
            ),
            (
                "pyiceberg HiveCatalog rename_table concurrent commit lost metadata_location overwritten alter_table "
                "no lock",
            ),
            "2026-11-28",
        ),
        "What runs is PyIceberg 0.12.0 itself, unmodified, on simulated storage and a simulated metastore; the test "
        "does the same with a live metastore 4.0.1. Java's Hive catalog does so, too (`iceberg/hive-rename-append`).",
    ),
    Loss(
        "PyIceberg's Hive catalog puts a dropped table back over the one that has its name",
        Defect(
            "pyiceberg/hive-register-append",
            "a table that was registered, or renamed, to the name of one that was dropped",
            "PyIceberg's Hive catalog, and a drop and a registration between a commit's look and its alter; no fault",
            "PyIceberg 0.12.0 itself, in the simulator",
            ("pyiceberg/sql-register-append", "pyiceberg/rest-register-append"),
        ),
        "Any commit in the Hive catalog beside `drop_table` and then `register_table`, or `rename_table` of "
        "another table to the name. A commit takes the table's lock, reads the table, asserts its "
        "uuid, writes its metadata file, and alters whatever has the name by then; the others take no lock.",
        "Rare for one commit, as all of it has to be between two calls of a metastore; met where tables are swapped by "
        "name while jobs still write to them. No fault, no error, and all are told of success.",
        "Stop writers before a name is given to another table, or do it by a REST or SQL catalog. Afterwards: the "
        "files of both tables are still there; drop the one that came back, and register the other one again. An alter "
        "that named the location which it has read would be refused (`tests/search/iceberg/test_pyiceberg_names.py`).",
        (
            "tests/live/iceberg/test_pyiceberg_hive_loss.py"
            "::test_a_commit_puts_a_dropped_table_back_over_the_one_that_has_its_name[True]",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg-go#1442", "Go's drops and renames in Hive take the lock since (merged)"),
                ("apache/iceberg-python#405", "how commits came to take it (merged)"),
                ("apache/iceberg-python#588", "a commit's read of the table before its lock, since mended (closed)"),
            ),
            ("iceberg-python HiveCatalog commit overwrites table dropped and recreated concurrently lock drop_table "
             "create_table",),
            "2026-11-28",
        ),
        "What runs is PyIceberg 0.12.0 itself, unmodified, on simulated storage and a simulated metastore; the test "
        "does the same with a live metastore 4.0.1. Java's Hive catalog loses a table that is renamed so beside a "
        "commit with its lock, too (`iceberg/hive-put-append`).",
    ),
)  # fmt: skip
