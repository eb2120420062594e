"""What savepoints of Hudi 1.2.0 lose, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.hudi.defects import DEFECTS
from sim.hudi.loss_pages.cleaning import READERS, READERS_WORDS
from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream, named

RACES = "tests/live/hudi/test_savepoint_races.py::test_found_schedule_does_the_same_to_the_real_hudi"
VECTORS = "tests/live/hudi/test_cleaning.py::test_what_savepoints_keep"
BESIDE_A_CLEAN = "tests/live/hudi/test_savepoint_reads.py::test_query_beside_a_clean"
RESTORE = "tests/live/hudi/test_cleaning.py::test_a_restore_misses_the_partition_that_was_deleted[cleaned]"
SAVEPOINT_LOSSES: tuple[Loss, ...] = (
    Loss(
        "Cleaning deletes the partition that a savepoint was to keep",
        named(DEFECTS, "hudi/savepoint-partition"),
        "Any concurrency control, also one writer alone; the default cleaning policy. A savepoint, after it a "
        "partition that is deleted (`delete_partition`), or all of whose file groups are taken out otherwise, and a "
        "clean, once more commits have followed than are retained (`hoodie.clean.commits.retained`, 10).",
        "Certain wherever a partition is dropped while a savepoint holds it, and the table goes on being written to "
        "and cleaned: no race, no fault. It is the very case that a savepoint is made for. Nothing is told, neither "
        "then nor by a restore to the savepoint, which succeeds and leaves the rows of the partition out.",
        "Delete no partition while a savepoint of an earlier commit is to be of use; or turn automatic cleaning off "
        "(`hoodie.clean.automatic`) until the savepoint is deleted; or keep a copy of the partition's folder.",
        (f"{RACES}[savepoint-partition]", f"{VECTORS}[1: save0 d1 u2 clean]", RESTORE),
        Upstream(
            "",
            (
                ("apache/hudi#8506", "a deleted partition is cleaned by the policy, not at once (merged)"),
                ("apache/hudi#11600", "the folder goes with an insert that had begun before the plan (closed)"),
                ("apache/hudi#10651", "partitions of savepoints that were deleted are cleaned (merged)"),
            ),
            (
                "cleaner drop partition deletes savepointed files delete_partition clean savepoint partition folder",
                "savepoint partition deleted partitionsToBeDeleted restore missing data CleanPlanner toDeletePartition",
            ),
            "2026-11-24",
        ),
        "The plan leaves the files of the savepoint out one by one, and names their folder beside them.",
    ),
    Loss(
        "A clean that is being planned deletes what a savepoint names",
        named(DEFECTS, "hudi/savepoint-clean"),
        "Any concurrency control, lock provider and conflict strategy: a savepoint, and the plan of a clean, look at "
        "the table without the lock. A savepoint of an older commit, as by `create_savepoint` with a commit time, and "
        "a table that others write and clean; or one of the newest commit, outrun by more commits than are retained.",
        "Small: the savepoint has to begin before the plan is announced, and to end after the plan has been made, "
        "which is a matter of seconds on a large table; and it has to be of a commit that is just then leaving the "
        "window of what is retained. Nothing is told: the files are gone that a restore would go back to.",
        "Pause cleaning while a savepoint is made, or make savepoints of the newest commit only; afterwards look "
        "whether the files that the savepoint names exist.",
        (f"{RACES}[savepoint-clean]",),
        Upstream(
            "",
            (
                ("apache/hudi#8105", "HUDI-5881: a clean that is planned already counts (merged)"),
                ("apache/hudi#13660", "HUDI-9675: and one without an earliest commit (merged)"),
            ),
            (
                "cleaner deletes files of savepoint, concurrent clean plan created before savepoint, restore fails",
                "savepoint race with cleaner lock SavepointActionExecutor pending clean plan not visible",
            ),
            "2026-11-24",
        ),
        "With HUDI-5881 a savepoint minds a clean that is announced; one that is still being planned it cannot see.",
    ),
    Loss(
        "A savepoint is made of a commit whose files cleaning has deleted",
        named(DEFECTS, "hudi/savepoint-versions"),
        "Any concurrency control, also one writer alone; cleaning that counts slices "
        "(`hoodie.clean.policy=KEEP_LATEST_FILE_VERSIONS`, which `hoodie.clean.fileversions.retained` alone brings "
        "about); a savepoint of an older commit, as by `create_savepoint` with a commit time.",
        "Certain, without a race or a fault: any commit that is on the active timeline can be saved, and of each file "
        "group that was changed often enough since then the savepoint names nothing. It says that it was made. A "
        "restore to it succeeds, and leaves out what is not named. While such a clean is pending no savepoint can be "
        "made at all: the call ends in a NullPointerException.",
        "Make savepoints of the newest commit only where cleaning counts slices; before a restore, compare the files "
        "that the savepoint names with the table's file groups.",
        (f"{RACES}[savepoint-versions]", f"{VECTORS}[v1: u1 clean save1]", f"{VECTORS}[v1: u1 u1 plan save0]"),
        Upstream(
            "apache/hudi#13660",
            (("apache/hudi#8105", "HUDI-5881: a clean that is planned already counts (merged)"),),
            ("savepoint KEEP_LATEST_FILE_VERSIONS earliestCommitToRetain clean savepoint allowed on cleaned commit",),
            "2026-11-25",
        ),
        "HUDI-9675 was to refuse it, and is in 1.2.0: it looks for what the last clean retains to be missing. A "
        "completed clean has an empty text there, which is before every commit, so that nothing is refused; a pending "
        "one has nothing, at which the look itself fails.",
    ),
    Loss(
        "A query that is run after a clean reads what a savepoint keeps, in place of what was there when it was made",
        Defect(
            "hudi/savepoint-read",
            "a query's answer: rows as they were before updates that were acknowledged when it was made",
            "a query that is made before a clean and run after it, beside a savepoint; no fault, no error",
            "Hudi 1.2.0",
            ("hudi/savepoint-read-fenced",),
        ),
        "Copy-on-write tables without a metadata table, any concurrency control, lock provider and policy of cleaning; "
        "a savepoint of an older commit.",
        "A query loads the timeline when it is made (`spark.read.format('hudi').load(...)`) and lists files when it is "
        "run. Who keeps one for longer than slices are retained (`hoodie.clean.commits.retained`, 10) is to expect "
        "that it fails, as many issues tell of files that are gone. But where the clean comes before the list nothing "
        "fails: the newest slice that is left and that the timeline knows is taken, which is what the savepoint keeps.",
        "Make queries anew where they are run; retain more than the longest time between the two.",
        (f"{BESIDE_A_CLEAN}[with a savepoint]",),
        Upstream("", READERS, READERS_WORDS, "2026-11-27"),
        "Without a savepoint it is `hudi/clean-reader`.",
    ),
)
