"""Generated races with consumers do on the real Hudi 1.2.0 what they do in the simulator: who reads again and again
what has come since, and who reads what was there at first, each in one step."""

from itertools import islice

import pytest

from sim.generation.draws import seeded
from sim.hudi.generate import GENERATOR
from sim.hudi.statements import ReadFirst, ReadNews
from sim.search.at_gates import runs_at_gates
from tests.live.hudi.test_generated import PLAIN, answering, same

pytestmark = pytest.mark.live
EACH = 3
CONFIGURATIONS = [name for name in GENERATOR.configurations if name.startswith("incremental")]


def playable(configuration):
    """Runs of generated scenarios with consumers that a gate can make: (scenario, run), one a scenario."""
    for seed in range(1_000):
        scenario = GENERATOR.make(answering(seeded(seed), PLAIN), GENERATOR.configurations[configuration])
        if scenario.live and not scenario.live.timed and scenario.live.workload.has(ReadNews, ReadFirst):
            yield from ((scenario, played.run) for played in islice(runs_at_gates(scenario, seed), 1))


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_generated_races_with_consumers_do_the_same_to_the_real_hudi(hudi, configuration):
    """Step by step, and what each is told."""
    found = list(islice(playable(configuration), EACH))
    assert len(found) == EACH
    for scenario, run in found:
        same(hudi, scenario, run)
