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
)
