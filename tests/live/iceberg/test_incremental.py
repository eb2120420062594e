"""Incremental scans of the real Java API beside commits, and the model's: what came since a race began."""

import pytest

from sim.iceberg.incremental import OfPast
from sim.iceberg.managing import is_managed
from tests.live.iceberg.agreement import both
from tests.live.iceberg.drawn_races import drawn
from tests.unit.iceberg import incremental_vectors

pytestmark = pytest.mark.live
EACH = 12


@pytest.mark.parametrize("name", incremental_vectors.BY_NAME)
def test_a_consumer_is_told_what_the_vectors_say(java, name):
    """Of each, both ways; the model is told the same."""
    vector = incremental_vectors.BY_NAME[name]
    run, live = both(java, incremental_vectors.scenario_of(vector), "w1:end r1:end")
    assert incremental_vectors.told(run) == vector["expect"]
    refused = [command.outcome != "ok" for command in live.commands if command.actor == incremental_vectors.CONSUMER]
    assert refused == [expected == "InvalidOperation" for expected in vector["expect"].values()]


@pytest.mark.parametrize("managed", [False, True], ids=["past grows", "past is managed"])
def test_consumers_beside_generated_races_are_told_the_same(java, managed):
    """Step by step, whatever becomes of the table."""

    def with_consumers(work):
        reads = any(isinstance(one, OfPast) for _, todo in work.writers for one in todo)
        return reads and is_managed(work.writers) == managed

    for _, played in drawn("Java API, consumers", with_consumers, EACH):
        both(java, played.run.scenario, played.schedule.steps)
