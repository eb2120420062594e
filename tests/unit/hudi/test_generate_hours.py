"""Cleaning by hours in generated Hudi races: drawn last, and with what makes an hour pass."""

from dataclasses import replace
from typing import Any

from model.hudi.config import BY_HOURS, SLICES_POLICY
from sim.generation.draws import seeded
from sim.hudi.generate import GENERATOR
from sim.hudi.generate_hours import PASS
from tests.unit.hudi.test_generate import SEEDS, without


def test_hours_are_drawn_last():
    """Without them a seed gives the same race, but for who changes a row when one has passed, and cleans."""
    changed = 0
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(seeded(seed)).program.workload  # type: ignore[attr-defined]  # as all Hudi races
        theirs: Any = GENERATOR.make(without(seeded(seed), PASS)).program.workload  # type: ignore[attr-defined]
        changed += dict(mine.options).get(SLICES_POLICY) == BY_HOURS
        assert replace(mine, writers=mine.writers[: len(theirs.writers)], options=theirs.options) == theirs
    assert 0 < changed < SEEDS / 20
