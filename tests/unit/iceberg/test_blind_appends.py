"""What only adds rows conflicts with nothing: it starts from whatever is there when it commits."""

from collections.abc import Sequence

from sim.iceberg.promises import PROMISES
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Delete, Insert, Statement
from sim.search.explore import exhaustive

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
