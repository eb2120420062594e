"""What archiving on Hudi 1.2.0 loses, for people; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.hudi.defects import DEFECTS
from sim.search.defect import Defect
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
    Loss(
        "A rollback that cannot list its markers once says that it is done",
        Defect(
            "hudi/rollback-unlisted",
            "an acknowledged row, for one of a write that was refused or died, once its instants are archived",
            "one list of a marker folder that fails while a write is rolled back, and archiving",
            "Hudi 1.2.0",
            ("hudi/rollback-listed",),
        ),
        "Direct markers (`hoodie.write.markers.type` DIRECT, and any table on HDFS), rollbacks that go by markers "
        "(`hoodie.rollback.using.markers`, the default), one writer or several; a table that is archived, and files "
        "that are found by listing folders (`hoodie.metadata.enable` false).",
        "One answer of the storage that is an error, while a failed write is rolled back: `getAllMarkerPaths` takes "
        "every `IOException` for a sign that the markers are those of a timeline server, looks for their files, finds "
        "none, and there is nothing to delete. Nobody is told. Readers take the files for committed when the instants "
        "around them have been archived, unless their file groups have been written in between.",
        "1.3.0, in which such a rollback fails and is made again; or keep metadata tables on.",
        ("tests/live/hudi/test_unlisted_markers.py::test_what_was_rolled_back_is_read_once_archived[True-dead]",),
        Upstream(
            "apache/hudi#18887",
            (("apache/hudi#6266", "HUDI-4517: the server's markers are looked for if there is no type (merged)"),),
            (
                "marker based rollback fallback timeline server based markers IOException direct markers deletes "
                "nothing",
            ),
            "2026-11-25",
        ),
        "Upstream it is told as files that stay; that they are read later was not found. The list that fails is "
        "injected below Hudi, into Hadoop's local file system.",
    ),
    Loss(
        "A marker file that ends within a line stops every rollback",
        Defect(
            "hudi/cut-markers",
            "nothing; but the write that died is never rolled back, and who writes alone cannot begin any more",
            "a writer that dies while its timeline server writes a marker file anew; no other fault",
            "Hudi 1.2.0",
            ("hudi/cut-markers-listed",),
        ),
        "Markers of the timeline server, the default but on HDFS; a storage that shows what a process has written that "
        "died before it closed the file, as local disks do, and not object stores. The same with a `MARKERS.type` that "
        "is cut; one that is empty is taken for none.",
        "A server writes a marker file anew for each batch of requests, 8 KB at a time: with more than some eighty "
        "markers in it there are moments in which it ends within a line. Each rollback of that instant fails from then "
        "on (`No enum constant ...IOType`), and with it each clean, and each `startCommit` of a single writer, which "
        "rolls back first.",
        "Mend the file by hand, or delete by hand what the instant has written, with its markers and its two files on "
        "the timeline.",
        ("tests/live/hudi/test_cut_markers.py::test_who_rolls_back_fails_for_ever[MARKERS0]",),
        Upstream(
            "",
            (
                ("apache/hudi#9023", "a type file that is empty: 'No enum constant' at each rollback (closed)"),
                ("apache/hudi#5591", "no type file: each rollback fails (closed)"),
            ),
            (
                "hudi rollback fails No enum constant IOType MARKERS file truncated partial line timeline server based "
                "markers corrupted",
            ),
            "2026-11-25",
        ),
        "Live, the file is cut by hand; that a process dies at that moment was not played.",
    ),
)
