"""What rollbacks of writes that were only requested lose in Hudi 1.2.0, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.hudi.losses_restores import ORPHANS
from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream

LIVE = (
    "tests/live/hudi/test_rollback_races.py::test_overwrite_beside_a_rollback_makes_the_real_table_unreadable",
)  # fmt: skip
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
)
