"""What is lost on Hudi 1.2.0 when a restore takes back a write that goes on, and archiving follows; see
`sim.hudi.losses`."""

from __future__ import annotations

from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream

TESTS = "tests/live/hudi/test_restores_archived.py"
RELEASE = "Hudi 1.2.0"
SINCE = "2026-11-27"
BESIDE = (
    "a write that has begun before a restore, and goes on to its commit, which is refused; the savepoint is deleted, "
    "and commits follow, enough to archive that time; no fault"
)
FENCE = ("apache/hudi#7948", "HUDI-5794: new writes are refused beside a pending restore (merged)")
OPERATION = (
    "A question of operation: restores are to be made when no writer is at work. A job that was forgotten, or that "
    "somebody believes to be dead, is enough, with all settings as by default but that clients may be at work side by "
    "side (LAZY). It is told that its commit failed, and nothing else seems to be wrong, until archiving has passed "
    "its instant, which a savepoint holds back for as long as it is there. "
)
RESTORE_ARCHIVED_LOSSES: tuple[Loss, ...] = (
    Loss(
        "What a restore has taken back is read once its instant is older than the active timeline",
        Defect(
            "hudi/restore-archived",
            "a row, for one of a write that was taken back and refused",
            BESIDE,
            RELEASE,
            ("hudi/restore-archived-fixed",),
        ),
        "Any concurrency control with several writers, lock provider and conflict strategy; a restore to a savepoint "
        "(`restoreToSavepoint`, `call rollback_to_savepoint`); a table that is archived, which is the default after "
        "each commit; files that are found by listing folders (`hoodie.metadata.enable` false).",
        f"{OPERATION}The restore lists the files of a pending write once; what that writes later stays, and is in no "
        "plan of anybody. It is read instead of what the restore was to leave, unless its file group has been written "
        "since.",
        "Stop all writers before a restore, and wait until nothing is pending. If it has happened: look for data files "
        "of instants that neither the timeline nor the archived one has (`HoodieRepairTool` does) before they are "
        "archived.",
        (f"{TESTS}::test_who_was_taken_back_is_read_when_others_have_archived",),
        Upstream(
            "",
            (
                ("apache/hudi#18783", "files left by rollbacks are read after archival; not reproduced there (closed)"),
                FENCE,
            ),
            (
                "restore savepoint concurrent inflight writer leftover data file visible after archival rolled back "
                "instant",
            ),
            SINCE,
        ),
        "As `hudi/archive-rolled-back` tells it of rollbacks, which take a heartbeat that ends; a restore asks for no "
        "heartbeat, and so needs no fault.",
    ),
    Loss(
        "A writer that a restore has taken back makes the table unreadable later",
        Defect(
            "hudi/metadata-restore-archived",
            "the table: no reader and no writer of the file group gets past a file that is gone",
            BESIDE,
            RELEASE,
            ("hudi/metadata-restore-archived-fenced",),
        ),
        "A metadata table (`hoodie.metadata.enable`, on by default), table version 8 or 9; any concurrency control "
        "with several writers, lock provider and conflict strategy; a restore to a savepoint, and a table that is "
        "archived, as by default after each commit.",
        f"{OPERATION}From then on every read fails, and every upsert that meets the file group. It is not mended by a "
        "compaction of the metadata table, which writes the name down.",
        "Read with `hoodie.metadata.enable` false, and let Hudi delete the metadata table "
        "(`HoodieTableMetadataUtil.deleteMetadataTable`; not by hand: then no writer can begin): the next write makes "
        "it anew, from the files. Stop all writers before a restore.",
        (f"{TESTS}::test_who_was_taken_back_makes_the_table_unreadable_when_others_have_archived",),
        Upstream(
            "",
            (
                ("apache/hudi#8604", "what a retried instant has left there is rolled back (merged)"),
                ("apache/hudi#4747", "files are not found with a metadata table, in 0.9 (closed)"),
                FENCE,
            ),
            (
                "hudi restore savepoint concurrent writer metadata table lists file that does not exist "
                "FileNotFoundException after archival inflight does not exist",
                "hudi metadata table deltacommit written before data table commit fails, restore rolled back instant, "
                "stale file in files partition",
            ),
            SINCE,
        ),
        "The commit writes to the metadata table first, and looks for its own inflight file when it makes the "
        "completed one. A restore takes out of the metadata table what is not there, but has ended by then; another "
        "restore would do so again. `hudi/metadata-archived` is the same after a rollback, which takes a process that "
        "stands still.",
    ),
)
