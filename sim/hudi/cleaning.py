"""Hudi scenarios: cleaning beside writes and readers. It deletes what no reader is promised any more.

A partition of which nothing is left but file groups that were taken out long ago is deleted as a folder. That is
planned without the lock, and carried out later, whatever has come into the partition by then.
"""

from typing import Any

from model.hudi import SHIPPED, coverage
from model.hudi.config import RETAINED
from model.hudi.rules import NAMED_FILES_CLEANED
from sim.hudi.build import EVERYTHING, OPTIMISTIC, PREFERRING, TWO_GROUPS, WRITES, Writers, race
from sim.hudi.statements import Clean, DeletePartition, Insert, Read, Statement, Upsert

ONE_RETAINED = (RETAINED, "1")
EMPTIED: tuple[Statement, ...] = (DeletePartition("p1"), Upsert(((2, "B"),)), Clean())
FILLED: Writers = {"w1": EMPTIED, "w2": [Insert(((5, "e"),))]}
"""A partition is deleted, a write follows, then the client cleans; another one inserts into the partition."""
UPDATED: tuple[Statement, ...] = (Upsert(((1, "A"),)), Upsert(((1, "B"),)), Clean())
CLEANING: dict[str, Any] = {
    "groups": TWO_GROUPS, "partitions": ("p1", "p2"), "options": (*OPTIMISTIC, ONE_RETAINED), "properties": EVERYTHING,
    "yield_points": (*WRITES, "list"),
}  # fmt: skip
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
    race(
        "clean-reader",
        "The same beside a reader: it sees a commit as a whole, or fails, for what it had listed has gone.",
        {"w1": UPDATED, "r1": [Read()]},
        rules=SHIPPED,
        options=(*PREFERRING, ONE_RETAINED),
        properties=EVERYTHING,
        yield_points=("create", "list", "delete", "read"),
        counters=(coverage.CLEANED,),
    ),
)
