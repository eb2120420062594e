"""An answer of a metastore that gets lost, or a call that is late: its client cannot know what was done, or will be."""

import pytest

from sim.generation.draws import seeded
from sim.hive.generate import GENERATOR
from sim.search.at_gates import runs_at_gates
from sim.search.projection import Played
from sim.world.scenario import Scenario
from tests.live.hive.agreement import both_generated

pytestmark = pytest.mark.live
EACH = 3
LOST, LATE = "drop-after", "late"


def struck(run, kind):
    """The call that was struck by a fault of this kind; "" if none was."""
    return next((row[2] for row in run.trace if row[6] == kind), "")


def has_arrived(run):
    """Whether a late call has come to its metastore."""
    return any("-late" in row[1] for row in run.trace)


def chosen(configuration, rules, kind, wanted):
    """The first run that is wanted of each call that is struck, until there are enough: scenario and run."""
    settings = GENERATOR.configurations[configuration]
    made = (GENERATOR.make(seeded(seed), settings, rules) for seed in range(5_000))
    runs = ((each, one) for each in made if kind in str(each.faults.kinds) for one in runs_at_gates(each, 0, 4))
    found: dict[str, tuple[Scenario, Played]] = {}
    for scenario, one in runs:
        if (call := struck(one.run, kind)) and wanted(one.run):
            found.setdefault(call, (scenario, one))
        if len(found) == EACH:
            break
    assert len(found) == EACH
    return found.values()


@pytest.mark.parametrize(
    ("configuration", "rules"),
    [
        ("default", "shipped"),
        ("external", "shipped"),
        ("both", "shipped-refresh"),
        ("no-cache", "shipped"),
        ("hives-own-client", "shipped"),
    ],
)
def test_generated_races_in_which_answers_get_lost_do_the_same_live(hive, configuration, rules):
    """Drawn faults, at a call of another kind in each race: what everybody is told afterwards, and what is there."""
    for scenario, one in chosen(configuration, rules, LOST, lambda run: True):
        both_generated(hive, scenario, one)


def test_generated_races_in_which_calls_are_late_do_the_same_live(hive):
    """They arrive at any later moment, when their clients have made them again, or have ended; or never."""
    for scenario, one in chosen("no-cache", "shipped", LATE, has_arrived):
        both_generated(hive, scenario, one)
