"""Transactions that replace a table: every interleaving with another writer, and what is cleaned up, on real Java."""

import pytest

from real_backend.iceberg.conformance import conform
from real_backend.iceberg.exhaustive_java import interleavings
from real_backend.iceberg.rest_gate import YIELD_POINTS
from sim.iceberg.managing import Expire, ReplaceTable
from sim.iceberg.statements import AddColumn
from sim.iceberg.workload import FORMAT, Append
from sim.search.run import Runner
from tests.live.iceberg.agreement import both, breaks_alike, kinds, scenario_of, workload_of

pytestmark = pytest.mark.live
NEW, OTHER, ADDED = ReplaceTable(((7, "n"),)), ReplaceTable(((8, "m"),)), Append(((3, "x"),))


@pytest.mark.parametrize("other", [ADDED, OTHER, AddColumn("c"), Expire(1)])
def test_model_and_real_replacement_agree_on_every_interleaving(java, other):
    """In steps, outcome classes, lineage, refs, columns, files and rows, and in what breaks."""
    work = scenario_of({"w1": [NEW], "w2": [other]}, catalog="java-api", history=(Append(((5, "e"),)),))
    runner = Runner(work, yield_points=YIELD_POINTS)
    for each in interleavings(java, workload_of(work)):
        run = runner.play(each.schedule.steps)
        result = conform(run, each.run)
        assert result.agrees, f"{each.schedule}{result}; live: {each.run.outcomes}"
        assert breaks_alike(each.run, run)


def test_a_replacement_beside_two_appends_is_refused_over_rest(java):
    """The table's last sequence number would be below theirs: the server answers 400."""
    scenario = scenario_of({"w1": [NEW], "w2": [ADDED, Append(((4, "y"),))]}, catalog="rest")
    _, live = both(java, scenario, "w2:end w1:end")
    assert kinds(live) == {"w1": "bad request", "w2": "ok"}
    assert live.rows == ((1, "a"), (2, "b"), (3, "x"), (4, "y"))


def test_a_replacement_beside_an_append_is_refused_over_rest_in_format_3(java):
    """Row ids have been given away meanwhile: the server answers 409, as often as it is asked."""
    format_ = ((FORMAT, "3"),)
    scenario = scenario_of({"w1": [NEW], "w2": [ADDED]}, catalog="rest", table_properties=format_)
    _, live = both(java, scenario, "w1:commit w2:end w1:end")
    assert kinds(live) == {"w1": "lost the race", "w2": "ok"}
    assert live.rows == ((1, "a"), (2, "b"), (3, "x"))


@pytest.mark.parametrize(
    ("fault", "kind", "rows"),
    [("409-before", "ok", 1), ("503-before", "state unknown", 2), ("503-after", "state unknown", 1)],
)
def test_what_a_replacement_makes_of_an_answer(java, fault, kind, rows):
    """A lost race is tried again; after an unknown outcome nothing is cleaned up."""
    scenario = scenario_of({"w1": [NEW]}, catalog="java-api")
    _, live = both(java, scenario, f"w1:commit w1.commit!{fault} w1:end")
    assert kinds(live) == {"w1": kind}
    assert len(live.rows) == rows
