"""Restores of merge-on-read tables on the real Hudi 1.2.0, step by step as simulated."""

from itertools import islice
from typing import Any

import pytest

from sim.generation.draws import seeded
from sim.hudi.generate import GENERATOR
from sim.hudi.statements import Restore
from sim.search.at_gates import runs_at_gates
from tests.live.hudi.agreement import agreed, both, both_at_random, found, left_unreadable
from tests.live.hudi.test_generated import PLAIN, answering

pytestmark = pytest.mark.live
DRAWN, SEEDS = 2, 3_000


def test_found_schedule_makes_the_real_table_unreadable(hudi):
    """The restore is told that all is well; whoever reads or writes from then on fails."""
    live = left_unreadable(hudi, "mor-restore-compact", "compaction.requested")
    assert dict(live.outcomes)["w1"] == "ok"


def test_restore_that_missed_a_compaction_says_so(hudi):
    """What it took back is in the compacted file, and the caller is told that it has to restore again."""
    live = both(hudi, *found("mor-restore-once"))
    assert live.value(1) == "A"
    outcomes = dict(live.outcomes)
    assert outcomes["c1"] == "ok"
    assert "is not the last commit after restoring to savepoint" in outcomes["w1"]


@pytest.mark.parametrize(
    ("name", "count"),
    [("mor-restore", 1), ("mor-restore-beside", 2), ("mor-restore-compact", 2), ("mor-restore-overlap", 1)],
)
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name, count):
    """Steps, outcomes, completed instants and rows, of runs in an order drawn at random."""
    both_at_random(hudi, name, count)


def generated(configuration):
    """Runs of generated races in which somebody restores: (scenario, run), one a scenario."""
    for seed in range(SEEDS):
        source = answering(seeded(seed), PLAIN)
        scenario: Any = GENERATOR.make(source, GENERATOR.configurations[configuration])
        if scenario.live and not scenario.live.timed and scenario.live.workload.has(Restore):
            yield from ((scenario, played.run) for played in islice(runs_at_gates(scenario, seed), 1))


@pytest.mark.parametrize("configuration", ["merge-on-read", "non-blocking"])
def test_generated_races_do_the_same_to_the_real_hudi(hudi, configuration):
    """Steps, outcomes, completed instants and rows."""
    drawn = list(islice(generated(configuration), DRAWN))
    assert len(drawn) == DRAWN
    for scenario, run in drawn:
        agreed(hudi, scenario, run)
