"""Races on the real Hadoop catalog where renames replace files, as a local disk's do: generated ones, and a fault."""

import pytest

from real_backend.iceberg.conformance import conform
from sim.iceberg.workload import Append
from tests.live.iceberg.agreement import both, breaks_alike, kinds, scenario_of, workload_of
from tests.live.iceberg.drawn_races import drawn

pytestmark = pytest.mark.live
REPLACING = "Java API, Hadoop catalog, renames replace"
EACH = 40


def test_generated_races_do_the_same(java):
    """Steps, answers, lineage, rows and left-overs."""
    for seed, played in drawn(REPLACING, lambda work: work.catalog == "hadoop-replacing", EACH):
        live = java.run(workload_of(played.run.scenario), played.schedule.steps)
        result = conform(played.run, live)
        assert result.agrees, f"seed {seed}: {result}\n{played.schedule}"
        assert breaks_alike(live, played.run), seed


@pytest.mark.parametrize("fault", ["drop-before", "drop-after"])
def test_an_append_whose_rename_fails_is_tried_again(java, fault):
    """Its look was answered, its rename was not: it finds its own snapshot, or commits another one."""
    scenario = scenario_of({"w1": [Append(((3, "x"),))]}, catalog="hadoop-replacing")
    run, live = both(java, scenario, f"w1.load w1.look w1.commit!{fault} w1:end")
    assert kinds(live)["w1"] == "ok"
    assert run.failure is None
    assert [key for key, _ in live.rows] == [1, 2, 3]
