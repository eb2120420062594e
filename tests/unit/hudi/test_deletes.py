"""DELETE of Spark SQL, and where UPDATE and DELETE write: what there is then, and what is refused."""

import pytest

from model.hudi.errors import ConfigError
from sim.hudi.bucket_logs import LOGGED as IN_BUCKETS
from sim.hudi.build import OPTIMISTIC, race
from sim.hudi.merge_on_read import MERGED
from sim.hudi.non_blocking import BY_EVENT_TIME
from sim.hudi.statements import Delete, DeletePartition, Overwrite, ReadNews, Restore, Savepoint
from tests.unit.hudi.delete_vectors import DELETE_CASES, DeletingModel

GONE = Delete((1,))


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
