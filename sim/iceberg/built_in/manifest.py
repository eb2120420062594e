"""Scenarios of rewrites of manifests by the Java API: by clusters, and by manifests that a caller has written.

Source: `model.iceberg.rewrite_manifests`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from model.iceberg import coverage
from model.iceberg.rules import SELF_CHECK_FIRST
from sim.iceberg.built_in.jdbc import BREAKS
from sim.iceberg.by_hand import ReplaceManifests
from sim.iceberg.manifests import ClusterManifests
from sim.iceberg.scenarios import ANY_REST_FAULT, CATALOG_STEPS, SAFETY, race
from sim.iceberg.workload import Append, ChangeRow, DeleteRow, Statement, Transaction, UpdateSpec
from sim.world.scenario import Scenario

HISTORY = (Append(((3, "c"),)), Append(((4, "d"),)))
"""Two commits, so that there are two data manifests more."""
ALONE: Mapping[str, Sequence[Statement]] = {"w1": [ClusterManifests()]}
CHANGE = ChangeRow(3, "C")


def _rewritten(name: str, summary: str, writers: Mapping[str, Sequence[Statement]], **further: Any) -> Scenario:
    given = {"catalog": "java-api", "history": HISTORY, "yield_points": CATALOG_STEPS, **further}
    return race(name, summary, writers, **given)


MANIFESTS: tuple[Scenario, ...] = (
    _rewritten(
        "cluster-manifests-append",
        "`rewriteManifests().clusterBy` beside an append: what was rewritten is kept, and the new manifest stays.",
        {"w1": [ClusterManifests()], "w2": [Append(((5, "x"),))]},
        counters=(coverage.RETRY,),
    ),
    _rewritten(
        "cluster-manifests-change",
        "The same beside an overwrite that replaces one of the manifests: all is rewritten again.",
        {"w1": [ClusterManifests()], "w2": [CHANGE]},
        counters=(coverage.CLUSTERED_AGAIN,),
    ),
    _rewritten(
        "cluster-manifests-delete",
        "The same beside a delete by position: a delete file is of the rewritten entries as it was before.",
        {"w1": [ClusterManifests("file")], "w2": [DeleteRow(3)]},
        counters=(coverage.RETRY,),
    ),
    _rewritten(
        "cluster-manifests-transaction",
        "A transaction that rewrites manifests and appends, beside an overwrite that replaces one of the manifests.",
        {"w1": [Transaction((ClusterManifests(), Append(((5, "x"),))))], "w2": [CHANGE]},
        counters=(coverage.CLUSTERED_AGAIN, coverage.UPDATES_APPLIED_AGAIN),
    ),
    _rewritten(
        "cluster-manifests-spec",
        "`clusterBy` on a table that was loaded before its spec was changed and a file was written by the new one: a"
        " spec that it does not know ends it, and the manifests that it has written stay for good.",
        {"w1": [ClusterManifests()], "w2": [Transaction((UpdateSpec(2), Append(((5, "x"),))))]},
        broken="no-leaks",
    ),
    _rewritten(
        "cluster-manifests-spec-loaded",
        "The same on a table that was loaded when its spec had been changed.",
        {"w1": [ClusterManifests()], "w2": [Append(((5, "x"),))]},
        history=(*HISTORY, UpdateSpec(2)),
        counters=(coverage.RETRY,),
    ),
    _rewritten(
        "replace-manifests-append",
        "`deleteManifest` and `addManifest` beside an append: both stay, and the new manifest is left as it is.",
        {"w1": [ReplaceManifests()], "w2": [Append(((5, "x"),))]},
        counters=(coverage.RETRY,),
    ),
    _rewritten(
        "replace-manifests-change",
        "The same beside an overwrite that replaces one of the manifests: refused.",
        {"w1": [ReplaceManifests()], "w2": [CHANGE]},
        counters=(coverage.MANIFEST_GONE,),
    ),
    _rewritten(
        "replace-manifests-twice",
        "Two replace all manifests: the second one is refused.",
        {"w1": [ReplaceManifests()], "w2": [ReplaceManifests()]},
        counters=(coverage.MANIFEST_GONE,),
    ),
    _rewritten(
        "replace-manifests-but-one",
        "The manifest that is added has a file less than those that are deleted: refused, whatever is beside it.",
        {"w1": [ReplaceManifests(but_one=True)], "w2": [Append(((5, "x"),))]},
        properties=("readable", "table-invariants", "no-aborted-reads", "no-leaks"),
        because="it is refused by itself",
        counters=(coverage.OTHER_FILE_COUNTS,),
    ),
    _rewritten(
        "cluster-manifests-reply-faults",
        "`clusterBy` alone over REST, and any call may fail: its commit was applied and is tried again, finds none of"
        " what it has rewritten, and deletes the manifests that it has committed before it reads them.",
        ALONE,
        catalog="rest",
        faults=ANY_REST_FAULT,
        yield_points=None,
        properties=SAFETY,
        broken="readable",
    ),
    _rewritten(
        "cluster-manifests-reply-faults-self-check",
        "The same, with a client that looks for its own snapshot before it rewrites.",
        ALONE,
        catalog="rest",
        rules=SELF_CHECK_FIRST,
        faults=ANY_REST_FAULT,
        yield_points=None,
        properties=SAFETY,
        counters=(coverage.SELF_RECOGNISED_EARLY,),
    ),
    _rewritten(
        "jdbc-cluster-manifests-broken",
        "The same on a JDBC catalog whose connection breaks when the commit was carried out: no server misreports"
        " anything.",
        ALONE,
        catalog="jdbc",
        faults=BREAKS,
        yield_points=None,
        properties=SAFETY,
        broken="readable",
    ),
)
