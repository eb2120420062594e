"""What restores of Hudi 1.2.0 lose, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.hudi.defects import DEFECTS
from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream, named

RACES = "tests/live/hudi/test_restore_races.py::test_found_schedule_does_the_same_to_the_real_hudi"
RACE = "tests/live/hudi/test_restore_races.py::test_overwrite_beside_a_restore_makes_the_real_table_unreadable"
NAMED = "tests/live/hudi/test_restore_races.py::test_what_a_savepoint_names_is_deleted_by_the_restore_to_it"
LOGS = "tests/live/hudi/test_restored_logs.py::test_found_schedule_makes_the_real_table_unreadable"
ORPHANS = (
    ("apache/hudi#565", "rollback of inflight compactions deletes no instant file, to avoid races (merged, 2019)"),
    ("apache/hudi#4772", "a restore takes pending clustering back first (merged)"),
    ("apache/hudi#18288", "a plan of clustering that somebody rolls back while another one reads it (in 1.2.0)"),
    ("apache/hudi#19226", "rollback of compactions that are only requested (closed)"),
)
ORPHAN_WORDS = (
    "restore inflight replacecommit without requested file Error reading clustering plan table unreadable",
    "Could not read commit details compaction.requested missing inflight compaction FileNotFoundException after "
    "restore or rollback",
)
NAMED_WORDS = (
    "restore to savepoint rolls back commit that completed after savepoint instant but before savepoint was created",
    "savepoint metadata latest file slices before or on instant completion time restore deletes savepointed data files",
)
BY_HAND = (
    "Stop all writers and services before a restore, and wait until nothing is pending. If it has happened: delete the "
    "inflight file whose requested file is not there from `.hoodie/timeline`, by hand; Hudi has no call for it."
)
RESTORE_LOSSES: tuple[Loss, ...] = (
    Loss(
        "An overwrite beside a restore makes the table unreadable",
        Defect(
            "hudi/restore-overwrite",
            "the table: nobody reads it, writes to it or cleans it any more",
            "an overwrite or a deletion of a partition that becomes inflight beside a restore; no fault, no error",
            "Hudi 1.2.0",
            ("hudi/restore-overwrite-skipped",),
        ),
        "Any concurrency control, lock provider, conflict strategy and table type; a restore to a savepoint "
        "(`restoreToSavepoint`, `call rollback_to_savepoint`), and a writer who overwrites (`insert_overwrite`, "
        "`insert_overwrite_table`) or deletes a partition, and does not know of it.",
        "Small, and a question of operation, as with any write beside a restore; but what is at stake are not the rows "
        "that are restored, it is all of the table. The writer has to be announced before the restore plans, and to "
        "become inflight after that: for as long as it looks for keys, or waits for Spark. Of what was only requested "
        "when it planned a restore deletes the requested file alone. From then on Spark's reads, writes, cleans and "
        "plans fail with `Error reading clustering plan`, for they take each replacement that is pending for "
        "clustering, and ask for its plan; what is left of the failed write is not rolled back, as that asks first.",
        BY_HAND,
        (RACE,),
        Upstream("", ORPHANS, ORPHAN_WORDS, "2026-11-26"),
        "The restore succeeds. The writer is refused at its commit; if it is not, its commit stands, and all can be "
        "read again. hudi-rs reads no plans, and reads the table.",
    ),
    Loss(
        "A restore deletes what its savepoint names",
        Defect(
            "hudi/restore-named",
            "rows that were committed before the savepoint, and that it names",
            "two writers of which the one that began first commits last; then a savepoint and a restore to it; no "
            "fault, no error",
            "Hudi 1.2.0",
            ("hudi/restore-named-kept",),
        ),
        "Any concurrency control, lock provider and conflict strategy; tables of version 8 and 9 (timeline layout 2); "
        "a savepoint of the newest commit, as `savepoint()` without an instant and most callers make it, and a restore "
        "to it.",
        "It needs no race at the restore: it is enough that of the writes before the savepoint the last one that "
        "committed is not the one that began last, as is usual with several writers. The savepoint is named after the "
        "commit of the largest instant, and its list has every file that is visible by then. A restore takes back "
        "whatever completed after that commit did, and so the other write, whose files are in the list. It says that "
        "it has succeeded.",
        "Make savepoints when no writer is at work, and of the commit that completed last; before a restore compare "
        "its list of files (`.hoodie/timeline/*.savepoint`) with the completion times on the timeline.",
        (NAMED,),
        Upstream(
            "",
            (
                ("apache/hudi#13653", "HUDI-9667: restores go by completion times (merged)"),
                ("apache/hudi#8364", "HUDI-6007: savepoints name log files, too (merged)"),
            ),
            NAMED_WORDS,
            "2026-11-26",
        ),
        "An insert that commits beside the restore loses its files, as told of `hudi/restore-beside`.",
    ),
    Loss(
        "A compaction beside a restore makes the table unreadable",
        named(DEFECTS, "hudi/mor-restore-compact"),
        "Merge-on-read tables; any concurrency control, lock provider and conflict strategy; a restore to a savepoint, "
        "and a service that compacts and does not know of it.",
        "Larger than with writers: services run on a schedule, and nothing tells them of a restore; neither who plans "
        "a compaction nor who carries one out looks for one. The plan has to be there when the restore plans, and the "
        "executor has to begin when it has looked at the timeline: of the compaction the requested file goes alone. "
        "The inflight file stays, and the compaction fails if log files that it was to merge have been taken back. "
        "From then on reads, writes and plans fail with `Could not read commit details from ...compaction.requested`.",
        BY_HAND,
        (LOGS,),
        Upstream("", ORPHANS, ORPHAN_WORDS, "2026-11-26"),
        "A compaction that is planned between the restore's look at the timeline and its plan is in no plan: it merges "
        "what is taken back, and the restore says that it did not end where it was to. Then a second restore takes the "
        "compaction back (scenario `hudi/mor-restore-once`).",
    ),
    Loss(
        "A write beside a restore brings back what the restore has taken back",
        named(DEFECTS, "hudi/restore-beside"),
        "Any concurrency control, lock provider and conflict strategy; copy-on-write tables, played without metadata "
        "table; a restore to a savepoint (`restoreToSavepoint`, `call rollback_to_savepoint`), and a writer that does "
        "not know of it.",
        "Small, and a question of operation: restores are made by hand, as a rule with writers stopped. New writes "
        "are refused while a restore is pending, but by the timeline that they loaded before they asked for the lock,"
        " and a restore plans by the one that it loaded before it asked. So a write that begins while the restore "
        "waits for the lock is in no plan, and one that waits while the restore is planned is not refused; of one "
        "that is announced by then, and inflight when its turn comes, only the requested file goes. Nobody looks for "
        "restores when he commits. Such a write has to read the slice before that is deleted, and to commit when the "
        "restore has ended: then both are told that they succeeded.",
        "Stop all writers, wait until no write is pending, and restore then; afterwards look whether a commit is on "
        "the timeline that is later than the savepoint.",
        (RACES,),
        Upstream(
            "",
            (
                ("apache/hudi#7948", "HUDI-5794: new writes are refused beside a pending restore (merged)"),
                ("apache/hudi#13269", "HUDI-9387: by the timeline from before the lock since then (merged)"),
                ("apache/hudi#13653", "HUDI-9667: restores go by completion times (merged)"),
            ),
            (
                "restore to savepoint concurrent writer commits after restore, rolled back data reappears, pending "
                "restore startCommit check stale timeline",
                "restoreToSavepoint ongoing ingestion inflight commit not rolled back Found pending restore in active "
                "timeline",
            ),
            "2026-11-25",
        ),
        "A write that is inflight when the restore is planned, and committed before its turn comes, loses its files "
        "and stays on the timeline. Then the restore says that it did not end where it was to, and a second one takes"
        " that write back.",
    ),
)
