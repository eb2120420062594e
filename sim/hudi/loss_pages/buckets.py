"""What buckets under optimistic control lose on Hudi 1.2.0, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream

LIVE = "tests/live/hudi/test_buckets.py"
SEVERAL = "tests/live/hudi/test_several_buckets.py"
BUCKET_LOSSES: tuple[Loss, ...] = (
    Loss(
        "Under the strategy that prefers writers two begin one bucket, and nobody can write to it any more",
        Defect(
            "hudi/bucket-prefer-writer",
            "that a key is there once, and every later write to the partition",
            "the bucket index, the strategy that prefers writers, and two that begin a bucket; no fault, no error",
            "Hudi 1.2.0",
            ("hudi/bucket-prefer-writer-compared", "hudi/bucket-new-key"),
        ),
        "The simple bucket index under optimistic concurrency control, with another conflict strategy than the one for "
        "buckets, which Hudi infers if none is set: PreferWriterConflictResolutionStrategy, or the simple one.",
        "High where several writers begin a partition at once: it takes two that write to a bucket which has no file "
        "group as yet, of which the one has not seen the other's commit. Each begins a file group of its own, and the "
        "strategies compare these. Both are told that they succeeded; a key that both wrote is there twice; and each "
        "write to the partition fails from then on, also one to another bucket, when it looks for the file groups of "
        "buckets, until one of the two commits is rolled back by hand, as its message says, which takes the rows of "
        "that one back.",
        "Leave `hoodie.write.lock.conflict.resolution.strategy` unset where the index is the bucket index. Then an "
        "older instant is not seen (`hudi/bucket-older-instant`): no strategy that is shipped keeps from both.",
        (
            f"{LIVE}::test_a_bucket_that_two_have_begun_is_written_to_no_more[prefer-writer]",
            f"{LIVE}::test_a_bucket_that_two_have_begun_is_written_to_no_more[simple]",
            f"{SEVERAL}::test_a_bucket_that_two_have_begun_stops_writes_to_the_whole_partition",
            f"{LIVE}::test_found_schedule_does_the_same_to_the_real_hudi[bucket-prefer-writer]",
            f"{LIVE}::test_found_schedule_of_log_files_does_the_same_to_the_real_hudi[bucket-logs-prefer-writer]",
        ),
        Upstream(
            "",
            (
                (
                    "apache/hudi#7838",
                    "HUDI-5682: the same of the simple strategy; made the one for buckets (merged)",
                ),
                ("apache/hudi#7216", "a bucket with two file groups, taken for writers without control (closed)"),
                ("apache/hudi#10898", "HUDI-7522: names the instants of a bucket's two file groups (merged)"),
            ),
            (
                "bucket index PreferWriterConflictResolutionStrategy two writers same bucket different file id no "
                "conflict",
                "Find multiple files at partition path that belong to the same bucket id concurrent writers",
            ),
            "2026-11-28",
        ),
        "Live without a gate as well: one thread makes the calls of two clients in turn. Tables were copy-on-write; "
        "on a merge-on-read one, whose buckets begin with base files as well, the same schedule does the same "
        "(`hudi/bucket-logs-prefer-writer`).",
    ),
)
