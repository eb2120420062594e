"""Hudi scenarios: archiving beside writers. A writer compares itself with the active timeline alone.

Archiving waits for pending writes, by their requested times. A slow writer may have an older instant than they, and
complete when they have begun: it is among what goes, and nobody who has begun before it completed is told of it.

A reader takes every instant for completed that is older than the active timeline: also that of a write that was rolled
back, if its writer has gone on to write a file that the rollback did not find.
"""

from dataclasses import replace
from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.keys import KEEP_MAX, KEEP_MIN
from model.hudi.variants import COMPLETION_MINDED, HISTORY_READ, MARKERS_LISTED
from sim.hudi.build import EVERYTHING, HIT, OPTIMISTIC, PREFERRING, SHIPPED_BEATS, TWO_GROUPS, WRITES, Writers, race
from sim.hudi.built_in.cleaning import ONE_RETAINED
from sim.hudi.statements import Archive, Clean, Upsert
from sim.world.scenario import FaultSpace

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
SMALLEST = ((KEEP_MIN, "1"), (KEEP_MAX, "2"))
ROLLED_BACK: Writers = {
    "w1": [Upsert(((1, "A"),))],
    "w2": [Clean(3000), Upsert(((2, "B"),)), Upsert(((2, "C"),)), Archive()],
}
"""The one is taken for dead; the other one rolls it back, goes on, and archives what is older than its last commit."""
BEAT_FAILS = FaultSpace(
    {"write": ("drop-before",)}, limit=1, words="a heartbeat that is not written (others: hudi/crash-leaves-heartbeat)"
)
OUTDATED: dict[str, Any] = {
    "groups": TWO_GROUPS, "options": (*PREFERRING, *SHIPPED_BEATS, *SMALLEST), "faults": BEAT_FAILS,
    "properties": EVERYTHING, "yield_points": WRITES,
}  # fmt: skip
REFUSED: Writers = {
    "w1": [Upsert(((1, "A"),)), Clean(), Upsert(((2, "C"),)), Archive()],
    "w2": [Upsert(((1, "B"),))],
}
"""The other one may be refused; the first one rolls it back, goes on, and archives what is older than its commit."""
UNLISTED = FaultSpace(
    {"list": ("drop-before",)}, limit=1, actors=("w1",), words="a list of w1 that fails (others: hudi/any-fault)"
)
LEFT: dict[str, Any] = {
    "groups": TWO_GROUPS, "options": (*PREFERRING, *SMALLEST), "faults": UNLISTED, "properties": EVERYTHING,
    "yield_points": ("list",),
}  # fmt: skip
UNSTRUCK = "expected faults at steps that a live gate has, got some of lists of markers"
OF_ZOMBIE = HIT | dict.fromkeys(
    ("table-invariants", "acknowledged-writes-survive"), "hudi/zombie and hudi/zombie-completed break them"
)
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
    race(
        "archive-rolled-back",
        "A writer is taken for dead and rolled back, and goes on to write its file; when others have committed and "
        "archived, everybody reads it, although its writer has been refused.",
        ROLLED_BACK,
        rules=SHIPPED,
        broken="no-aborted-reads",
        but=HIT,
        pair="archive-history-read",
        **OUTDATED,
    ),
    replace(
        race(
            "rollback-unlisted",
            "Markers of a refused write cannot be listed, once: its rollback looks for those of a timeline server, "
            "finds none and says that it is done; when others have committed and archived, everybody reads what was "
            "refused.",
            REFUSED,
            rules=SHIPPED,
            broken="no-aborted-reads",
            but=HIT,
            pair="rollback-listed",
            **LEFT,
        ),
        live=None,
        not_live=UNSTRUCK,
    ),
    race(
        "rollback-listed",
        "The same where a rollback fails that cannot list markers: it is made later.",
        REFUSED,
        rules=MARKERS_LISTED,
        but=HIT,
        counters=(coverage.ROLLED_BACK, coverage.ARCHIVED),
        pair="rollback-unlisted",
        **LEFT,
    ),
    race(
        "archive-history-read",
        "The same where of files older than the active timeline those of archived commits are read alone.",
        ROLLED_BACK,
        rules=HISTORY_READ,
        but=OF_ZOMBIE,
        counters=(coverage.ROLLED_BACK, coverage.ARCHIVED, coverage.LEFT_OUT),
        pair="archive-rolled-back",
        **{**OUTDATED, "yield_points": ("create", "write", "sleep")},
    ),
)
