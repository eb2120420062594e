"""A stale read shows an older version of the race, never the table as it was before it."""

import pytest

from sim.iceberg.scenarios import race
from sim.iceberg.workload import Delete, Insert, Select
from sim.search.explore import exhaustive
from sim.world.scenario import FaultSpace


@pytest.mark.parametrize(("catalog", "read"), [("rest", "load"), ("hive-no-lock", "get_table")])
def test_a_stale_read_is_of_the_race(catalog, read):
    """What was deleted before the race does not come back in one."""
    scenario = race(
        "x", "", {"w1": [Select()], "w2": [Insert(((3, "x"),))]}, history=(Delete(1),), catalog=catalog,
        faults=FaultSpace({read: ("stale",)}, 1, ("w1",)), properties=("no-aborted-reads",),
        yield_points=("load", "commit", "get_table", "alter_table"),
    )  # fmt: skip
    result = exhaustive(scenario)
    assert result.complete
    assert not result.failures
    assert result.coverage["fault stale"]
