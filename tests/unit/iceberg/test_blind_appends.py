"""What only adds rows conflicts with nothing: it starts from whatever is there when it commits."""

from collections.abc import Sequence

import pytest

from sim.iceberg.promises import PROMISES
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Delete, Insert, Statement, Update
from sim.search.explore import exhaustive
from sim.world.scenario import FaultSpace

ISOLATED = ("snapshot-isolation", "serializable", "conflict-detection")


def test_a_row_is_inserted_beside_the_delete_of_its_id():
    """Either order is a serial one, although both write the same id."""
    writers: dict[str, Sequence[Statement]] = {"w1": [Delete(2)], "w2": [Insert(((2, "x"),))]}
    result = exhaustive(race("x", "", writers, properties=ISOLATED, rows=((1, "a"),)))
    assert result.complete
    assert not result.failures


def test_every_promise_has_a_source_and_words():
    """Nobody has to guess who promises what, and when."""
    assert all(one.source and one.words for one in PROMISES)


@pytest.mark.parametrize("other", [Insert(((2, "x"),)), Update(1, "x")], ids=["INSERT", "UPDATE"])
def test_what_starts_at_its_commit_does_so_too_if_nobody_is_told(other):
    """A DELETE of a whole file and an INSERT, each of unknown outcome."""
    writers: dict[str, Sequence[Statement]] = {"w1": [Delete(1)], "w2": [other]}
    lost = FaultSpace({"commit": ("drop-after", "crash-after")}, 1)
    result = exhaustive(race(
        "x", "", writers, properties=ISOLATED, rows=((1, "a"),), faults=lost, mode="copy-on-write",
        isolation="serializable", yield_points=("load", "commit"),
    ))  # fmt: skip
    assert result.complete
    assert not result.failures
    assert result.coverage["fault drop-after"]
