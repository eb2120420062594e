"""Generated races in which snapshots are managed, or the table is made, replaced and dropped, on the real Java API."""

from itertools import islice

import pytest

from real_backend.iceberg.conformance import conform
from sim.generation.draws import seeded
from sim.iceberg.creating import OfTables
from sim.iceberg.generate import GENERATOR
from sim.iceberg.managing import Managing, ReplaceTable
from sim.search.projection import projection
from sim.search.run import Runner
from sim.search.strategies import RandomWalk
from tests.live.iceberg.agreement import breaks_alike

pytestmark = pytest.mark.live
EACH = 6
WHOLE = OfTables | ReplaceTable


def drawn(configuration, whole):
    """Generated races that nothing befalls, with somebody who manages, by whether he manages the table as a whole."""
    settings = GENERATOR.configurations[configuration]
    for seed in range(10_000):
        scenario = GENERATOR.make(seeded(seed), settings)
        if scenario.faults.limit or scenario.live is None:
            continue
        sent = [one for _, todo in scenario.live.workload.writers for one in todo]
        if any(isinstance(one, Managing) for one in sent) and any(isinstance(one, WHOLE) for one in sent) == whole:
            yield seed, scenario


@pytest.mark.parametrize("whole", [False, True], ids=["snapshots", "table"])
@pytest.mark.parametrize("configuration", ["Java API", "Java API, REST catalog"])
def test_generated_races_that_manage_agree(java, configuration, whole):
    """Step by step, in outcomes, places of main, refs, rows and files."""
    for seed, scenario in islice(drawn(configuration, whole), EACH):
        found = projection(Runner(scenario).run(RandomWalk(seed)))
        assert found is not None
        live = java.run(scenario.live.workload, found.schedule)
        result = conform(found.run, live)
        assert result.agrees, f"{scenario.name}: {result}"
        assert breaks_alike(live, found.run)
