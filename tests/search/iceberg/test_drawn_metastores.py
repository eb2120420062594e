"""Generated races on the Hive catalog over metastores with caches: each square of their table is met by draws."""

import pytest

from sim.generation.draws import PinError, seeded
from sim.generation.sweep import Plan, sweep
from sim.iceberg.generate import GENERATOR
from sim.iceberg.over_metastores import IcebergOverHive
from sim.iceberg.sql_statements import Merge
from tests.search.iceberg.planted import WHERE

LOSING = [(WHERE[name], name) for name in WHERE if name.startswith("hive/iceberg-")]
KEEPING = (
    "Hive catalog, a metastore cached by events",
    "Hive catalog without lock, caches that compare and do not replay",
)
SHORT = Plan(first=8, most=16)
CACHED = {"type": "hive", "metastore.rawstore.impl": "CachedStore"}


def races(configuration, seeds):
    """Generated races in which nothing may fail, and nobody merges: what two MERGEs bring twice is no catalog's."""
    made = (GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration]) for seed in range(seeds))
    return [one for one in made if not one.faults.limit and not merges(one.program)]


def merges(race):
    """Whether a writer has a MERGE."""
    return any(isinstance(one, Merge) for _, statements in race.workload.writers for one in statements)


@pytest.mark.parametrize(("configuration", "finding"), LOSING)
def test_a_square_that_loses_commits_is_met_and_known(configuration, finding):
    """Its loss is the first failure that there is."""
    swept = (sweep(scenario, Plan(first=12, most=24)) for scenario in races(configuration, 200))
    first = next(run for one in swept for run in one.failures.values())
    assert GENERATOR.known_of(first) == finding


@pytest.mark.parametrize("configuration", KEEPING)
def test_a_square_that_keeps_commits_has_some_to_keep(configuration):
    """Nothing fails, and writes are acknowledged."""
    swept = [sweep(scenario, SHORT) for scenario in races(configuration, 12)]
    assert [key for one in swept for key in one.failures] == []
    assert any(one.evidence.wrote for one in swept)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"metastore.rawstore.impl": "CachedStore"}, "metastore.rawstore.impl: expected ObjectStore with type=rest"),
        ({"type": "hive", "metastores": "2"}, "metastores: expected 1 with metastore.rawstore.impl=ObjectStore, got 2"),
        ({**CACHED, "client": "pyiceberg"}, "expected ObjectStore with client=pyiceberg, got CachedStore"),
        ({**CACHED, "cache repaired": "compares"}, "cache repaired"),
    ],
)
def test_a_cache_that_cannot_be_is_refused(settings, message):
    """Where there are no metastores, or none with a cache, or one that goes by no events is to compare."""
    with pytest.raises(PinError, match=message):
        GENERATOR.make(seeded(0), {"type": "rest", "client": "spark-sql", "metastore.cache.can.use.event": "false"}
                       | {"metastore.rawstore.impl": "ObjectStore"} | settings)  # fmt: skip


def test_update_threads_may_fail_and_no_read_is_stale_by_a_fault():
    """Only a cache is stale; the name of a race makes it again."""
    drawn = [GENERATOR.make(seeded(seed), GENERATOR.configurations["Hive catalog, cached metastores"])
             for seed in range(200)]  # fmt: skip
    hit = {(operation, kind) for one in drawn for operation, kinds in one.faults.kinds.items() for kind in kinds}
    assert "stale" not in {kind for _, kind in hit}
    assert {"poll", "apply"} & {operation for operation, _ in hit}
    assert all(isinstance(one.program, IcebergOverHive) for one in drawn)
    assert GENERATOR.again(drawn[7].name).program == drawn[7].program
