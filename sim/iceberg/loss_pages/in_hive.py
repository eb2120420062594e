"""The losses of Iceberg 1.11.0 where tables of its Hive catalog are made or renamed, as their pages tell them."""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

FOUND = "tests/live/iceberg/test_in_hive.py::test_found_violation_is_real"
WALKS = "tests/live/iceberg/test_in_hive.py::test_walks_do_the_same"
SEARCHED_ON = "2026-11-26"
RETRIES = ("apache/iceberg#11814", "an alter that is sent twice by the same client, without the lock (open)")
LOCKED_IN_GO = ("apache/iceberg-go#1442", "Iceberg in Go takes the lock to drop and to rename, too (merged, July 2026)")
IN_HIVE_LOSSES: tuple[Loss, ...] = (
    Loss(
        "A table that was just created loses its metadata file",
        named(DEFECTS, "iceberg/hive-create-resent"),
        "The Hive catalog, with its lock or without; `CREATE TABLE`, `CREATE TABLE AS SELECT`, `CREATE OR REPLACE` of "
        "a table that is not there, `registerTable`. `hive.metastore.failure.retries` is at least 1, as by default.",
        "Rare: the connection has to end after the metastore has made the table, and before its answer is read; a read "
        "timeout of a metastore that is slow (`hive.metastore.client.socket.timeout`) is enough. Trino, whose code for "
        "it is similar, met it in production.",
        "Look for the table after a `CREATE TABLE` that failed with `Table already exists`. If its metadata file is "
        "gone: drop it without purge, and run it again; what a `CREATE TABLE AS SELECT` wrote is still there. "
        "`hive.metastore.failure.retries` 0 leaves the outcome unknown instead, and the file where it is.",
        (f"{FOUND}[iceberg/hive-create-resent]",),
        Upstream(
            "",
            (
                ("trinodb/trino#31211", "the same of Trino, which looks again, but not far enough (open)"),
                RETRIES,
            ),
            (
                "HiveCatalog createTable retried by RetryingMetaStoreClient AlreadyExistsException metadata json "
                "deleted table corrupted iceberg",
                "Iceberg Hive catalog CREATE TABLE AS SELECT table already exists after socket timeout metadata file "
                "missing NotFoundException",
            ),
            SEARCHED_ON,
        ),
        "`RetryingMetaStoreClient` sends `create_table` again; the metastore has the table by then. `doCommit` makes "
        "`AlreadyExistsException` of that before it has looked at what became of the call, so the status is still "
        "`FAILURE`, and the clean-up deletes the file that the table names. An alter whose answer is lost is looked "
        "for, in the same method.",
    ),
    Loss(
        "A drop that is sent again drops another table, on the Hive catalog",
        named(DEFECTS, "iceberg/hive-drop-resent"),
        "The Hive catalog, with its lock or without: a drop takes none. `dropTable`, with purge or without.",
        "Rare: the answer to a drop has to be lost, and somebody has to make a table of that name within a second.",
        "Do not let two jobs drop and create one name, and look for the table after it was created. Files stay, but "
        "with purge: register the table anew by its newest metadata file.",
        (f"{FOUND}[iceberg/hive-drop-resent]",),
        Upstream(
            "",
            (
                ("trinodb/trino#18848", "a drop that is sent again fails, as the table is gone (closed)"),
                LOCKED_IN_GO,
            ),
            ("HiveCatalog dropTable retry after connection lost drops re-created table RetryingMetaStoreClient",),
            SEARCHED_ON,
        ),
        "Hive's client looks for the table, and drops it by its name; when it sends again, it does both again.",
    ),
    Loss(
        "A rename takes back what was committed beside it",
        named(DEFECTS, "iceberg/hive-rename-append"),
        "The Hive catalog, with its lock or without, and `ALTER TABLE ... RENAME TO` (`renameTable`) beside a commit.",
        "Rare for one rename, as the window is between two calls of the metastore; met where tables are renamed while "
        "jobs still write to them. No fault, no error, and everybody is told that he succeeded.",
        "Stop writers before a table is renamed. Afterwards: the lost metadata file is still there, one number above "
        "the one that the table names; register it.",
        (
            f"{FOUND}[iceberg/hive-rename-append]",
            f"{FOUND}[iceberg/hive-no-lock-rename-append]",
            f"{WALKS}[iceberg/hive-rename-append]",
        ),
        Upstream(
            "",
            (
                LOCKED_IN_GO,
                ("linkedin/openhouse#700", "the same of OpenHouse's own catalog (open, August 2026)"),
                ("apache/hive#3612", "HIVE-26576: Hive's own alters put a location back that has changed (merged)"),
            ),
            (
                "iceberg HiveCatalog renameTable concurrent commit lost no lock metadata_location overwritten "
                "alter_table",
            ),
            SEARCHED_ON,
        ),
        "`renameTableOrView` reads the table, changes its name in it, and sends it back by `alter_table`: without the "
        "lock that a commit takes, and without the expected location that a commit without lock sends. So the location "
        "goes back to what it read (`iceberg/hive-no-lock-rename-append` is the same without the lock). The metastore "
        "would compare it, if it was asked to (HIVE-26882).",
    ),
    Loss(
        "A commit puts a dropped table in the place of the one that was renamed to its name",
        named(DEFECTS, "iceberg/hive-put-append"),
        "The Hive catalog with its lock, which is the default; a table that is replaced by `DROP TABLE` and "
        "`ALTER TABLE new RENAME TO old`, beside a commit to the old one.",
        "Rare for one commit, as the window is from its look under the lock to its alter; met where a table is swapped "
        "on a schedule while a stream writes to it. No fault, no error, and everybody is told that he succeeded.",
        "Switch the lock off where the metastore has HIVE-26882 (`engine.hive.lock-enabled` false): the location is "
        "compared then. Or replace the table in a transaction. Afterwards: register the new table by its metadata "
        "file, which nobody has deleted.",
        (f"{FOUND}[iceberg/hive-put-append]", f"{WALKS}[iceberg/hive-put-append]"),
        Upstream(
            "",
            (
                LOCKED_IN_GO,
                ("apache/iceberg#14096", "an alter under the lock that comes late and compares nothing (open)"),
            ),
            (
                "iceberg Hive catalog drop and recreate table concurrent commit overwrites new table "
                "metadata_location lock not taken by drop or rename",
                "Iceberg rename table swap while streaming writer commits Hive catalog old table restored data lost",
            ),
            SEARCHED_ON,
        ),
        "Under the lock an alter compares nothing, for whoever else changes the table is thought to wait: but neither "
        "`dropTable` nor `renameTable` takes it. Nor is a uuid compared. Who creates the new table takes the lock, and "
        "waits (`iceberg/hive-drop-create-append` holds).",
    ),
    Loss(
        "A drop with purge deletes the files of a table that was renamed while it was dropped, on the Hive catalog",
        named(DEFECTS, "iceberg/hive-purge-put"),
        "The Hive catalog, with its lock or without: a drop takes none. `dropTable(name, true)` beside a swap of "
        "tables: the one that is there is renamed, and another one renamed to its name.",
        "Rare for one drop, as the window is between two calls of the metastore, but each step of a swap by renames "
        "opens it, and nothing brings the files back. No fault, no error, and everybody is told that he succeeded. The "
        "new table is dropped, and its files stay.",
        "Drop without purge, and delete the folder when it is known whose it is; or use a REST catalog, whose server "
        "loads, drops and deletes in one request. Afterwards: register the dropped table anew by its newest metadata "
        "file; the one that was renamed is gone, unless the storage keeps versions.",
        (f"{FOUND}[iceberg/hive-purge-put]", f"{WALKS}[iceberg/hive-purge-put]"),
        Upstream(
            "",
            (
                (
                    "apache/iceberg#350",
                    "proposes a drop that deletes the files of what was loaded; of another table no word (open)",
                ),
                LOCKED_IN_GO,
            ),
            (
                "Iceberg HiveCatalog dropTable purge race renamed table data files deleted wrong table dropTableData "
                "loaded metadata before drop",
            ),
            "2026-11-27",
        ),
        "The same order as on the JDBC catalog (`iceberg/jdbc-purge-put`), where the DELETE could compare the uuid; "
        "the metastore's `drop_table` has nothing to compare by. No repair is modelled.",
    ),
    Loss(
        "Who takes no lock is overwritten by who holds it",
        named(DEFECTS, "iceberg/hive-one-unlocked-append-append"),
        "The Hive catalog, with `iceberg.engine.hive.lock-enabled` false in one client and true, the default, in "
        "another one; the table has no property `engine.hive.lock-enabled`. Iceberg's documentation says that all "
        "clients have to be told so; none finds out about the others.",
        "Likely wherever both write: one commit without a lock between the look and the alter of who holds it. No "
        "fault, no error, both are told that they succeeded.",
        "Set the table property `engine.hive.lock-enabled`, to true or to false: every client goes by it, and it may "
        "be changed beside commits (`iceberg/hive-lock-off-append`, `iceberg/hive-lock-on-append`). Afterwards: the "
        "metadata file of the lost commit is there, and so are its files.",
        ("tests/live/iceberg/test_locks.py::test_who_takes_no_lock_is_overwritten_by_who_holds_it",),
        Upstream(
            "",
            (
                ("apache/iceberg#6570", "brought commits without the lock, and the sentence that warns (merged)"),
                ("trinodb/trino#22182", "that all engines have to go by one setting, else data may go (closed)"),
                RETRIES,
            ),
            (
                "iceberg hive engine.hive.lock-enabled false mixed clients one with lock one without lost commit "
                "overwritten table corruption",
            ),
            "2026-11-28",
        ),
        "Who holds the lock compares the location by himself, and then alters whatever is there; who takes none has "
        "the metastore compare, and waits for nobody. Which of the two a commit is the table says that it is on top "
        "of, and not the one that it makes (`hiveLockEnabled(base)`): so the property may be changed at any time.",
    ),
)
