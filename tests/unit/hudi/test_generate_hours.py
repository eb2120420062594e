"""What is drawn last of generated Hudi races: cleaning by hours, and marker files that end within a line."""

from dataclasses import replace
from typing import Any

from model.hudi.keys import BY_HOURS, SLICES_POLICY
from sim.generation.draws import Source, seeded
from sim.hudi.generate import GENERATOR
from sim.hudi.generate_hours import PASS
from sim.hudi.generate_metadata import LISTS
from tests.unit.hudi.test_generate import SEEDS, without


def test_hours_are_drawn_when_all_else_has_been():
    """Without them a seed gives the same race, but for who changes a row when one has passed, and cleans."""
    changed = 0
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(without(seeded(seed), LISTS)).program.workload  # type: ignore[attr-defined]  # as all Hudi races
        theirs: Any = GENERATOR.make(without(seeded(seed), PASS, LISTS)).program.workload  # type: ignore[attr-defined]
        changed += dict(mine.options).get(SLICES_POLICY) == BY_HOURS
        assert replace(mine, writers=mine.writers[: len(theirs.writers)], options=theirs.options) == theirs
    assert 0 < changed < SEEDS / 20


def unlisted(source: Source) -> Source:
    """A source that draws no metadata table, which is drawn after marker files."""
    return lambda name, options: 0 if name == LISTS else source(name, options)


def test_marker_files_that_end_within_a_line_are_drawn_last():
    """Without them a seed gives the same race, whose writers died when they had written."""
    changed = 0
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(unlisted(seeded(seed))).program.workload  # type: ignore[attr-defined]  # as above
        theirs: Any = GENERATOR.make(without(seeded(seed), LISTS)).program.workload  # type: ignore[attr-defined]
        changed += mine != theirs
        whole = [replace(past, ending="written") if past.ending == "cut" else past for past in mine.history]
        assert replace(mine, history=tuple(whole)) == theirs
    assert 0 < changed < SEEDS / 10
