"""Spark SQL's INSERT into a branch (`t.branch_b`), on the real Iceberg."""

import pytest

from tests.live.iceberg.agreement import both
from tests.unit.iceberg.sql_branch_vectors import BY_NAME
from tests.unit.iceberg.sql_spec_vectors import scenario_of

pytestmark = pytest.mark.live


@pytest.mark.parametrize("name", BY_NAME)
def test_sessions_do_what_the_vector_says(sql, name):
    """Step by step, in outcomes and in rows."""
    vector = BY_NAME[name]
    _, seen = both(sql, scenario_of(vector), vector["schedule"])
    assert [list(row) for row in seen.rows] == vector["expect"]["rows"]
