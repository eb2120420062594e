"""What goes by time on the real Iceberg, on tables whose snapshots have ages: step by step as the model has it."""

import pytest

from model.iceberg.clock_rule import HOUR_MS
from model.iceberg.retention import MAX_REF_AGE
from real_backend.iceberg.conformance import conform
from sim.iceberg.ages import ExpireOlder, Retain, RollBackToTime
from sim.iceberg.built_in.managed import KEPT
from sim.iceberg.managing import AppendTo, CherryPick, CreateRef, ReplaceTable, Stage
from sim.iceberg.scenarios import race
from sim.iceberg.workload import AddColumn, Append, SetProperty
from sim.search.projection import projection
from sim.search.run import Runner
from sim.search.strategies import RandomWalk
from tests.live.iceberg.agreement import both, breaks_alike, scenario_of

pytestmark = pytest.mark.live
THIRD, ADDED, AGES = Append(((3, "x"),)), Append(((4, "y"),)), (9, 7, 3)
SURVIVE = "acknowledged-writes-survive/lost-row"
SCHEDULES = 6
PAIRS = [
    ((ExpireOlder(5), ADDED), (), AGES, set()),
    ((ExpireOlder(8, keep=2), ExpireOlder(5)), (), AGES, set()),
    ((RollBackToTime(6), ADDED), (), AGES, {SURVIVE}),
    ((RollBackToTime(8), RollBackToTime(6)), (), AGES, set()),
    ((RollBackToTime(8), ExpireOlder(5)), (CreateRef("t", tag=True),), AGES, None),
    ((Retain("main", keep=3), ExpireOlder(5)), (), AGES, None),
    ((Retain("main", 3, 8, 10), ADDED), (), AGES, None),
    ((Retain("t", max_ref_age_h=2.5), ExpireOlder(5)), (CreateRef("t", tag=True), ADDED), (9, 7, 3, 1), set()),
    ((Retain("b", max_snapshot_age_h=8), ExpireOlder(5)), (AppendTo("b", ((5, "b"),)),), (9, 7, 3, 2), set()),
    ((CherryPick(), ExpireOlder(5)), (Stage(((5, "s"),)), ADDED), (9, 8, 7, 6, 1), None),
    ((CherryPick(), ExpireOlder(5)), (Stage(((5, "s"),)), ADDED), (9, 8, 7, 2, 1), None),
    ((ExpireOlder(5), ADDED), (), (9, 3, 7), set()),
    ((RollBackToTime(6), ExpireOlder(2)), (), (9, 3, 7), None),
]
"""What two do, what was done before, the ages, and what breaks (None: REST has something of its own)."""
AHEAD = (
    ADDED, SetProperty("k", "1"), AddColumn("c"), CreateRef("b"), AppendTo("b", ((5, "b"),)), Stage(((5, "s"),)),
    ExpireOlder(5), RollBackToTime(5), Retain("main", 2), ReplaceTable(((6, "r"),)),
)  # fmt: skip


def scenario(catalog, writers, before, ages_h):
    """A race on a table of three snapshots, and more."""
    history = (Append(((2, "b"),)), THIRD, *before)
    return race("live", "", writers, catalog=catalog, properties=KEPT, rows=((1, "a"),), history=history, ages_h=ages_h)


def failures(java, scenario):
    """Play random schedules on both sides; they must agree. Returns: what they break."""
    found, played = set(), set()
    for seed in range(SCHEDULES):
        one = projection(Runner(scenario).run(RandomWalk(seed)))
        assert one is not None
        if str(one.schedule) in played:
            continue
        played.add(str(one.schedule))
        live = java.run(scenario.live.workload, one.schedule)
        result = conform(one.run, live)
        assert result.agrees, f"{one.schedule}{result}; live: {live.outcomes}"
        assert breaks_alike(live, one.run)
        found.add(one.run.failure)
    return found - {None}


@pytest.mark.parametrize("catalog", ["java-api", "rest"])
@pytest.mark.parametrize(("pair", "before", "ages_h", "expected"), PAIRS, ids=[str(n) for n in range(len(PAIRS))])
def test_two_agree(java, catalog, pair, before, ages_h, expected):
    """Step by step, in outcomes, rows, refs, what they say, and the snapshots that are left."""
    one, other = pair
    found = failures(java, scenario(catalog, {"w1": [one], "w2": [other]}, before, ages_h))
    assert expected is None or found <= expected


@pytest.mark.parametrize("catalog", ["java-api", "rest"])
@pytest.mark.parametrize("statement", AHEAD, ids=[type(one).__name__ for one in AHEAD])
def test_a_head_that_is_hours_ahead_refuses_every_change(java, catalog, statement):
    """Its writer's clock was ahead: until its time has come, nobody's commit is taken."""
    asked = scenario(catalog, {"w1": [statement], "w2": [ADDED]}, (), (9, 7, -3))
    assert failures(java, asked) == set()


def test_a_tag_that_says_nothing_goes_by_the_tables_property(java):
    """It is too old by `history.expire.max-ref-age-ms`, and nothing was to keep it."""
    before = (
        Append(((2, "b"),)),
        THIRD,
        CreateRef("t", tag=True),
        ADDED,
        SetProperty(MAX_REF_AGE, str(5 * HOUR_MS // 2)),
    )
    scenario = scenario_of(
        {"w1": [ExpireOlder(1)]}, rows=((1, "a"),), catalog="java-api", history=before, ages_h=(9, 7, 3, 1),
        properties=KEPT,
    )  # fmt: skip
    run, live = both(java, scenario, "w1:end")
    assert "main is at s0" in live.left
    assert not [words for words in live.left if words.startswith("t ")]
    assert (run.failure, live.unkept) == (None, ())
