"""PyIceberg's writers with several statements: what matches nothing, and who goes on after what."""

from typing import Any

import pytest

from sim.generation.sweep import Plan, sweep
from sim.iceberg.equality import Upsert
from sim.iceberg.managing import CreateRef, Expire, RollBack
from sim.iceberg.pyiceberg import race
from sim.iceberg.workload import (
    AddColumn,
    Append,
    ChangeRow,
    Copy,
    Delete,
    Overwrite,
    Scan,
    SetProperty,
    Transaction,
)
from sim.search.explore import exhaustive
from sim.search.run import Run, Runner
from sim.search.strategies import Deviations
from sim.world.scenario import FaultSpace


def completions(run, writer):
    """The types of a writer's completed operations."""
    return [event.type for event in run.events if event.process == writer and event.type != "invoke"]


def test_a_delete_that_matches_nothing_is_acknowledged_and_makes_no_version():
    """It is neither a commit nor a write."""
    run = Runner(race("x", "", {"w1": [Delete(9), Append(((3, "x"),))]})).run(Deviations())
    assert completions(run, "w1") == ["ok", "ok"]
    assert run.failure is None
    assert [event.commit for event in run.events if event.type == "version"] == [0, 1]


def test_a_writer_that_was_told_nothing_does_not_go_on():
    """Its statement stays of unknown outcome, and its next one is never sent."""
    lost = FaultSpace({"commit": ("drop-after",)}, 1)
    runner = Runner(race("x", "", {"w1": [Append(((3, "x"),)), Append(((4, "y"),))]}, faults=lost))
    run = runner.run(_Hit())
    assert completions(run, "w1") == ["info"]
    assert sum(event.type == "invoke" and event.process == "w1" for event in run.events) == 1


class _Hit:
    """The first call that can be hit is."""

    def pick(self, ready, so_far):
        return 0

    def choose(self, name, options):
        return 1 if name.startswith("fault:") else 0


def test_a_delete_that_finds_nothing_is_not_taken_for_somebody_elses_commit():
    """It makes no version, and claims none."""
    writers = {"w1": [Delete(4)], "w2": [Delete(2)]}
    found = sweep(race("x", "", writers, properties=("acknowledged-writes-survive",)), Plan(first=8, most=12))
    assert not found.failures


def together(steps: Any) -> Transaction:
    """A transaction of these steps; PyIceberg's may have a Delete."""
    return Transaction(steps)


def once(statement, **table):
    """The run of one statement alone."""
    run = Runner(race("x", "", {"w1": [statement]}, **table)).run(Deviations())
    assert run.failure is None
    return run


def written(run):
    """What was acknowledged: rows and their values."""
    done = next(event for event in run.events if event.process == "w1" and event.type == "ok")
    return {write.key: write.value for write in done.writes}


def read(run):
    """What the last reader found there."""
    final = next(event for event in reversed(run.events) if event.process == "r-final")
    return {one.key: one.value for one in final.reads if one.value is not None}


@pytest.mark.parametrize(
    ("statement", "writes"),
    [
        (Append(((3, "x"),)), {"row:3": "x"}),
        (Delete(1), {"row:1": None}),
        (ChangeRow(1, "x"), {"row:1": "x"}),
        (ChangeRow(9, "x"), {}),
        (Overwrite(((1, "x"), (3, "y"))), {"row:1": "x", "row:2": None, "row:3": "y"}),
        (Upsert(1, "x"), {"row:1": "x"}),
        (Upsert(3, "y"), {"row:3": "y"}),
        (Copy(1, 2), {"row:2": "a"}),
        (Copy(9, 2), {}),
        (SetProperty("k", "v"), {}),
        (AddColumn("c"), {}),
        (together((Append(((3, "x"),)), ChangeRow(3, "y"), Delete(1), Delete(1))), {"row:1": None, "row:3": "y"}),
        (together((SetProperty("k", "v"), Copy(1, 2))), {"row:2": "a"}),
        (together((Append(((3, "x"),)), Delete(9))), {"row:3": "x"}),
    ],
    ids=str,
)
@pytest.mark.parametrize("history", [(), (Append(((4, "d"),)), Delete(4))], ids=["new", "old"])
def test_a_statement_writes_what_it_says_and_the_table_has_it(statement, writes, history):
    """Each alone: on one file of two rows, and on a table with a history."""
    run = once(statement, history=history)
    assert written(run) == writes
    left = {"row:1": "a", "row:2": "b"} | writes
    assert read(run) == {key: value for key, value in left.items() if value is not None}


