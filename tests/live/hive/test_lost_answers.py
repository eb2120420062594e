"""An answer of a metastore that gets lost: it has done what it was asked for, and its client cannot know."""

import pytest

from sim.generation.draws import seeded
from sim.hive.generate import GENERATOR
from sim.search.at_gates import runs_at_gates
from sim.search.projection import Played
from sim.world.scenario import Scenario
from tests.live.hive.agreement import both_generated

pytestmark = pytest.mark.live
EACH = 3
LOST = "drop-after"


def lost(run):
    """The call whose answer got lost; "" if none has."""
    return next((row[2] for row in run.trace if row[6] == LOST), "")


@pytest.mark.parametrize(
    ("configuration", "rules"),
    [("default", "shipped"), ("external", "shipped"), ("both", "shipped-refresh"), ("no-cache", "shipped")],
)
def test_generated_races_in_which_answers_get_lost_do_the_same_live(hive, configuration, rules):
    """Drawn faults, at a call of another kind in each race: what everybody is told afterwards, and what is there."""
    settings = GENERATOR.configurations[configuration]
    made = (GENERATOR.make(seeded(seed), settings, rules) for seed in range(5_000))
    runs = ((each, one) for each in made if LOST in str(each.faults.kinds) for one in runs_at_gates(each, 0, 4))
    chosen: dict[str, tuple[Scenario, Played]] = {}
    for scenario, one in runs:
        if call := lost(one.run):
            chosen.setdefault(call, (scenario, one))
        if len(chosen) == EACH:
            break
    assert len(chosen) == EACH
    for scenario, one in chosen.values():
        both_generated(hive, scenario, one)
