"""What non-blocking writers lose on Hudi 1.2.0, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.hudi.defects import DEFECTS
from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream, named

NON_BLOCKING_LOSSES: tuple[Loss, ...] = (
    Loss(
        "A new file group is hidden while its first write is under way, with all that others have committed to it",
        named(DEFECTS, "hudi/nbcc-new-group"),
        "Non-blocking concurrency control: a merge-on-read table, the simple bucket index, any lock provider, any "
        "order of rows; a bucket that has no base file as yet, as each of a new partition until its first compaction.",
        "High where several writers stream into new partitions: it takes two that overlap in a bucket, of which the "
        "one that began first is committed last. Until then no reader sees what the other one has committed there, nor "
        "does a compaction take it; of a writer that died, until a clean has rolled it back. What readers have seen is "
        "gone again when an older write of the bucket arrives late. No fault, no error.",
        "A release after 1.2.0 (#19785). Until then: let one writer begin a partition, or compact it once before "
        "others write to it; clean often, with heartbeats that end soon.",
        (
            "tests/live/hudi/test_non_blocking_races.py::test_commit_is_hidden_by_a_write_that_is_under_way",
            "tests/live/hudi/test_non_blocking.py::test_slices_and_rows[commit: +x x:5=E 6=F 7=G]",
        ),
        Upstream(
            "apache/hudi#19774",
            (
                ("apache/hudi#19774", "the same with a first write that failed (closed)"),
                ("apache/hudi#19785", "keeps committed log files visible (merged, after 1.2.0)"),
                ("apache/hudi#13342", "the same with two writers at work, a year before (open)"),
            ),
            (
                "NBCC non-blocking uncommitted log file first file slice invisible log-only file group pending delta "
                "commit getBaseInstantTime",
            ),
            "2026-11-25",
        ),
        "What readers list is one JVM's local disk; nothing in it depends on that.",
    ),
    Loss(
        "What is inserted into a partition is hidden for good once the partition was deleted",
        named(DEFECTS, "hudi/nbcc-delete-partition"),
        "Non-blocking concurrency control: a merge-on-read table, the simple bucket index, any lock provider; a bucket "
        "that began under it. Who overwrites a partition so is refused.",
        "Certain, with one writer and nobody beside it: all who begin a bucket call its file group the same, and what "
        "a replacement takes out is hidden by its name. Every write to the partition is acknowledged from then on, and "
        "none of it is read; compactions leave it out. And as nobody compares anything, an upsert that was begun "
        "before a deletion and is committed after it is hidden as well (`hudi/nbcc-delete-beside`), by a release that "
        "names buckets anew, too.",
        "Delete the rows in the place of the partition; under optimistic control a new bucket has a name of its own.",
        (
            "tests/live/hudi/test_replacing_logs.py::test_a_deleted_bucket_stays_hidden",
            "tests/live/hudi/test_non_blocking.py::test_slices_and_rows[commit: 5=E ~p2 5=F]",
            "tests/live/hudi/test_replacing_logs.py::test_found_schedule_does_the_same_to_the_real_hudi"
            "[nbcc-delete-beside]",
        ),
        Upstream(
            "apache/hudi#19793",
            (
                ("apache/hudi#19806", "begins a bucket that was taken out under another name (open)"),
                ("apache/hudi#19791", "refuses overwrites under non-blocking control before they begin (open)"),
                (
                    "apache/hudi#8072",
                    "a new name for each bucket that is overwritten, under optimistic control (merged)",
                ),
            ),
            (
                "hudi non-blocking concurrency control bucket index delete partition insert overwrite upsert rows "
                "missing replaced file group fixed file id",
                "hudi NBCC delete_partition re-insert rows invisible bucket index fixed file id replaced file group",
            ),
            "2026-11-26",
        ),
        "One JVM and a local disk; nothing in it depends on that.",
    ),
    Loss(
        "A plan of clustering that nobody can carry out stops all upserts of its file groups",
        Defect(
            "hudi/nbcc-cluster",
            "every upsert to the file groups of a partition from now on: it is refused",
            "somebody who plans to cluster file groups that are buckets; no fault",
            "Hudi 1.2.0",
            ("hudi/mor-cluster-upsert",),
        ),
        "The simple bucket index, seen with non-blocking writers, and `SparkRejectUpdateStrategy` (the default); "
        "clustering that somebody schedules, asynchronous or of a job of its own, with the default plan strategy.",
        "Certain. The plan is made, for nobody looks at the table's layout then, and whoever is to carry it out fails "
        "before it is inflight (`Executor SparkExecuteClusteringCommitActionExecutor is not compatible with table "
        "layout HoodieSimpleBucketLayout`). It stays pending: each `HoodieClusteringUpdateException` tells of it, "
        "compactions leave its file groups out, and deletions of the partition are refused. Who had begun to write "
        "before it commits.",
        "No clustering of tables with the simple bucket index. Once there is a plan: take it back by hand (its "
        "requested file is all that there is).",
        (
            "tests/live/hudi/test_clustering_races.py::test_planned_clustering_of_buckets_stops_upserts",
            "tests/live/hudi/test_non_blocking.py::test_slices_and_rows[commit: 1=A cplan crun 1=B]",
        ),
        Upstream(
            "",
            (("apache/hudi#12627", "one name for each bucket's file group, where clustering writes it, too (merged)"),),
            (
                "is not compatible with table layout HoodieSimpleBucketLayout clustering "
                "SparkExecuteClusteringCommitActionExecutor",
                "hudi simple bucket index clustering SparkSortAndSize file id bucketIdFromFileId after clustering",
            ),
            "2026-11-26",
        ),
        "One JVM and a local disk; nothing in it depends on that.",
    ),
)