def test_an_overwrite_is_two_snapshots_and_one_version():
    """It deletes, then appends: nobody meets the table between them."""
    run = once(Overwrite(((1, "x"),)))
    versions = [event for event in run.events if event.type == "version"]
    assert [(event.commit, event.parent) for event in versions] == [(0, None), (1, versions[0].snapshot)]
    assert versions[1].arg == "append"


@pytest.mark.parametrize(("at", "one_of_two"), [("first", False), ("current", True)])
def test_two_scans_read_one_snapshot_unless_the_table_is_refreshed_between(at, one_of_two):
    """A row that is added meanwhile is met by one of the two in some schedule then, and in none otherwise."""
    met = []

    def look(run: Run) -> None:
        done = next(event for event in run.events if event.process == "w1" and event.type == "ok")
        met.append([one.value for one in done.reads if one.key == "row:3"])

    writers: Any = {"w1": [Scan(2, at)], "w2": [Append(((3, "x"),))]}
    assert exhaustive(race("x", "", writers, properties=("readable",)), limit=1000, each=look).complete
    assert (["x"] in met) == one_of_two
    assert ["x", "x"] in met
    assert any("x" not in values for values in met)


def test_a_second_delete_of_a_transaction_that_finds_nothing_takes_nothing_back():
    """The first one has deleted the row."""
    assert written(once(together((Delete(1), Delete(1))))) == {"row:1": None}


def test_no_stale_load_is_older_than_the_race():
    """What was done to the table before has been seen by everybody."""
    faults = FaultSpace({"load": ("stale",)}, 2)
    scenario = race("x", "", {"w1": [Scan(1)], "w2": [Scan(1)]}, faults=faults, properties=("snapshot-isolation",))
    assert not sweep(scenario, Plan(first=8, most=40)).failures


OLD = (Append(((3, "c"),)), Append(((4, "d"),)))


@pytest.mark.parametrize(
    ("statement", "writes"),
    [
        (RollBack(1), {"row:4": None}),
        (RollBack(9), {"row:3": None, "row:4": None}),
        (Expire(1), {}),
        (CreateRef("t", tag=True, back=1), {}),
        (CreateRef("b"), {}),
    ],
    ids=str,
)
def test_a_statement_that_manages_snapshots_writes_what_it_does_to_main(statement, writes):
    """A roll-back takes rows back; the others leave them."""
    run = once(statement, history=OLD)
    assert written(run) == writes
    left = {"row:1": "a", "row:2": "b", "row:3": "c", "row:4": "d"} | writes
    assert read(run) == {key: value for key, value in left.items() if value is not None}


def test_versions_are_places_of_main_where_it_is_moved_back():
    """An append, the roll-back of it, and a tag, which moves nothing."""
    history = (Append(((3, "c"),)),)
    writers: Any = {"w1": [Append(((4, "d"),)), RollBack(1), CreateRef("t", tag=True)]}
    run = Runner(race("x", "", writers, history=history)).run(Deviations())
    assert run.failure is None
    done = [(event.start, event.commit) for event in run.events if event.process == "w1" and event.type == "ok"]
    assert done == [(0, 1), (1, 2), (2, None)]
    assert [event.commit for event in run.events if event.type == "version"] == [0, 1, 2]


def test_a_table_whose_main_is_gone_is_a_version_too():
    """It is empty, and whoever names a snapshot of main is refused."""
    writers: Any = {"w1": [RollBack(1)], "w2": [Expire(1), CreateRef("t")]}
    seen = []

    def look(run: Run) -> None:
        gone = [event.arg for event in run.events if event.type == "version"][-1] == "no main"
        refused = [event.error or "" for event in run.events if event.process == "w2" and event.type == "fail"]
        if gone:
            seen.append((read(run), [error.partition(":")[0] for error in refused]))

    exhaustive(race("x", "", writers, history=OLD), limit=1000, each=look)
    assert seen
    assert all(one == ({}, ["ValueError"]) for one in seen)
