"""Spark's `rewrite_position_delete_files`, beside other statements, on the real Iceberg."""

import pytest

from sim.iceberg.position_delete_scenarios import POSITION_DELETES
from tests.live.iceberg.agreement import both

pytestmark = pytest.mark.live
HELD = [scenario for scenario in POSITION_DELETES if scenario.broken is None and not scenario.faults.limit]
AFTER, BEHIND = "w2:commit w1:end w2:end", "w1:commit w2:end w1:end"


@pytest.mark.parametrize("schedule", [AFTER, BEHIND], ids=["w1 first", "w2 first"])
@pytest.mark.parametrize("scenario", HELD, ids=[scenario.name for scenario in HELD])
def test_what_holds_ends_alike_whoever_commits_first(sql, scenario, schedule):
    """The other one is at its commit, and ends when the first one has."""
    both(sql, scenario, schedule)
