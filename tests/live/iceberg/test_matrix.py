"""Cells of the matrix on the real Java API: every interleaving that the model has, and what comes of it."""

import pytest

from real_backend.iceberg.conformance import conform
from sim.iceberg.matrix import MATRIX
from sim.search.matrix import Place, judged
from sim.search.run import Run
from sim.search.script import schedule_of
from tests.live.iceberg.agreement import breaks_alike, workload_of

pytestmark = pytest.mark.live
CELLS = [
    Place("2", "file-a-row", "none", "delete-file", "rewrite"),
    Place("2", "file-a-row", "serializable", "copy", "transaction"),
    Place("2", "one-file", "none", "change", "delete-another"),
    Place("2", "one-file", "snapshot", "overwrite-filter", "append"),
    Place("2", "with-delete", "snapshot", "rewrite", "delete-row"),
    Place("2", "old-delete", "serializable", "change", "change-another"),
    Place("2", "file-a-row", "none", "column", "property"),
    Place("3", "file-a-row", "none", "delete-row", "delete-row"),
    Place("3", "with-delete", "snapshot", "delete-row", "change"),
    Place("3", "with-delete", "serializable", "delete-row", "transaction"),
    Place("3", "with-delete", "none", "rewrite", "delete-row"),
    Place("3", "one-file", "snapshot", "delete-row", "delete-another"),
    Place("2", "deleted-twice", "none", "change", "copy"),
    Place("3", "deleted-twice", "none", "transaction", "delete-row"),
    Place("3", "deleted-twice", "none", "delete-row", "delete-row"),
    Place("2", "worked-on", "serializable", "transaction", "overwrite-filter"),
    Place("3", "worked-on", "snapshot", "rewrite", "column"),
    Place("2", "file-a-row", "none", "roll-back", "fast-append"),
    Place("2", "partitioned", "snapshot", "replace-partition", "append"),
    Place("3", "partitioned", "serializable", "replace-partition", "delete-row"),
    Place("2", "partitioned", "none", "replace-partition", "rewrite"),
    Place("2", "managed", "snapshot", "roll-back", "cherry-pick"),
    Place("2", "managed", "serializable", "roll-back", "expire"),
    Place("3", "managed", "snapshot", "roll-back", "delete-another"),
    Place("2", "managed", "snapshot", "expire", "expire-below"),
    Place("3", "managed", "none", "expire", "transaction"),
    Place("2", "managed", "none", "expire-below", "tag-below"),
    Place("2", "managed", "serializable", "cherry-pick", "change"),
    Place("2", "managed", "none", "cherry-pick", "expire"),
    Place("2", "managed", "none", "cherry-pick", "cherry-pick"),
    Place("2", "managed", "none", "fast-forward", "append-branch"),
    Place("3", "managed", "serializable", "fast-forward", "overwrite-files"),
    Place("2", "managed", "snapshot", "append-branch", "rewrite"),
    Place("2", "file-a-row", "none", "stage", "expire"),
    Place("2", "managed", "none", "branch", "append"),
    Place("2", "file-a-row", "none", "upsert", "upsert"),
    Place("2", "one-file", "serializable", "change-another", "upsert"),
    Place("3", "with-delete", "snapshot", "delete-where", "delete-row"),
    Place("2", "with-equality-delete", "none", "rewrite-pinned", "delete-where"),
    Place("3", "with-equality-delete", "serializable", "rewrite", "upsert"),
    Place("2", "with-equality-delete", "none", "delete-row", "transaction"),
    Place("3", "partitioned", "snapshot", "rewrite-pinned", "delete-row"),
    Place("2", "laid-out", "none", "move", "rewrite"),
    Place("3", "laid-out", "snapshot", "replace-partition", "spec"),
    Place("2", "laid-out", "none", "drop-column", "sort"),
    Place("2", "laid-out", "none", "statistics", "no-statistics"),
    Place("2", "one-file", "snapshot", "remove-where", "change"),
    Place("2", "managed", "snapshot", "publish", "rewrite"),
    Place("2", "managed", "none", "remove-branch", "overwrite-branch"),
    Place("3", "managed", "none", "replace-branch", "drop-column"),
    Place("2", "aged", "none", "roll-back-time", "delete-another"),
    Place("2", "aged", "none", "expire-properties", "retain"),
    Place("2", "file-a-row", "none", "replace-table", "transaction"),
    Place("2", "managed", "none", "remove-tag", "drop-table"),
    Place("2", "file-a-row", "none", "cluster-manifests", "change"),
    Place("3", "laid-out", "none", "replace-manifests", "cluster-manifests"),
    Place("2", "file-a-row", "none", "expire", "rename-table"),
    Place("3", "managed", "none", "create-or-replace", "drop-table"),
    Place("2", "absent", "none", "put-table", "create-or-replace"),
    Place("1", "aged", "snapshot", "transaction", "roll-back-time"),
    Place("2", "full", "none", "expire-age", "remove-branch"),
    Place("3", "staged-replacement", "none", "pick-replacement", "append-once"),
]


@pytest.mark.parametrize("place", CELLS, ids=["-".join(place) for place in CELLS])
def test_model_and_real_java_agree_on_every_schedule_of_a_cell(java, place):
    """Steps, outcomes, lineage, rows, refs, sequence numbers, columns, properties, files and verdict."""
    scenario = MATRIX.scenario(place)
    assert scenario is not None
    runs: list[Run] = []
    cell = judged(scenario, each=runs.append)
    assert len(runs) == cell.schedules > 2
    for run in runs:
        live = java.run(workload_of(scenario), schedule_of(run))
        result = conform(run, live)
        assert result.agrees, f"{live.trace}: {result}"
        assert dict(result.compared)["things left"] > (
            0 if {"drop-table", "rename-table", "absent"} & set(place) else 2
        )
        assert breaks_alike(live, run)
