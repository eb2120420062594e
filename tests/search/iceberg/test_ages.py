"""Tables whose snapshots have ages, and what goes by them: what all schedules of a pair come to."""

import pytest

from model.iceberg.clock_rule import EPOCH_MS, HOUR_MS
from model.iceberg.retention import MAX_REF_AGE
from sim.iceberg.ages import ExpireOlder, Retain, RollBackToTime, describe
from sim.iceberg.built_in.managed import KEPT
from sim.iceberg.creating import CreateTable
from sim.iceberg.managing import AppendTo, CherryPick, CreateRef, Stage
from sim.iceberg.scenarios import CATALOG_STEPS, race
from sim.iceberg.workload import AddColumn, Append, IcebergWorkload, Insert, SetProperty, Transaction
from sim.search.matrix import OK, REFUSED, judged
from sim.search.run import Runner
from sim.search.strategies import FirstCome

ADDED, THIRD = Append(((4, "y"),)), Append(((3, "x"),))
HISTORY = (Append(((2, "b"),)), THIRD)


def timed(writers, *before, ages_h=(9, 7, 3), catalog="java-api", properties=KEPT):
    """A race on a table of three snapshots, and more."""
    return race(
        "ages", "", writers, properties=properties, catalog=catalog, rows=((1, "a"),), history=(*HISTORY, *before),
        ages_h=ages_h, yield_points=CATALOG_STEPS,
    )  # fmt: skip


def left(*statements, ages_h=(9, 7, 3), before=()):
    """The ages of the snapshots that are left when one has done all that."""
    run = Runner(timed({"w1": statements}, *before, ages_h=ages_h)).run(FirstCome())
    assert run.left.metadata is not None
    return [(EPOCH_MS - each.timestamp_ms) / HOUR_MS for each in run.left.metadata.snapshots]


def kinds(one, other, *before, **further):
    """What all schedules of a pair come to: ok, who is refused, what is broken."""
    found = judged(timed({"w1": [one], "w2": [other]}, *before, **further))
    assert found.complete
    return {
        f"{each.kind} {each.detail.split(' ')[0]}" if each.kind == REFUSED else each.kind for each in found.outcomes
    }


def test_who_commits_gives_the_snapshot_its_time_and_an_expiry_goes_by_age():
    """What is seven hours old goes, what is three hours old stays."""
    assert left(ADDED) == [9, 7, 3, 0]
    assert left(ExpireOlder(5)) == [3]
    assert left(ExpireOlder(8), ADDED) == [7, 3, 0]
    assert left(ExpireOlder(1, keep=2)) == [7, 3]


