"""Hudi scenarios: archiving beside savepoints. The commit of a savepoint is to stay on the active timeline.

Archiving leaves all from the first savepoint on, by the timeline that was loaded before the lock; and a savepoint does
not look again whether its commit is still there. So the one whose commit leaves the window of what is kept just then is
of a commit that is archived: a restore to it does not find it, takes back what came after the savepoint itself, and
fails. If the restore comes first, the last commit of the active timeline goes, and with it all rows.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.variants import ARCHIVING_LOCKED
from sim.hudi.build import EVERYTHING, PREFERRING, Writers, race
from sim.hudi.built_in.archiving import SMALLEST
from sim.hudi.built_in.restores import LEFT
from sim.hudi.statements import Archive, Restore, Savepoint, Statement, Upsert

KEPT = (*EVERYTHING, "savepoint-kept")
SAVED: tuple[Statement, ...] = (Upsert(((1, "A"),)), Upsert(((1, "B"),)), Savepoint(2))
"""Two updates, and a savepoint of what was before them."""
BEING_ARCHIVED: Writers = {"w1": SAVED, "w2": [Archive()]}
GONE_BACK: Writers = {"w1": (*SAVED, Restore()), "w2": [Archive()]}
ARCHIVING: dict[str, Any] = {
    "properties": KEPT, "options": (*PREFERRING, *SMALLEST), "yield_points": ("create", "delete", "list", "try_lock"),
}  # fmt: skip
SAVEPOINTS_ARCHIVED = (
    race(
        "archive-savepoint",
        "A savepoint is made of a commit that somebody archives between its look at the timeline and its end: nobody "
        "can restore to it.",
        BEING_ARCHIVED,
        rules=SHIPPED,
        broken="savepoint-kept",
        pair="archive-savepoint-locked",
        **ARCHIVING,
    ),
    race(
        "archive-savepoint-locked",
        "The same where who archives loads the timeline under the lock, and a savepoint is made in one critical "
        "section.",
        BEING_ARCHIVED,
        rules=ARCHIVING_LOCKED,
        counters=(coverage.ARCHIVED, coverage.SAVEPOINT_MADE),
        pair="archive-savepoint",
        **ARCHIVING,
    ),
    race(
        "archive-restored",
        "Who archives has looked at the timeline before there is a savepoint, and has the lock when that has been "
        "restored to: it archives the only commit that is left, and everybody reads an empty table.",
        GONE_BACK,
        rules=SHIPPED,
        broken="acknowledged-writes-survive",
        but=LEFT,
        pair="archive-restored-locked",
        **{**ARCHIVING, "properties": EVERYTHING},
    ),
    race(
        "archive-restored-locked",
        "The same where who archives loads the timeline under the lock, and a savepoint is made in one critical "
        "section.",
        GONE_BACK,
        rules=ARCHIVING_LOCKED,
        but=LEFT,
        counters=(coverage.ARCHIVED, coverage.RESTORED, coverage.TAKEN_BACK),
        pair="archive-restored",
        **ARCHIVING,
    ),
)
