"""Restores beside archiving, in drawn races."""

from typing import Any

from model.hudi.keys import METADATA
from sim.generation.draws import seeded
from sim.hudi.build import NO_FAULTS
from sim.hudi.configurations import CONFIGURATIONS
from sim.hudi.draw.restores_archived import ARCHIVED, UNLIKE
from sim.hudi.generate import GENERATOR
from sim.hudi.statements import Archive, DeleteSavepoint, Restore, Savepoint, Upsert
from tests.unit.hudi.drawn_last import OF_UPDATES, without

SEEDS = 200
ARCHIVING = CONFIGURATIONS["archiving"]


def test_they_are_drawn_last_where_somebody_archives_and_nothing_fails():
    """Without them a seed gives the same race, but for one more actor, who restores and then archives himself."""
    changed = 0
    went: set[bool] = set()
    for seed in range(SEEDS):
        mine = GENERATOR.make(without(seeded(seed), *OF_UPDATES), ARCHIVING)
        usual: Any = GENERATOR.make(without(seeded(seed), ARCHIVED, *OF_UPDATES), ARCHIVING)
        work: Any = mine.program
        work, theirs = work.workload, usual.program.workload
        if work == theirs:
            continue
        changed += 1
        assert mine.faults == NO_FAULTS
        assert not theirs.has(*UNLIKE)
        assert theirs.has(Archive)
        *others, (_, todo) = work.writers
        assert tuple(others) == theirs.writers
        kinds = [type(one) for one in todo if not isinstance(one, Upsert | DeleteSavepoint)]
        assert kinds == [Savepoint, Restore, Archive]
        went.add(DeleteSavepoint in map(type, todo))
    assert SEEDS / 20 < changed < SEEDS / 2
    assert went == {True, False}


def test_none_is_with_a_metadata_table():
    """A seed gives the same race."""
    settings = CONFIGURATIONS["metadata-archiving"]
    assert settings[METADATA] == "true"
    for seed in range(40):
        mine: Any = GENERATOR.make(without(seeded(seed), *OF_UPDATES), settings).program
        usual: Any = GENERATOR.make(without(seeded(seed), ARCHIVED, *OF_UPDATES), settings).program
        assert mine.workload == usual.workload
