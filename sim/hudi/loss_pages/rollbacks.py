"""What rollbacks of writes that were only requested lose in Hudi 1.2.0, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.hudi.loss_pages.restores import ORPHANS
from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream

LIVE = (
    "tests/live/hudi/test_rollback_races.py::test_overwrite_beside_a_rollback_makes_the_real_table_unreadable",
)  # fmt: skip
UNPLANNED = "tests/live/hudi/test_inflight_replacements.py"
ROLLBACK_LOSSES: tuple[Loss, ...] = (
    Loss(
        "A rollback of an overwrite that becomes inflight makes the table unreadable",
        Defect(
            "hudi/rollback-overwrite",
            "the table: nobody reads it, writes to it or cleans it any more",
            "an overwrite or a deletion of a partition whose heartbeat ends before it is inflight, and a cleaner",
            "Hudi 1.2.0",
            ("hudi/rollback-overwrite-skipped",),
        ),
        "Lazy rollbacks of failed writes, as with any concurrency control of several writers; any lock provider, "
        "conflict strategy and table type; a writer who overwrites (`insert_overwrite`, `insert_overwrite_table`) or "
        "deletes a partition.",
        "Small. The heartbeat has to end while the overwrite is announced and not inflight yet: one write of it that "
        "storage refuses is enough, or a process that stands still, for two minutes by default; an overwrite is "
        "announced before its rows are computed. A cleaner has to look then, and the writer to go on before the "
        "rollback, which may wait for the lock twice, has deleted the requested file: it deletes that file alone, for "
        "it goes by the state that it saw before it asked for the lock. The writer, who looks at its heartbeat "
        "only when it commits, is refused there, and its inflight file stays. From then on Spark's reads, writes, "
        "cleans and plans fail with `Error reading clustering plan`, so that no rollback takes it away.",
        "Keep heartbeats alive for longer than a writer may stand still, by more misses "
        "(`hoodie.client.heartbeat.tolerable.misses`). If it has happened: delete the inflight file whose requested "
        "file is not there from `.hoodie/timeline`, by hand; Hudi has no call for it.",
        LIVE,
        Upstream(
            "",
            (
                ("apache/hudi#11917", "a requested file of a replacement that is gone, beside rollbacks (open)"),
                ("apache/hudi#7057", "the same error of pending clustering, with several writers (open)"),
                *ORPHANS[2:3],
                ORPHANS[0],
            ),
            (
                "Error reading clustering plan inflight replacecommit without requested file rollback deleted "
                "requested FileNotFoundException replacecommit.requested",
                "lazy clean rollback expired heartbeat replacecommit inflight left without requested file table "
                "unreadable",
            ),
            "2026-11-26",
        ),
        "An upsert that is rolled back so keeps its inflight file as well, and nothing but the next rollback fails, "
        "once. Of its data files those stay that it has written before the rollback deletes its markers. hudi-rs "
        "reads no plans, and reads the table.",
    ),
    Loss(
        "An overwrite that failed is never rolled back where rollbacks list files, and no restore ends beside one",
        Defect(
            "hudi/overwrite-listed",
            "nothing; but a failed overwrite stays, and no clean goes by it, and no restore ends",
            "an overwrite or a deletion of a partition that is refused when it commits, or dies; no fault is needed",
            "Hudi 1.2.0",
            ("hudi/overwrite-listed-unread",),
        ),
        "Tables of version 8 or 9, of either type; any lock provider and conflict strategy; a writer who overwrites "
        "(`insert_overwrite`, `insert_overwrite_table`) or deletes a partition, and is inflight. Rollbacks that list "
        "files (`hoodie.rollback.using.markers` false; by default they go by markers), or a restore to a savepoint "
        "(`restoreToSavepoint`, `call rollback_to_savepoint`), which always lists.",
        "Certain once such a write is inflight when somebody rolls it back so. When it became inflight it has written "
        "what it is to do as any write does, `HoodieCommitMetadata`; a rollback by listing reads that as "
        "`HoodieReplaceCommitMetadata`, finds no map of replaced file groups, and ends with a NullPointerException "
        "(`Generating rollback requests failed`) before anything is planned. Each clean fails so from then on, before "
        "it cleans anything. A restore stays inflight, and who starts a write is refused beside it. If the writer "
        "goes on and commits, the next restore takes its commit back.",
        "Roll back by markers, which is the default: a clean then takes the write away, and a restore that was "
        "stopped by it can be gone on with.",
        (
            f"{UNPLANNED}::test_clean_fails_at_what_is_inflight_if_it_lists[listed]",
            f"{UNPLANNED}::test_restore_fails_at_what_is_inflight[overwrite-copy-on-write]",
        ),
        Upstream(
            "",
            (
                ("apache/hudi#5090", "empty plans of overwrites, which failed with such an exception (merged)"),
                ("apache/hudi#6130", "overwrites of several writers, which did so at the commit (merged)"),
            ),
            (
                "hudi restore rollback inflight replacecommit NullPointerException getPartitionToReplaceFileIds null "
                'insert overwrite "Generating rollback requests failed"',
                "convertReplaceCommitMetadataToPojo NPE inflight insert_overwrite metadata HoodieCommitMetadata "
                "listing based rollback",
            ),
            "2026-11-27",
        ),
        "Plans of clustering are not met by it: their inflight files are empty.",
    ),
)
