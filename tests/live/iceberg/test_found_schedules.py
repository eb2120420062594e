"""What the simulator finds by itself, shrunk and taken to the catalog's yield points, happens on real Iceberg."""

import pytest

from real_backend.iceberg.conformance import conform
from sim.iceberg.appended_scenarios import APPENDED
from sim.iceberg.beside_sql_scenarios import BESIDE
from sim.iceberg.branch_scenarios import ON_BRANCHES
from sim.iceberg.cached_scenarios import CACHED
from sim.iceberg.creating_scenarios import CREATING
from sim.iceberg.equality_scenarios import EQUALITY
from sim.iceberg.format_scenarios import FORMATS
from sim.iceberg.hadoop_scenarios import HADOOP
from sim.iceberg.jdbc_scenarios import JDBC
from sim.iceberg.key_scenarios import KEYS
from sim.iceberg.managed_scenarios import MANAGED
from sim.iceberg.manifest_scenarios import MANIFESTS
from sim.iceberg.position_delete_scenarios import POSITION_DELETES
from sim.iceberg.procedure_scenarios import PROCEDURES
from sim.iceberg.renaming_scenarios import RENAMING
from sim.iceberg.rest_scenarios import REST
from sim.iceberg.row_copy_scenarios import ROW_COPIES
from sim.iceberg.row_id_scenarios import ROW_IDS
from sim.iceberg.scenarios import ICEBERG
from sim.iceberg.spec_scenarios import SPECS
from sim.iceberg.sql_scenarios import SQL
from sim.iceberg.sql_spec_scenarios import SQL_SPECS
from sim.iceberg.statistics_scenarios import STATISTICS
from sim.iceberg.timed_scenarios import TIMED
from sim.iceberg.transactions import TRANSACTIONS
from sim.search.explore import default_plan
from sim.search.projection import projection
from sim.search.run import Runner
from sim.search.shrink import shrink
from sim.world.scenario import Scenario
from tests.search.found import shown

pytestmark = pytest.mark.live
ALL = (
    *ICEBERG, *TRANSACTIONS, *EQUALITY, *MANAGED, *REST, *CREATING, *JDBC, *HADOOP, *KEYS, *TIMED, *SQL, *CACHED,
    *FORMATS, *PROCEDURES, *SPECS, *RENAMING, *SQL_SPECS, *STATISTICS, *MANIFESTS, *ROW_IDS, *ROW_COPIES,
    *POSITION_DELETES, *BESIDE, *APPENDED, *ON_BRANCHES,
)  # fmt: skip
FOUND = [scenario for scenario in ALL if scenario.broken and scenario.live is not None]


@pytest.mark.parametrize("scenario", FOUND, ids=[scenario.name for scenario in FOUND])
def test_found_violation_is_real(scenario: Scenario, request: pytest.FixtureRequest) -> None:
    """Nothing but the scenario is given: the search finds the schedule, the live system is put through it."""
    found = shown(default_plan(scenario))
    played = projection(shrink(Runner(scenario), found).run)
    assert played is not None
    assert scenario.live is not None
    backend = request.getfixturevalue("sql" if scenario.live.system == "iceberg-sql" else "java")
    live = backend.run(scenario.live.workload, played.schedule)
    assert str(conform(played.run, live)).startswith("simulation and live system agree")
