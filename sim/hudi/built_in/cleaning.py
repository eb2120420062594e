"""Hudi scenarios: cleaning beside writes and readers. It deletes what no reader is promised any more.

A partition of which nothing is left but file groups that were taken out long ago is deleted as a folder. That is
planned without the lock, and carried out later, whatever has come into the partition by then.
"""

from dataclasses import replace
from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.clean_policies import HOUR_MS
from model.hudi.keys import BY_HOURS, HOURS, INTERVAL, LATEST_VERSIONS, RETAINED, SLICES_POLICY, VERSIONS
from model.hudi.variants import CLEANS_FENCED, NAMED_FILES_CLEANED, PENDING_MINDED
from sim.hudi.build import EVERYTHING, OPTIMISTIC, PREFERRING, TWO_GROUPS, WRITES, Writers, race
from sim.hudi.statements import Clean, DeletePartition, Insert, Overwrite, Read, Statement, Upsert
from sim.world.scenario import Scenario

ONE_RETAINED = (RETAINED, "1")
ONE_SLICE = ((SLICES_POLICY, LATEST_VERSIONS), (VERSIONS, "1"))
EMPTIED: tuple[Statement, ...] = (DeletePartition("p1"), Upsert(((2, "B"),)), Clean())
FILLED: Writers = {"w1": EMPTIED, "w2": [Insert(((5, "e"),))]}
"""A partition is deleted, a write follows, then the client cleans; another one inserts into the partition."""
UPDATED: tuple[Statement, ...] = (Upsert(((1, "A"),)), Upsert(((1, "B"),)), Clean())
CLEANING: dict[str, Any] = {
    "groups": TWO_GROUPS, "partitions": ("p1", "p2"), "options": (*OPTIMISTIC, ONE_RETAINED), "properties": EVERYTHING,
    "yield_points": (*WRITES, "list"),
}  # fmt: skip
SLOW: Writers = {"w1": (Upsert(((1, "A"),)), Clean()), "w2": [Upsert(((2, "C"),))]}
COUNTING: dict[str, Any] = {
    "options": (*PREFERRING, *ONE_SLICE), "properties": EVERYTHING, "yield_points": ("create", "list"),
}  # fmt: skip
BETWEEN: Writers = {
    "w1": (Upsert(((1, "A"),)), Clean()), "w2": (Upsert(((2, "B"),)), Upsert(((1, "D"),))),
}  # fmt: skip
RETAINING: dict[str, Any] = {
    "groups": TWO_GROUPS, "options": (*PREFERRING, ONE_RETAINED), "properties": EVERYTHING, "yield_points": ("list",),
}  # fmt: skip
OVERWRITTEN: Writers = {
    "w1": (Overwrite(((1, "A"),)), Clean()), "w2": (Upsert(((2, "B"),)), Upsert(((1, "D"),))),
}  # fmt: skip
APART: dict[str, Any] = {**RETAINING, "partitions": ("p1", "p2")}
HOURLY: Writers = {
    "w1": (Upsert(((1, "A"),)), Upsert(((1, "B"),), after_ms=HOUR_MS + 60_000), Clean()), "w2": [Upsert(((2, "C"),))],
}  # fmt: skip
WITHIN_HOUR: Writers = {**HOURLY, "w1": (Upsert(((1, "A"),)), Upsert(((1, "B"),), after_ms=60_000), Clean())}
PASSING: dict[str, Any] = {
    "options": (*PREFERRING, (SLICES_POLICY, BY_HOURS), (HOURS, "1"), (INTERVAL, "7200000")), "properties": EVERYTHING,
    "yield_points": ("list", "sleep"),
}  # fmt: skip
QUERIED: dict[str, Any] = {
    "options": (*PREFERRING, ONE_RETAINED), "properties": EVERYTHING,
    "yield_points": ("create", "list", "delete", "read"),
}  # fmt: skip
UNLISTED = "expected steps that a gate can hold, got a schedule between a look at the timeline and a list of files"


def unlisted(scenario: Scenario) -> Scenario:
    """A scenario without steps that a live gate has: its lists of files come when they come."""
    return replace(scenario, live=None, not_live=UNLISTED)


