"""Every interleaving of two writers, on the model and on the real Java commit loop: traces, outcomes, lineage, rows."""

import pytest

from real_backend.iceberg.conformance import conform
from real_backend.iceberg.exhaustive_java import TooMany, interleavings
from real_backend.iceberg.rest_gate import YIELD_POINTS
from sim.iceberg.workload import Append, Overwrite
from sim.search.run import Runner
from tests.live.iceberg.agreement import scenario_of, workload_of

pytestmark = pytest.mark.live
WRITERS = {
    "append": lambda key, value: Append(((key, value),)),
    "overwrite": lambda key, value: Overwrite(((key, value),), validate=True, by="file"),
}


def scenario(first, second):
    writers = {"w1": [WRITERS[first](3, "x")], "w2": [WRITERS[second](4, "y")]}
    return scenario_of(writers, catalog="java-api")


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [("append", "append", 28), ("append", "overwrite", 22), ("overwrite", "overwrite", 16)],
)
def test_model_and_real_commit_loop_agree_on_every_interleaving(java, first, second, count):
    """The real loop says which schedules there are; the model plays each, and every one agrees in every respect."""
    work = scenario(first, second)
    runner = Runner(work, yield_points=YIELD_POINTS)
    seen = set()
    for each in interleavings(java, workload_of(work)):
        result = conform(runner.play(each.schedule.steps), each.run)
        assert result.agrees, f"{each.schedule}{result}; live: {each.run.outcomes}"
        seen.add(tuple(map(str, each.schedule.steps)))
    assert len(seen) == count


def test_interleavings_are_the_same_twice_and_reach_different_outcomes(java):
    """The enumeration repeats to the last snapshot id; order matters to what comes out."""
    work = workload_of(scenario("append", "overwrite"))
    once, again = (
        [(i.run.trace, i.run.outcomes, i.run.lineage, i.run.rows) for i in interleavings(java, work)] for _ in "ab"
    )
    assert once == again
    assert len({rows for *_, rows in once}) > 1


def test_more_interleavings_than_the_limit_is_an_error_not_a_shorter_list(java):
    """A cut enumeration must not look complete."""
    with pytest.raises(TooMany, match="expected at most 5"):
        list(interleavings(java, workload_of(scenario("append", "append")), limit=5))
