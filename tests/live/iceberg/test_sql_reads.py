"""Spark SQL that reads what was, or what came since, beside commits on the real Iceberg, and the model's."""

import pytest

from sim.iceberg.incremental import OfPast
from sim.iceberg.managing import is_managed
from tests.live.iceberg.agreement import both
from tests.live.iceberg.drawn_races import drawn
from tests.unit.iceberg import sql_read_vectors

pytestmark = pytest.mark.live
EACH = 8
CONFIGURATIONS = ("consumers", "JDBC catalog, consumers")


@pytest.mark.parametrize("name", sql_read_vectors.BY_NAME)
def test_vector_of_reads_holds_in_spark(sql, name):
    """What is read in Spark, or refused, is what the vector says."""
    vector = sql_read_vectors.BY_NAME[name]
    run, live = both(sql, sql_read_vectors.scenario_of(vector), vector["schedule"])
    assert sql_read_vectors.told(run) == vector["expect"]
    refused = [command.outcome != "ok" for command in live.commands if command.actor == sql_read_vectors.READER]
    assert refused == [expected in ("InvalidOperation", "ValidationFailed") for expected in vector["expect"]]


@pytest.mark.parametrize("managed", [False, True], ids=["past grows", "past is managed"])
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_consumers_beside_generated_races_of_sql_are_told_the_same(sql, configuration, managed):
    """Step by step, whatever becomes of the table."""

    def with_consumers(work):
        reads = any(isinstance(one, OfPast) for _, todo in work.writers for one in todo)
        return reads and is_managed(work.writers) == managed

    for _, played in drawn(configuration, with_consumers, EACH):
        both(sql, played.run.scenario, played.schedule.steps)
