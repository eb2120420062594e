"""Scenarios of Spark's procedures that manage snapshots and manifests, beside statements of Spark SQL.

A procedure does what the operation of the Java API does behind it, on the table that its session loads, or caches; but
`expire_snapshots` cleans up in its own way, and `rewrite_manifests` asks for manifests by name.
Source: `model.iceberg.spark_expire`, `model.iceberg.rewrite_manifests`, `model.iceberg.manage`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from model.iceberg import coverage
from model.iceberg.rules import IDEMPOTENT
from sim.iceberg.built_in.managed import ENDS, RING
from sim.iceberg.managing import AppendTo, CherryPick, Expire, MoveBranch, Publish, RollBack, Stage
from sim.iceberg.scenarios import ANY_REST_FAULT, CATALOG_STEPS, CONSISTENT, STORE, race
from sim.iceberg.workload import Delete, Insert, RewriteManifests, Select, Statement, Update
from sim.world.fault_spaces import REGISTER, wide
from sim.world.scenario import Scenario

KEPT = ("readable", "table-invariants", "no-aborted-reads", "acknowledged-writes-survive")
CLEAN = (*KEPT, "no-leaks")
MANAGED = "who manages snapshots changes main, and reads nothing"
TWO: tuple[Insert, ...] = (Insert(((3, "c"),)), Insert(((4, "d"),)))
"""Two commits, so that there are two data manifests more."""
X = Insert(((5, "x"),))
PUBLISHED: dict[str, list[Statement]] = {
    "w1": [Select(), Publish("b")], "w2": [MoveBranch("main", "b"), X, MoveBranch("b", "main")],
}  # fmt: skip
"""Who publishes a branch, and who brings main to it, adds to main, and brings the branch along."""
STAGED = (Stage(((6, "s"),), 7), Insert(((3, "c"),)))


def _called(name: str, summary: str, writers: Mapping[str, Sequence[Statement]], **further: Any) -> Scenario:
    given = {"properties": KEPT, "because": MANAGED, "yield_points": CATALOG_STEPS, **further}
    return race(name, summary, writers, **given)


def _rewritten(name: str, summary: str, writers: Mapping[str, Sequence[Statement]], **further: Any) -> Scenario:
    given = {"isolation": "serializable", "history": TWO, "yield_points": CATALOG_STEPS, **further}
    return race(name, summary, writers, **given)


OLD_ANSWERS: dict[str, Any] = {"history": TWO[:1], "faults": wide(REGISTER, STORE)}

PROCEDURES: tuple[Scenario, ...] = (
    _called(
        "expire-insert-stale",
        "`expire_snapshots` over REST, of nothing yet, beside an INSERT: the catalog answers the load behind the"
        " procedure's commit with the table as it was before, and the files of the INSERT are deleted.",
        {"w1": [X], "w2": [Expire(3)]},
        rules=IDEMPOTENT,
        broken="readable",
        **OLD_ANSWERS,
    ),
    _called(
        "expire-insert-stale-fixed",
        "The same where an expiry cleans up by the table as its own commit has made it.",
        {"w1": [X], "w2": [Expire(3)]},
        rules=replace(IDEMPOTENT, expiry_cleans_as_committed=True),
        **OLD_ANSWERS,
    ),
    _called(
        "insert-expire-misreported",
        "Two INSERTs beside `expire_snapshots`; a commit that is applied is answered as if it were not, and has expired"
        " when it is tried again: it is added once more, above what came of it, and the history is a ring.",
        {"w1": [X], "w2": [Insert(((4, "y"),))], "w3": [Expire(1)]},
        properties=ENDS,
        because=RING,
        faults=wide(REGISTER, without=CONSISTENT),
        broken="table-invariants",
    ),
    _called(
        "call-roll-back-insert",
        "`rollback_to_snapshot` beside an INSERT that is acknowledged before the procedure commits: it vanishes.",
        {"w1": [RollBack(1)], "w2": [X]},
        history=TWO[:1],
        broken="acknowledged-writes-survive",
    ),
    _called(
        "call-set-current-delete",
        "`set_current_snapshot` to the snapshot below beside a DELETE: what it has deleted comes back.",
        {"w1": [RollBack(1, anywhere=True)], "w2": [Delete(1)]},
        history=TWO[:1],
        broken="acknowledged-writes-survive",
    ),
    _called(
        "call-roll-back-expire",
        "`rollback_to_snapshot` over REST to a snapshot that `expire_snapshots` of another session takes meanwhile: the"
        " table has no main branch.",
        {"w1": [RollBack(1)], "w2": [Expire(1)], "w3": [Select()]},
        history=TWO[:1],
        broken="acknowledged-writes-survive",
    ),
    _called(
        "call-cherry-pick-expire",
        "`cherrypick_snapshot` over REST of a staged INSERT, main having moved, while it expires: what is committed has"
        " no file.",
        {"w1": [CherryPick()], "w2": [Expire(1)], "w3": [Select()]},
        history=STAGED,
        broken="readable",
    ),
    _called(
        "call-cherry-pick-insert",
        "`cherrypick_snapshot` of a staged INSERT beside an INSERT: it becomes the head, or is appended anew.",
        {"w1": [CherryPick()], "w2": [X]},
        history=STAGED[:1],
        counters=(coverage.FAST_FORWARDED, coverage.PICKED),
    ),
    _called(
        "call-fast-forward-insert",
        "`fast_forward` of main to a branch beside an INSERT: it is forward no more, and refused.",
        {"w1": [MoveBranch("main", "b")], "w2": [X]},
        history=(AppendTo("b", ((6, "s"),)),),
        counters=(coverage.NOT_FAST_FORWARD,),
    ),
    _called(
        "call-expire-insert",
        "`expire_snapshots` of all but the newest one beside an INSERT: both stay, and nothing else.",
        {"w1": [Expire(1)], "w2": [X]},
        history=TWO,
        properties=CLEAN,
        counters=(coverage.CLEANED_BY_SPARK,),
    ),
    _called(
        "call-expire-inserts",
        "`expire_snapshots` beside two INSERTs that are committed after it has loaded the table: the snapshot of the"
        " first one expires, and its manifest list stays for ever.",
        {"w1": [Expire(1)], "w2": [X, Insert(((6, "y"),))]},
        properties=CLEAN,
        broken="no-leaks",
    ),
    _called(
        "call-expire-cached",
        "The same by a session that caches the table, and began long after both: what expired meanwhile, it does not"
        " know.",
        {"w1": [Select(), Expire(1)], "w2": [X, Update(1, "A")]},
        cached=("w1",),
        properties=CLEAN,
        counters=(coverage.TABLE_CACHED,),
        broken="no-leaks",
    ),
    _called(
        "call-roll-back-cached",
        "`rollback_to_snapshot` by a session that caches the table: it loads it all the same, and takes back what was"
        " committed since it was cached.",
        {"w1": [Select(), RollBack(1)], "w2": [X]},
        history=TWO[:1],
        cached=("w1",),
        counters=(coverage.TABLE_CACHED,),
        broken="acknowledged-writes-survive",
    ),
    _called(
        "call-publish-cached",
        "`set_current_snapshot` to a branch by a session that caches the table: main is where the branch was then, and"
        " what both have got since, and was acknowledged, is gone from main.",
        PUBLISHED,
        history=(AppendTo("b", ((6, "s"),)),),
        cached=("w1",),
        counters=(coverage.TABLE_CACHED,),
        broken="acknowledged-writes-survive",
    ),
    _rewritten(
        "rewrite-manifests-insert",
        "`rewrite_manifests` beside an INSERT: both stay, and the new manifest is left as it is.",
        {"w1": [RewriteManifests()], "w2": [X]},
        counters=(coverage.RETRY,),
    ),
    _rewritten(
        "rewrite-manifests-delete",
        "`rewrite_manifests` beside a DELETE that replaces one of the manifests: the procedure is refused.",
        {"w1": [RewriteManifests()], "w2": [Delete(3)]},
        counters=(coverage.MANIFEST_GONE,),
    ),
    _rewritten(
        "rewrite-manifests-update",
        "`rewrite_manifests` beside a merge-on-read UPDATE: both stay, whoever comes first.",
        {"w1": [RewriteManifests()], "w2": [Update(1, "A")]},
        counters=(coverage.RETRY,),
    ),
    _rewritten(
        "rewrite-manifests-twice",
        "`rewrite_manifests` twice at once: the second one is refused.",
        {"w1": [RewriteManifests()], "w2": [RewriteManifests()]},
        counters=(coverage.MANIFEST_GONE,),
    ),
    _rewritten(
        "rewrite-manifests-reply-faults",
        "`rewrite_manifests` alone, and any call may fail: it does not find its own commit, for what it has replaced is"
        " gone, and deletes the manifests that it has committed.",
        {"w1": [RewriteManifests()]},
        faults=ANY_REST_FAULT,
        yield_points=None,
        broken="readable",
    ),
    _rewritten(
        "rewrite-manifests-cached",
        "`rewrite_manifests` by a session that caches the table as it was before a DELETE of a whole file: it is"
        " refused, however late it comes.",
        {"w1": [Select(), RewriteManifests()], "w2": [Delete(3)]},
        cached=("w1",),
        counters=(coverage.MANIFEST_GONE, coverage.TABLE_CACHED),
    ),
)
