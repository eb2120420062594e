"""What consumers of Hudi 1.2.0 are not told, or are told again; see `sim.hudi.losses`."""

from __future__ import annotations

from sim.search.defect import Defect
from sim.search.loss import Loss, Upstream

TESTS = "tests/live/hudi/test_news.py"
VECTORS = f"{TESTS}::test_what_a_consumer_is_told"
BESIDE = "tests/live/hudi/test_reads_beside_cleans.py"
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
    Loss(
        "Time travel is not refused while a clean is under way, and misses the rows of what it deletes",
        Defect(
            "hudi/travel-beside-clean",
            "rows of the table as of an earlier instant",
            "a query as of an instant that a clean is about to leave behind, made before the clean is completed and "
            "run after it has deleted; no fault, no error",
            RELEASE,
            ("hudi/travel-beside-clean-fenced",),
        ),
        "Any concurrency control, one writer alone as well; copy-on-write, with a metadata table as without one; any "
        "policy of cleaning, also those that say what they retain, for which HUDI-6834 has a query refused.",
        "The last completed clean is asked, when the query is made. Who makes one before, and runs it when the files "
        "are gone, is told nothing: of each file group whose slice of that instant is gone all rows are missing. The "
        "window is as long as the clean takes, and with Spark as long as a query is kept before it is run; where a "
        "cleaner dies in between it is open until somebody carries the clean out.",
        "Make queries anew where they are run, and read no instant that is about to leave the retained ones; a "
        "savepoint keeps what is to be read.",
        (
            f"{BESIDE}::test_query_that_is_made_before_a_clean[time travel]",
            "tests/live/hudi/test_savepoint_reads.py::test_time_travel_while_a_clean_is_under_way",
        ),
        Upstream(
            "",
            (
                ("apache/hudi#9666", "HUDI-6834: time travel behind a completed clean is refused (merged)"),
                ("apache/hudi#5020", "cleaning takes what a reader has begun to read (closed)"),
            ),
            (
                "hudi time travel as.of.instant returns empty rows missing while cleaner running clean inflight "
                "validateTimestampAsOf",
            ),
            SINCE,
        ),
        "A reader of the whole table: `hudi/clean-reader`. Where slices are counted no time is refused at all: "
        "`hudi/travel-cleaned`.",
    ),
    Loss(
        "An incremental reader is never told of a commit whose file is cleaned while he reads",
        Defect(
            "hudi/news-beside-clean",
            "sight of an acknowledged commit, for who reads incrementally",
            "a query that is made before a file group is rewritten and cleaned, and run after it; no fault, no error",
            RELEASE,
            ("hudi/news-beside-clean-fenced",),
        ),
        "Any concurrency control, one writer alone as well; copy-on-write, tables from version 8 on, with a metadata "
        "table as without one; any policy of cleaning.",
        "Where a file of the commits of a query is gone, Hudi reads the newest slices of the table in its place, but "
        "the newest by the timeline that it loaded when the query was made. If these are gone as well, it reads "
        "nothing, and does not fail. Rows that were changed since are told later; those that were only carried along "
        "into newer files bear the commit's time, before which the reader has come: never. So it takes a query that "
        "is kept for longer than slices are retained (`hoodie.clean.commits.retained`, 10).",
        "Make queries anew where they are run; retain more than the longest time between the two; count what a commit "
        "says it has written.",
        (f"{BESIDE}::test_query_that_is_made_before_a_clean[incremental]",),
        Upstream(
            "",
            (
                ("apache/hudi#3946", "HUDI-2711: reads the table where a file of a commit is gone (merged)"),
                ("apache/hudi#9941", "HUDI-7003: the same as an option of a source (merged)"),
                ("apache/hudi#11684", "a query that fails at a file that was cleaned (closed)"),
            ),
            (
                "hudi incremental query missing rows cleaner deleted files fallback full table scan returns empty "
                "lazily evaluated dataframe timeline loaded before clean",
            ),
            SINCE,
        ),
    ),
)
