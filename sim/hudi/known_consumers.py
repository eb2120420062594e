"""Known findings about who reads incrementally, or as of an instant; see `sim.hudi.known`."""

from __future__ import annotations

from model.hudi.keys import HOLES, TABLE_VERSION, TRANSITION_TIME
from sim.generation.causes import Known
from sim.hudi.known_rows import ARCHIVING, CLEANING, rows, without
from sim.hudi.promises import COUNTS
from sim.hudi.statements import READ_AS_OF, READ_FIRST, READ_NEWS

BY_TRANSITION = ((TABLE_VERSION, ("6",)), (HOLES, (TRANSITION_TIME,)))
OF_CONSUMERS: tuple[Known, ...] = (
    *rows(
        "news-transition",
        {"no-news-missed": ("missed-news",)},
        *BY_TRANSITION,
        rules=without("transitions-read", "fixed"),
        needs=((READ_NEWS,),),
    ),
    *rows(
        "news-transition-again",
        {"news-told-once": ("told-twice", "told-again")},
        *BY_TRANSITION,
        rules=without("transitions-read", "fixed"),
        needs=((READ_NEWS,),),
    ),
    *rows(
        "travel-cleaned",
        {"first-stays": ("past-changed",)},
        (COUNTS, ("yes",)),
        rules=without("travel-refused", "fixed"),
        needs=(CLEANING, (READ_FIRST,)),
    ),
    *rows(
        "travel-cleaned",
        {"instants-stay": ("past-changed",)},
        (COUNTS, ("yes",)),
        rules=without("travel-refused", "fixed"),
        needs=(CLEANING, (READ_AS_OF,)),
    ),
    *rows(
        "travel-archived",
        {"first-stays": ("past-changed",)},
        rules=without("archived-refused", "fixed"),
        needs=(CLEANING, ARCHIVING, (READ_FIRST,)),
    ),
    *rows(
        "travel-beside-clean",  # who has looked at the timeline before a clean is completed is not told of it
        {"first-stays": ("past-changed",)},
        rules=without("cleans-fenced", "fixed"),
        needs=(CLEANING, (READ_FIRST,)),
    ),
    *rows(
        "travel-beside-clean",
        {"instants-stay": ("past-changed",)},
        rules=without("cleans-fenced", "fixed"),
        needs=(CLEANING, (READ_AS_OF,)),
    ),
    *rows(
        "news-beside-clean",
        {"no-news-missed": ("missed-news",)},
        rules=without("cleans-fenced", "fixed"),
        needs=(CLEANING, (READ_NEWS,)),
    ),
)
