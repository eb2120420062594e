"""The losses of Iceberg 1.11.0, and with them those of PyIceberg, as their pages tell them."""

from __future__ import annotations

from sim.iceberg.defects import DEFECTS
from sim.iceberg.loss_pages.branches import BRANCH_LOSSES
from sim.iceberg.loss_pages.creating import CREATING_LOSSES
from sim.iceberg.loss_pages.equality import EQUALITY_LOSSES
from sim.iceberg.loss_pages.hadoop import HADOOP_LOSSES
from sim.iceberg.loss_pages.in_hive import IN_HIVE_LOSSES
from sim.iceberg.loss_pages.jdbc import JDBC_LOSSES
from sim.iceberg.loss_pages.managing import MANAGING_LOSSES
from sim.iceberg.loss_pages.manifests import MANIFEST_LOSSES
from sim.iceberg.loss_pages.metastores import METASTORE_LOSSES
from sim.iceberg.loss_pages.pyiceberg import PYICEBERG_LOSSES
from sim.iceberg.loss_pages.python_alone import PYTHON_ALONE_LOSSES
from sim.iceberg.loss_pages.renaming import RENAMING_LOSSES
from sim.iceberg.loss_pages.rest import REST_LOSSES
from sim.iceberg.loss_pages.row_ids import ROW_ID_LOSSES
from sim.iceberg.loss_pages.specs import SPEC_LOSSES
from sim.iceberg.loss_pages.sql import SQL_LOSSES
from sim.iceberg.loss_pages.statistics import STATISTICS_LOSSES
from sim.iceberg.loss_pages.times import TIMED_LOSSES
from sim.iceberg.loss_pages.vectors import VECTOR_LOSSES
from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream, named

FOUND = "tests/live/iceberg/test_found_schedules.py::test_found_violation_is_real"
FAULTS = "tests/live/iceberg/test_sql_faults.py"
TRANSACTIONS = "tests/live/iceberg/test_transactions.py"
JAVA = "Iceberg 1.11.0, Java API"
MISREPORTED = (
    ("apache/iceberg#12818", "a 409 after a request that was sent again is to count as unknown (open)"),
    ("apache/iceberg#15050", "a 503 by a proxy, after which the files of a commit that landed are cleaned up (closed)"),
    ("apache/iceberg#12792", "files of a commit that landed are deleted after an answer that never came (open)"),
    ("apache/iceberg#13867", "a key by which a catalog knows a request that is sent again"),
)
LOST_ANSWERS = (
    "REST commit retried after 503 429 409 conflict deletes committed manifest list",
    "append retry own snapshot already in table, main moves back, another writer's commit lost",
)

