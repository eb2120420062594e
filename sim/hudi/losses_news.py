"""What consumers of Hudi 1.2.0 are not told, or are told again; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream

TESTS = "tests/live/hudi/test_news.py"
VECTORS = f"{TESTS}::test_what_a_consumer_is_told"
RELEASE = "Hudi 1.2.0"
SINCE = "2026-11-28"
NEAREST = (
    ("apache/hudi#19693", "asks about this policy, and is answered that no data is lost by it (open)"),
    ("apache/hudi#8876", "HUDI-6312: holes are told, waited for, or passed by times of transition (merged)"),
    ("apache/hudi#7627", "HUDI-5517: incremental reads by times of transition, as they were made (merged)"),
)
WORDS = (
    "hudi incremental query USE_TRANSITION_TIME hollow commit data missed MergeOnReadIncrementalRelationV1 "
    "stateTransitionTime duplicate records",
    "USE_TRANSITION_TIME re-reads already-consumed commits extractId checkpoint",
)
TABLE = (
    "Tables of version 6 (or older), copy-on-write, with partitions, several writers, and incremental queries of Spark "
    "with `hoodie.read.timeline.holes.resolution.policy` USE_TRANSITION_TIME, from the time of transition up to which "
    "the reader has come. Tables from version 8 on have completion times, and are not affected."
)
NEWS_LOSSES: tuple[Loss, ...] = (
    Loss(
        "An incremental reader is never told of a commit that is completed late",
        Defect(
            "hudi/news-transition",
            "sight of an acknowledged commit, for who reads incrementally",
            "two writers whose commits are completed in another order than they were requested, of two partitions, and "
            "a reader who goes by times of transition; no fault, no error",
            RELEASE,
            ("hudi/news-transition-read", "hudi/news-holes-blocked", "hudi/news-completion"),
        ),
        TABLE,
        "Large wherever writes of different lengths overlap, which is what the policy is for: a commit is requested "
        "before the reader's last time and completed after it. It is found all the same if a commit of the same range "
        "that was requested later has written to its partition. Nothing is told, and no later query has it.",
        "`BLOCK`, which waits for the commit; or a table of version 8 or newer.",
        (f"{TESTS}::test_commit_that_is_completed_late_is_missed", f"{VECTORS}[late, missed]"),
        Upstream("", NEAREST, WORDS, SINCE),
        "The commits of a query are chosen by times of transition, but its file index "
        "(`BaseHoodieTableFileIndex.listPartitionPaths`, `findInstantsInRange`) lists the partitions of those alone "
        "whose requested times are in the range.",
    ),
    Loss(
        "An incremental reader is told again of what he has read",
        Defect(
            "hudi/news-transition-again",
            "that each change is told once",
            "a commit that is completed late, and another one of the file group of a commit that has been read; no "
            "fault, no error",
            RELEASE,
            ("hudi/news-transition-once", "hudi/news-holes-blocked", "hudi/news-completion"),
        ),
        TABLE,
        "Wherever a late commit and a later one are read by one query, and the later one has rewritten a file with "
        "rows of a commit that was requested between the two. Who merges by key does not notice; who counts does.",
        "`BLOCK`; or a table of version 8 or newer; or a reader that may be told of a row twice.",
        (f"{TESTS}::test_news_that_are_told_again", f"{VECTORS}[late, and told again]"),
        Upstream("", NEAREST, WORDS, SINCE),
        "Of the files of its commits a query takes the rows whose commit time is from the first of them to the last "
        "(`HoodieIncrementalRelationV1Trait.incrementalSpanRecordFilters`), whoever else is in between.",
    ),
    Loss(
        "Time travel misses the rows of what was cleaned, where slices are counted",
        Defect(
            "hudi/travel-cleaned",
            "rows of the table as of an earlier instant, those of whole file groups",
            "cleaning by file versions, and a read as of an instant before what it has left; no fault, no error",
            RELEASE,
            ("hudi/travel-refused", "hudi/travel-retained"),
        ),
        "Any concurrency control, one writer alone as well; copy-on-write; `hoodie.clean.policy` "
        "KEEP_LATEST_FILE_VERSIONS, and a query with `as.of.instant` (or `TIMESTAMP AS OF`) of a commit that is still "
        "on the active timeline. By commits and by hours a clean says what it retains, and the query is refused.",
        "Certain, as soon as a file group has more slices than are kept: of each file group whose slice of that "
        "instant is gone all rows are missing, those that have never changed among them, and those of other file "
        "groups are there. Nothing is told.",
        "`KEEP_LATEST_COMMITS` or `KEEP_LATEST_BY_HOURS` where somebody reads the past; or a savepoint of what is to "
        "be read.",
        ("tests/live/hudi/test_time_travel.py::test_rows_that_were_cleaned_are_missing",),
        Upstream(
            "",
            (
                ("apache/hudi#9666", "HUDI-6834: time travel behind a clean is refused, but by commits alone (merged)"),
                ("apache/hudi#9280", "HUDI-6587: and behind a write that is pending (merged)"),
            ),
            (
                "hudi time travel as.of.instant KEEP_LATEST_FILE_VERSIONS cleaned file versions missing rows "
                "validateTimestampAsOf earliestCommitToRetain",
            ),
            SINCE,
        ),
        "Such a clean has no earliest commit to retain, so that the instant is compared with the first one of the "
        "active timeline, which is about archiving.",
    ),
)
