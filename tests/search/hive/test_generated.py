"""Generated races find what was planted, and nothing where nothing is; what they find of 4.0.1 is known.

The whole table of what was planted is `python -m tests.search.hive.planted`.
"""

from contextlib import nullcontext

import pytest

from lakeproof.protocols import known_properties, named
from sim.generation.causes import Known, cause_of
from sim.generation.draws import seeded
from sim.generation.sweep import Plan, sweep
from sim.hive.generate import GENERATOR
from sim.hive.known import KNOWN, SHIPPED
from sim.search.explore import default_plan
from sim.search.run import Runner
from sim.search.shrink import shrink
from tests.search.hive.planted import find, planted

pytestmark = pytest.mark.search

QUICK = ("M7", "M9", "M16", "M20", "document-unless")
"""What is found soon: in about a thousand schedules."""
MOST = 6_000
PLANTED = {one.name: one for one in planted()}


@pytest.mark.parametrize("name", QUICK)
def test_what_was_planted_is_found_in_scenarios_that_were_not_made_for_it(name: str) -> None:
    """On the property that its row names."""
    one = PLANTED[name]
    with nullcontext() if one.mutant is None else one.mutant.alive():
        found = find(one, 0, MOST)
    assert found is not None
    assert found.failure.startswith(one.broken)


@pytest.mark.parametrize("configuration", GENERATOR.configurations)
def test_the_reference_keeps_what_it_promises(configuration: str) -> None:
    """In every configuration; and every run ends, and can be judged."""
    known_properties()
    for seed in range(5):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration], "reference")
        swept = sweep(scenario, Plan(first=12, most=12))
        assert (swept.failures, swept.endless, swept.indeterminate) == ({}, 0, 0)


@pytest.mark.parametrize("name", dict.fromkeys(known.scenario for known in SHIPPED))
def test_a_known_finding_is_told_from_its_own_scenario(name: str) -> None:
    """Its smallest failure is explained by the rows that name it."""
    scenario = named(name)
    assert scenario is not None
    failing = next(iter(default_plan(scenario).failures.values()))
    cause = cause_of(shrink(Runner(scenario), failing).run)
    rows: list[Known] = [known for known in KNOWN if known.scenario == name]
    assert any(known.explains(cause) for known in rows), cause
