"""An upsert that takes pending clustering back, on the real Hudi 1.2.0, step by step; the model has no such option.

`hoodie.clustering.rollback.pending.replacecommit.on.conflict`, with `SparkAllowUpdateStrategy`: whoever changes a file
group in a plan rolls the clustering back, that has a plan there by the timeline that it loaded, and carries that out
without the lock (`BaseSparkCommitActionExecutor.clusteringHandleUpdate`). Under the default conflict strategy
clustering looks at nobody when it commits.
"""

import pytest

from model.hudi.keys import ALLOW_UPDATES, UPDATES
from real_backend.hudi import options
from sim.hudi.build import OPTIMISTIC
from sim.hudi.statements import Cluster, Upsert
from sim.hudi.workload import HudiWorkload

pytestmark = pytest.mark.live
TAKES_BACK = "hoodie.clustering.rollback.pending.replacecommit.on.conflict"
BESIDE = HudiWorkload(
    (("w", (Upsert(((1, "A"),)),)), ("c", (Cluster(),))), options=(*OPTIMISTIC, (UPDATES, ALLOW_UPDATES))
)
PLANNED = "c.try_lock(table) c.create(requested) c.unlock(table) c.list(timeline)"
WRITTEN = f"{PLANNED} c.create(inflight) c.create(marker) c.create(data)"
BEGUN = "w.try_lock(table) w.write(heartbeat) w.create(requested) w.unlock(table) w.list(timeline)"
TAKING_BACK = "w.try_lock(table) w.create(requested) w.unlock(table) w.create(inflight) w.delete(data)"
COMMITTED = "c.try_lock(table) c.create(completed) c.unlock(table) c.delete(markers)"


@pytest.fixture
def taking_back(hudi, monkeypatch):
    """Plays a schedule where upserts take clustering back."""
    monkeypatch.setattr(options, "FIXED", {**options.FIXED, TAKES_BACK: "true"})
    return lambda steps: hudi.run(BESIDE, steps)


def test_all_rows_go_with_the_file_of_a_committed_clustering(taking_back):
    """It is deleted before clustering commits, and taken off the timeline after that: one is told that it committed,
    the other one fails, and a reader sees no row, and no error."""
    live = taking_back(f"{WRITTEN} {BEGUN} {TAKING_BACK} {COMMITTED} c:end w:end")
    told = dict(live.outcomes)
    assert told["c"] == "ok"
    assert told["w"].startswith("HoodieException")
    assert live.rows == ()
    assert len(live.missing) == 1


def test_nobody_reads_a_table_whose_clustering_was_taken_back_when_it_became_inflight(taking_back):
    """Its plan is deleted, and it goes on."""
    live = taking_back(f"{PLANNED} w:end c:end")
    told = dict(live.outcomes)
    assert told["w"] == "ok"
    assert told["c"].startswith("HoodieClusteringException: Unable to read clustering plan")
    assert live.rows is None
    assert "Error reading clustering plan" in live.unreadable


def test_one_after_the_other_is_well(taking_back):
    """Nothing was pending then."""
    live = taking_back("c:end w:end")
    assert set(dict(live.outcomes).values()) == {"ok"}
    assert live.rows == (("1", "A"), ("2", "b"))
