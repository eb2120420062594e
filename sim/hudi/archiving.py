"""Hudi scenarios: archiving beside writers. A writer compares itself with the active timeline alone.

Archiving waits for pending writes, by their requested times. A slow writer may have an older instant than they, and
complete when they have begun: it is among what goes, and nobody who has begun before it completed is told of it.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.config import KEEP_MAX, KEEP_MIN
from model.hudi.rules import COMPLETION_MINDED
from sim.hudi.build import EVERYTHING, OPTIMISTIC, TWO_GROUPS, WRITES, Writers, race
from sim.hudi.cleaning import ONE_RETAINED
from sim.hudi.statements import Archive, Upsert

SMALL = ((KEEP_MIN, "2"), (KEEP_MAX, "3"))
SLOW: Writers = {
    "w1": [Upsert(((1, "A"),)), Archive()],
    "w2": [Upsert(((2, "B"),)), Upsert(((2, "C"),)), Upsert(((1, "D"),))],
}
"""While the first one is under way, two commits follow it, and a third writer begins, of its file group."""
ARCHIVING: dict[str, Any] = {
    "groups": TWO_GROUPS, "partitions": ("p1", "p2"), "options": (*OPTIMISTIC, ONE_RETAINED, *SMALL),
    "properties": EVERYTHING, "yield_points": (*WRITES, "list"),
}  # fmt: skip
OF_CONFLICT = {"acknowledged-writes-survive": "no-lost-update says it first"}
ARCHIVED = (
    race(
        "archive-conflict",
        "A slow writer completes when another one of its file group has begun, and archives its own commit, for which "
        "the other one then looks in vain: its update is lost.",
        SLOW,
        rules=SHIPPED,
        broken="no-lost-update",
        but=OF_CONFLICT,
        pair="archive-conflict-kept",
        **ARCHIVING,
    ),
    race(
        "archive-conflict-kept",
        "The same where nothing goes that has completed since a pending write began.",
        SLOW,
        rules=COMPLETION_MINDED,
        counters=(coverage.ARCHIVED, coverage.ARCHIVING_HELD, coverage.CONFLICT_FOUND),
        pair="archive-conflict",
        but=OF_CONFLICT,
        **{**ARCHIVING, "yield_points": ("create",)},
    ),
)
