"""What a statement meant is no loss, and what is refused in any case no conflict: races that were judged wrongly."""

from typing import Any

import pytest

from sim.iceberg.creating import DropTable
from sim.iceberg.managing import AppendTo, CherryPick, CreateRef, MoveBranch, Stage
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Append, InsertOverwrite, Overwrite, Replace, ReplacePartitions, Transaction, UpdateSpec
from sim.kernel.schedule import steps_of
from sim.search.explore import default_plan
from sim.search.run import Runner

SURVIVE = ("acknowledged-writes-survive", "no-lost-update", "snapshot-isolation")
ONE = ((1, "x"),)
BASE = ((1, "a"), (2, "b"), (5, "e"))
JAVA: dict[str, Any] = {"catalog": "java-api"}
TWO_PARTITIONS: dict[str, Any] = {"partition_width": 4}
ADDS: dict[str, list[Any]] = {"w2": [Append(((6, "f"),))]}


@pytest.mark.parametrize(
    ("statement", "table", "gone"),
    [
        (Overwrite(ONE, validate=True), JAVA, ("row:2", "row:5")),
        (Overwrite((), validate=True, by="file"), JAVA, ("row:1", "row:2", "row:5")),
        (Replace(2, ONE), JAVA, ("row:2", "row:5")),
        (Replace(2, ONE), JAVA | TWO_PARTITIONS, ("row:2",)),
        (ReplacePartitions(ONE, "serializable"), JAVA, ("row:2", "row:5")),
        (ReplacePartitions(ONE, "serializable"), JAVA | TWO_PARTITIONS, ("row:2",)),
        (InsertOverwrite(ONE), {}, ("row:2", "row:5")),
        (InsertOverwrite(ONE, dynamic=True), TWO_PARTITIONS, ("row:2",)),
        (Transaction((Append(((2, "y"),)), Overwrite(ONE, by="filter"))), JAVA, ("row:2", "row:5")),
        (Transaction((Overwrite(ONE, by="filter"), Append(((2, "y"),)))), JAVA, ("row:5",)),
    ],
    ids=str,
)
def test_what_an_overwrite_has_seen_and_does_not_write_is_taken_out(statement, table, gone):
    """It has deleted these rows, and no others; and what it meant holds."""
    scenario = race("meant", "", {"w1": [statement]}, properties=SURVIVE, rows=BASE, **table)
    run = Runner(scenario).play(())
    (done,) = [event for event in run.events if event.process == "w1" and event.type == "ok"]
    assert tuple(sorted(write.key for write in done.writes if write.value is None)) == gone
    assert default_plan(scenario).verdict == "holds"


@pytest.mark.parametrize("by", ["filter", "file"])
@pytest.mark.parametrize("beside", [ADDS, {"w2": [CreateRef("t", tag=True)]}], ids=["append", "tag"])
def test_it_is_so_beside_others(by, beside):
    """Who is refused has taken out nothing."""
    writers: dict[str, Any] = {"w1": [Overwrite(ONE, validate=True, by=by)], **beside}
    assert default_plan(race("meant", "", writers, properties=SURVIVE, **JAVA)).verdict == "holds"


def test_what_came_behind_its_back_is_lost():
    """Nobody validates: the row that was added is gone, and was not meant."""
    found = default_plan(race("meant", "", {"w1": [Overwrite(ONE)], **ADDS}, properties=SURVIVE, **JAVA))
    assert list(found.failures) == ["acknowledged-writes-survive/lost-row"]


def test_partitions_are_those_of_the_spec_that_it_has_written_by():
    """Another one may be the table's by the time that it commits."""
    writers: dict[str, list[Any]] = {"w1": [ReplacePartitions(ONE, "snapshot")], "w2": [UpdateSpec(2)]}
    scenario = race("meant", "", writers, properties=SURVIVE[:1], rows=BASE, **JAVA, **TWO_PARTITIONS)
    assert default_plan(scenario).verdict == "holds"


def test_a_cherry_pick_of_nothing_is_refused_and_no_conflict():
    """It is not asked whether a refusal was needless there; where something is staged, it is."""
    alone = race("meant", "", {"w1": [CherryPick()]}, **JAVA)
    assert "no-spurious-refusal" not in alone.properties
    assert "a cherry-pick of nothing is refused" in alone.bounds
    staged = race("meant", "", {"w1": [CherryPick()]}, history=(Stage(((3, "c"),)),), **JAVA)
    assert "no-spurious-refusal" in staged.properties
    assert default_plan(staged).verdict == "holds"


@pytest.mark.parametrize("beside", [AppendTo("b", ((6, "f"),)), CreateRef("c")])
def test_who_changes_refs_is_refused_for_a_commit_beside_main(beside):
    """Which is no version of main: it is not asked whether that was needless, but beside an append to main it is."""
    table: dict[str, Any] = {**JAVA, "history": (AppendTo("b", ((5, "e"),)),)}
    moved = race("meant", "", {"w1": [MoveBranch("main", "b")], "w2": [beside]}, **table)
    assert "no-spurious-refusal" not in moved.properties
    assert default_plan(moved).verdict == "holds"
    refused = [event.error for run in [Runner(moved).play(steps_of("w1.load w2:end w1:end"))] for event in run.events]
    assert any((error or "").startswith("CommitFailed") for error in refused)
    assert "no-spurious-refusal" in race("meant", "", {"w1": [MoveBranch("main", "b")], **ADDS}, **table).properties


@pytest.mark.parametrize("catalog", ["hive-lock", "hive-no-lock"])
def test_what_it_has_taken_out_is_looked_up_without_a_call(catalog):
    """Also where its client knows the table no more: nobody loads it for that."""
    writers: dict[str, list[Any]] = {"w1": [Overwrite(ONE)], "w2": [DropTable()]}
    assert default_plan(race("meant", "", writers, properties=("readable",), catalog=catalog)).verdict == "holds"
