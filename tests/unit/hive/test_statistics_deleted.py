"""Statistics that are deleted: who may, what is left, and which cache goes on to tell of them."""

import pytest

from model.hive.rules import FIXED, SHIPPED, SHIPPED_REFRESH, UNCACHED
from sim.generation.draws import seeded
from sim.hive.drawn_deletions import DELETER
from sim.hive.generate import GENERATOR
from sim.hive.race import HiveRace
from tests.unit.hive.deletion_script import DELETIONS, ModelDeletable, answers, expected

MODES = {
    "no cache": (UNCACHED, False), "event mode": (SHIPPED, True), "by default": (SHIPPED_REFRESH, True),
    "reference": (FIXED, False),
}  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("row", DELETIONS, ids=lambda row: row["of"])
def test_a_deletion_is_answered_as_by_a_metastore(row, mode):
    """The reference as one without a cache, for its caches take away what is gone."""
    rules, cached = MODES[mode]
    steps = expected(row, cached=cached)
    assert answers(ModelDeletable(rules, row["of"]), steps) == steps


def test_deletions_are_drawn_seldom_and_both_ways():
    """Beside whoever analyzes, of a column and of none."""
    races = [GENERATOR.make(seeded(seed), GENERATOR.configurations["both"]).program for seed in range(400)]
    works = [race.workload for race in races if isinstance(race, HiveRace)]
    found = [each for work in works for each in work.sessions if each.actor == DELETER]
    assert {getattr(session.statements[0], "unnamed", None) for session in found} == {True, False}
    assert 10 <= len(found) <= 60
