"""What log compaction on Hudi 1.2.0 loses, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream

LIVE = "tests/live/hudi/test_log_compaction.py"
FOUND = f"{LIVE}::test_found_schedule_does_the_same_to_the_real_hudi"
SERVICE = ("apache/hudi#5958", "log compaction, as it was made (merged, in 0.13.0)")
SINCE = "2026-11-26"
LOG_COMPACTION_LOSSES: tuple[Loss, ...] = (
    Loss(
        "A log compaction changes an acknowledged update back, and mixes up partial ones",
        Defect(
            "hudi/mor-logs-older",
            "an acknowledged update of a row, for the value before it",
            "an upsert that begins before another one of its file group is committed, and is committed after it; log "
            "compaction of what is around it; no fault, no error",
            "Hudi 1.2.0",
            ("hudi/mor-logs-preferring",),
        ),
        "Merge-on-read tables with log compaction (`hoodie.log.compaction.inline`, or `scheduleLogCompaction` and "
        "`logCompact` of the client), optimistic concurrency control with the default conflict strategy, any lock "
        "provider; rows in the order of commits. The two upserts change other rows of one file group.",
        "As for the older instant's update: small in one `df.write`, large for who computes or waits for the lock "
        "between `startCommit` and `upsert`. But here the two need not change the same row, and what is lost may have "
        "been read before: the compacted block is merged in the place of the last block that it is made of, and so "
        "over the update whose instant is between two of them. The next compaction makes it so for good.",
        "`hoodie.write.lock.conflict.resolution.strategy` PreferWriterConflictResolutionStrategy, which refuses the "
        "older one; or no log compaction, which is off by default.",
        (f"{FOUND}[mor-logs-older]", f"{LIVE}::test_slices_and_rows[1,2: 1=A +x 2=B lplan lrun x:1=C x! plan run]"),
        Upstream(
            "",
            (
                (SERVICE[0], "a reviewer: all blocks before a compacted one have to be in it, or it is wrong (merged)"),
                ("apache/hudi#5041", "RFC-48, whose scenarios have one writer (merged)"),
            ),
            (
                "hudi log compaction concurrent writer log block ordering compacted block COMPACTED_BLOCK_TIMES older "
                "value multi-writer",
                "apache hudi log compaction data loss logcompaction rollback compacted log block reader",
            ),
            SINCE,
        ),
        "It needs no gate: one thread that makes the calls of two clients in that order does it, too. Beside that, and "
        "without a second writer, log compaction loses partial updates, which are not simulated: after `MERGE INTO` "
        "statements of one column each, by default partial updates, the value of one row's column `v` is found in "
        "column `w`, and the update of `v` is gone; after an update of another row it is gone; or the statement says "
        "that it failed, and is committed. Live tests have all three "
        f"(`{LIVE}`); no issue was found that tells of it.",
    ),
    Loss(
        "A restore beside a pending log compaction cannot be ended, and nobody writes any more",
        Defect(
            "hudi/mor-restore-logs",
            "the table: no write begins on it any more",
            "a restore when a log compaction is planned, and a compaction has been since; no fault",
            "Hudi 1.2.0",
            ("hudi/mor-restore-logs-taken-back",),
        ),
        "Merge-on-read tables with log compaction; any concurrency control, lock provider and conflict strategy; a "
        "restore to a savepoint (`restoreToSavepoint`, `call rollback_to_savepoint`).",
        "Certain if a log compaction is pending when somebody restores, whoever is at work: its executor was started "
        "later, died, or was refused because a compaction had been planned since, after which it stays planned for "
        "good. The restore is to roll it back, and knows no action of that name: `invalid action name logcompaction`. "
        "It stays inflight, each further one goes on with it and fails in the same way, and who starts a write is "
        "refused beside it. Nothing of it has been done by then.",
        "See that no log compaction is pending before a restore: let `logCompact` carry it out, which rolls one back "
        "that is inflight. One that is too late goes with its `.logcompaction.requested` file in `.hoodie/timeline`, "
        "by hand.",
        (f"{FOUND}[mor-restore-logs]", f"{LIVE}::test_slices_and_rows[1,1: save 1=A lplan restore]"),
        Upstream(
            "",
            (
                SERVICE,
                ("apache/hudi#872", "restores take planned compactions back (merged, 2019)"),
                ("apache/hudi#7605", "a restore that failed half-way is gone on with (merged)"),
            ),
            ("hudi restore savepoint pending logcompaction invalid action name MergeOnReadRestoreActionExecutor",),
            SINCE,
        ),
        "While nothing else is wrong with the plan, `logCompact` helps: then two more restores end where they are to.",
    ),
    Loss(
        "A log compaction that is at work is rolled back by the next one, and committed",
        Defect(
            "hudi/mor-logs-taken",
            "the log file of a log compaction that is committed; its rows are still in the log files before it",
            "two that carry out pending log compactions; no fault",
            "Hudi 1.2.0",
            ("hudi/mor-logs-taken-beat",),
        ),
        "Merge-on-read tables, optimistic concurrency control, any lock provider and conflict strategy; two clients "
        "with `hoodie.log.compaction.inline`, each of which carries out what is pending, or a job beside one.",
        "Likely where two do so: unlike a compaction, a log compaction has no heartbeat, and who finds one inflight "
        "takes it for dead and rolls it back, with its plan. Most often its executor fails then at its commit. If it "
        "commits between the look and the rollback, an instant is completed and rolled back, and what it wrote goes. "
        "Readers that list files go on with the log files that it was made of.",
        "Let one job alone carry out log compactions, of which one is never started beside another.",
        (f"{FOUND}[mor-logs-taken]",),
        Upstream(
            "apache/hudi#18305",
            (
                ("apache/hudi#10965", "the same for compactions and log compactions, two years before (open)"),
                ("apache/hudi#18012", "a heartbeat of who carries out a compaction (merged, in 1.2.0)"),
            ),
            ("hudi log compaction heartbeat concurrent execution rollback inflight log compaction multi-writer",),
            SINCE,
        ),
        "No row is lost by it where files are listed.",
    ),
)
