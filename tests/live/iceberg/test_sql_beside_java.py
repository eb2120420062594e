"""Spark SQL beside a client of the Java API that streams, as Flink does, on the real Iceberg, and the model's."""

import pytest

from sim.iceberg.beside_sql import Streaming, is_mixed
from sim.iceberg.sql_statements import Insert, Merge, RewriteDataFiles, Update
from sim.iceberg.workload import Append, DeleteWhere, Upsert
from tests.live.iceberg.agreement import both, kinds, scenario_of
from tests.live.iceberg.drawn_races import drawn

pytestmark = pytest.mark.live
EACH = 8
CONFIGURATIONS = ("the Java API beside SQL", "the Java API beside SQL, merge-on-read")
STREAMED = (Append(((3, "x"),)), Append(((3, "x"),), merge=True), Upsert(2, "B"), DeleteWhere(2))
SCHEDULE = "w1.load w2.load w2.commit w1:end w2:end"


@pytest.mark.parametrize("mode", ["copy-on-write", "merge-on-read"])
@pytest.mark.parametrize("statement", [Update(1, "A"), Merge(((1, "A"), (9, "n"))), Insert(((8, "i"),))])
@pytest.mark.parametrize(
    "streamed", [Append(((3, "x"),)), Append(((3, "x"),), merge=True), Upsert(2, "B"), DeleteWhere(2)]
)
def test_each_statement_beside_each_does_the_same(sql, statement, streamed, mode):
    """The client commits while the statement is between its plan and its commit."""
    scenario = scenario_of({"w1": [statement], "w2": [streamed]}, mode=mode, isolation="serializable")
    both(sql, scenario, SCHEDULE)


def test_a_compaction_with_the_starting_number_spares_no_row_of_a_streamed_delete(sql):
    """A file is rewritten whose row is deleted by equality meanwhile."""
    scenario = scenario_of({"w1": [RewriteDataFiles()], "w2": [DeleteWhere(2)]}, history=(Insert(((3, "c"),)),))
    _, live = both(sql, scenario, SCHEDULE)
    assert kinds(live)["w2"] == "ok"


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_generated_races_do_the_same(sql, configuration):
    """Step by step, whatever becomes of the table."""

    def mixed(work):
        return is_mixed([one for _, todo in work.writers for one in todo])

    for _, played in drawn(configuration, mixed, EACH):
        _, live = both(sql, played.run.scenario, played.schedule.steps)
        assert any(isinstance(command.statement, Streaming) for command in live.commands)
