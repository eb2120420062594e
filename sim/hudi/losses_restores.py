"""What restores of Hudi 1.2.0 lose, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.hudi.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

RACES = "tests/live/hudi/test_restore_races.py::test_found_schedule_does_the_same_to_the_real_hudi"
RESTORE_LOSSES: tuple[Loss, ...] = (
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
