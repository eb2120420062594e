"""Clustering that is asked for in drawn races, who carries it out there, and what fails beside it."""

from typing import Any

import pytest

from model.hudi.keys import (
    ALLOW_UPDATES,
    BUCKET_CONFLICTS,
    CONFLICTS,
    LOCK_PROVIDER,
    MERGE_ON_READ,
    TABLE_TYPE,
    UPDATES,
    ZOOKEEPER,
)
from sim.generation.draws import PinError, replayed, seeded
from sim.hudi.build import NO_FAULTS
from sim.hudi.configurations import CONFIGURATIONS
from sim.hudi.draw.clustering_faults import STRUCK
from sim.hudi.generate import GENERATOR
from sim.hudi.planned import finds_clustering
from sim.hudi.statements import Cluster, PlanClustering, Restore
from tests.unit.hudi.drawn_last import OF_UPDATES, without

SEEDS = 120
ASKED = CONFIGURATIONS["clustering"]


def test_where_it_is_said_what_becomes_of_updates_somebody_clusters():
    """Often somebody else carries it out than has planned it; clients are told what is not so by default."""
    made: Any = [GENERATOR.make(seeded(seed), ASKED) for seed in range(SEEDS)]
    work = [each.program.workload for each in made]
    assert all(each.has(Cluster) for each in work)
    assert not any(UPDATES in dict(each.options) for each in work)
    shared = [any(map(finds_clustering, each.statements)) for each in work]
    assert SEEDS / 4 < sum(shared) < SEEDS
    assert 0 < sum(each.has(PlanClustering) for each in work) < sum(shared)
    allowed: Any = GENERATOR.make(seeded(1), {**ASKED, UPDATES: ALLOW_UPDATES}).program
    assert dict(allowed.workload.options)[UPDATES] == ALLOW_UPDATES


def test_a_name_says_that_it_was_asked_for():
    """What is pinned is written down."""
    for seed in range(9):
        mine = GENERATOR.make(seeded(seed), ASKED)
        again: Any = GENERATOR.make(replayed(mine.name.rpartition("/")[2]))
        assert (again.program.workload, again.faults) == (mine.program.workload, mine.faults)  # type: ignore[attr-defined]


@pytest.mark.parametrize("other", [{CONFLICTS: BUCKET_CONFLICTS}, {TABLE_TYPE: MERGE_ON_READ}])
def test_it_is_refused_where_it_cannot_be(other):
    """On tables of buckets nobody clusters, and of log files it is drawn otherwise."""
    with pytest.raises(PinError, match=UPDATES):
        GENERATOR.make(seeded(0), {**ASKED, **other})


@pytest.mark.parametrize("settings", [ASKED, {**ASKED, LOCK_PROVIDER: ZOOKEEPER}, CONFIGURATIONS["merge-on-read"]])
def test_what_fails_beside_clustering_is_drawn_last(settings):
    """Without it a seed gives the same race without faults; none is beside restores, nor where nobody clusters."""
    changed = clusters = 0
    for seed in range(SEEDS):
        mine = GENERATOR.make(without(seeded(seed), *OF_UPDATES), settings)
        usual: Any = GENERATOR.make(without(seeded(seed), STRUCK, *OF_UPDATES), settings)
        work: Any = mine.program
        assert work.workload == usual.program.workload
        clusters += work.workload.has(Cluster) and usual.faults == NO_FAULTS
        if mine.faults != usual.faults:
            changed += 1
            assert usual.faults == NO_FAULTS
            assert work.workload.has(Cluster)
            assert not work.workload.has(Restore)
    assert clusters / 10 < changed < clusters / 2
