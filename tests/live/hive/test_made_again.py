"""Hive's own client on live metastores: a call whose answer got lost is made again, and what comes of it."""

from itertools import islice

import pytest

from sim.hive.asking import ASKING
from sim.search.at_gates import runs_at_gates
from tests.live.hive.agreement import both, both_generated, found, scenario_of

pytestmark = pytest.mark.live
EACH = 3
NAMES = [scenario.name.removeprefix("hive/") for scenario in ASKING]


@pytest.mark.parametrize("name", NAMES)
def test_random_schedules_do_the_same_live(hive, name):
    """A call or an answer gets lost in each."""
    scenario = scenario_of(name)
    runs = list(islice((one for one in runs_at_gates(scenario, 0, 200) if one.run.injected), EACH))
    assert len(runs) == EACH
    for run in runs:
        both_generated(hive, scenario, run)


def test_a_drop_that_is_made_again_takes_the_table_that_another_one_has_made(hive):
    """Both are acknowledged, and nobody has a table."""
    live = both(hive, scenario_of("drop-made-again"), *found("drop-made-again"))
    assert (live.errors("w1"), live.errors("w2")) == ((), ())
    assert {*live.content.values()} == {None}


def test_a_create_that_is_made_again_is_refused_for_the_table_that_it_has_made(hive):
    """By its own first call."""
    live = both(hive, scenario_of("create-made-again"), *found("create-made-again"))
    assert live.errors("w1") == ("TableExists",)
    assert live.content["table:2"] == "f0"
