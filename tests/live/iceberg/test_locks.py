"""The real Hive catalog where one client takes the lock and another one does not: by its catalog, or by the table."""

import pytest

from real_backend.iceberg.conformance_in_hive import conform, live_steps
from sim.iceberg.lock_scenarios import LOCKS
from sim.search.explore import default_plan
from sim.search.run import Runner
from sim.search.shrink import shrink
from sim.search.strategies import walk_of
from tests.live.iceberg.agreement import kinds
from tests.search.found import shown

pytestmark = pytest.mark.live
LOST, *KEPT = LOCKS
ALL = {(1, "a"), (2, "b"), (3, "x"), (4, "y")}
WALKS = 5


def played(java_on_hive, run):
    """Play a simulated run on the real catalog, which agrees in all. Returns: the rows."""
    live = java_on_hive.run(run.scenario.live.workload, live_steps(run))
    result = conform(run, live)
    assert result.agrees, f"{result}\nlive: {' '.join(live.trace)}\n" + "\n".join(map(str, result.differences))
    assert set(kinds(live).values()) == {"ok"}
    return set(live.rows)


def test_who_takes_no_lock_is_overwritten_by_who_holds_it(java_on_hive):
    """Nothing but the scenario is given: the search finds the schedule; both are told that it is done."""
    found = shrink(Runner(LOST), shown(default_plan(LOST))).run
    assert len(ALL - played(java_on_hive, found)) == 1


@pytest.mark.parametrize("scenario", KEPT, ids=[scenario.name for scenario in KEPT])
def test_what_the_table_says_keeps_both(java_on_hive, scenario):
    """In whatever order."""
    runs = [Runner(scenario).run(walk_of(seed, 60)) for seed in range(WALKS)]
    for run in {live_steps(run): run for run in runs}.values():
        assert played(java_on_hive, run) == ALL
