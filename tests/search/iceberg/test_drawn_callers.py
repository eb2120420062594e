"""Overwrites by the filter of a row, and deletes by several delete files, are drawn where they are asked for."""

from collections import Counter

import pytest

from model.iceberg import coverage
from sim.generation.draws import seeded
from sim.iceberg.by_hand import OverwriteWhere
from sim.iceberg.draw.by_callers import KINDS
from sim.iceberg.generate import GENERATOR
from sim.iceberg.race import IcebergRace
from sim.iceberg.statements import DeleteRow
from sim.search.run import Runner
from sim.search.strategies import FirstCome

OVERWRITES, APART = "Java API, overwrites by filter", "Java API, format 3, deletes apart"


def _sent(configuration, seed):
    scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration])
    assert isinstance(scenario.program, IcebergRace)
    assert GENERATOR.again(scenario.name).program == scenario.program
    return [one for _, todo in scenario.program.workload.writers for one in todo]


def test_overwrites_by_filter_are_drawn_where_it_is_asked_for():
    """Two in each race: of the row by itself, with another one, or by another one."""
    found = Counter[object]()
    for seed in range(60):
        sent = [one for one in _sent(OVERWRITES, seed) if isinstance(one, OverwriteWhere)]
        assert len(sent) == 2
        for one in sent:
            ids = [key for key, _ in one.rows]
            found[KINDS[0] if ids == [one.id] else KINDS[2] if one.id in ids else KINDS[3]] += 1
    assert min(found[kind] for kind in KINDS) > 10


def test_deletes_apart_are_drawn_where_it_is_asked_for():
    """One or two in each race, at each level."""
    found = Counter[object]()
    for seed in range(60):
        sent = [one for one in _sent(APART, seed) if isinstance(one, DeleteRow) and one.apart]
        assert sent
        found.update([one.level for one in sent])
        found[len(sent)] += 1
    assert min(found[what] for what in ("snapshot", "serializable", 1, 2)) > 10


@pytest.mark.parametrize(("configuration", "what"), [
    (OVERWRITES, coverage.ADDED_NO_MATCH), (APART, coverage.VECTORS_MERGED), (APART, coverage.ADDED_VECTORS_REFUSED),
])  # fmt: skip
def test_what_they_are_asked_for_happens(configuration, what):
    """In some of the first races, whoever comes first."""
    runs = (
        Runner(GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration])).run(FirstCome())
        for seed in range(40)
    )
    assert any(what in run.coverage for run in runs)
