"""What clustering that two carry out loses on Hudi 1.2.0 where there is a metadata table; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.hudi.loss_pages.metadata import RELEASE
from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream

TESTS = "tests/live/hudi/test_metadata_executors.py"
METADATA_EXECUTORS_LOSSES: tuple[Loss, ...] = (
    Loss(
        "Clustering that two carry out makes a table with a metadata table unreadable",
        Defect(
            "hudi/metadata-executors",
            "the table: no reader gets past a file that is gone; or rows, whose file is there, and is never listed",
            "two that carry out pending clustering at a time; no fault, and no error where its commit stands",
            RELEASE,
            ("hudi/metadata-executors-beat",),
        ),
        "A metadata table (`hoodie.metadata.enable`, on by default), table version 8 or 9, Spark; any concurrency "
        "control, lock provider and conflict strategy. Two clients that carry out pending clustering, as in "
        "`hudi/cluster-executors`: writers with inline clustering, jobs, or one that is started again while the first "
        "one is at work.",
        "As likely as that. Each executor announces a delta commit of the plan's instant when it has begun, and "
        "completes it within the lock, the second one over the first one's: both files are listed, and readers fail at "
        "the one that the other executor's rollback, or the cleaning up by markers at its commit, has deleted. Where "
        "both are there each row is there twice. If the first one commits after its rollback was planned, and before "
        "the metadata table is told of that, its commit stands, its file is there, and is not listed any more: no "
        "reader sees a row of it.",
        "Let one job alone carry out clustering (`hoodie.clustering.inline` false, "
        "`hoodie.clustering.schedule.inline` true), of which one is never started while another one may be at work. To "
        "read what is left, set `hoodie.metadata.enable` to false.",
        (
            f"{TESTS}::test_nobody_can_read_the_table_whose_listing_has_the_file_that_another_one_deleted",
            f"{TESTS}::test_no_reader_is_told_of_the_file_that_a_committed_executor_has_written",
            f"{TESTS}::test_all_rows_are_there_twice_when_both_complete_it",
            "tests/unit/hudi/test_metadata_executors.py::test_executors_of_one_instant",
        ),
        Upstream(
            "",
            (
                ("apache/hudi#13402", "delta commits that are announced when a service begins (open)"),
                (
                    "apache/hudi#10891",
                    "a metadata table that is invalid beside offline clustering, before 1.0 (closed)",
                ),
                ("apache/hudi#18012", "a heartbeat of who carries out a compaction (merged, in 1.2.0)"),
            ),
            (
                "hudi metadata table FileNotFoundException clustering executed twice concurrently same instant "
                "rollback inflight clustering deltacommit",
                "hudi streaming metadata writes clustering compaction startCommit rolling back already inflight commit "
                "in metadata table concurrent table service executors",
            ),
            "2026-11-28",
        ),
        "`HoodieBackedTableMetadataWriter.startCommit` rolls back what it finds of the instant, and so does the "
        "rollback of the plan; neither of them looks whether somebody is at it. The file of the inflight delta commit "
        "has content, and is renamed into its place: on a local disk over the other one's, on HDFS in vain, and nobody "
        "is told. On object stores, where it is created, the second one is refused; that is read off the code and "
        "simulated, and was not run.",
    ),
)