SLICES = (
    race(
        "clean-partition",
        "A clean deletes the folder of a partition that was deleted before; rows that were inserted there after it was "
        "planned are gone, and acknowledged.",
        FILLED,
        rules=SHIPPED,
        broken="acknowledged-writes-survive",
        but={"table-invariants": "a file that is missing is a row that is gone, too"},
        pair="clean-partition-files-only",
        **CLEANING,
    ),
    race(
        "clean-partition-files-only",
        "The same where a clean deletes the files alone that it has planned to delete.",
        FILLED,
        rules=NAMED_FILES_CLEANED,
        counters=(coverage.CLEANED, coverage.COMMITTED),
        pair="clean-partition",
        **{**CLEANING, "yield_points": ("create", "list")},
    ),
    race(
        "clean-slices",
        "A client that cleans after its second upsert, and another writer: no slice goes that anybody needs.",
        {"w1": UPDATED, "w2": [Upsert(((2, "C"),))]},
        rules=SHIPPED,
        options=(*PREFERRING, ONE_RETAINED),
        properties=EVERYTHING,
        yield_points=("create", "list"),
        counters=(coverage.CLEANED, coverage.CONFLICT_FOUND),
    ),
    unlisted(
        race(
            "clean-versions",
            "The newest slice of each file group is kept, and no other, whoever is at work: a slow writer does not "
            "find the slice that it looks for, takes its row for a new one, and there are two of it.",
            SLOW,
            rules=SHIPPED,
            broken="acknowledged-writes-survive",
            pair="clean-versions-pending",
            **COUNTING,
        )
    ),
    race(
        "clean-versions-pending",
        "The same where what a pending write may have seen stays.",
        SLOW,
        rules=PENDING_MINDED,
        counters=(coverage.CLEANED, coverage.CONFLICT_FOUND),
        pair="clean-versions",
        **COUNTING,
    ),
    unlisted(
        race(
            "clean-slow-writer",
            "A clean leaves the slices before the oldest pending write, by the times at which writes began, and not "
            "what it has seen: it does not find the slice that it looks for, and there are two of its row.",
            BETWEEN,
            rules=SHIPPED,
            broken="acknowledged-writes-survive",
            pair="clean-slow-writer-pending",
            **RETAINING,
        )
    ),
    race(
        "clean-slow-writer-pending",
        "The same where what a pending write may have seen stays.",
        BETWEEN,
        rules=PENDING_MINDED,
        counters=(coverage.CLEANED, coverage.CONFLICT_FOUND),
        pair="clean-slow-writer",
        **RETAINING,
    ),
    unlisted(
        race(
            "clean-overwritten",
            "A clean takes file groups whose overwrite began before the oldest pending write, though that one began "
            "before it ended: it does not find its row there, nor what was put in its place, and adds it.",
            OVERWRITTEN,
            rules=SHIPPED,
            broken="acknowledged-writes-survive",
            pair="clean-overwritten-pending",
            **APART,
        )
    ),
    race(
        "clean-overwritten-pending",
        "The same where what a pending write may have seen stays.",
        OVERWRITTEN,
        rules=PENDING_MINDED,
        counters=(coverage.CLEANED, coverage.CONFLICT_FOUND),
        pair="clean-overwritten",
        **APART,
    ),
    unlisted(
        race(
            "clean-hours",
            "A clean leaves what began within the last hour, and the slices before it; a writer that computes its "
            "input for longer does not find the slice that it looks for, and there are two of its row.",
            HOURLY,
            rules=SHIPPED,
            broken="acknowledged-writes-survive",
            pair="clean-hours-pending",
            **PASSING,
        )
    ),
    race(
        "clean-hours-pending",
        "The same where what a pending write may have seen stays.",
        HOURLY,
        rules=PENDING_MINDED,
        counters=(coverage.CLEANED, coverage.CONFLICT_FOUND),
        pair="clean-hours",
        **PASSING,
    ),
    race(
        "clean-reader",
        "One of them beside a reader, who has loaded the timeline when the newest slice in it is cleaned: he finds no "
        "slice, and no row, and is told nothing. If he has listed the slice before it goes, he fails.",
        {"w1": UPDATED, "r1": [Read()]},
        rules=SHIPPED,
        broken="snapshot-isolation",
        pair="clean-reader-fenced",
        **QUERIED,
    ),
    race(
        "clean-reader-fenced",
        "The same where who has read looks for a clean since.",
        {"w1": UPDATED, "r1": [Read()]},
        rules=CLEANS_FENCED,
        counters=(coverage.CLEANED, coverage.CLEAN_RESPECTED),
        pair="clean-reader",
        **QUERIED,
    ),
)
