"""Generated races do on the real Hudi 1.2.0 what they do in the simulator, in an order drawn at random."""

from itertools import islice

import pytest

from checkers.histories.history import History
from checkers.verdict import check, failure_key
from real_backend.hudi.conformance import conform
from real_backend.hudi.history import history_of
from real_backend.hudi.live_steps import live_schedule
from real_backend.hudi.system import HUDI as HUDI_SYSTEM
from sim.generation.draws import seeded
from sim.hudi.build import RETRIES
from sim.hudi.generate import GENERATOR
from sim.search.at_gates import runs_at_gates

pytestmark = pytest.mark.live
EACH = 3
NAMED = ("default", "prefer-writer", "zookeeper", "version-6", "early-prefer-writer", "early-check-commit")
CONFIGURATIONS = {name: GENERATOR.configurations[name] for name in NAMED} | {
    "file-lock, tried once": {**GENERATOR.configurations["file-lock"], RETRIES: "0"}
}


def playable(configuration):
    """Runs of generated scenarios that a gate can make: (scenario, run), one a scenario.

    None in which a cleaner waits for expiry: heartbeats are as short as Hudi allows then, and on a busy machine those
    of writers at the gate expire as well.
    """
    for seed in range(1_000):
        scenario = GENERATOR.make(seeded(seed), CONFIGURATIONS[configuration])
        if scenario.live and not scenario.live.timed:
            yield from ((scenario, played.run) for played in islice(runs_at_gates(scenario, seed), 1))


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_generated_races_do_the_same_to_the_real_hudi(hudi, configuration):
    """Steps, outcomes, completed instants and rows agree, and the same property breaks, or none."""
    found = list(islice(playable(configuration), EACH))
    assert len(found) == EACH
    for scenario, run in found:
        live = hudi.run(scenario.live.workload, live_schedule(run))
        result = conform(run, live)
        differences = "\n".join(map(str, result.differences))
        assert result.agrees, f"{scenario.name}: {result}\nlive: {' '.join(live.trace)}\n{differences}"
        seen = [name for name in scenario.properties if name not in HUDI_SYSTEM.unseen]
        broken = [failure_key(violation) for violation in check(history_of(live), seen).violations]
        simulated = [failure_key(violation) for violation in check(History(run.events), seen).violations]
        assert broken[:1] == simulated[:1], scenario.name
