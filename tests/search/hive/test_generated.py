"""Generated races find nothing where nothing is; what they find of 4.0.1 is known."""

import pytest

from lakeproof.protocols import known_properties, named
from sim.generation.causes import Known, cause_of
from sim.generation.draws import seeded
from sim.generation.sweep import Plan, sweep
from sim.hive.generate import GENERATOR
from sim.hive.known import KNOWN, MADE_AGAIN, SHIPPED
from sim.search.explore import default_plan
from sim.search.run import Runner
from sim.search.shrink import shrink

pytestmark = pytest.mark.search


@pytest.mark.parametrize("configuration", GENERATOR.configurations)
def test_the_reference_keeps_what_it_promises(configuration: str) -> None:
    """In every configuration; and every run ends, and can be judged."""
    known_properties()
    for seed in range(5):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration], "reference")
        swept = sweep(scenario, Plan(first=12, most=12))
        assert (swept.failures, swept.endless, swept.indeterminate) == ({}, 0, 0)


@pytest.mark.parametrize("name", dict.fromkeys(known.scenario for known in (*SHIPPED, *MADE_AGAIN)))
def test_a_known_finding_is_told_from_its_own_scenario(name: str) -> None:
    """Its smallest failure is explained by the rows that name it."""
    scenario = named(name)
    assert scenario is not None
    failing = next(iter(default_plan(scenario).failures.values()))
    cause = cause_of(shrink(Runner(scenario), failing).run)
    rows: list[Known] = [known for known in KNOWN if known.scenario == name]
    assert any(known.explains(cause) for known in rows), cause
