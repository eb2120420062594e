"""Spark SQL on tables whose partition fields are altered, on the real Iceberg: what its sessions write by, and lose."""

import pytest

from sim.iceberg.built_in.sql_spec import SQL_SPECS
from sim.iceberg.checked_specs import changes_spec
from tests.live.iceberg.agreement import agree, both
from tests.live.iceberg.drawn_races import drawn
from tests.unit.iceberg import sql_spec_vectors
from tests.unit.iceberg.sql_spec_vectors import BY_NAME

pytestmark = pytest.mark.live
HELD = [scenario for scenario in SQL_SPECS if scenario.broken is None]
DRAWN, CONFIGURATION = 4, "copy-on-write, snapshot"


@pytest.mark.parametrize("name", BY_NAME)
def test_sessions_do_what_the_vector_says(sql, name):
    """Outcomes, rows, specs, and how many files of each a manifest has."""
    vector = BY_NAME[name]
    _, seen = both(sql, sql_spec_vectors.scenario_of(vector), vector["schedule"])
    assert list(seen.left) == vector["expect"]["left"]


@pytest.mark.parametrize("scenario", HELD, ids=[scenario.name for scenario in HELD])
def test_what_holds_ends_alike(sql, scenario):
    """The second one is at its commit when the first one ends."""
    both(sql, scenario, "w2:commit w1:end w2:end")


def alters(work):
    """Whether somebody alters a field in the race."""
    return changes_spec([one for _, todo in work.writers for one in todo])


@pytest.fixture(scope="module")
def altered():
    """Races in which fields are altered, with a run of each."""
    return [run for _, run in drawn(CONFIGURATION, alters, DRAWN)]


@pytest.mark.parametrize("place", range(DRAWN))
def test_drawn_races_with_altered_fields_agree(sql, altered, place):
    """Step by step, in outcomes, lineage, rows, specs and manifests."""
    agree(sql, altered[place])


def test_drawn_races_on_tables_in_buckets_agree(sql):
    """The same."""
    ((_, found),) = drawn(CONFIGURATION, lambda work: work.partition_transform == "bucket", 1)
    agree(sql, found)
