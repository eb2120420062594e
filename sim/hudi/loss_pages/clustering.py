"""What clustering on Hudi 1.2.0 loses, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.hudi.defects import DEFECTS
from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream, named

RELEASE = "Hudi 1.2.0"
FOUND = "tests/live/hudi/test_clustering_races.py::test_found_schedule_does_the_same_to_the_real_hudi"
BESIDE = "tests/live/hudi/test_clustering.py::test_clustering_beside_another_write"
TOLD = (
    ("apache/hudi#18830", "an overwrite beside pending clustering of its file groups (open)"),
    ("apache/hudi#18280", "clustering that waits for writes which are requested (merged)"),
)
PLANNED = "apache/hudi#9472"
"""Closed and not merged: a plan that is made before a deletion of its partition commits."""
EXECUTORS = "tests/live/hudi/test_clustering_executors.py"
WORDS = (
    "hudi clustering concurrent delete_partition deleted data reappears replacecommit conflict resolution",
    "hudi clustering PreferWriterConflictResolutionStrategy inflight delete partition pending replacecommit data comes "
    "back",
)
CALLS = (
    "It needs no gate: one thread that makes the calls of two clients in that order does it, too "
    "(`tests/vectors/hudi_clustering.txt`)."
)
TAKEN_BACK = "tests/live/hudi/test_clustering_taken_back.py"
MORE = (
    " More, live, and not simulated: where updates take pending clustering back "
    "(`hoodie.clustering.rollback.pending.replacecommit.on.conflict`, with `SparkAllowUpdateStrategy`), an upsert that "
    "has deleted the files of a clustering which commits then takes all of its rows with it: readers see none of them, "
    "and no error. One that takes a plan back while somebody makes it inflight leaves a table that nobody can read."
)
CLUSTERING_LOSSES: tuple[Loss, ...] = (
    Loss(
        "Clustering brings back a partition that was deleted",
        named(DEFECTS, "hudi/cluster-delete"),
        "Optimistic concurrency control with the default conflict strategy, any lock provider; `delete_partition`, "
        "and clustering of the partition, inline, asynchronous or of a job of its own.",
        "Certain if the plan is made after the deletion has named its file groups, and before it commits: neither of "
        "the two compares when it commits, whichever is the last one. A deletion that begins while a plan is pending "
        "is refused. No fault, no error.",
        "No clustering of a partition while it is deleted. `PreferWriterConflictResolutionStrategy` helps if the "
        "deletion commits first, for then clustering is refused, and not if it commits last.",
        (
            f"{FOUND}[cluster-delete]",
            f"{BESIDE}[simple: d.replace d.delete c.plan d.commit c.cluster]",
            f"{TAKEN_BACK}::test_all_rows_go_with_the_file_of_a_committed_clustering",
            f"{TAKEN_BACK}::test_nobody_reads_a_table_whose_clustering_was_taken_back_when_it_became_inflight",
        ),
        Upstream(
            PLANNED,
            (*TOLD, ("apache/hudi#3869", "an upsert that takes pending clustering back, as an option (merged)")),
            WORDS,
            "2026-11-26",
        ),
        CALLS + MORE,
    ),
    Loss(
        "Clustering that gives way to writers brings back a partition, too",
        Defect(
            "hudi/cluster-delete-prefer-writer",
            "an acknowledged deletion of a partition: its rows are back",
            "clustering that commits while the deletion is pending; no fault, no error",
            RELEASE,
            ("hudi/cluster-delete-compared",),
        ),
        "As before, with `PreferWriterConflictResolutionStrategy`, under which clustering compares with what is "
        "inflight: of a deletion that is the file groups which it writes, and it writes none.",
        "Certain if clustering is planned and committed between the beginning and the commit of the deletion.",
        "No clustering of a partition while it is deleted.",
        (
            f"{FOUND}[cluster-delete-prefer-writer]",
            f"{BESIDE}[prefer-writer: d.replace d.delete c.plan c.cluster d.commit]",
        ),
        Upstream(
            "", ((PLANNED, "the same under the default strategy (closed, not merged)"), *TOLD), WORDS, "2026-11-23"
        ),
        CALLS,
    ),
    Loss(
        "An upsert that is older than clustering writes what nobody sees",
        Defect(
            "hudi/cluster-older-instant",
            "an acknowledged update",
            "an upsert and clustering under the default conflict strategy; no fault, no error",
            RELEASE,
            ("hudi/cluster-upsert",),
        ),
        "Optimistic concurrency control with the default conflict strategy; clustering, inline, asynchronous or of a "
        "job of its own. With one writer there is no such check at all.",
        "Whenever an upsert takes its instant before a plan and looks for its rows after clustering has committed: "
        "its file is older by name than the one of clustering. The same as with two upserts (`hudi/older-instant`).",
        "`PreferWriterConflictResolutionStrategy`, which needs table version 8.",
        (f"{FOUND}[cluster-older-instant]", f"{BESIDE}[simple: w.start c.plan c.cluster w.upsert w.commit]"),
        Upstream("", TOLD, WORDS, "2026-11-23"),
        CALLS,
    ),
    Loss(
        "Clustering that two carry out leaves no row, or each row twice",
        Defect(
            "hudi/cluster-executors",
            "every row of what is clustered: it is gone for good, or there twice",
            "two that carry out pending clustering at a time; no fault, and no error where its commit stands",
            RELEASE,
            ("hudi/cluster-executors-beat",),
        ),
        "Any concurrency control, lock provider and conflict strategy, copy-on-write and merge-on-read; two clients "
        "that carry out pending clustering: each writer with inline clustering (`hoodie.clustering.inline`), which "
        "takes what it finds pending before it plans, a job (`HoodieClusteringJob`, `call run_clustering`) beside one "
        "that plans and clusters, or one that is started again while the first one is at work.",
        "Likely wherever two do so: unlike a compaction, clustering has no heartbeat, and who finds it inflight takes "
        "its executor for dead, rolls it back and does it anew. If the first one commits after its file was planned "
        "to go, and before its plan is requested again, the commit stands without its file, and the file groups that "
        "it took the place of are hidden: no reader sees a row of them, and the next clean deletes them. If it writes "
        "its file when the rollback has looked for it, both files have the name of an instant that is committed, and "
        "readers see each row twice, be it told that it succeeded or that it failed.",
        "Let one job alone carry out clustering (`hoodie.clustering.inline` false, "
        "`hoodie.clustering.schedule.inline` true), of which one is never started while another one may be at work.",
        (
            f"{EXECUTORS}::test_found_schedule_does_the_same_to_the_real_hudi",
            f"{EXECUTORS}::test_all_rows_are_gone_when_the_first_executor_commits_what_the_second_one_deletes",
            f"{EXECUTORS}::test_all_rows_are_there_twice_when_the_first_executor_writes_after_the_second_one",
            f"{EXECUTORS}::test_both_are_told_that_they_have_clustered",
        ),
        Upstream(
            "",
            (
                ("apache/hudi#18012", "a heartbeat of who carries out a compaction (merged, in 1.2.0)"),
                ("apache/hudi#17879", "plans that are carried out once, by their planner, may expire (open)"),
                ("apache/hudi#18302", "the same, as an option that is off by default (merged)"),
                ("apache/hudi#8944", "HUDI-6359: a job takes what is inflight, too (merged, in 0.14.0)"),
            ),
            (
                "hudi concurrent clustering executors same plan heartbeat guard rollback inflight clustering "
                "HoodieClusteringJob",
                "hudi clustering same instant executed twice concurrently duplicate records or missing parquet file",
            ),
            "2026-11-27",
        ),
        "A plan whose executor has given way to a writer, under `PreferWriterConflictResolutionStrategy`, is never "
        "carried out: that writer is committed after the plan for good. Each executor is refused, and, as by default "
        "upserts of its file groups are refused beside a plan, each of these as well "
        "(`tests/vectors/hudi_clustering.txt`, live).",
    ),
)
