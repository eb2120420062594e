"""What the simulator finds by itself, shrunk and taken to the catalog's yield points, happens on real Iceberg."""

import pytest

from real_backend.iceberg.conformance import conform
from sim.iceberg.built_in.appended import APPENDED
from sim.iceberg.built_in.beside_sql import BESIDE
from sim.iceberg.built_in.branch import ON_BRANCHES
from sim.iceberg.built_in.cached import CACHED
from sim.iceberg.built_in.creating import CREATING
from sim.iceberg.built_in.equality import EQUALITY
from sim.iceberg.built_in.format import FORMATS
from sim.iceberg.built_in.hadoop import HADOOP
from sim.iceberg.built_in.jdbc import JDBC
from sim.iceberg.built_in.key import KEYS
from sim.iceberg.built_in.managed import MANAGED
from sim.iceberg.built_in.manifest import MANIFESTS
from sim.iceberg.built_in.position_delete import POSITION_DELETES
from sim.iceberg.built_in.procedure import PROCEDURES
from sim.iceberg.built_in.renaming import RENAMING
from sim.iceberg.built_in.rest import REST
from sim.iceberg.built_in.row_copy import ROW_COPIES
from sim.iceberg.built_in.row_id import ROW_IDS
from sim.iceberg.built_in.spec import SPECS
from sim.iceberg.built_in.sql import SQL
from sim.iceberg.built_in.sql_spec import SQL_SPECS
from sim.iceberg.built_in.statistics import STATISTICS
from sim.iceberg.built_in.timed import TIMED
from sim.iceberg.built_in.transactions import TRANSACTIONS
from sim.iceberg.scenarios import ICEBERG
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
