"""Hudi scenarios: savepoints beside cleaning. What a savepoint names is to be there until it is deleted.

A clean knows the savepoints that were there when it was planned, and a savepoint the cleans that were planned when it
began. Neither is announced before it has looked, and neither looks again.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.variants import CLEANS_FENCED, SAVEPOINTS_KEPT
from sim.hudi.build import EVERYTHING, OPTIMISTIC, PREFERRING, TWO_GROUPS, WRITES, Writers, race
from sim.hudi.built_in.cleaning import ONE_RETAINED, ONE_SLICE
from sim.hudi.statements import Clean, DeletePartition, DeleteSavepoint, Read, Savepoint, Statement, Upsert

KEPT = (*EVERYTHING, "savepoint-kept")
CLEANED: tuple[Statement, ...] = (Upsert(((1, "A"),)), Upsert(((1, "B"),)), Clean())
"""The first slice of the file group goes."""
BESIDE: Writers = {"w1": CLEANED, "w2": [Savepoint(2)]}
EMPTIED: tuple[Statement, ...] = (Savepoint(), DeletePartition("p1"), Upsert(((2, "B"),)), Clean())
"""A savepoint, then the partition is emptied, and that is older than what is retained."""
SAVING: dict[str, Any] = {
    "options": (*OPTIMISTIC, ONE_RETAINED), "properties": KEPT, "yield_points": (*WRITES, "list"),
}  # fmt: skip
COUNTED: Writers = {"w1": (Upsert(((1, "A"),)), Clean(), Savepoint(1))}
"""The first slice of the file group is cleaned, then saved."""
PLACED: dict[str, Any] = {**SAVING, "groups": TWO_GROUPS, "partitions": ("p1", "p2")}
QUERIED: Writers = {"w1": [Savepoint(), *CLEANED[:2], Upsert(((1, "C"),)), Clean()], "r1": [Read()]}
READ: dict[str, Any] = {
    "options": (*PREFERRING, ONE_RETAINED), "properties": KEPT, "yield_points": ("list",),
}  # fmt: skip
GONE = {"table-invariants": "a file that is missing is one that the savepoint names"}
SAVEPOINTS = (
    race(
        "savepoint-clean",
        "A savepoint is made beside a clean that is being planned: neither knows of the other, and the clean deletes "
        "what the savepoint names.",
        BESIDE,
        rules=SHIPPED,
        broken="savepoint-kept",
        pair="savepoint-clean-locked",
        **SAVING,
    ),
    race(
        "savepoint-clean-locked",
        "The same where a savepoint is made, and a clean is planned, in one critical section each: the savepoint is "
        "kept, or refused.",
        BESIDE,
        rules=SAVEPOINTS_KEPT,
        counters=(coverage.SAVEPOINT_MADE, coverage.SAVEPOINT_REFUSED, coverage.SAVEPOINT_RESPECTED, coverage.CLEANED),
        pair="savepoint-clean",
        **{**SAVING, "yield_points": ("create", "list", "try_lock")},
    ),
    race(
        "savepoint-read",
        "A reader has loaded the timeline when the newest slice in it is cleaned: it reads the one before, which a "
        "savepoint keeps, and is told nothing.",
        QUERIED,
        rules=SHIPPED,
        broken="snapshot-isolation",
        pair="savepoint-read-fenced",
        **READ,
    ),
    race(
        "savepoint-read-fenced",
        "The same where who has read looks for a clean since.",
        QUERIED,
        rules=CLEANS_FENCED,
        counters=(coverage.CLEANED, coverage.SAVEPOINT_RESPECTED, coverage.CLEAN_RESPECTED),
        pair="savepoint-read",
        **READ,
    ),
    race(
        "savepoint-partition",
        "A partition is deleted after a savepoint: a clean leaves the files out that the savepoint names, and deletes "
        "their folder.",
        {"w1": EMPTIED},
        rules=SHIPPED,
        broken="savepoint-kept",
        but=GONE,
        pair="savepoint-partition-kept",
        **PLACED,
    ),
    race(
        "savepoint-partition-kept",
        "The same where a folder stays in which a savepoint names files.",
        {"w1": EMPTIED},
        rules=SAVEPOINTS_KEPT,
        counters=(coverage.SAVEPOINT_MADE, coverage.SAVEPOINT_RESPECTED),
        pair="savepoint-partition",
        **PLACED,
    ),
    race(
        "savepoint-versions",
        "Cleaning keeps the newest slice of each file group alone; then there is a savepoint of an older commit: it is "
        "made, and names no file of the group.",
        COUNTED,
        rules=SHIPPED,
        broken="savepoint-kept",
        pair="savepoint-versions-refused",
        **{**SAVING, "options": (*OPTIMISTIC, *ONE_SLICE)},
    ),
    race(
        "savepoint-versions-refused",
        "The same beside another writer, where a savepoint is of no commit before the last one that the clean saw.",
        {**COUNTED, "w2": [Upsert(((2, "C"),))]},
        rules=SAVEPOINTS_KEPT,
        counters=(coverage.CLEANED, coverage.SAVEPOINT_REFUSED, coverage.SAVEPOINT_MADE),
        pair="savepoint-versions",
        **{**SAVING, "options": (*PREFERRING, *ONE_SLICE), "yield_points": ("create", "try_lock")},
    ),
    race(
        "savepoint-slices",
        "A client makes a savepoint, updates and cleans, beside another writer: what the savepoint names stays.",
        {"w1": [Savepoint(), *CLEANED], "w2": [Upsert(((2, "C"),))]},
        rules=SHIPPED,
        counters=(coverage.SAVEPOINT_MADE, coverage.SAVEPOINT_RESPECTED, coverage.CONFLICT_FOUND),
        **{**SAVING, "options": (*PREFERRING, ONE_RETAINED), "yield_points": ("create",)},
    ),
    race(
        "savepoint-deleted",
        "A savepoint is deleted beside a client that cleans: what it named may go, and nothing else.",
        {"w1": [Savepoint(), *CLEANED, Upsert(((1, "D"),)), Clean()], "w2": [DeleteSavepoint()]},
        rules=SHIPPED,
        counters=(coverage.SAVEPOINT_MADE, coverage.SAVEPOINT_DELETED, coverage.SAVEPOINT_RESPECTED),
        **{**SAVING, "yield_points": ("create", "list", "delete")},
    ),
)
