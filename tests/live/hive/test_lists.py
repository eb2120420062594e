"""CachedStore 4.0.1 with lists of what it may hold: the scenarios, and generated races, step by step."""

from itertools import islice

import pytest

from real_backend.hive.conformance import live_steps
from sim.generation.draws import seeded
from sim.hive.generate import GENERATOR
from sim.kernel.schedule import Schedule
from sim.search.at_gates import runs_at_gates
from tests.live.hive.agreement import both, both_generated, found, played, scenario_of

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


@pytest.mark.parametrize(("name", "values"), [("denied-other", ("e0", "e0")), ("denied", ("e1", "e1"))])
def test_by_default_what_is_not_to_be_cached_is_found_as_it_was_written(hive, name, values):
    """At the other metastore, whose timer has not gone off; where another table is denied it is not."""
    scenario = scenario_of(name)
    _, simulated = found(name) if scenario.broken else played(scenario, "w1:end h2:end")
    exact = Schedule(scenario.name, live_steps(simulated), simulated.yield_points)
    run = both(hive, scenario, exact, simulated)
    assert run.values("w1") == values
    assert sources(run, "w1") == ["cache" if name == "denied-other" else "database"] * 2


def test_generated_races_with_lists_do_the_same_to_live_metastores(hive):
    """What is not to be cached is not, whatever happens to it; what is to be is."""
    made = (GENERATOR.make(seeded(seed), GENERATOR.configurations["both"]) for seed in range(2_000))
    listed = (one for one in made if "cached" in dict(one.parameters))
    found = list(islice(((each, one) for each in listed for one in runs_at_gates(each, 0, 1)), EACH))
    assert len(found) == EACH
    for scenario, run in found:
        both_generated(hive, scenario, run)
