"""Generated races do on the real Hudi 1.2.0 what they do in the simulator, in an order drawn at random."""

from itertools import islice

import pytest

from checkers.histories.history import History
from checkers.verdict import check, failure_key
from model.hudi import coverage
from real_backend.hudi.history import history_of
from real_backend.hudi.system import HUDI as HUDI_SYSTEM
from sim.generation.draws import seeded
from sim.hudi.build import RETRIES
from sim.hudi.generate import GENERATOR
from sim.hudi.statements import Archive
from sim.search.at_gates import runs_at_gates
from tests.live.hudi.agreement import agreed

pytestmark = pytest.mark.live
EACH, ARCHIVED = 3, 6
PLAIN = {
    "storage": 0,
    "names of file groups": 0,
    "another of earlier writes": 0,
    **{f"habits {n}": 0 for n in range(5)},
}
"""Answers to draws, with which a race is mostly such that a gate can play it."""
LONG = {**PLAIN, "another of statements": 1}
"""And such that everybody does as much as there can be."""
NAMED = ("default", "prefer-writer", "zookeeper", "version-6", "early-prefer-writer", "early-check-commit")
CONFIGURATIONS = {name: GENERATOR.configurations[name] for name in NAMED} | {
    "file-lock, tried once": {**GENERATOR.configurations["file-lock"], RETRIES: "0"}
}


def playable(settings, *kinds, **answers):
    """Runs of generated scenarios that a gate can make: (scenario, run), one a scenario.

    None in which a cleaner waits for expiry: heartbeats are as short as Hudi allows then, and on a busy machine those
    of writers at the gate expire as well. Args: `kinds` of statements, one of which is there; `answers` to draws, by
    name.
    """
    for seed in range(3_000):
        scenario = GENERATOR.make(answering(seeded(seed), answers), settings)
        if scenario.live and not scenario.live.timed and (not kinds or scenario.live.workload.has(*kinds)):
            yield from ((scenario, played.run) for played in islice(runs_at_gates(scenario, seed), 1))


def answering(source, answers):
    """The source with other answers to some draws."""
    return lambda name, options: min(answers[name], options - 1) if name in answers else source(name, options)


def same(hudi, scenario, run):
    """Steps, outcomes, completed instants and rows agree, and the same property breaks, or none."""
    live = agreed(hudi, scenario, run)
    seen = [name for name in scenario.properties if name not in HUDI_SYSTEM.unseen]
    broken = [failure_key(violation) for violation in check(history_of(live), seen).violations]
    simulated = [failure_key(violation) for violation in check(History(run.events), seen).violations]
    assert broken[:1] == simulated[:1], scenario.name


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_generated_races_do_the_same_to_the_real_hudi(hudi, configuration):
    """Step by step."""
    found = list(islice(playable(CONFIGURATIONS[configuration]), EACH))
    assert len(found) == EACH
    for scenario, run in found:
        same(hudi, scenario, run)


@pytest.mark.parametrize(("configuration", "archiving"), [("default", 10), ("prefer-writer", 11)])
def test_generated_races_with_archiving_do_the_same_to_the_real_hudi(hudi, configuration, archiving):
    """Step by step, where something is archived: by a writer at its end, and by one more actor."""
    drawn = playable(CONFIGURATIONS[configuration], Archive, **LONG, archiving=archiving)
    found = list(islice((each for each in drawn if each[1].coverage.get(coverage.ARCHIVED)), ARCHIVED))
    assert len(found) == ARCHIVED
    for scenario, run in found:
        same(hudi, scenario, run)
