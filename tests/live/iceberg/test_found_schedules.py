"""What the simulator finds by itself, shrunk and projected on the catalog's yield points, happens on real Iceberg."""

import pytest

from real_backend.gating.conformance import conform
from sim.iceberg.scenarios import CATALOG_STEPS, ICEBERG
from sim.search.explore import default_plan
from sim.search.run import Runner
from sim.search.script import coarsen
from sim.search.shrink import shrink
from sim.world.scenario import Scenario

pytestmark = pytest.mark.live
FOUND = [s for s in ICEBERG if s.broken and s.workload is not None and s.workload.catalog in ("rest", "java-api")]


@pytest.mark.parametrize("scenario", FOUND, ids=[scenario.name for scenario in FOUND])
def test_found_violation_is_real(scenario: Scenario, request: pytest.FixtureRequest) -> None:
    """Nothing but the scenario is given: the search finds the schedule, the live system is put through it."""
    found = next(iter(default_plan(scenario).failures.values()))
    coarse = coarsen(shrink(Runner(scenario), found).run, CATALOG_STEPS)
    assert coarse is not None
    schedule, run = coarse
    assert scenario.workload is not None
    backend = request.getfixturevalue("sql" if scenario.workload.catalog == "rest" else "java")
    live = backend.run(scenario.workload, schedule)
    assert str(conform(run, live)).startswith("simulation and live system agree")
