"""Scenarios of Spark's `rewrite_data_files` with `partial-progress.enabled`, beside statements of Spark SQL and an
expiry: some of its commits are made, and others are not.

Source: `model.iceberg.partial_progress`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from model.iceberg import coverage
from model.iceberg.rules import REWRITE_REMEMBERS_START
from sim.iceberg.built_in.procedure import KEPT, MANAGED
from sim.iceberg.managing import Expire
from sim.iceberg.scenarios import CATALOG_STEPS, race
from sim.iceberg.sql_statements import RewriteInCommits
from sim.iceberg.workload import Delete, Insert, Select, Statement, Update
from sim.world.scenario import Scenario

ROWS, BEFORE = ((1, "a"), (2, "b")), (Insert(((3, "c"),)),)
"""One file in the partition of row 1, which comes first, two in that of the others."""
PASSED_OVER = (coverage.COMMIT_PASSED_OVER,)
REMEMBERED = replace(REWRITE_REMEMBERS_START, expiry_cleans_as_committed=True)
"""Spark's expiry leaves files of what was committed since it was sent, and has expired (`call-expire-inserts`)."""
EXPIRED: Mapping[str, Sequence[Statement]] = {"w1": [RewriteInCommits()], "w2": [Expire(1)]}


def _race(name: str, summary: str, writers: Mapping[str, Sequence[Statement]], **further: Any) -> Scenario:
    given = {
        "isolation": "serializable", "rows": ROWS, "history": BEFORE, "partition_width": 2,
        "yield_points": CATALOG_STEPS, **further,
    }  # fmt: skip
    return race(f"rewrite-in-commits-{name}", summary, writers, **given)


PARTIAL_PROGRESS: tuple[Scenario, ...] = (
    _race(
        "update",
        "`rewrite_data_files` in two commits, one for each partition, beside an UPDATE, merge-on-read, of a row of one"
        " of them: that commit is passed over, and the other one made.",
        {"w1": [RewriteInCommits()], "w2": [Update(1, "A"), Select()]}, counters=PASSED_OVER,
    ),
    _race(
        "update-copy-on-write",
        "The same beside an UPDATE, copy-on-write, of a file that is rewritten.",
        {"w1": [RewriteInCommits()], "w2": [Update(3, "C")]}, mode="copy-on-write",
        counters=(coverage.COMMIT_PASSED_OVER, coverage.SCAN_OUTDATED),
    ),
    _race(
        "none-may-fail",
        "The same where no commit may fail (`partial-progress.max-failed-commits=0`): the call fails, and what it has"
        " committed stays.",
        {"w1": [RewriteInCommits(failed=0)], "w2": [Delete(3), Insert(((4, "d"),))]},
        counters=(coverage.TOO_MANY_FAILED,),
    ),
    _race(
        "expire",
        "`rewrite_data_files` in two commits beside an expiry of all but one snapshot: when the first one is made, the"
        " snapshot that was read may go, and the second one ends in a NullPointerException, which is passed over.",
        EXPIRED, properties=(*KEPT, "no-leaks"), because=MANAGED, broken="no-leaks",
        counters=(coverage.START_EXPIRED,),
    ),
    _race(
        "expire-remembered",
        "The same where the sequence number that was read is remembered: the second commit is made; and where the"
        " expiry cleans up by the table that it has changed.",
        EXPIRED, properties=(*KEPT, "no-leaks"), because=MANAGED, rules=REMEMBERED,
        counters=(coverage.CLEANED_BY_SPARK,),
    ),
)  # fmt: skip
