"""Spark SQL on tables whose partition fields are altered, on the real Iceberg: what its sessions write by, and lose."""

import pytest

from real_backend.iceberg.conformance import conform
from sim.generation.draws import seeded
from sim.iceberg.checked_specs import changes_spec
from sim.iceberg.generate import GENERATOR
from sim.iceberg.sql_spec_scenarios import SQL_SPECS
from sim.search.projection import projection
from sim.search.run import Runner
from sim.search.strategies import RandomWalk
from tests.live.iceberg.agreement import both, failure_of, workload_of
from tests.unit.iceberg import sql_spec_vectors
from tests.unit.iceberg.sql_spec_vectors import BY_NAME

pytestmark = pytest.mark.live
HELD = [scenario for scenario in SQL_SPECS if scenario.broken is None]
DRAWN = 4


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


def drawn(count, asked, first=0):
    """A run of each of the first races of Spark SQL from a seed on that are so, and that nothing befalls."""
    found = []
    for seed in range(first, first + 10_000):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations["copy-on-write, snapshot"])
        if scenario.live is None or scenario.faults.limit or not asked(workload_of(scenario)):
            continue
        played = projection(Runner(scenario).run(RandomWalk(seed)))
        if played is not None:
            found.append(played)
        if len(found) == count:
            return found
    raise AssertionError(f"expected {count} races, got {len(found)}")


def alters(work):
    """Whether somebody alters a field in the race."""
    return changes_spec([one for _, todo in work.writers for one in todo])


def agree(sql, found):
    """Live, the same schedule ends alike, and what the checkers say of it is the same; nobody looks there for files
    that are left."""
    seen = sql.run(found.run.scenario.live.workload, found.schedule)
    result = conform(found.run, seen)
    assert result.agrees, f"{found.run.scenario.name}: {result}"
    assert found.run.failure == "no-leaks/leak" or failure_of(seen, found.run.scenario) == found.run.failure


@pytest.mark.parametrize("place", range(DRAWN))
def test_drawn_races_with_altered_fields_agree(sql, place):
    """Step by step, in outcomes, lineage, rows, specs and manifests."""
    agree(sql, drawn(DRAWN, alters)[place])


def test_drawn_races_on_tables_in_buckets_agree(sql):
    """The same."""
    agree(sql, *drawn(1, lambda work: work.partition_transform == "bucket"))
