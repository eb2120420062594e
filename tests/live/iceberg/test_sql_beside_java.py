"""Spark SQL beside a client of the Java API that streams, as Flink does, on the real Iceberg, and the model's."""

import pytest

from model.iceberg.partitioning import Field
from sim.iceberg.beside_sql import Streaming, is_mixed
from sim.iceberg.managing import (
    AppendTo,
    CherryPick,
    CreateRef,
    Expire,
    MoveBranch,
    Publish,
    RemoveRef,
    ReplaceRef,
    RollBack,
    Stage,
)
from sim.iceberg.sql_statements import (
    AlterPartitionField,
    Delete,
    Insert,
    Merge,
    RewriteDataFiles,
    RewriteManifests,
    RewritePositionDeletes,
    Update,
)
from sim.iceberg.workload import Append, DeleteWhere, Upsert
from sim.search.at_gates import runs_at_gates
from tests.live.iceberg.agreement import both, kinds, scenario_of
from tests.live.iceberg.drawn_races import drawn

pytestmark = pytest.mark.live
EACH = 8
CONFIGURATIONS = (
    "the Java API beside SQL", "the Java API beside SQL, merge-on-read", "the Java API beside SQL, format 3",
    "procedures beside the Java API", "procedures beside the Java API, merge-on-read",
)  # fmt: skip
STREAMED = (Append(((3, "x"),)), Append(((3, "x"),), merge=True), Upsert(2, "B"), DeleteWhere(2))
THREE = (Insert(((3, "c"),)),)
ROWS_DELETED = (*THREE, Delete(3))
STAGED = (*THREE, Stage(((7, "d"),), 1))
BRANCHED = (*THREE, CreateRef("b"), AppendTo("b", ((5, "e"),)))
PROCEDURES = {
    "expire": (Expire(1), THREE), "roll back": (RollBack(1), THREE), "cherry-pick": (CherryPick(), STAGED),
    "publish": (Publish("b"), BRANCHED), "fast-forward": (MoveBranch("main", "b"), BRANCHED),
    "manifests": (RewriteManifests(), THREE), "position deletes": (RewritePositionDeletes(), ROWS_DELETED),
    "a spec": (AlterPartitionField(None, Field("bucket", 2)), THREE),
}  # fmt: skip
BESIDE_BRANCH = (
    MoveBranch("main", "b"), Publish("b"), Insert(((9, "i"),)), Update(1, "A"), RemoveRef("b"), ReplaceRef("b"),
    Expire(1),
)  # fmt: skip
FORMAT_3 = (("format-version", "3"),)
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


@pytest.mark.parametrize("name", PROCEDURES)
@pytest.mark.parametrize("streamed", STREAMED)
def test_a_procedure_beside_each_does_the_same(sql, name, streamed):
    """The client commits while the procedure is between its load and its commit."""
    called, history = PROCEDURES[name]
    writers = {"w1": [called], "w2": [streamed], "w3": [Insert(((40, "y"),))]}
    scenario = scenario_of(writers, history=history, mode="merge-on-read", isolation="serializable")
    for played in runs_at_gates(scenario, len(name), 1):
        both(sql, scenario, played.schedule.steps)


@pytest.mark.parametrize("called", BESIDE_BRANCH, ids=lambda one: type(one).__name__)
def test_an_append_to_a_branch_beside_each_does_the_same(sql, called):
    """The branch is there before."""
    writers = {"w1": [called], "w2": [AppendTo("b", ((30, "x"),))], "w3": [Insert(((40, "y"),))]}
    scenario = scenario_of(writers, history=BRANCHED, mode="merge-on-read", isolation="serializable")
    for played in runs_at_gates(scenario, 1, 1):
        both(sql, scenario, played.schedule.steps)


@pytest.mark.parametrize("mode", ["copy-on-write", "merge-on-read"])
@pytest.mark.parametrize("statement", [Update(1, "A"), Delete(1), Merge(((1, "A"), (9, "n"))), RewriteDataFiles()])
@pytest.mark.parametrize("streamed", STREAMED)
def test_each_statement_beside_each_does_the_same_in_format_3(sql, statement, streamed, mode):
    """By deletion vectors, where it is merge-on-read."""
    scenario = scenario_of(
        {"w1": [statement], "w2": [streamed]}, history=THREE, mode=mode, isolation="serializable",
        table_properties=FORMAT_3,
    )  # fmt: skip
    both(sql, scenario, SCHEDULE)


@pytest.mark.parametrize("mode", ["copy-on-write", "merge-on-read"])
@pytest.mark.parametrize("streamed", STREAMED)
def test_an_update_beside_each_does_the_same_where_the_spec_was_changed(sql, streamed, mode):
    """The table has files of two specs."""
    history = (AlterPartitionField(None, Field("bucket", 2)), *THREE)
    both(sql, scenario_of({"w1": [Update(1, "A")], "w2": [streamed]}, history=history, mode=mode), SCHEDULE)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_generated_races_do_the_same(sql, configuration):
    """Step by step, whatever becomes of the table."""

    def mixed(work):
        return is_mixed([one for _, todo in work.writers for one in todo])

    for _, played in drawn(configuration, mixed, EACH):
        _, live = both(sql, played.run.scenario, played.schedule.steps)
        assert any(isinstance(command.statement, Streaming) for command in live.commands)
