"""Generated races do on the real Hudi 1.2.0 what they do in the simulator, in an order drawn at random."""

from itertools import islice

import pytest

from real_backend.hudi.live_steps import live_schedule
from sim.generation.draws import seeded
from sim.hudi.generate import GENERATOR
from sim.search.projection import can_play
from sim.search.run import Runner
from sim.search.strategies import RandomWalk
from tests.live.hudi.agreement import both

pytestmark = pytest.mark.live
EACH = 3
CONFIGURATIONS = ("default", "prefer-writer", "bucket", "file-lock", "early-prefer-writer", "early-check-commit")


def playable(configuration):
    """Runs of generated scenarios that a gate can make: (scenario, run), one a scenario."""
    for seed in range(10_000):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration])
        live = scenario.live
        for yield_points in live.yield_points if live else ():
            run = Runner(scenario, yield_points=yield_points).run(RandomWalk(seed))
            if live and can_play(live, run):
                yield scenario, run
                break


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_generated_races_do_the_same_to_the_real_hudi(hudi, configuration):
    """Steps, outcomes, completed instants and rows agree, and the same property breaks, or none."""
    for scenario, run in islice(playable(configuration), EACH):
        both(hudi, scenario, live_schedule(run), run)
