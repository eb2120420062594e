"""Generated races in which snapshots are managed, or the table is made, replaced and dropped: what comes of them."""

import pytest

from sim.generation.causes import cause_of
from sim.generation.draws import seeded
from sim.generation.sweep import Plan, sweep
from sim.iceberg.generate import GENERATOR

JAVA, REST = "Java API", "Java API, REST catalog"
PLAN = Plan(first=16, most=48)
KNOWN = {
    "iceberg/cherry-pick-expired-between": (JAVA, 4866),
    "iceberg/rest-cherry-pick-expire": (REST, 252),
    "iceberg/rest-roll-back-expire": (REST, 5448),
    "iceberg/create-or-replace-append": (JAVA, 537),
    "iceberg/replace-table-append": (JAVA, 1610),
    "iceberg/rest-replace-table-append": (REST, 1018),
    "iceberg/rest-create-resent": (REST, 1246),
    "iceberg/expire-insert-stale": ("consumers", 666),
}
"""By finding, a race that meets it: its configuration and seed."""


def failures(configuration: str, seed: int) -> list[str]:
    """What explains each failure of a race; "": nothing does."""
    scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration])
    causes = [cause_of(run) for run in sweep(scenario, PLAN).failures.values()]
    return [GENERATOR.known_as(cause, "shipped", scenario.parameters) for cause in causes]


@pytest.mark.parametrize(("finding", "race"), KNOWN.items(), ids=list(KNOWN))
def test_a_race_of_managing_writers_meets_what_is_known(finding, race):
    """Nobody typed it: two writers who manage were drawn, or one who replaces."""
    assert set(failures(*race)) == {finding}


@pytest.mark.parametrize("seed", [1092, 1661, 1873, 2944])
def test_a_table_whose_main_is_gone_is_managed_on(seed):
    """Over REST an expiry takes main away: refs are changed without it, and nobody is said to have made that twice."""
    assert "" not in failures(REST, seed)


@pytest.mark.parametrize("seed", [3476, 3545])
def test_roll_backs_that_undo_each_other_are_no_loss(seed):
    """Each validates nothing, which `iceberg/roll-back-append` tells."""
    assert failures(JAVA, seed) == []


def test_what_is_staged_and_what_is_upserted_of_one_row_may_both_be_there():
    """A cherry-pick appends, and no append looks for rows."""
    assert failures(JAVA, 5217) == []


def test_a_cherry_pick_that_looked_for_its_snapshot_made_the_version_that_has_it_first():
    """It was not answered, and another one has committed when it looks."""
    name = "iceberg/generated/shipped/1000000000021001p01200001010111001000021000611110001"
    assert sweep(GENERATOR.again(name), Plan(first=64, most=400)).failures == {}
