"""Hudi scenarios: incremental readers and time travel beside archiving, savepoints and restores.

An incremental reader of a table from version 8 on looks into the history, and reads the whole table for what is
archived. Who reads as of an instant does not: he is refused by what the last clean of the active timeline says. A clean
is archived with the commits that came before and after it; then nothing says any more what it has deleted.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.variants import ARCHIVED_REFUSED
from sim.hudi.build import OPTIMISTIC, PREFERRING, Writers, race
from sim.hudi.built_in.archiving import SMALLEST
from sim.hudi.built_in.cleaning import ONE_RETAINED
from sim.hudi.built_in.news import ASKED, TABLE_APART
from sim.hudi.built_in.time_travel import PAST
from sim.hudi.statements import Archive, Clean, ReadFirst, ReadNews, Restore, Savepoint, Upsert

FORGOTTEN: Writers = {
    "w1": [
        *[Upsert(((1, value),)) for value in "AB"], Clean(), *[Upsert(((2, value),)) for value in "CDEF"], Archive(),
        ReadFirst(),
    ]
}  # fmt: skip
"""What was there at first is cleaned, and the clean archived."""
NEWS_ARCHIVED: Writers = {
    "w1": [*[Upsert(((1, value),)) for value in "AB"], Upsert(((2, "C"),)), Archive()], "c1": 2 * [ReadNews()],
}  # fmt: skip
"""The first commits are archived, and somebody reads what has come."""
ARCHIVED: dict[str, Any] = {
    **TABLE_APART, "options": (*OPTIMISTIC, ONE_RETAINED, *SMALLEST), "properties": PAST, "yield_points": ("list",),
}  # fmt: skip
ARCHIVED_READS = (
    race(
        "travel-archived",
        "The table as of an instant behind a clean that is archived: nothing says any more what that has deleted, and "
        "the rows of a file group are missing, without a word.",
        FORGOTTEN,
        rules=SHIPPED,
        broken="first-stays",
        pair="travel-archived-refused",
        **ARCHIVED,
    ),
    race(
        "travel-archived-refused",
        "The same where nobody reads as of a commit that is archived.",
        FORGOTTEN,
        rules=ARCHIVED_REFUSED,
        counters=(coverage.TRAVEL_REFUSED, coverage.CLEANED, coverage.ARCHIVED),
        pair="travel-archived",
        **ARCHIVED,
    ),
    race(
        "news-archived",
        "A consumer beside archiving: what is archived by the time he asks he finds in the history, and in the table, "
        "and is told of each commit once.",
        NEWS_ARCHIVED,
        rules=SHIPPED,
        options=(*PREFERRING, *SMALLEST),
        counters=(coverage.NEWS_TOLD, coverage.NEWS_SCANNED, coverage.ARCHIVED),
        properties=ASKED,
        yield_points=("list", "delete"),
        **TABLE_APART,
    ),
    race(
        "news-restored",
        "A consumer beside a restore: he is told of what is committed behind it, and neither that what he was told of "
        "has gone, nor what is there again.",
        {"w1": [Savepoint(), Upsert(((1, "A"),)), Restore(), Upsert(((1, "B"),))], "c1": 3 * [ReadNews()]},
        rules=SHIPPED,
        options=PREFERRING,
        counters=(coverage.NEWS_TOLD, coverage.RESTORED),
        properties=ASKED,
        yield_points=("list", "delete"),
    ),
)
