"""Hudi scenarios: the table as of an instant (`as.of.instant`), beside cleaning.

A clean that counts commits says from which one on it retains all, and who asks for an earlier one is refused, if he
looks at the timeline when it is completed. One that counts slices of file groups says nothing of commits.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.keys import VERSIONS
from model.hudi.variants import CLEANS_FENCED, TRAVEL_REFUSED
from sim.hudi.build import EVERYTHING, OPTIMISTIC, PREFERRING, TWO_GROUPS, Writers, race
from sim.hudi.built_in.cleaning import ONE_RETAINED
from sim.hudi.statements import Clean, ReadAsOf, ReadFirst, Upsert

PAST = (*EVERYTHING, "first-stays")
CLEANED: Writers = {"w1": [Upsert(((1, "A"),)), Upsert(((1, "B"),)), Clean(), ReadFirst()]}
"""The first slice of a file group goes, then somebody reads what was there at first."""
BESIDE: Writers = {"w1": [Upsert(((1, "A"),)), Upsert(((1, "B"),)), Clean()], "r1": [ReadFirst()]}
"""The same where he reads it beside them."""
LATER: Writers = {"w1": [Upsert(((1, "A"),)), ReadAsOf()], "w2": [Upsert(((2, "B"),)), ReadAsOf()]}
"""Two commits, of which the one that was requested last may be completed first, and reads as of the newest."""
STEPS = ("list", "delete", "create")
TABLE: dict[str, Any] = {"groups": TWO_GROUPS, "partitions": ("p1", "p2"), "properties": PAST}
ONE_VERSION = (*OPTIMISTIC, (VERSIONS, "1"))
TIME_TRAVELS = (
    race(
        "travel-cleaned",
        "The table as of an instant, where slices are counted: what was cleaned of a file group is missing, and the "
        "others are read, without a word.",
        CLEANED,
        rules=SHIPPED,
        options=ONE_VERSION,
        broken="first-stays",
        pair="travel-refused",
        yield_points=("list",),
        **TABLE,
    ),
    race(
        "travel-refused",
        "The same where such a clean is taken to retain what is newest alone: the read is refused.",
        CLEANED,
        rules=TRAVEL_REFUSED,
        options=ONE_VERSION,
        counters=(coverage.TRAVEL_REFUSED, coverage.CLEANED),
        pair="travel-cleaned",
        yield_points=("list",),
        **TABLE,
    ),
    race(
        "travel-retained",
        "The same where commits are counted: the clean says what it retains, and the read is refused.",
        CLEANED,
        rules=SHIPPED,
        options=(*OPTIMISTIC, ONE_RETAINED),
        counters=(coverage.TRAVEL_REFUSED, coverage.CLEANED),
        pair="travel-cleaned",
        yield_points=("list",),
        **TABLE,
    ),
    race(
        "travel-beside",
        "The table as of an instant beside two writers: nobody who writes changes what was.",
        {"w1": [Upsert(((1, "A"),))], "w2": [Upsert(((1, "B"),))], "r1": 2 * [ReadFirst()]},
        rules=SHIPPED,
        options=PREFERRING,
        counters=(coverage.TRAVELLED,),
        yield_points=("list",),
        **TABLE,
    ),
    race(
        "travel-later",
        "The table as of the newest commit beside two writers: all that was requested by then, whenever it was "
        "completed, or a refusal as long as something of it is pending.",
        LATER,
        rules=SHIPPED,
        options=PREFERRING,
        counters=(coverage.TRAVELLED, coverage.TRAVEL_REFUSED),
        yield_points=("list",),
        **{**TABLE, "properties": (*EVERYTHING, "instants-stay")},
    ),
    race(
        "travel-beside-clean",
        "The table as of an instant, asked for before a clean that counts commits is completed, whose files are gone "
        "when they are listed: its rows are missing, without a word.",
        BESIDE,
        rules=SHIPPED,
        options=(*PREFERRING, ONE_RETAINED),
        broken="first-stays",
        pair="travel-beside-clean-fenced",
        yield_points=STEPS,
        **TABLE,
    ),
    race(
        "travel-beside-clean-fenced",
        "The same where who has read looks for a clean since.",
        BESIDE,
        rules=CLEANS_FENCED,
        options=(*PREFERRING, ONE_RETAINED),
        counters=(coverage.CLEANED, coverage.CLEAN_RESPECTED, coverage.TRAVELLED),
        pair="travel-beside-clean",
        yield_points=STEPS,
        **TABLE,
    ),
)
