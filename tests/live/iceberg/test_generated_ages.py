"""Generated races on tables whose snapshots have ages: real Java, by itself and over REST, and Spark SQL."""

from itertools import islice

import pytest

from real_backend.iceberg.conformance import conform
from sim.generation.draws import seeded
from sim.iceberg.generate import GENERATOR
from sim.iceberg.workload import IcebergWorkload
from sim.search.projection import projection
from sim.search.run import Runner
from sim.search.strategies import RandomWalk
from tests.live.iceberg.agreement import both, breaks_alike
from tests.live.iceberg.drawn_races import done_in
from tests.live.iceberg.drawn_races import drawn as drawn_races

pytestmark = pytest.mark.live
EACH = 12


def drawn(configuration):
    """Generated races whose tables have ages, and that nothing befalls."""
    settings = GENERATOR.configurations[configuration]
    for seed in range(100_000):
        scenario = GENERATOR.make(seeded(seed), settings)
        work = scenario.live.workload if scenario.live is not None else None
        if isinstance(work, IcebergWorkload) and work.ages_h and not scenario.faults.limit:
            yield seed, scenario


@pytest.mark.parametrize("configuration", ["Java API", "Java API, REST catalog"])
def test_generated_races_with_ages_agree(java, configuration):
    """Step by step, in outcomes, places of main, refs and what they say, the snapshots left, rows and files."""
    asked: set[str] = set()
    for seed, scenario in islice(drawn(configuration), EACH):
        found = projection(Runner(scenario).run(RandomWalk(seed)))
        assert found is not None
        live = java.run(scenario.live.workload, found.schedule)
        result = conform(found.run, live)
        assert result.agrees, f"{seed}: {scenario.name}: {result}\n{found.schedule}\nlive: {live.outcomes}"
        assert breaks_alike(live, found.run)
        asked.update(type(one).__name__ for _, todo in scenario.live.workload.writers for one in todo)
    assert {"ExpireOlder", "RollBackToTime", "Retain"} <= asked


def test_generated_races_of_sql_that_go_by_time_agree(sql):
    """Step by step: expiries by age, roll-backs to a time, and reads as of one in each way."""
    asked: set[str] = set()
    for _, played in drawn_races("consumers", lambda work: bool(work.ages_h), EACH):
        both(sql, played.run.scenario, played.schedule.steps)
        asked.update(type(one).__name__ for one in done_in(played.run.scenario.live.workload))
    assert {"ExpireOlder", "RollBackToTime", "ReadAt"} <= asked
