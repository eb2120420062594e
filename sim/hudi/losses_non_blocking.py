"""What non-blocking writers lose on Hudi 1.2.0, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.hudi.defects import DEFECTS
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
)
