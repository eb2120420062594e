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
    Loss(
        "What was rolled back is read once its instant is older than the active timeline",
        named(DEFECTS, "hudi/archive-rolled-back"),
        "Lazy cleaning of failed writes (`hoodie.clean.failed.writes.policy` LAZY, which several writers need), any "
        "lock provider and conflict strategy; a table that is archived, which is the default after each commit; files "
        "that are found by listing folders (`hoodie.metadata.enable` false): a metadata table lists those of commits.",
        "A writer whose heartbeats end while it goes on (one that cannot be written is enough), or that stands still "
        "for longer than they allow; a cleaner rolls it back, and then its next data file comes. It is refused in the "
        "end. Its file is read from the day on which the commits around it are archived, by default some twenty later, "
        "unless its file group has been written in between.",
        "Keep metadata tables on; or look for data files of instants that neither the timeline nor the archived one "
        "has (`HoodieRepairTool` does), and do so before they are archived.",
        ("tests/live/hudi/test_archiving.py::test_what_was_rolled_back_is_read_from_the_real_hudi",),
        Upstream(
            "apache/hudi#18783",
            (
                ("apache/hudi#18795", "finds such files before a rollback is archived, off by default (open)"),
                ("apache/hudi#8783", "HUDI-5569: what follows the newest before a pending write stays (merged)"),
            ),
            (
                "dangling base file uncommitted rolled back instant becomes visible after archival dirty read",
                "duplicate records spurious data files left by failed write after rollback, archived timeline",
            ),
            "2026-11-25",
        ),
        "A file that comes when its rollback has been archived already is found by no look before that. hudi-rs 0.5.0 "
        "reads the table as it was committed.",
    ),
)
