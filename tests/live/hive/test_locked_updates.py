"""Updates under locks, step by step on live metastores: waits, renewals, dynamic partitions, and what is cleaned."""

import pytest

from model.hive.rules import UNCACHED
from sim.hive.build import metastore
from sim.hive.live import LOCKING_STEPS, UPDATE_STEPS
from sim.hive.updating import CONFLICTS
from sim.search.at_gates import runs_at_gates
from tests.live.hive.agreement import both, both_generated, played, scenario_of

pytestmark = pytest.mark.live
EACH = 3
OLD_NAME = "w1:lock_update w2:end w1:end"
LATER = "w1.get_open_txns w2.get_open_txns w2:end w1:end"
EARLIER = (
    "w1.get_open_txns w2.get_open_txns w1.lock_update w2.lock_update w1.latest_conflict w1.commit_txn w1:end w2:end"
)


def _told(live, process):
    return [event.arg for event in live.events if (event.process, event.f, event.type) == (process, "update", "ok")]


@pytest.mark.parametrize(
    "name",
    [
        "locked-updates",
        "locked-updates-not-renewed",
        "dynamic-updates",
        "dynamic-updates-apart",
        "dynamic-updates-unchecked",
        "shipped-update-by-old-name",
        "shipped-update-by-old-name-checked",
    ],
)
def test_updates_under_locks_do_the_same_on_live_metastores(hive, name):
    """Random schedules of each scenario at its gates."""
    scenario = scenario_of(name)
    runs = list(runs_at_gates(scenario, 0, EACH))
    assert len(runs) == EACH
    for run in runs:
        both_generated(hive, scenario, run)


def test_a_write_id_is_taken_anew_after_the_wait_for_an_earlier_transaction(hive):
    """The list has the other one's, and the own one is above it."""
    scenario = scenario_of("locked-updates")
    live = both(hive, scenario, *played(scenario, EARLIER))
    assert " wid=3 " in _told(live, "w2")[0]


def test_a_transaction_that_a_later_one_has_overtaken_is_aborted(hive):
    """No snapshot of its own can have what the other one has changed."""
    scenario = scenario_of("locked-updates")
    live = both(hive, scenario, *played(scenario, LATER))
    assert live.errors("w1")[0] == "SnapshotOutdated"


def test_locks_and_changes_follow_a_table_to_its_new_name(hive):
    """Another session waits for the lock under the new name; who has changed the table under the old one is met."""
    scenario = scenario_of("lock-of-renamed")
    live = both(hive, scenario, *played(scenario, "w1.get_open_txns w1.lock_table w1.rename_table w2:end w1:end"))
    assert live.errors("w2") == ("LockNotGranted",)
    sessions = scenario_of("update-of-renamed").program.workload.sessions
    given = {each.actor: (each.home, each.statements) for each in sessions}
    scenario = metastore(
        "renamed", "", given, rules=UNCACHED, pollers=(), properties=CONFLICTS, steps=(*LOCKING_STEPS, *UPDATE_STEPS)
    )
    live = both(hive, scenario, *played(scenario, "w1.get_open_txns w2.get_open_txns w1:end w2:end"))
    assert live.errors("w2") == ("TxnAborted",)


@pytest.mark.parametrize("name", ["shipped-update-by-old-name", "shipped-update-by-old-name-checked"])
def test_an_update_by_a_name_that_nobody_has_any_more_is_granted_its_lock_and_commits(hive, name):
    """It waits for nobody, is not told that it is outdated, and both are committed."""
    live = both(hive, scenario_of(name), *played(scenario_of(name), OLD_NAME))
    assert (live.errors("w1"), live.errors("w2")) == ((), ())
    assert [event.process for event in live.events if (event.f, event.type) == ("commit", "ok")] == ["w2", "w1"]
