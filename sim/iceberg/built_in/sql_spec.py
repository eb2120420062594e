"""Scenarios of Spark SQL on tables in buckets, and on tables whose partition fields are altered beside statements.

Source: `model.iceberg.spark`. A session writes by the partition spec of the table that it has loaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.iceberg import coverage
from model.iceberg.partitioning import Field
from sim.iceberg.built_in.sql import KEPT, VALIDATES_NOTHING
from sim.iceberg.scenarios import CATALOG_STEPS, LEVELS, SAFETY, race
from sim.iceberg.workload import (
    AlterPartitionField,
    Delete,
    Insert,
    InsertOverwrite,
    Merge,
    RewriteDataFiles,
    Select,
    Update,
)
from sim.world.scenario import Scenario

TWO_IDS, FOUR_IDS, TWO_BUCKETS = Field("truncate", 2), Field("truncate", 4), Field("bucket", 2)
TO_BUCKETS, WIDENED = AlterPartitionField(TWO_IDS, TWO_BUCKETS), AlterPartitionField(TWO_IDS, FOUR_IDS)
TABLE: Mapping[str, Any] = {"rows": ((1, "a"), (6, "f")), "partition_width": 2}
IN_BUCKETS: Mapping[str, Any] = {
    "rows": ((3, "c"), (4, "d"), (6, "f"), (10, "j")), "partition_width": 2, "partition_transform": "bucket",
}  # fmt: skip
"""Rows 3 and 6 in one bucket, rows 4 and 10 in the other one."""
CLEAN = ("readable", "table-invariants", "no-aborted-reads", "no-leaks")
X, BOTH = Insert(((3, "x"),)), InsertOverwrite(((1, "A"), (6, "F")))

SQL_SPECS: tuple[Scenario, ...] = (
    race(
        "alter-insert",
        "An INSERT beside a change of partitions to buckets: both stay, by whichever spec its session has loaded.",
        {"w1": [TO_BUCKETS], "w2": [X, Select()]}, **TABLE,
    ),
    race(
        "alter-alter",
        "Two changes of partitions beside an INSERT: the second one is refused, by the catalog or for want of what it"
        " replaces.",
        {"w1": [TO_BUCKETS], "w2": [WIDENED], "w3": [X]}, yield_points=CATALOG_STEPS,
        properties=tuple([name for name in SAFETY if name != "no-spurious-refusal"]),
        because="who changes the spec makes no snapshot", **TABLE,
    ),
    race(
        "alter-update-copy-on-write",
        "An UPDATE, copy-on-write, beside a change of partitions and an INSERT by the new ones: nobody is refused but"
        " whose scan has found another snapshot.",
        {"w1": [TO_BUCKETS, X], "w2": [Update(1, "A")]}, mode="copy-on-write", isolation="serializable",
        properties=LEVELS["serializable"], counters=(coverage.RETRY, coverage.SCAN_OUTDATED), **TABLE,
    ),
    race(
        "alter-update",
        "The same, merge-on-read: its delete file is of the data file's spec, its new row of the one that it has"
        " loaded.",
        {"w1": [TO_BUCKETS, X], "w2": [Update(1, "A")]}, isolation="serializable", properties=LEVELS["serializable"],
        counters=(coverage.RETRY,), **TABLE,
    ),
    race(
        "alter-merge-missing",
        "A MERGE that only inserts beside a change of partitions: its scan loads the table anew, and so it writes by"
        " the spec of then.",
        {"w1": [TO_BUCKETS], "w2": [Merge(((3, "x"),), "nothing")]}, **TABLE,
    ),
    race(
        "alter-rewrite",
        "`rewrite_data_files` beside a change of partitions and an INSERT by the new ones: both stay.",
        {"w1": [TO_BUCKETS, X], "w2": [RewriteDataFiles()]}, counters=(coverage.RETRY,), **TABLE,
    ),
    race(
        "alter-overwrite",
        "An INSERT OVERWRITE of the table beside a change of partitions and an INSERT by the new ones: it is refused"
        " for good, and leaves its files.",
        {"w1": [TO_BUCKETS, X], "w2": [BOTH]}, properties=CLEAN, because=VALIDATES_NOTHING,
        broken="no-leaks", **TABLE,
    ),
    race(
        "alter-overwrite-cached",
        "The same by a session that has read the table before and caches it: nobody needs to be quick.",
        {"w1": [TO_BUCKETS, X], "w2": [Select(), BOTH]}, properties=CLEAN, because=VALIDATES_NOTHING,
        broken="no-leaks", cached=("w2",), **TABLE,
    ),
    race(
        "alter-overwrite-partition",
        "A dynamic INSERT OVERWRITE after a change of partitions in the same session, beside an INSERT: the old row"
        " stays beside the new one.",
        {"w1": [WIDENED, InsertOverwrite(((1, "A"),), dynamic=True)], "w2": [Insert(((9, "x"),))]},
        properties=KEPT, because=VALIDATES_NOTHING, broken="acknowledged-writes-survive", **TABLE,
    ),
    race(
        "alter-overwrite-partition-rewritten",
        "The same where all files are rewritten between: what it overwrites is of the new spec.",
        {"w1": [InsertOverwrite(((1, "A"),), dynamic=True)], "w2": [Insert(((9, "x"),))]},
        properties=KEPT, because=VALIDATES_NOTHING, counters=(coverage.RETRY,),
        **{**TABLE, "history": (WIDENED, RewriteDataFiles())},
    ),
    race(
        "alter-delete",
        "A DELETE of a whole file beside a change of partitions and an INSERT by the new ones: it is refused for good.",
        {"w1": [TO_BUCKETS, X], "w2": [Delete(1)]}, isolation="serializable", properties=KEPT,
        because="it is refused though it conflicts with nothing: see iceberg/alter-overwrite",
        counters=(coverage.SPEC_UNKNOWN,), **TABLE,
    ),
    race(
        "buckets-update-update",
        "Two UPDATEs, copy-on-write, each of a row that is between those of the other's bucket: neither is refused but"
        " whose scan has found another snapshot.",
        {"w1": [Update(6, "F")], "w2": [Update(4, "D")]}, mode="copy-on-write", isolation="serializable",
        properties=LEVELS["serializable"], counters=(coverage.RETRY, coverage.SCAN_OUTDATED), **IN_BUCKETS,
    ),
    race(
        "buckets-overwrite-partition",
        "A dynamic INSERT OVERWRITE of a bucket beside an UPDATE in the other one: both stay.",
        {"w1": [InsertOverwrite(((3, "C"), (6, "F")), dynamic=True)], "w2": [Update(4, "D")]},
        isolation="serializable", properties=LEVELS["serializable"], counters=(coverage.RETRY,), **IN_BUCKETS,
    ),
)  # fmt: skip
