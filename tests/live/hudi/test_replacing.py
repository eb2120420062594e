"""Overwrites, deletions of partitions and bulk inserts on the real Hudi 1.2.0, step by step as simulated."""

from itertools import islice
from typing import Any

import pytest

from sim.generation.draws import seeded
from sim.hudi.draw.replacing import REPLACING
from sim.hudi.generate import GENERATOR
from sim.hudi.statements import DeletePartition, Overwrite, anybody
from sim.search.at_gates import runs_at_gates
from tests.live.hudi.agreement import agreed, both, both_at_random, found

pytestmark = pytest.mark.live
LOST = ("delete-partition", "delete-partition-simple", "overwrite-twice")
KEPT = ("overwrite", "overwrite-early", "overwrite-table", "overwrite-reader")
EACH, DRAWN = 2, 6


@pytest.mark.parametrize("name", LOST)
def test_found_schedule_does_the_same_to_the_real_hudi(hudi, name):
    """Both clients are told that they committed, and what readers see is not what either of them left."""
    scenario, schedule, run = found(name)
    live = both(hudi, scenario, schedule, run)
    assert {outcome for _, outcome in live.outcomes} == {"ok"}


def test_half_of_an_acknowledged_upsert_is_gone(hudi):
    """The row that it changed is deleted, the row that it added is there."""
    live = both(hudi, *found("delete-partition"))
    assert live.rows == (("9", "n"),)


@pytest.mark.parametrize("name", KEPT)
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows, of runs in an order drawn at random."""
    both_at_random(hudi, name, EACH)


def generated():
    """Runs of generated races in which somebody overwrites or deletes: (scenario, run), one a scenario."""
    for seed in range(2_000):
        drawn = seeded(seed)

        def draw(name, options, drawn=drawn):
            return options - 1 if name == REPLACING else drawn(name, options)

        configuration = GENERATOR.configurations[("prefer-writer", "default", "early-prefer-writer")[seed % 3]]
        scenario: Any = GENERATOR.make(draw, configuration)
        actors = [todo for _, todo in scenario.program.workload.writers]
        if scenario.live and not scenario.live.timed and anybody(actors, Overwrite, DeletePartition):
            yield from ((scenario, played.run) for played in islice(runs_at_gates(scenario, seed), 1))


def test_generated_races_do_the_same_to_the_real_hudi(hudi):
    """Steps, outcomes, completed instants and rows."""
    drawn = list(islice(generated(), DRAWN))
    assert len(drawn) == DRAWN
    for scenario, run in drawn:
        agreed(hudi, scenario, run)
