"""Scenarios of Spark SQL beyond INSERT, UPDATE and DELETE of a row: MERGE, INSERT OVERWRITE, TRUNCATE, and
`rewrite_data_files` beside them.

Source: `model.iceberg.spark`. A MERGE has no `WHERE`, so that what it is validated by is the whole table.
"""

from __future__ import annotations

from typing import Any

from model.iceberg import coverage
from sim.iceberg.scenarios import CATALOG_STEPS, LEVELS, race
from sim.iceberg.workload import (
    Delete,
    Insert,
    InsertOverwrite,
    Merge,
    RewriteDataFiles,
    Sql,
    Truncate,
    Update,
)
from sim.world.scenario import Scenario

UPSERTS = Merge(((3, "x"),)), Merge(((3, "y"),))
"""Two that find no row 3 and insert it."""
MISSING = Merge(((3, "x"),), "nothing"), Merge(((3, "y"),), "nothing")
KEPT = ("readable", "table-invariants", "no-aborted-reads", "acknowledged-writes-survive")
TWO_PARTITIONS = {"rows": ((1, "a"), (4, "d")), "partition_width": 4}
"""Row 1 in the partition of ids 0 to 3, row 4 in that of 4 to 7."""
VALIDATES_NOTHING = "INSERT OVERWRITE asks for no validation"
NO_KEYS = "a key is no constraint, and snapshot isolation does not look for what was added"


def _sql(name: str, summary: str, *statements: Sql, **further: Any) -> Scenario:
    writers = {f"w{number}": [one] for number, one in enumerate(statements, 1)}
    return race(name, summary, writers, **further)


SQL: tuple[Scenario, ...] = (
    _sql(
        "merge-missing-serializable",
        "Two MERGEs that have only WHEN NOT MATCHED, of one key, under serializable isolation: the key is there twice.",
        *MISSING,
        isolation="serializable",
        broken="acknowledged-writes-survive",
    ),
    _sql(
        "merge-merge-serializable",
        "The same two with a WHEN MATCHED beside: whoever comes second is refused.",
        *UPSERTS,
        isolation="serializable",
        counters=(coverage.ADDED_DATA_FILES_REFUSED,),
    ),
    _sql(
        "merge-merge-serializable-copy-on-write",
        "The same, copy-on-write: whoever comes second is refused, by its scan or by its commit.",
        *UPSERTS,
        isolation="serializable",
        mode="copy-on-write",
        counters=(coverage.ADDED_DATA_FILES_REFUSED, coverage.SCAN_OUTDATED),
    ),
    _sql(
        "merge-merge-snapshot",
        "The same under snapshot isolation: both insert the key, which is there twice.",
        *UPSERTS,
        broken="acknowledged-writes-survive",
    ),
    _sql(
        "merge-update-snapshot",
        "A MERGE that updates a row beside an UPDATE of it, merge-on-read, snapshot isolation: one is refused.",
        Merge(((1, "x"),), "update", inserts=False),
        Update(1, "A"),
        counters=(coverage.NEW_DELETE_FILES_REFUSED,),
    ),
    _sql(
        "merge-delete-insert-serializable",
        "A MERGE that deletes a row beside an INSERT of another one, serializable: its filter is the whole table.",
        Merge(((1, "-"),), "delete", inserts=False),
        Insert(((3, "x"),)),
        isolation="serializable",
        counters=(coverage.ADDED_DATA_FILES_REFUSED,),
    ),
    _sql(
        "delete-merge-snapshot",
        "A DELETE of a row beside a MERGE that updates it, merge-on-read, snapshot isolation: the row comes back.",
        Delete(1),
        Merge(((1, "x"),), "update", inserts=False),
        broken="acknowledged-writes-survive",
    ),
    _sql(
        "insert-overwrite-insert",
        "An INSERT OVERWRITE of the table beside an INSERT: the inserted row vanishes.",
        InsertOverwrite(((1, "A"), (2, "B"))),
        Insert(((3, "x"),)),
        properties=KEPT,
        because=VALIDATES_NOTHING,
        broken="acknowledged-writes-survive",
    ),
    _sql(
        "insert-overwrite-partition-insert",
        "A dynamic INSERT OVERWRITE of a partition beside an INSERT into it: the inserted row vanishes.",
        InsertOverwrite(((1, "A"),), dynamic=True),
        Insert(((2, "x"),)),
        properties=KEPT,
        because=VALIDATES_NOTHING,
        broken="acknowledged-writes-survive",
        **TWO_PARTITIONS,
    ),
    _sql(
        "insert-overwrite-partition-beside",
        "A dynamic INSERT OVERWRITE of a partition beside an UPDATE and an INSERT in another one: all stay.",
        InsertOverwrite(((1, "A"),), dynamic=True),
        Update(4, "D"),
        Insert(((5, "e"),)),
        isolation="serializable",
        properties=LEVELS["serializable"],
        counters=(coverage.RETRY,),
        yield_points=CATALOG_STEPS,
        **TWO_PARTITIONS,
    ),
    _sql(
        "insert-overwrite-twice",
        "Two INSERT OVERWRITEs of the table: the first one's rows go, and nobody is refused.",
        InsertOverwrite(((1, "A"), (2, "A2"))),
        InsertOverwrite(((1, "B"), (2, "B2"))),
        properties=KEPT,
        because=VALIDATES_NOTHING,
        counters=(coverage.RETRY,),
    ),
    _sql(
        "truncate-update",
        "A TRUNCATE beside an UPDATE: the UPDATE is refused, or truncated.",
        Truncate(),
        Update(1, "A"),
        isolation="serializable",
        properties=LEVELS["serializable"],
        counters=(coverage.DATA_FILES_EXIST_REFUSED,),
    ),
    _sql(
        "rewrite-merge",
        "`rewrite_data_files` beside a MERGE that updates a row, merge-on-read: one of them is refused.",
        RewriteDataFiles(),
        Merge(((1, "x"),), "update", inserts=False),
        counters=(coverage.DATA_FILES_EXIST_REFUSED, coverage.NEW_DELETES_FOR_DATA_FILES_REFUSED),
    ),
    _sql(
        "rewrite-insert",
        "`rewrite_data_files` beside a MERGE that only inserts: both stay.",
        RewriteDataFiles(),
        MISSING[0],
        counters=(coverage.RETRY,),
    ),
)
