"""CachedStore 4.0.1 with lists of what it may hold: the scenarios, and generated races, step by step."""

from itertools import islice

import pytest

from sim.generation.draws import seeded
from sim.hive.generate import GENERATOR
from sim.search.at_gates import runs_at_gates
from tests.live.hive.agreement import both, both_generated, played, scenario_of

pytestmark = pytest.mark.live
EACH = 4


def sources(run, actor):
    """Where the answers to an actor's reads came from."""
    return [
        word.removeprefix("source=")
        for event in run.events
        if event.process == actor and event.reads and event.type == "ok"
        for word in event.arg.split()
        if word.startswith("source=")
    ]


def test_a_table_that_the_allow_list_lacks_is_read_from_the_database(hive):
    """At every metastore, with the change; with no lists the second one has the older state in its cache."""
    scenario = scenario_of("denied-managed")
    run = both(hive, scenario, *played(scenario, "w1:end r1:end"))
    assert (run.values("r1"), sources(run, "r1")) == (("v1", "v1"), ["database", "database"])
    other = scenario_of("shipped-failover")
    assert both(hive, other, *played(other, "w1:end r1:end")).values("r1") == ("v1", "v0")


@pytest.mark.parametrize("configuration", ["default", "both"])
def test_generated_races_with_lists_do_the_same_to_live_metastores(hive, configuration):
    """What is not to be cached is not, whatever happens to it; what is to be is."""
    made = (GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration]) for seed in range(4_000))
    listed = (one for one in made if "cached" in dict(one.parameters))
    found = list(islice(((each, one) for each in listed for one in runs_at_gates(each, 0, 1)), EACH))
    assert len(found) == EACH
    for scenario, run in found:
        both_generated(hive, scenario, run)