def test_a_ref_that_says_nothing_goes_by_what_the_table_says_of_all_refs():
    """That is no ref that is gone too early; one that says more stays."""
    before = (CreateRef("t", tag=True), ADDED, SetProperty(MAX_REF_AGE, str(5 * HOUR_MS // 2)))
    assert left(ExpireOlder(1), before=before, ages_h=(9, 7, 3, 1)) == [1]
    assert left(Retain("t", max_ref_age_h=4), ExpireOlder(1), before=before, ages_h=(9, 7, 3, 1)) == [3, 1]
    asked = timed({"w1": [ExpireOlder(1)]}, *before, ages_h=(9, 7, 3, 1))
    assert "table-invariants" in asked.properties
    assert Runner(asked).run(FirstCome()).failure is None


def test_what_a_ref_says_counts_for_an_expiry():
    """More snapshots, and older ones, than the expiry asks for."""
    assert left(Retain("main", keep=2), ExpireOlder(1)) == [7, 3]
    assert left(Retain("main", max_snapshot_age_h=8), ExpireOlder(1)) == [7, 3]
    tagged = (CreateRef("t", tag=True), ADDED)
    assert left(ExpireOlder(1), before=tagged, ages_h=(9, 7, 3, 1)) == [3, 1]
    assert left(Retain("t", max_ref_age_h=2.5), ExpireOlder(1), before=tagged, ages_h=(9, 7, 3, 1)) == [1]


def test_a_snapshot_below_one_that_is_older_goes_however_young_it_is():
    """Its writer's clock was ahead, or that of the next one behind."""
    assert left(ExpireOlder(5), before=(ADDED,), ages_h=(9, 3, 7, 1)) == [1]


def test_who_rolls_back_to_a_time_is_refused_if_that_snapshot_expires():
    """It is no ancestor of main any more; and an expiry is refused that has chosen what main points to by then."""
    expected = {OK, "refused w1", "refused w2"}
    assert kinds(RollBackToTime(8), ExpireOlder(5), CreateRef("t", tag=True)) == expected


@pytest.mark.parametrize("catalog", ["java-api", "rest"])
@pytest.mark.parametrize(
    "statement", [ADDED, SetProperty("k", "1"), AddColumn("c"), CreateRef("b"), AppendTo("b", ((5, "b"),)),
                  Stage(((5, "s"),)), ExpireOlder(5), RollBackToTime(5), Retain("main", 2)],
)  # fmt: skip
def test_nobody_changes_a_table_whose_head_is_ahead(statement, catalog):
    """Until its time has come."""
    asked = timed({"w1": [statement]}, ages_h=(9, 7, -3), catalog=catalog)
    ended = [event for event in Runner(asked).run(FirstCome()).events if event.process == "w1"][-1]
    assert (ended.type, str(ended.error).split(":")[0]) == ("fail", "InvalidOperation")


def test_a_clock_that_is_ahead_by_less_than_a_minute_is_borne_with():
    """As upstream bears with it."""
    assert left(ADDED, ages_h=(9, 7, -0.01)) == [9, 7, -0.01, 0]


def test_a_cherry_pick_gives_what_it_appends_its_own_time():
    """The staged one keeps the time at which it was made."""
    assert left(CherryPick(), before=(Stage(((5, "s"),)), ADDED), ages_h=(9, 8, 7, 6, 1)) == [9, 8, 7, 6, 1, 0]


def test_statements_are_told_in_words():
    """For histories."""
    assert describe(ExpireOlder(5, 2)) == ("expire by age", "5 h, all but 2")
    assert describe(Retain("main", 3, 5, 2.5)) == (
        "set retention", "main: keeps 3, snapshots up to 5 h, itself up to 2.5 h"
    )  # fmt: skip


@pytest.mark.parametrize(("further", "words"), [
    ({"ages_h": (9,)}, "expected 3, one for each snapshot"),
    ({"ages_h": (9, 7, 3), "history": (*HISTORY, SetProperty("k", "1"), CreateRef("t"))}, ""),
    ({"ages_h": (9, 7, 3), "history": (Transaction((ADDED, THIRD)),)}, ""),
    ({}, "expected an age of each snapshot"),
    ({"ages_h": (9, 7, 3), "catalog": "hive-lock"}, "expected java-api or rest"),
    ({"ages_h": (9, 7, 3), "writers": (("w1", (CreateTable(((1, "a"),), True),)),)}, ""),
    ({"ages_h": (9, 7, 3), "writers": (("w1", (CreateTable(((1, "a"),), True),)),), "catalog": "rest"},
     "expected none where tables are"),
    ({"ages_h": (9,), "writers": (("w1", (Insert(((1, "a"),)),)),), "history": ()}, "none but on catalog rest"),
])  # fmt: skip
def test_ages_are_refused_where_they_say_nothing(further, words):
    """One for each snapshot, of tables that managed statements can be on."""
    given = {"writers": (("w1", (ExpireOlder(5),)),), "catalog": "java-api", "history": HISTORY} | further
    if not words:
        assert IcebergWorkload(**given).ages_h == (9, 7, 3)
        return
    with pytest.raises(ValueError, match=words):
        IcebergWorkload(**given)
