"""What archiving on Hudi 1.2.0 loses, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.hudi.defects import DEFECTS
from sim.search.loss import Loss, Upstream, named

ARCHIVING_LOSSES: tuple[Loss, ...] = (
    Loss(
        "A commit is archived before a writer that conflicts with it has looked",
        named(DEFECTS, "hudi/archive-conflict"),
        "Optimistic concurrency control with any lock provider; the default conflict strategy. A table that is "
        "archived, which is the default after each commit (`hoodie.archive.automatic`), with as many commits made "
        "while one writer is at work as are kept at least (`hoodie.keep.min.commits`, 20, and no fewer than cleaning "
        "retains). Metadata tables hold archiving back further.",
        "A writer that takes so long that twenty others commit in the meantime, and a second long one of the same file "
        "group that begins before the first one ends: a backfill beside streams of small commits. No fault, no error, "
        "and the file of the lost commit is there, but it is never read again.",
        "Keep more commits (`hoodie.keep.min.commits`, `hoodie.keep.max.commits`) than are made during the longest "
        "write; or archive by hand, when no long writer is at work.",
        ("tests/live/hudi/test_archiving.py::test_found_schedule_does_the_same_to_the_real_hudi",),
        Upstream(
            "",
            (
                (
                    "apache/hudi#8783",
                    "HUDI-5569: what follows the newest before a pending write stays (merged)",
                ),
                ("apache/hudi#4962", "HUDI-3355: what was pending at the start is compared with as well (merged)"),
                ("apache/hudi#10244", "HUDI-7172: several archivers at once (merged)"),
            ),
            (
                "archival concurrent writer conflict resolution archived timeline missed conflict lost update active "
                "timeline",
                "archival removes completed commit while concurrent writer inflight conflict resolution candidate "
                "instants active timeline only missed",
            ),
            "2026-11-24",
        ),
        "Archiving keeps what was requested before the oldest pending write but the newest of it; the conflict check "
        "needs what has completed since that write began.",
    ),
)
