"""DELETE and UPDATE of one row by Spark SQL on the real Iceberg: the row that comes back, and what refuses it."""

import pytest

from sim.iceberg.workload import Delete, Insert, Update
from sim.kernel.schedule import Divergence, parse
from tests.live.iceberg.agreement import both, kinds, operations, scenario_of, workload_of

pytestmark = pytest.mark.live
DELETE_UPDATE = {"w1": [Delete(1)], "w2": [Update(1, "A")]}
DELETE_LAST = "w1:commit w2:end w1:end"
UPDATE_LAST = "w2:commit w1:end w2:end"


def test_deleted_row_comes_back_under_snapshot_isolation(sql):
    """DELETE planned before the UPDATE moved the row; both succeed, and the row is alive in the real table."""
    _, run = both(sql, scenario_of(DELETE_UPDATE), DELETE_LAST)
    assert kinds(run) == {"w1": "ok", "w2": "ok"}
    assert run.rows == ((1, "A"), (2, "b"))
    assert operations(run) == [("append", "setup"), ("overwrite", "w2"), ("delete", "w1")]


def test_other_order_of_the_same_statements_refuses_the_update(sql):
    """The opposite: only the order of the two commits differs."""
    _, run = both(sql, scenario_of(DELETE_UPDATE), UPDATE_LAST)
    assert kinds(run) == {"w1": "ok", "w2": "refused"}
    assert run.rows == ((2, "b"),)


def test_without_the_gate_nothing_comes_back(sql):
    """The same without a race: an UPDATE after the DELETE finds no row."""
    _, run = both(sql, scenario_of(DELETE_UPDATE), "w1:end w2:end")
    assert kinds(run) == {"w1": "ok", "w2": "ok"}
    assert run.rows == ((2, "b"),)


@pytest.mark.parametrize(
    ("schedule", "refused", "rows", "made"),
    [
        (DELETE_LAST, "w1", ((1, "A"), (2, "b")), ("overwrite", "w2")),
        (UPDATE_LAST, "w2", ((2, "b"),), ("delete", "w1")),
    ],
)
def test_serializable_isolation_refuses_whichever_comes_second(sql, schedule, refused, rows, made):
    """The schedule of the row that comes back, and the opposite one; real Iceberg answers ValidationException."""
    _, run = both(sql, scenario_of(DELETE_UPDATE, isolation="serializable"), schedule)
    assert run.outcome(refused).startswith("ValidationException: ")
    assert run.rows == rows
    assert operations(run) == [("append", "setup"), made]


@pytest.mark.parametrize(("schedule", "refused"), [(DELETE_LAST, "w1"), (UPDATE_LAST, "w2")])
def test_copy_on_write_refuses_whichever_comes_second(sql, schedule, refused):
    """The file that it rewrites is gone."""
    _, run = both(sql, scenario_of(DELETE_UPDATE, mode="copy-on-write"), schedule)
    assert [actor for actor, kind in kinds(run).items() if kind == "refused"] == [refused]


def test_copy_on_write_delete_notices_that_its_scan_is_outdated(sql):
    """The UPDATE lands between two loads of the DELETE's planning: refused before any commit, and not as a conflict."""
    _, run = both(sql, scenario_of(DELETE_UPDATE, mode="copy-on-write"), "w1.load w2:end w1:end")
    assert kinds(run) == {"w1": "invalid", "w2": "ok"}
    assert "concurrently modified" in run.outcome("w1")


def test_schedule_file_edited_by_hand_changes_the_live_outcome(sql):
    """Two names swapped in the text, and the real table ends differently."""
    head = "# lakeproof schedule 1\n# scenario: iceberg/delete-update-snapshot\n# yield-points: load commit\n"
    text, scenario = f"{head}w1:commit\nw2:end\n", scenario_of(DELETE_UPDATE)
    assert sql.run(workload_of(scenario), parse(text)).rows == ((1, "A"), (2, "b"))
    swapped = text.replace("w1:commit", "w2:commit").replace("w2:end", "w1:end")
    assert sql.run(workload_of(scenario), parse(swapped)).rows == ((2, "b"),)


def test_lost_race_of_inserts_is_retried_and_succeeds(sql):
    """The first commit of w1 is refused, its second one lands on top of w2's."""
    _, run = both(sql, scenario_of({"w1": [Insert(((3, "x"),))], "w2": [Insert(((4, "y"),))]}), DELETE_LAST)
    assert kinds(run) == {"w1": "ok", "w2": "ok"}
    assert [step for step in run.trace if step.startswith("w1.commit")] == ["w1.commit=refused", "w1.commit=applied"]
    assert run.rows == ((1, "a"), (2, "b"), (3, "x"), (4, "y"))
    assert operations(run)[1:] == [("append", "w2"), ("append", "w1")]


def test_inserts_in_turn_need_no_retry(sql):
    """Without the race there is one commit each, and the order of the lineage is the schedule's."""
    _, run = both(sql, scenario_of({"w1": [Insert(((3, "x"),))], "w2": [Insert(((4, "y"),))]}), "w1:end w2:end")
    assert sum("commit" in step for step in run.trace) == 2
    assert operations(run)[1:] == [("append", "w1"), ("append", "w2")]


def test_schedule_that_does_not_fit_is_a_divergence_and_leaves_the_session_usable(sql):
    """The message says who stands where; the next run is as any other."""
    scenario = scenario_of(DELETE_UPDATE)
    with pytest.raises(Divergence, match=r"step 2 of 2: wanted w2\.load: w2 stands at w2\.commit"):
        sql.run(workload_of(scenario), "w2:commit w2.load")
    _, run = both(sql, scenario, DELETE_LAST)
    assert run.rows == ((1, "A"), (2, "b"))


def test_commands_carry_the_snapshot_that_they_planned_on(sql):
    """What a history needs: both planned on the first snapshot, each made its own."""
    run = sql.run(workload_of(scenario_of(DELETE_UPDATE)), DELETE_LAST)
    ids = [version.snapshot for version in run.lineage]
    assert [(each.actor, each.start, each.commit) for each in run.commands] == [
        ("w1", ids[0], ids[2]),
        ("w2", ids[0], ids[1]),
    ]
    assert run.contents == (((1, "a"), (2, "b")), ((1, "A"), (2, "b")), ((1, "A"), (2, "b")))
