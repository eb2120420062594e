"""Row ids that Spark SQL copies, on the real Iceberg."""

import pytest

from sim.iceberg.kept_ids import IdentifiedRow, identified_words
from sim.iceberg.row_copy_scenarios import ROW_COPIES
from tests.live.iceberg.agreement import both
from tests.unit.iceberg import row_copy_vectors
from tests.unit.iceberg.row_copy_vectors import BY_NAME

pytestmark = pytest.mark.live
HELD = [scenario for scenario in ROW_COPIES if scenario.broken is None]


@pytest.mark.parametrize("name", BY_NAME)
def test_statements_keep_what_the_vector_says(sql, name):
    """Each row's id and last change, as Spark reads them."""
    vector = BY_NAME[name]
    _, seen = both(sql, row_copy_vectors.scenario_of(vector), vector["schedule"])
    rows = [IdentifiedRow((key, value), number, last) for key, value, number, last in vector["expect"]["rows"]]
    each = [(number, number, 1) for number in range(1, 9)]
    assert [word for word in seen.left if word.startswith("row ")] == identified_words(rows, each)


@pytest.mark.parametrize("scenario", HELD, ids=[scenario.name for scenario in HELD])
def test_what_holds_ends_alike(sql, scenario):
    """The second one is at its commit when the first one ends; nothing is amiss with row ids."""
    _, seen = both(sql, scenario, "w2:commit w1:end w2:end")
    assert seen.row_ids == ()
