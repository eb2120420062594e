"""Hudi scenarios: consumers, who read again and again what has come since they read last.

Two writers whose commits are completed in another order than they were requested, of two partitions. From table
version 8 on a consumer goes by the times of completion, and misses none. In version 6 he goes by those of requests: the
commit that is completed last was requested before one that he knows. By default he is refused as long as there is such
a hole, or waits for it to be filled (`BLOCK`); or he goes by when the files of completed instants were written.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.keys import BLOCK_AT_HOLES, HOLES, TABLE_VERSION, TRANSITION_TIME
from model.hudi.variants import CLEANS_FENCED, TRANSITIONS_READ
from sim.hudi.build import EVERYTHING, OPTIMISTIC, PREFERRING, TWO_GROUPS, Writers, race
from sim.hudi.built_in.cleaning import ONE_RETAINED, unlisted
from sim.hudi.built_in.clustering import PLAN_STAYS
from sim.hudi.built_in.locks import ZOOKEEPER_LOCK
from sim.hudi.built_in.merge_on_read import MERGED
from sim.hudi.built_in.metadata_tables import LISTED_BY
from sim.hudi.listed import LISTING
from sim.hudi.statements import Clean, Cluster, Compact, Overwrite, ReadAsOf, ReadNews, Upsert

NEWS = ("news-are-committed", "no-news-missed", "news-told-once")
ASKED = (*EVERYTHING, *NEWS)
TOLD = (*EVERYTHING, "news-are-committed", "news-told-once")
"""What is missed is asked of another scenario."""
TABLE_APART: dict[str, Any] = {"groups": TWO_GROUPS, "partitions": ("p1", "p2")}
APART: dict[str, Any] = {**TABLE_APART, "properties": ASKED}
LATE: Writers = {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((2, "B"),))], "c1": 3 * [ReadNews()]}
"""Two commits of two partitions, and who reads them."""
REWRITTEN: Writers = {**LATE, "w2": [Upsert(((2, "B"),)), Upsert(((3, "C"),))]}
THREE_ROWS = (("fg1", ((1, "a"),)), ("fg2", ((2, "b"), (3, "c"))))
"""A file group whose slices hold rows of several commits."""
REWRITING: Writers = {
    "w1": [Upsert(((2, "A"),)), Upsert(((1, "B"),)), Upsert(((1, "C"),)), Clean()],
    "c1": 2 * [ReadNews()],
}
"""The file of the first commit is rewritten, with that commit's row in it, and cleaned."""
RETAINED_ONE: dict[str, Any] = {
    "options": (*PREFERRING, ONE_RETAINED), "properties": ASKED, "yield_points": ("list", "exists"),
}  # fmt: skip
VERSION_6 = (TABLE_VERSION, "6")
LOOKS = ("list", "try_lock")
BY_TRANSITION = (*OPTIMISTIC, VERSION_6, (HOLES, TRANSITION_TIME))
NEWS_SCENARIOS = (
    race(
        "news-completion",
        "Commits are completed in another order than they were requested: a consumer who goes by completion times is "
        "told of each once.",
        LATE,
        rules=SHIPPED,
        options=OPTIMISTIC,
        counters=(coverage.NEWS_TOLD, coverage.LATE_TOLD),
        yield_points=LOOKS,
        **APART,
    ),
    race(
        "news-holes",
        "The same in table version 6, by times of requests: the consumer is refused as long as a write is pending that "
        "was requested before a commit.",
        LATE,
        rules=SHIPPED,
        options=(*OPTIMISTIC, VERSION_6),
        counters=(coverage.NEWS_TOLD, coverage.HOLLOW),
        yield_points=LOOKS,
        **APART,
    ),
    race(
        "news-holes-blocked",
        "The same where the consumer reads up to the write that is pending.",
        LATE,
        rules=SHIPPED,
        options=(*OPTIMISTIC, VERSION_6, (HOLES, BLOCK_AT_HOLES)),
        counters=(coverage.NEWS_TOLD, coverage.HOLLOW),
        yield_points=LOOKS,
        **APART,
    ),
    race(
        "news-transition",
        "The same where he goes by when commits were completed: of the one that was requested first and completed last "
        "he is never told, for he looks into no partition but those of later requests.",
        LATE,
        rules=SHIPPED,
        options=BY_TRANSITION,
        broken="no-news-missed",
        pair="news-transition-read",
        yield_points=LOOKS,
        **APART,
    ),
    race(
        "news-transition-read",
        "The same where he looks into the partitions of what was completed since.",
        LATE,
        rules=TRANSITIONS_READ,
        options=BY_TRANSITION,
        counters=(coverage.NEWS_TOLD, coverage.LATE_TOLD),
        pair="news-transition",
        yield_points=LOOKS,
        **APART,
    ),
    race(
        "news-transition-again",
        "The same where the one that was completed last is found, for another commit of a later request is: he takes "
        "all rows that were requested in between, and is told again of what he was told before.",
        REWRITTEN,
        rules=SHIPPED,
        options=BY_TRANSITION,
        broken="news-told-once",
        pair="news-transition-once",
        yield_points=("list",),
        **{**APART, "groups": THREE_ROWS, "properties": TOLD},
    ),
    race(
        "news-transition-once",
        "The same where he takes the rows of what was completed since.",
        REWRITTEN,
        rules=TRANSITIONS_READ,
        options=BY_TRANSITION,
        counters=(coverage.NEWS_TOLD, coverage.LATE_TOLD),
        pair="news-transition-again",
        yield_points=("list",),
        **{**APART, "groups": THREE_ROWS},
    ),
    race(
        "news-clocks",
        "Clocks further apart than the wait for skew: a commit is completed at a time that is behind one that the "
        "consumer has seen, and he is never told of it.",
        LATE,
        rules=SHIPPED,
        options=ZOOKEEPER_LOCK,
        one_process=False,
        clock_offsets_ms=(("w1", 5_000),),
        broken="no-news-missed",
        pair="news-clocks-in-time",
        yield_points=("create", "list"),
        **APART,
    ),
    race(
        "news-clocks-in-time",
        "The same where the wait covers the clocks' skew.",
        LATE,
        rules=SHIPPED,
        options=ZOOKEEPER_LOCK,
        one_process=False,
        clock_offsets_ms=(("w1", 100),),
        counters=(coverage.NEWS_TOLD,),
        pair="news-clocks",
        yield_points=("list", "sleep"),
        **APART,
    ),
    race(
        "news-cleaned",
        "A consumer beside cleaning: where a file of a commit is gone, he reads the table, and of it what was "
        "committed since.",
        {"w1": [*[Upsert(((1, value),)) for value in "ABC"], Clean()], "c1": 2 * [ReadNews()]},
        rules=SHIPPED,
        options=(*OPTIMISTIC, ONE_RETAINED),
        counters=(coverage.NEWS_TOLD, coverage.NEWS_SCANNED, coverage.CLEANED),
        properties=ASKED,
        yield_points=("create", "delete", "list"),
    ),
    unlisted(
        race(
            "news-beside-clean",
            "The same where he has looked at the timeline before the commits that have rewritten that file: what he "
            "reads in its place is gone, too, and he is told nothing, now or later, of a row that is there.",
            REWRITING,
            rules=SHIPPED,
            broken="no-news-missed",
            pair="news-beside-clean-fenced",
            **RETAINED_ONE,
        )
    ),
    race(
        "news-beside-clean-fenced",
        "The same where who has read looks for a clean since.",
        REWRITING,
        rules=CLEANS_FENCED,
        counters=(coverage.NEWS_TOLD, coverage.CLEANED, coverage.CLEAN_RESPECTED),
        pair="news-beside-clean",
        **RETAINED_ONE,
    ),
    race(
        "news-clustered",
        "A consumer beside clustering, which makes new files of old rows: of these he is told nothing.",
        {"w1": [Upsert(((1, "A"),))], "w2": [Cluster()], "c1": 3 * [ReadNews()]},
        rules=SHIPPED,
        options=PREFERRING,
        counters=(coverage.NEWS_TOLD, coverage.CLUSTERED),
        but=PLAN_STAYS,
        properties=ASKED,
        yield_points=LOOKS,
    ),
    race(
        "news-overwritten",
        "A consumer beside an overwrite of a partition: he is told of its rows, and not that others have gone.",
        {"w1": [Upsert(((1, "A"),))], "w2": [Overwrite(((2, "B"),))], "c1": 3 * [ReadNews()]},
        rules=SHIPPED,
        options=PREFERRING,
        counters=(coverage.NEWS_TOLD,),
        properties=ASKED,
        yield_points=LOOKS,
    ),
    race(
        "news-metadata",
        "A writer of a table with a metadata table reads what has come, and the table as of the newest commit, beside "
        "another one: he is told of each commit once, and of all that was requested by then.",
        {"w1": [Upsert(((1, "A"),)), ReadNews(), ReadAsOf()], "w2": [Upsert(((2, "B"),))]},
        rules=SHIPPED,
        options=(*PREFERRING, LISTED_BY),
        counters=(coverage.NEWS_TOLD, coverage.TRAVELLED),
        yield_points=("list",),
        **{**APART, "properties": (*ASKED, "instants-stay", *LISTING)},
    ),
    race(
        "news-mor",
        "A consumer of a merge-on-read table beside its compaction: he is told of each commit once, in whichever file "
        "its rows are.",
        {"w1": [Upsert(((1, "A"),)), Upsert(((2, "B"),))], "w2": [Compact()], "c1": 2 * [ReadNews()]},
        rules=SHIPPED,
        options=(*PREFERRING, *MERGED),
        counters=(coverage.NEWS_TOLD,),
        properties=ASKED,
        yield_points=("list",),
    ),
)
