"""DELETE of Spark SQL, and where UPDATE and DELETE write: what there is then, and what is refused."""

from typing import Any

import pytest

from model.hudi.errors import ConfigError
from sim.generation.draws import seeded
from sim.hudi.build import OPTIMISTIC, race
from sim.hudi.built_in.bucket_logs import LOGGED as IN_BUCKETS
from sim.hudi.built_in.merge_on_read import MERGED
from sim.hudi.built_in.non_blocking import BY_EVENT_TIME
from sim.hudi.configurations import CONFIGURATIONS
from sim.hudi.generate import GENERATOR
from sim.hudi.statements import HIDING, Delete, DeletePartition, Overwrite, ReadNews, Restore, Savepoint
from tests.unit.hudi.delete_vectors import DELETE_CASES, DeletingModel

GONE = Delete((1,))
SEEDS = 60


@pytest.mark.parametrize("case", DELETE_CASES, ids=lambda case: f"{case.table}: {case.calls}")
def test_slices_and_rows(case):
    """As Hudi 1.2.0 did, of which `tests/live/hudi/test_deletes.py` plays the same cases."""
    assert DeletingModel(case).play(case.calls) == (case.slices, case.rows)


@pytest.mark.parametrize(
    ("writers", "options"),
    [
        ({"w1": [Delete((9,))]}, OPTIMISTIC),
        ({"w1": [GONE], "w2": [Overwrite(((1, "B"),))]}, OPTIMISTIC),
        ({"w1": [GONE], "w2": [DeletePartition()]}, OPTIMISTIC),
        ({"w1": [GONE], "w2": [Savepoint(), Restore()]}, OPTIMISTIC),
        ({"w1": [GONE], "w2": [ReadNews()]}, OPTIMISTIC),
        ({"w1": [GONE]}, (*OPTIMISTIC, *MERGED, *BY_EVENT_TIME)),
        ({"w1": [GONE]}, IN_BUCKETS),
    ],
    ids=["no such row", "overwritten", "partition", "restored", "consumed", "by events", "in buckets"],
)
def test_what_is_not_modelled_beside_a_deletion_is_refused(writers, options):
    """One line names what it is."""
    with pytest.raises(ConfigError, match=r"writers"):
        race("x", "x", writers, options=options)


@pytest.mark.parametrize("ids", [(), (1, 1), ("1",)])
def test_ids_that_cannot_be_are_refused(ids):
    """Numbers, each once, and one at least."""
    with pytest.raises(ConfigError, match="ids"):
        Delete(ids)


def test_they_are_drawn_where_it_is_asked_how_rows_are_written():
    """Where nobody else hides rows; else a race is what it was."""
    drawn = 0
    for seed in range(SEEDS):
        mine: Any = GENERATOR.make(seeded(seed), CONFIGURATIONS["deletes"]).program
        usual: Any = GENERATOR.make(seeded(seed), CONFIGURATIONS["prefer-writer"]).program
        assert not usual.workload.has(Delete)
        assert mine.config.prepped
        if mine.workload.has(Delete):
            drawn += 1
            assert not mine.workload.has(Restore, *HIDING)
    assert SEEDS / 8 < drawn < SEEDS
    indexed: Any = GENERATOR.make(seeded(0), CONFIGURATIONS["deletes-logs-indexed"]).program
    assert not indexed.config.prepped
