"""Row ids that Spark SQL copies, on the real Iceberg."""

import pytest

from sim.iceberg.built_in.row_copy import ROW_COPIES
from sim.iceberg.kept_ids import IdentifiedRow, identified_words
from sim.iceberg.workload import RewriteManifests
from tests.live.iceberg.agreement import agree, both
from tests.live.iceberg.drawn_races import drawn
from tests.unit.iceberg import row_copy_vectors
from tests.unit.iceberg.row_copy_vectors import BY_NAME

pytestmark = pytest.mark.live
HELD = [scenario for scenario in ROW_COPIES if scenario.broken is None and scenario.live]


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


@pytest.mark.parametrize("configuration", ["merge-on-read, format 3", "copy-on-write, format 3"])
@pytest.mark.parametrize("made_in", [2, 3])
def test_drawn_races_agree(sql, configuration, made_in):
    """In each row's id and last change, too, and in what is amiss there; of tables that come to format 3 as well."""
    ((_, found),) = drawn(configuration, lambda work: work.format_version == made_in, 1, first=9)
    agree(sql, found)


def test_a_drawn_race_with_a_rewrite_of_manifests_agrees(sql):
    """Which gives all their rows new ids."""
    ((_, found),) = drawn("merge-on-read, format 3", _rewrites_manifests, 1, first=1)
    agree(sql, found)


def _rewrites_manifests(work):
    return any(isinstance(one, RewriteManifests) for _, todo in work.writers for one in todo)
