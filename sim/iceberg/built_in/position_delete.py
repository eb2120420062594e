"""Scenarios of Spark's `rewrite_position_delete_files`, beside statements of Spark SQL and other procedures.

Who deletes rows beside it, merge-on-read, takes over the delete files of the same data file, and so one of the two is
refused, or both sets of deletes stay; whose data file goes, leaves deletes of nothing.
Source: `model.iceberg.rewrite_position_deletes`, `model.iceberg.replace_deletes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from model.iceberg import coverage
from model.iceberg.rules import SELF_CHECK_FIRST
from sim.iceberg.built_in.procedure import KEPT, MANAGED
from sim.iceberg.managing import Expire, RollBack
from sim.iceberg.scenarios import ANY_REST_FAULT, CATALOG_STEPS, race
from sim.iceberg.workload import (
    FORMAT,
    Delete,
    Insert,
    RewriteDataFiles,
    RewriteManifests,
    RewritePositionDeletes,
    Select,
    SetProperty,
    Statement,
    Update,
)
from sim.world.scenario import Scenario

ROWS = ((1, "a"), (2, "b"), (3, "c"))
DELETED: tuple[Statement, ...] = (Delete(1), Insert(((4, "d"), (5, "e"))), Delete(4))
"""Two data files, each with a delete file."""
UPGRADED: tuple[Statement, ...] = (*DELETED, SetProperty(FORMAT, "3"))
DANGLING: tuple[Statement, ...] = (*DELETED, Update(5, "E"), SetProperty(FORMAT, "3"))
"""The UPDATE, copy-on-write, has replaced the second data file; the first one is older than the deletes of both."""
ALONE = {"w1": [RewritePositionDeletes()]}
X = Insert(((6, "x"),))


def _race(name: str, summary: str, writers: Mapping[str, Sequence[Statement]], **further: Any) -> Scenario:
    given = {"isolation": "serializable", "rows": ROWS, "history": DELETED, "yield_points": CATALOG_STEPS, **further}
    return race(f"rewrite-deletes-{name}", summary, writers, **given)


def _beside(name: str, summary: str, *others: Statement, **further: Any) -> Scenario:
    return _race(name, summary, {"w1": [RewritePositionDeletes()], "w2": others}, **further)


POSITION_DELETES: tuple[Scenario, ...] = (
    _beside(
        "insert",
        "`rewrite_position_delete_files` beside an INSERT: both stay, whoever comes first.",
        X,
        counters=(coverage.RETRY,),
    ),
    _beside(
        "delete",
        "The same beside a DELETE of a row whose data file has a delete file, which it takes over: the procedure is"
        " refused, or comes first, and both delete files stay.",
        Delete(2),
        counters=(coverage.MISSING_DELETE_PATHS_REFUSED, coverage.RETRY),
    ),
    _beside(
        "update",
        "The same beside an UPDATE, merge-on-read, which requires what it takes over to be there: the second one is"
        " refused.",
        Update(2, "B"),
        counters=(coverage.MISSING_DELETE_PATHS_REFUSED, coverage.RETRY),
    ),
    _beside(
        "copy-on-write",
        "The same beside a copy-on-write UPDATE: the delete file of what it has replaced is rewritten, or is one of"
        " nothing.",
        Update(2, "B"),
        update_mode="copy-on-write",
        counters=(coverage.RETRY,),
    ),
    _beside(
        "compact",
        "The same beside `rewrite_data_files`: the deletes of files that are gone are not written again.",
        RewriteDataFiles(),
        counters=(coverage.DANGLING_DELETES_DROPPED, coverage.MISSING_DELETE_PATHS_REFUSED, coverage.RETRY),
    ),
    _beside(
        "compact-newest",
        "The same where nothing has been committed since the DELETE, so that the compaction leaves its delete file: it"
        " is rewritten, though it is one of nothing by then.",
        RewriteDataFiles(),
        history=DELETED[:1],
        counters=(coverage.DANGLING_DELETES_DROPPED, coverage.RETRY),
    ),
    _beside(
        "twice",
        "`rewrite_position_delete_files` twice at once: the second one is refused.",
        RewritePositionDeletes(),
        counters=(coverage.MISSING_DELETE_PATHS_REFUSED,),
    ),
    _beside(
        "partitions",
        "`rewrite_position_delete_files` of two partitions beside a DELETE in one of them, which refuses all of it.",
        Delete(2),
        partition_width=3,
        counters=(coverage.MISSING_DELETE_PATHS_REFUSED, coverage.RETRY),
    ),
    _beside(
        "manifests",
        "`rewrite_position_delete_files` beside `rewrite_manifests`, which is refused if it comes second.",
        RewriteManifests(),
        counters=(coverage.MANIFEST_GONE, coverage.RETRY),
    ),
    _beside(
        "expire",
        "`rewrite_position_delete_files` beside a DELETE, and `expire_snapshots` of all but the newest behind it: no"
        " delete file goes that somebody needs, though nobody validates from the snapshot that has expired.",
        Delete(2),
        Expire(1),
        counters=(coverage.CLEANED_BY_SPARK, coverage.MISSING_DELETE_PATHS_REFUSED),
    ),
    _beside(
        "roll-back",
        "`rewrite_position_delete_files` beside `rollback_to_snapshot` to before the newest DELETE: it is refused, as"
        " its delete files are not there, or taken back.",
        RollBack(1),
        properties=KEPT,
        because=MANAGED,
        counters=(coverage.MISSING_DELETE_PATHS_REFUSED,),
    ),
    _race(
        "cached",
        "`rewrite_position_delete_files` by a session that caches the table as it was before a DELETE: it is refused,"
        " however late it comes.",
        {"w1": [Select(), RewritePositionDeletes()], "w2": [Delete(2)]},
        cached=("w1",),
        counters=(coverage.MISSING_DELETE_PATHS_REFUSED, coverage.TABLE_CACHED),
    ),
    _beside(
        "to-vectors-delete",
        "`rewrite_position_delete_files` of a table that has come to format 3 makes vectors, beside a DELETE that makes"
        " one, too: the second one is refused.",
        Delete(2),
        history=UPGRADED,
        counters=(coverage.ADDED_VECTORS_REFUSED, coverage.MISSING_DELETE_PATHS_REFUSED),
    ),
    _beside(
        "to-vectors-update",
        "The same beside an UPDATE.",
        Update(2, "B"),
        history=UPGRADED,
        counters=(coverage.ADDED_VECTORS_REFUSED, coverage.MISSING_DELETE_PATHS_REFUSED),
    ),
    _beside(
        "to-vectors-dangling",
        "The same beside an INSERT, where one data file is gone and its delete file has stayed: no vector is made of"
        " it.",
        X,
        update_mode="copy-on-write",
        history=DANGLING,
        counters=(coverage.DANGLING_DELETES_DROPPED, coverage.RETRY),
    ),
    _race(
        "reply-faults",
        "`rewrite_position_delete_files` alone, and any call may fail: it finds its own commit.",
        ALONE,
        faults=ANY_REST_FAULT,
        yield_points=None,
        counters=(coverage.SELF_RECOGNISED, coverage.RECONCILED, coverage.RESENT),
    ),
    _beside(
        "misreported",
        "`rewrite_position_delete_files` beside an INSERT, and any call may fail: after one commit more it does not"
        " find its own, for what it has replaced is gone, and deletes the delete files that it has committed.",
        X,
        faults=ANY_REST_FAULT,
        broken="readable",
    ),
    _beside(
        "misreported-fixed",
        "The same, with a client that looks for its own snapshot before it does anything else.",
        X,
        faults=ANY_REST_FAULT,
        rules=SELF_CHECK_FIRST,
        counters=(coverage.SELF_RECOGNISED_EARLY,),
    ),
)
