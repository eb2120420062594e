"""Manifests are appended where it is asked for, in each of the ways, and the names of such races make them again."""

from collections import Counter

from model.iceberg import coverage
from sim.generation.draws import seeded
from sim.iceberg.generate import GENERATOR
from sim.iceberg.manifests import AppendManifest
from sim.iceberg.race import IcebergRace
from sim.iceberg.statements import steps_of
from sim.search.run import Runner
from sim.search.strategies import RandomWalk
from tests.live.iceberg.drawn_races import drawn


def test_manifests_are_appended_where_it_is_asked_for():
    """Alone, by `newAppend` and by `newFastAppend`, and in transactions."""
    found = Counter[object]()
    for seed in range(80):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations["Java API, manifests appended"])
        assert isinstance(scenario.program, IcebergRace)
        sent = [one for _, todo in scenario.program.workload.writers for one in todo]
        given = [step for one in sent for step in steps_of(one) if isinstance(step, AppendManifest)]
        found.update([(step.merge, step.cleans) for step in given])
        found["in a transaction"] += any(step not in sent for step in given)
        found["races"] += bool(given)
    assert found["races"] > 50
    assert min(found.values()) > 5


def test_drawn_races_copy_merge_and_save_what_they_are_given():
    """What another application needs among it."""
    met = set()
    for _, played in drawn("Java API, manifests appended", lambda _: True, 60):
        met |= set(Runner(played.run.scenario).run(RandomWalk(1)).coverage) | set(played.run.coverage)
    assert {coverage.APPENDED_COPIED, coverage.APPENDED_MERGED, coverage.NOTED_BUT_COMMITTED} <= met