LOSSES: tuple[Loss, ...] = (
    Loss(
        "A deleted row comes back",
        named(DEFECTS, "iceberg/delete-update-snapshot"),
        "A table of format 2 with `write.delete.mode` and `write.update.mode` merge-on-read, and "
        "`write.delete.isolation-level` and `write.update.isolation-level` snapshot. The default of the levels is "
        "serializable, and that of the modes copy-on-write: both have to be changed. With deletion vectors (format 3) "
        "the second one is refused.",
        "Likely wherever it is set: a DELETE and an UPDATE of one row need to overlap, and the UPDATE to commit first. "
        "No fault, no error, both are told that they succeeded.",
        "Leave the level of DELETE at serializable, or use format 3.",
        (
            f"{FOUND}[iceberg/delete-update-snapshot]",
            "tests/live/iceberg/test_sql_delete_update.py::test_deleted_row_comes_back_under_snapshot_isolation",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg#3069", "when delete files have to be validated, under which isolation level (closed)"),
                ("apache/iceberg#1469", "a DELETE may delete twice; of updates meanwhile it says nothing (merged)"),
                ("trinodb/trino#30850", "leaves the same validation out for a DELETE, in Trino (merged, August 2026)"),
            ),
            ("DELETE UPDATE merge-on-read snapshot isolation deleted row resurrected concurrent validateNoNewDeletes",),
        ),
    ),
    Loss(
        "An UPDATE deletes the table's own manifest list",
        named(DEFECTS, "iceberg/update-reply-faults"),
        "Any statement that validates (UPDATE, DELETE, MERGE, overwrite) on a REST catalog that keeps no idempotency "
        "keys, with any service between that answers 429, 503 with a time to wait, or 409 for a commit which was "
        "applied, or sends it again.",
        "Rare per commit, and a question of time: it takes one such answer at the one moment between apply and answer. "
        "Proxies and overloaded catalogs give them.",
        "A catalog with idempotency keys that knows what it has done even where it answered 5xx (see "
        "iceberg/update-reply-faults-key-released). Else keep a copy of manifest lists, or no automatic retry of "
        "commits between client and catalog.",
        (
            f"{FOUND}[iceberg/update-reply-faults]",
            f"{FAULTS}::test_busy_answer_after_apply_leaves_the_table_unreadable[snapshot]",
        ),
        Upstream("apache/iceberg#12818", MISREPORTED[1:], LOST_ANSWERS[:1]),
        "Java's HTTP client sends a request again by itself after 429, and after 503 with a time to wait; the second "
        "sending is then refused as a conflict with the first. `rewrite_position_delete_files` deletes what it has "
        "committed, too, if somebody else has committed in between (`iceberg/rewrite-deletes-misreported`).",
    ),
    Loss(
        "An acknowledged INSERT of somebody else disappears",
        named(DEFECTS, "iceberg/insert-insert-misreported"),
        "Two writers that append, on a REST catalog that keeps no idempotency keys; the same answers as those after "
        "which an UPDATE deletes its manifest list.",
        "Rarer than that: another writer has to commit between the first sending and the second.",
        "A catalog with idempotency keys. To find it: `lakeproof autopsy` lists snapshots that no branch has.",
        (
            f"{FOUND}[iceberg/insert-insert-misreported]",
            f"{FAULTS}::test_misreported_insert_takes_another_writers_commit_out_of_the_table",
        ),
        Upstream(
            "",
            (*MISREPORTED[:1], ("apache/iceberg-go#976", "a retry that drops what others committed, in Go (closed)")),
            LOST_ANSWERS,
        ),
        "That a commit which was applied is answered as a conflict is known; that `main` is then moved back over "
        "another writer's commit was not found.",
    ),
    Loss(
        "A transaction's files are deleted after it was committed",
        Defect(
            "iceberg/transaction-reply-faults",
            "the whole table: manifest lists of its current snapshots are deleted",
            "one transaction with an operation that validates; the same faults",
            JAVA,
            ("iceberg/transaction-reply-faults-self-check",),
        ),
        "`Table.newTransaction` with an operation that validates, on a catalog that answers a commit which was applied "
        "with 409.",
        "As that of a single UPDATE: rare per commit.",
        "As there: idempotency keys.",
        (f"{TRANSACTIONS}::test_answers_to_a_transaction[409-after-refused-False]",),
        Upstream("apache/iceberg#12818", MISREPORTED[1:], LOST_ANSWERS[:1]),
        "Live the fault is at the `TableOperations` of the Java API, below which there is no HTTP: the schedule of the "
        "search is that of the REST client, so it is simulated only.",
    ),
    Loss(
        "One of two overwrites is lost",
        named(DEFECTS, "iceberg/overwrite-overwrite"),
        "`newOverwrite` of the Java API by a row filter, without `validateFromSnapshot` and the two conflict "
        "validations; and Spark's `DataFrame.overwrite`, whose `isolation-level` is null by default.",
        "Likely: two overwrites that overlap are enough. The documentation says that it takes an option.",
        "Set `isolation-level` and `validate-from-snapshot-id`, or all three validations in Java.",
        (
            f"{FOUND}[iceberg/overwrite-overwrite]",
            "tests/live/iceberg/test_java_api.py::test_overwrite_without_validation_loses_the_other_one"
            "[w1.load w2.load w1.commit w1.load w2.commit w2:end-rows0]",
            "tests/live/iceberg/test_data_frame_overwrites.py::test_what_it_asks_for[none, insert]",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg#4293", "isolation levels for `DataFrame.overwrite`, off unless they are set (merged)"),
                ("apache/iceberg#4369", "their documentation: null means no checks, for writes that may be repeated"),
            ),
            ("overwrite without validateFromSnapshot validation skipped concurrent overwrite lost data",),
        ),
        "By design of the interface: it is a loss of those who expect the validation to be on.",
    ),
    Loss(
        "Two transactions replace one file, and both contents stay",
        Defect(
            "iceberg/transaction-lost-update",
            "an acknowledged update: the row is there twice, with both values",
            "two transactions that replace one row's file by `deleteFile` and `addFile`, without validation; no fault",
            JAVA,
            ("iceberg/transaction-lost-update-snapshot",),
        ),
        "`newTransaction`, and in it a replacement of a file (`newOverwrite` by file) without a starting snapshot and "
        "without the validations.",
        "Likely where an engine is written on the Java API and leaves them out: the transaction as such keeps nobody "
        "away. No fault, no error.",
        "The validations of `snapshot` isolation in each operation of the transaction.",
        (f"{FOUND}[iceberg/transaction-lost-update]",),
        Upstream(
            "",
            (
                ("apache/iceberg#3199", "why overwrites by file have to validate, outside of transactions (merged)"),
                ("apache/hive#5386", "HIVE-28366: INSERT and INSERT OVERWRITE without validation, in Hive (merged)"),
            ),
            ("transaction validateFromSnapshot startingSnapshot second operation concurrent commit lost update",),
        ),
    ),
    Loss(
        "A transaction that validates from its own snapshot sees nothing",
        Defect(
            "iceberg/transaction-own-start",
            "an acknowledged delete: the transaction's second operation writes over it",
            "a transaction whose second operation validates from the snapshot of its first; no fault",
            JAVA,
            ("iceberg/transaction-begin-start",),
        ),
        "`newTransaction` with two operations, of which the second calls `validateFromSnapshot` with what "
        "`transaction.table().currentSnapshot()` gives: the snapshot of the first, which comes after whatever was "
        "committed meanwhile.",
        "Likely where an engine does so: any commit between the transaction's begin and its own one is overlooked. "
        "No fault, no error.",
        "Take the starting snapshot before the transaction begins.",
        (
            f"{FOUND}[iceberg/transaction-own-start]",
            f"{TRANSACTIONS}::test_transaction_that_validates_from_its_own_snapshot_misses_what_came_before",
        ),
        Upstream(
            "",
            (
                ("apache/iceberg#14509", "validations of one's own over what lies between base and commit (merged)"),
                ("apache/iceberg-python#3320", "a window of validation that begins too late, in Python (merged)"),
            ),
            ("transaction validateFromSnapshot startingSnapshot second operation concurrent commit lost update",),
        ),
    ),
    Loss(
        "Serializable isolation lets two updates swap two rows",
        Defect(
            "iceberg/write-skew-serializable-filter",
            "what either order would give: each row has the other one's old value",
            "two updates that each read another row than they write, and a conflict filter for the rows written; "
            "no fault",
            JAVA,
            ("iceberg/write-skew-serializable",),
        ),
        "Isolation level serializable, and a conflict detection filter that names the rows which are written: as Spark "
        "makes it of the condition of an UPDATE whose values come from elsewhere, and Trino of that of a MERGE.",
        "Likely for statements that read other rows than they write; few are such.",
        "A filter over all that was read (in Java), or one writer for such statements.",
        (f"{FOUND}[iceberg/write-skew-serializable-filter]",),
        Upstream(
            "trinodb/trino#31072",
            (("apache/iceberg#9050", "a MERGE of Spark whose filter an optimizer rule made too narrow (closed)"),),
            ("Spark UPDATE serializable isolation write skew conflict detection filter reads other rows",),
        ),
        "Reported of Trino. Live this is the Java API with that filter; no SQL statement was put through it.",
    ),
    *SQL_LOSSES,
    *EQUALITY_LOSSES,
    *REST_LOSSES,
    *CREATING_LOSSES,
    *JDBC_LOSSES,
    *HADOOP_LOSSES,
    *IN_HIVE_LOSSES,
    *RENAMING_LOSSES,
    *TIMED_LOSSES,
    *VECTOR_LOSSES,
    *SPEC_LOSSES,
    *STATISTICS_LOSSES,
    *MANAGING_LOSSES,
    *MANIFEST_LOSSES,
    *ROW_ID_LOSSES,
    Loss(
        "An overwrite that conflicts with nothing is refused for good",
        named(DEFECTS, "iceberg/replace-replace-old-delete"),
        "A table of format 2 with a delete file whose data file is gone, and two overwrites by file, or compactions, "
        "of other files at once.",
        "Rare: such delete files stay where data files are rewritten without their deletes. Nothing is lost, but the "
        "job fails each time that it loses the race.",
        "Rewrite the position deletes first (`rewrite_position_delete_files`), or run the job alone.",
        (f"{FOUND}[iceberg/replace-replace-old-delete]",),
        Upstream(
            "",
            (
                ("apache/amoro#2454", "the same message after a compaction; the cause is not named there"),
                ("apache/iceberg#16686", "the same check, for several threads of one commit (merged)"),
            ),
            ("Missing required files to delete retry old delete files dropped overwrite conflict",),
        ),
    ),
    Loss(
        "A roll-back takes commits with it that it has not seen",
        named(DEFECTS, "iceberg/roll-back-append"),
        "`manageSnapshots().rollbackTo` or `setCurrentSnapshot`, which Spark's procedures `rollback_to_snapshot` and "
        "`set_current_snapshot` call, on a table that others write to. Whatever they commit before the roll-back does "
        "is no ancestor of main any more: it is applied again to the table as it is then, and asks nothing about it.",
        "Likely where tables are rolled back without stopping their writers. No fault, no error; both are told that "
        "they succeeded.",
        "Stop the writers first. Afterwards look with `lakeproof autopsy`, which lists snapshots that no branch has; a "
        "lost append can be cherry-picked until it expires.",
        (f"{FOUND}[iceberg/roll-back-append]", f"{FOUND}[iceberg/call-roll-back-insert]"),
        Upstream(
            "",
            (
                ("apache/iceberg#695", "its review: the ancestry is looked at once, the last roll-back wins (merged)"),
                ("apache/paimon#6905", "a roll-back that names where main was is refused if it moved, Paimon (merged)"),
                ("apache/iceberg#16942", "`createOrReplace` drops others' snapshots on its retry (open)"),
            ),
            (
                "rollbackTo snapshot concurrent commit lost, SetSnapshotOperation retry isRollback not ancestor",
                "rollback_to_snapshot race with append data loss manageSnapshots concurrent writer",
            ),
        ),
    ),
    Loss(
        "A late alter of the Hive catalog overwrites a commit",
        named(DEFECTS, "iceberg/hive-lock-pause"),
        "The Hive catalog with its lock (`engine.hive.lock-enabled`, on by default), and a process that stands still "
        "between its last look at the lock and the alter, for longer than the lock lives without a heartbeat "
        "(`hive.txn.timeout`, 300 s).",
        "Rare: a pause of minutes, or a call that is held up that long. It has been met in production.",
        "Switch the lock off where the metastore has HIVE-26882: the expected location is compared then.",
        (),
        Upstream(
            "apache/iceberg#15446",
            (("apache/iceberg#14096", "an alter that is sent twice, of which the first one finishes late (open)"),),
            ("hive lock expired alter_table concurrent commit overwritten metadata_location lost snapshot",),
        ),
        "Simulated only: a live gate cannot make a lock expire in the time that a test has. A loss without the lock is "
        "reported, too, of an older release: apache/iceberg#11814 (open).",
    ),
    *PYICEBERG_LOSSES,
    *PYTHON_ALONE_LOSSES,
    *BRANCH_LOSSES,
    *METASTORE_LOSSES,
)  # fmt: skip
