"""What readers of the past are not told on Hudi 1.2.0 once it is archived; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream

TESTS = "tests/live/hudi/test_archived_reads.py"
ARCHIVED_READS_LOSSES: tuple[Loss, ...] = (
    Loss(
        "Time travel is not refused any more once the clean is archived, and misses the rows of what it deleted",
        Defect(
            "hudi/travel-archived",
            "rows of the table as of an earlier instant, those of whole file groups",
            "a clean that is archived, no clean after it, and a read as of an instant before what it has left; no "
            "fault, no error",
            "Hudi 1.2.0",
            ("hudi/travel-archived-refused",),
        ),
        "Any concurrency control, one writer alone as well; copy-on-write; cleaning by commits or by hours, for which "
        "HUDI-6834 has such a query refused; archiving (`hoodie.keep.min.commits`, 20), by which a clean goes with the "
        "commits before and after it; a query with `as.of.instant` (or `TIMESTAMP AS OF`).",
        "Whether the instant is retained is asked of the last completed clean of the active timeline, and of nothing "
        "if there is none. So the same query is refused first, and after so many commits that the clean is archived "
        "it reads what is left: of each file group whose slice of that instant is gone all rows are missing. It takes "
        "as many commits as are kept in which nothing is to be cleaned, as where a table is appended to alone after a "
        "time of updates; with a clean every now and then the last one stays.",
        "Read no instant that is older than the first commit of the active timeline; a savepoint of what is to be "
        "read, which archiving does not pass.",
        (
            f"{TESTS}::test_rows_behind_a_clean_that_is_archived_are_missing",
            "tests/live/hudi/test_news.py::test_what_a_consumer_is_told[archived with its clean]",
        ),
        Upstream(
            "",
            (
                ("apache/hudi#9666", "HUDI-6834: time travel behind cleaning and archiving is refused (merged)"),
                ("apache/hudi#9416", "HUDI-6678: cleans are archived with the commits around them (merged)"),
            ),
            (
                "hudi time travel as.of.instant archived clean timeline missing data validateTimestampAsOf latest "
                "clean archived",
            ),
            "2026-11-28",
        ),
        "Where slices are counted a clean says nothing of commits from the start: `hudi/travel-cleaned`. That a "
        "time before the first commit of the active timeline cannot be read is asked there, and where there is such a "
        "clean, alone (`TimelineUtils.validateTimestampAsOf`).",
    ),
)
