"""Every kind of fault that a generator names happens in some generated race: what never strikes was never tried."""

from collections import Counter

import pytest

from sim.generation.draws import seeded
from sim.generation.sweep import Plan, sweep
from sim.hive.generate import GENERATOR as HIVE
from sim.hudi.generate import GENERATOR as HUDI
from sim.iceberg.generate import GENERATOR as ICEBERG

SEEDS = 400
FAULT = "fault "


@pytest.mark.parametrize("generator", [ICEBERG, HUDI, HIVE], ids=lambda one: one.protocol)
def test_every_kind_of_fault_strikes_in_some_generated_race(generator):
    """Counted in the runs, not read off the spaces; a scenario is run if it may show a kind that is still missing."""
    struck: Counter[str] = Counter()
    for seed in range(SEEDS):
        missing = set(generator.faults) - set(struck)
        if not missing:
            break
        scenario = generator.with_faults(seeded(seed), {}, "shipped", None)
        if scenario is not None and missing.intersection(scenario.faults.names):
            counted = sweep(scenario, Plan(12, 12)).coverage
            struck.update({name.removeprefix(FAULT): hits for name, hits in counted.items() if name.startswith(FAULT)})
    assert set(struck) == set(generator.faults)
