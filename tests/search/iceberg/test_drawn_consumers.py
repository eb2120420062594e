"""What consumers of drawn races are told breaks no promise of theirs, and each promise is made often."""

from collections import Counter
from dataclasses import replace

import pytest

from checkers.iceberg.consumers import CONSUMER_CHECKS
from sim.generation.draws import seeded
from sim.generation.sweep import Plan, sweep
from sim.iceberg.generate import GENERATOR

BRIEF = Plan(first=16, most=48)


@pytest.mark.search
@pytest.mark.parametrize("configuration", ["Java API, consumers", "consumers", "JDBC catalog, consumers"])
@pytest.mark.parametrize("seeds", [range(12), range(12, 200)], ids=["few", "many"])
def test_what_consumers_are_told_keeps_what_is_promised(seeds, configuration):
    """Whatever else is broken beside them."""
    asked, schedules = Counter[str](), 0
    for seed in seeds:
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration])
        promised = tuple([name for name in scenario.properties if name in CONSUMER_CHECKS])
        asked.update(promised)
        if promised:
            swept = sweep(replace(scenario, properties=promised), BRIEF)
            schedules += swept.schedules
            assert (seed, [*swept.failures], swept.indeterminate) == (seed, [], 0)
    assert min(asked[name] for name in CONSUMER_CHECKS) > len(seeds) / 20
    assert schedules > 16 * len(seeds) / 2
