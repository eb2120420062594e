"""What compaction on Hudi 1.2.0 loses, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.hudi.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

COMPACTION_LOSSES: tuple[Loss, ...] = (
    Loss(
        "A compaction is committed twice, or without its file, once its heartbeat has ended",
        named(DEFECTS, "hudi/mor-executor-outlived"),
        "A merge-on-read table, optimistic concurrency control, any lock provider and conflict strategy; two clients "
        "that carry out pending compactions, as each writer with inline compaction does with those of others "
        "(`hoodie.compact.inline`), and a job of its own that is started again does.",
        "It takes an executor that is at work for longer than its heartbeat lives: one beat that cannot be written "
        "ends its timer for good, and nobody is told; or it stands still for two minutes. Then the next one rolls back "
        "what it wrote and carries out its plan anew, as designed since 1.2.0. But the first one looks neither at its "
        "heartbeat nor at that rollback when it commits: it names files that are deleted, before or after, and is told "
        "that it succeeded. Readers that list files go on with the slice before, which the next clean deletes.",
        "One job alone that carries out compactions, of which one is never started beside another; "
        "`hoodie.client.heartbeat.tolerable.misses` larger than the longest compaction.",
        ("tests/live/hudi/test_merge_on_read_races.py::test_one_compaction_is_committed_by_two",),
        Upstream(
            "",
            (
                ("apache/hudi#18012", "an executor starts a heartbeat and others are refused while it lives (merged)"),
                ("apache/hudi#10965", "the same, two years before; its commit is taken to need no look (open)"),
                ("apache/hudi#18305", "the same for log compaction (open)"),
            ),
            (
                "hudi compaction heartbeat expired concurrent executor same compaction plan completed twice rollback "
                "deletes base file missing",
                "hudi compact multi-writer heartbeat guard compaction plan execution concurrent writers",
            ),
            "2026-11-24",
        ),
        "In one JVM the two files have names of their own, and the one of the first executor is gone in the end. Spark "
        "reads such a table; hudi-rs 0.5.0 reads it no more (an instant 'is already present in File Group').",
    ),
)
