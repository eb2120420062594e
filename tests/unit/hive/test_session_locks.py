"""Sessions that lock and time out, in the simulator: whom the house keeper means, and which races can be live."""

import pytest

from sim.hive.build import B, T, metastore
from sim.hive.live import LOCKING_STEPS, STEPS, live_of, locks
from sim.hive.lock_statements import Lock, LockSet, TimeOut
from sim.hive.race import HiveRace
from sim.hive.scenarios import LOCKING
from sim.hive.workload import Alter, Commit, Get, HiveSession, HiveWorkload, Statement, Update
from sim.kernel.schedule import steps_of
from sim.search.run import Runner

KEEPER = HiveSession("k1", "h1", (TimeOut("w1"),))


@pytest.mark.parametrize(
    ("steps", "aborted"),
    [
        ("k1:end", 1),
        ("w1.get_table w1.commit_txn k1:end", 0),
        ("w1.get_table w1.commit_txn w1.get_open_txns k1:end", 2),
    ],
)
def test_the_house_keeper_means_the_transaction_that_is_open_when_it_comes(steps, aborted):
    """Not the one that was when it began to wait; none, if that has ended and no other has begun."""
    sessions = {"w1": ("h1", (B, Get(T), Commit(), B, Get(T))), "k1": ("h1", (TimeOut("w1"),))}
    scenario = metastore("two", "", sessions, steps=("open_txn", *LOCKING_STEPS), pollers=())
    run = Runner(scenario).play(steps_of(f"w1.open_txn w1.get_open_txns {steps.replace('w1.get_open_txns', OPENED)}"))
    told = [event.arg for event in run.events if (event.f, event.type) == ("time-out", "ok")]
    assert told == [f"at=database txn={aborted}"]


OPENED = "w1.open_txn w1.get_open_txns"


def live(*statements: Statement):
    """The live counterpart of a race of one session, and a house keeper."""
    return live_of(HiveRace(HiveWorkload((HiveSession("w1", "h1", statements), KEEPER))))


def test_what_sessions_do_with_locks_are_steps_of_live_metastores():
    """And of no race without locks, whose schedules stay as they were."""
    found = live(B, Lock(T, "exclusive"), Alter(T, "v1"), Commit())
    assert not isinstance(found, str)
    assert found.yield_points == (LOCKING_STEPS,)
    alone = live_of(HiveRace(HiveWorkload((HiveSession("w1", "h1", (B, Alter(T, "v1"))),))))
    assert not isinstance(alone, str)
    assert alone.yield_points == (STEPS,)


def test_sets_of_locks_are_steps_of_live_metastores():
    """As those of one table are."""
    found = live(B, LockSet((("exclusive", "default"),)), Commit())
    assert not isinstance(found, str)
    assert found.yield_points == (LOCKING_STEPS,)


def test_who_updates_rows_beside_locks_is_simulated_only():
    """Live it asks for a lock itself."""
    assert "expected nobody who updates rows" in str(live(B, Update(T), Commit()))


def test_built_in_sessions_that_lock_have_a_live_counterpart():
    """Unless their servers have rules of their own."""
    has = {scenario.name.removeprefix("hive/"): scenario.live is not None for scenario in LOCKING}
    assert [name for name, there in has.items() if not there] == [
        "timed-out-writer-without-event", "patch-timed-out-writer", "late-lock",
    ]  # fmt: skip
    assert all(locks(scenario.program.workload) for scenario in LOCKING if isinstance(scenario.program, HiveRace))
