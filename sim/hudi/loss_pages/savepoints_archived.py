"""What is lost on Hudi 1.2.0 where somebody archives beside a savepoint; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream

TESTS = "tests/live/hudi/test_savepoints_archived.py"
RELEASE = "Hudi 1.2.0"
SINCE = "2026-11-28"
VECTOR = "tests/live/hudi/test_cleaning.py::test_what_archiving_leaves[1 1 2: u1 u1 u2 look save2 archive]"
RESTORED = "tests/live/hudi/test_cleaning.py::test_a_restore_to_a_commit_that_was_archived_fails"
UPSERTED = (
    "tests/live/hudi/test_cleaning.py::test_an_upsert_of_a_table_that_was_archived_as_a_whole_adds_its_row_once_more"
)
NEAREST = (
    ("apache/hudi#7615", "the timeline is loaded again before something is archived, for another reason (closed)"),
    ("apache/hudi#6239", "no restore where archiving may pass savepoints, for their commits are gone then (merged)"),
    ("apache/hudi#8105", "HUDI-5881: a savepoint minds a clean that is planned; archiving is not named (merged)"),
    ("apache/hudi#10244", "HUDI-7172: several archivers at once (merged)"),
)
WORDS = (
    "hudi archival removes savepoint commit race, savepoint commit archived, restore to savepoint fails commit not on "
    "timeline",
    "hudi archiver stale timeline lock reload active timeline archiveIfRequired concurrent savepoint",
    "hudi table returns empty after rollback to savepoint, archive timeline concurrent, no completed commits",
)
TABLE = (
    "Any concurrency control, lock provider and conflict strategy; table version 8 or 9, copy-on-write; a table that "
    "is archived, which is the default after each commit (`hoodie.archive.automatic`), and a savepoint of a commit "
    "that is just then leaving what is kept (`hoodie.keep.min.commits`, 20): one of an older commit, as by "
    "`create_savepoint` with a commit time. Metadata tables hold archiving back further."
)
SAVEPOINT_ARCHIVED_LOSSES: tuple[Loss, ...] = (
    Loss(
        "A savepoint is made of a commit that is being archived",
        Defect(
            "hudi/archive-savepoint",
            "what a savepoint is for: nobody can restore to it",
            "a savepoint of an older commit, and somebody who archives meanwhile; no fault, no error",
            RELEASE,
            ("hudi/archive-savepoint-locked",),
        ),
        TABLE,
        "Small: the savepoint has to look at the table before its commit is archived, and to end after who archives "
        "has looked for savepoints, which is before that one waits for the lock. Both are told that all is well. A "
        "restore to it then takes back what has completed since the savepoint itself, but not what completed between "
        "the commit and the savepoint, and fails. As long as the savepoint stays, nothing is archived any more.",
        "Make savepoints of the newest commit; or turn automatic archiving off while one is made of an older commit. "
        "Before a restore, look whether the savepoint's commit is on the active timeline.",
        (f"{TESTS}::test_the_commit_of_a_savepoint_is_archived", VECTOR, RESTORED),
        Upstream("", NEAREST, WORDS, SINCE),
        "`TimelineArchiverV2.archiveIfRequired` takes the lock, and chooses by the table that was opened before; the "
        "savepoint's executor has no lock when it looks for its commit. Either is enough.",
    ),
    Loss(
        "What was restored is archived, and the table is empty",
        Defect(
            "hudi/archive-restored",
            "sight of all rows of the table",
            "a savepoint of an older commit, and a restore to it, while somebody waits for the lock to archive; no "
            "fault, no error",
            RELEASE,
            ("hudi/archive-restored-locked",),
        ),
        f"{TABLE} A restore to it (`restoreToSavepoint`, `call rollback_to_savepoint`) before whoever archives has the "
        "lock.",
        "Small: both the savepoint and the restore have to come between a look at the timeline and the lock of one who "
        "archives, so it takes one that waits for long: behind a slow holder of the lock, or standing still. It is "
        "told that it has archived, the restore that it has succeeded. The active timeline has no commit then: Spark "
        "reads a table without rows, and without columns. The data files are there.",
        "Stop all writers before a restore, those that archive among them, and wait until none of them is left.",
        (f"{TESTS}::test_what_was_restored_is_archived_and_the_table_is_empty", UPSERTED),
        Upstream("", NEAREST, WORDS, SINCE),
        "The next commit makes the rows visible again, for what is older than the first one of the active timeline is "
        "taken for archived. If it is an upsert, it has not found the rows that it was to change, and adds its own "
        "beside them: keys are there twice then.",
    ),
)
