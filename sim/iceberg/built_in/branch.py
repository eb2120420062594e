"""Scenarios of Spark SQL on a branch: what each statement names (`t.branch_b`), and what each session has
(`spark.wap.branch`), which need not be there when they begin.

Source: `model.iceberg.spark_target`, `model.iceberg.group_filter`.
"""

from __future__ import annotations

from typing import Any

from model.iceberg import coverage
from model.iceberg.rules import PINNED_SCAN_ASKS_AGAIN
from model.iceberg.spark_target import Target
from sim.iceberg.built_in.sql import KEPT, VALIDATES_NOTHING
from sim.iceberg.managing import CreateRef
from sim.iceberg.scenarios import LEVELS, race
from sim.iceberg.workload import Delete, Insert, InsertOverwrite, Merge, Select, Sql, Truncate, Update
from sim.world.scenario import Scenario

MADE = (CreateRef("b"),)
NAMED, OF_SESSION = Target("b"), Target("b", by_session=True)
TWO_ROWS = Update(1, "A"), Update(2, "B")
"""Two rows of one file."""
UPSERT = Update(1, "A"), Merge(((2, "B"),))


def _named(name: str, summary: str, *statements: Sql, **further: Any) -> Scenario:
    return _race(f"on-branch-{name}", summary, statements, history=MADE, target=NAMED, **further)


def _of_session(name: str, summary: str, *statements: Sql, **further: Any) -> Scenario:
    return _race(f"wap-branch-{name}", summary, statements, target=OF_SESSION, **further)


def _race(name: str, summary: str, statements: tuple[Sql, ...], **further: Any) -> Scenario:
    return race(name, summary, {f"w{number}": [one] for number, one in enumerate(statements, 1)}, **further)


ON_BRANCHES: tuple[Scenario, ...] = (
    _named(
        "delete-update-snapshot",
        "DELETE and UPDATE of one row of `t.branch_b`, merge-on-read, snapshot isolation: the deleted row comes back,"
        " as on main.",
        Delete(1), Update(1, "A"), broken="acknowledged-writes-survive",
    ),
    _named(
        "delete-update-serializable",
        "The same two statements under serializable isolation: one of them is refused.",
        Delete(1), Update(1, "A"), isolation="serializable", properties=LEVELS["serializable"],
        counters=(coverage.ADDED_DATA_FILES_REFUSED, coverage.NEW_DELETE_FILES_REFUSED),
    ),
    _named(
        "update-update-copy-on-write",
        "Two UPDATEs of two rows of one file of `t.branch_b`, copy-on-write: whoever comes second is refused, by its"
        " scan or by its commit.",
        *TWO_ROWS, mode="copy-on-write", counters=(coverage.SCAN_OUTDATED, coverage.MISSING_DELETE_PATHS_REFUSED),
    ),
    _named(
        "insert-overwrite-insert",
        "An INSERT OVERWRITE of `t.branch_b` beside an INSERT into it: the inserted row vanishes, as on main.",
        InsertOverwrite(((1, "A"), (2, "B"))), Insert(((3, "x"),)), properties=KEPT, because=VALIDATES_NOTHING,
        broken="acknowledged-writes-survive",
    ),
    _named(
        "merge-truncate-read",
        "A MERGE into `t.branch_b` beside its TRUNCATE and a SELECT.",
        Merge(((1, "A"), (3, "x"))), Truncate(), Select(), isolation="serializable",
        properties=LEVELS["serializable"], yield_points=("load", "commit"),
        counters=(coverage.DATA_FILES_EXIST_REFUSED,),
    ),
    _of_session(
        "update-update",
        "Two UPDATEs, copy-on-write, snapshot isolation, of two rows of one file, by sessions with `spark.wap.branch`,"
        " which is not there: the second one looks for its files in the branch that the first one has made meanwhile,"
        " and is told that it is done, and nothing is.",
        *TWO_ROWS, mode="copy-on-write", broken="acknowledged-writes-survive",
        counters=(coverage.FILTERED_BY_ANOTHER_SNAPSHOT,),
    ),
    _of_session(
        "update-update-made",
        "The same where the branch is made before: whoever comes second is refused, by its scan or by its commit.",
        *TWO_ROWS, mode="copy-on-write", history=MADE, counters=(coverage.SCAN_OUTDATED,),
    ),
    _of_session(
        "update-update-serializable",
        "The same without the branch, under serializable isolation: it is refused.",
        *TWO_ROWS, mode="copy-on-write", isolation="serializable", properties=LEVELS["serializable"],
        counters=(coverage.FILTERED_BY_ANOTHER_SNAPSHOT, coverage.ADDED_DATA_FILES_REFUSED),
    ),
    _of_session(
        "update-update-merge-on-read",
        "The same, merge-on-read, which has no second scan: both stay, or the second one is refused.",
        *TWO_ROWS, counters=(coverage.NEW_DELETE_FILES_REFUSED,),
    ),
    _of_session(
        "update-update-asked",
        "The first one where the pinned scan asks again whether there is the branch: it is refused as outdated.",
        *TWO_ROWS, mode="copy-on-write", rules=PINNED_SCAN_ASKS_AGAIN, counters=(coverage.SCAN_OUTDATED,),
    ),
    _of_session(
        "update-merge",
        "A MERGE in the place of the second UPDATE: it inserts a row that is there, or takes it for gone.",
        *UPSERT, mode="copy-on-write", broken="acknowledged-writes-survive",
        counters=(coverage.FILTERED_BY_ANOTHER_SNAPSHOT,),
    ),
    _of_session(
        "insert-insert-read",
        "Two INSERTs and a SELECT by sessions with `spark.wap.branch`, which is not there: who commits first makes it,"
        " and main is read before.",
        Insert(((3, "x"),)), Insert(((4, "y"),)), Select(), counters=(coverage.RETRY,), yield_points=("load", "commit"),
    ),
)  # fmt: skip
