"""Scenarios of tables whose partition spec has changed, or changes while others write.

Source: `model.iceberg.partitioning`. They are about what is written by a spec that is not the table's any more, what a
statement by the new spec does not find of the old one, and specs that an expiry takes out of the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.iceberg import coverage
from model.iceberg.rules import SPECS_STAY_KNOWN
from sim.iceberg.built_in.transactions import Writers
from sim.iceberg.managing import Expire
from sim.iceberg.scenarios import CATALOG_STEPS, FILES_APART, SAFETY, race
from sim.iceberg.workload import (
    Append,
    ChangeRow,
    Compact,
    DeleteRow,
    Overwrite,
    Replace,
    ReplacePartitions,
    Transaction,
    UpdateSpec,
    Upsert,
)
from sim.world.scenario import Scenario

WIDENED: Mapping[str, Any] = {
    "rows": ((1, "a"), (6, "f")), "partition_width": 2, "history": (UpdateSpec(4),), "catalog": "java-api",
}  # fmt: skip
"""A table with files of its first spec, and none of its default one."""
CLEANED: Writers = {"w1": [Append(((3, "x"),))], "w2": [UpdateSpec(2), Expire(1, cleans_metadata=True)]}
KEPT = ("readable", "no-aborted-reads", "acknowledged-writes-survive")
MANAGED = "snapshots are managed, and a refused append leaves its manifest"

SPECS: tuple[Scenario, ...] = (
    race(
        "expire-spec-append",
        "An append by the default spec, which nothing is of yet; beside it the spec is changed back, and an expiry"
        " removes the one that no snapshot needs.",
        CLEANED, properties=KEPT, because=MANAGED, broken="readable", **WIDENED,
    ),
    race(
        "expire-spec-append-known",
        "The same where each attempt looks whether the table has the spec of its files still: the append is refused.",
        CLEANED, rules=SPECS_STAY_KNOWN, properties=KEPT, because=MANAGED,
        counters=(coverage.SPECS_REMOVED, coverage.SPEC_GONE), **WIDENED,
    ),
    race(
        "rest-expire-spec-append",
        "The same over REST, where nothing is required of main when specs are removed, and nothing of specs when"
        " something is appended: no attempt has to be repeated for it.",
        CLEANED, properties=KEPT, because=MANAGED, broken="readable", **{**WIDENED, "catalog": "rest"},
    ),
    race(
        "rest-expire-spec-append-known",
        "The same over REST where both are required.",
        CLEANED, rules=SPECS_STAY_KNOWN, properties=KEPT, because=MANAGED,
        counters=(coverage.SPECS_REMOVED, coverage.SPEC_GONE), **{**WIDENED, "catalog": "rest"},
    ),
    race(
        "spec-upsert",
        "An upsert by a spec that the table has had since its row was written: the old row stays beside the new one.",
        {"w1": [Upsert(1, "A")], "w2": [Append(((3, "x"),))]}, broken="acknowledged-writes-survive", **WIDENED,
    ),
    race(
        "spec-upsert-no-partitions",
        "The same where the partitions were given up: the equality delete is of files of every spec.",
        {"w1": [Upsert(1, "A")], "w2": [Append(((3, "x"),))]}, counters=(coverage.RETRY,),
        **{**WIDENED, "history": (UpdateSpec(0),)},
    ),
    race(
        "spec-replace-partitions",
        "A partition is replaced, at the highest level of validation, by a spec that the table has had since its rows"
        " were written: they stay.",
        {"w1": [ReplacePartitions(((1, "A"),), "serializable")], "w2": [ChangeRow(6, "F", "serializable")]},
        broken="acknowledged-writes-survive", **WIDENED,
    ),
    race(
        "spec-replace-partitions-compacted",
        "The same after a compaction, whose file is of the new spec.",
        {"w1": [ReplacePartitions(((1, "A"),), "serializable")], "w2": [ChangeRow(6, "F", "serializable")]},
        counters=(coverage.RETRY,), **{**WIDENED, "history": (UpdateSpec(4), Compact())},
    ),
    race(
        "spec-change-overwrite",
        "An overwrite by filter, which was begun before somebody changed the spec and wrote by it: it is refused for"
        " good, and what it has written stays.",
        {"w1": [Overwrite(((1, "A"), (6, "F")))], "w2": [Transaction((UpdateSpec(8), Append(((3, "x"),))))]},
        properties=("readable", "no-aborted-reads", "no-leaks"), because="it asks for no validation",
        broken="no-leaks", **WIDENED,
    ),
    race(
        "spec-change-replace",
        "The same with a replacement of the file of a row, by name: where that is, is still there, and so nothing else"
        " is looked into.",
        {"w1": [Replace(1, ((1, "A"),))], "w2": [Transaction((UpdateSpec(8), Append(((3, "x"),))))]},
        counters=(coverage.RETRY,), **WIDENED,
    ),
    race(
        "specs-delete-row",
        "A delete of rows in files of two specs beside an append, and a change of the spec: a delete file for each.",
        {"w1": [DeleteRow(1, "serializable", (5,))], "w2": [UpdateSpec(0)], "w3": [Append(((3, "x"),))]},
        properties=SAFETY, counters=(coverage.RETRY,), yield_points=CATALOG_STEPS,
        **{**WIDENED, "history": (UpdateSpec(4), Append(((5, "e"),)))},
    ),
    race(
        "buckets-change-change",
        "Two changes, each of a row that is between those of the other's file, in another bucket: neither is refused.",
        {"w1": [ChangeRow(6, "F", "serializable")], "w2": [ChangeRow(4, "D", "serializable")]},
        properties=FILES_APART, counters=(coverage.RETRY,), rows=((3, "c"), (4, "d"), (6, "f"), (10, "j")),
        history=(UpdateSpec(2, "bucket"), Compact()), catalog="java-api",
    ),
)  # fmt: skip
