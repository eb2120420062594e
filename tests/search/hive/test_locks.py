"""Every step of the lock manager that is broken is noticed, and what is shipped keeps the property in the same race.

And what locks are for: under them reads of one metastore do not go back, which they do without.
"""

import pytest

from sim.hive.scenarios import LOCKING
from sim.search.explore import default_plan
from sim.search.run import Runner
from sim.search.shrink import shrink
from tests.mutants.hive_locks import KILLS
from tests.search.found import shown

pytestmark = pytest.mark.search
BY_NAME = {scenario.name: scenario for scenario in LOCKING}


@pytest.mark.parametrize("name", KILLS)
def test_a_broken_step_of_the_lock_manager_breaks_its_property(name: str) -> None:
    """By the default search."""
    mutant, scenario, broken = KILLS[name]
    with mutant.alive():
        result = default_plan(scenario)
    assert [key.split("/")[0] for key in result.failures] == [broken]


@pytest.mark.parametrize("scenario", {one.name: one for _, one, _ in KILLS.values()}.values(), ids=lambda one: one.name)
def test_nothing_is_broken_in_the_same_race(scenario) -> None:
    """Every schedule at the scenario's steps."""
    result = default_plan(scenario)
    assert (result.complete, result.failures) == (True, {})


def test_a_late_request_is_waited_for_for_ever_in_no_more_than_two_sessions() -> None:
    """The first request arrives when its transaction has committed: the second one was answered."""
    scenario = BY_NAME["hive/shipped-late-lock"]
    small = shrink(Runner(scenario), shown(default_plan(scenario)))
    assert small.proven
    made = [(row[2], row[6]) for row in small.run.trace if row[2] in ("lock_table", "commit_txn")]
    assert made == [
        ("lock_table", "late"), ("lock_table", ""), ("commit_txn", ""), ("lock_table", ""), ("lock_table", ""),
    ]  # fmt: skip
