"""Sessions that lock, wait, give up and time out, step by step on live metastores: generated ones, and built-in ones.

`make agreement` has many more of the former: one generated scenario in four locks.
"""

from itertools import islice

import pytest

from model.hive import coverage
from sim.generation.draws import seeded
from sim.hive.build import B, T, metastore
from sim.hive.generate import GENERATOR
from sim.hive.live import LOCKING_STEPS, locks
from sim.hive.lock_statements import LockSet, TimeOut
from sim.hive.race import HiveRace
from sim.hive.workload import Alter, Commit, Get
from sim.search.at_gates import runs_at_gates
from tests.live.hive.agreement import both, both_generated, found, played, scenario_of

pytestmark = pytest.mark.live
EACH = 3
READER_GOES_ON = "r1.lock_table r1.get_table k1.time_out w1:end h2:end r1:end"
LET_GO = "w1.lock_table w1.alter_table w2.lock_table w1.commit_txn w2.check_lock w2:end r1:end"
GIVEN_UP = "w1.lock_table w2:end w1:end r1:end h2:end"


def _locks(scenario):
    race = scenario.program
    return isinstance(race, HiveRace) and locks(race.workload)


def _sets(scenario):
    return isinstance(scenario.program, HiveRace) and scenario.program.workload.has(LockSet)


@pytest.mark.parametrize("configuration", ["default", "both"])
def test_generated_sessions_that_lock_do_the_same_on_live_metastores(hive, configuration):
    """Steps, what every session is told, who times out, what caches and the database have at the end."""
    made = (GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration]) for seed in range(2_000))
    locking = (each for each in made if each.live is not None and _locks(each))
    found = list(islice(((each, one) for each in locking for one in runs_at_gates(each, 0, 1)), EACH))
    assert len(found) == EACH
    for scenario, run in found:
        both_generated(hive, scenario, run)


def test_generated_sets_of_locks_do_the_same_on_live_metastores(hive):
    """Of databases, tables and partitions, in one request: who waits for whom, who gives up, what is read meanwhile."""
    made = (GENERATOR.make(seeded(seed), GENERATOR.configurations["no-cache"]) for seed in range(2_000))
    sets = (each for each in made if each.live is not None and _sets(each))
    runs = ((each, one) for each in sets for one in runs_at_gates(each, 0, 4))
    waited = list(islice(((each, one) for each, one in runs if one.run.coverage.get(coverage.LOCK_WAITED)), EACH))
    assert len(waited) == EACH
    for scenario, run in waited:
        both_generated(hive, scenario, run)


def test_a_late_request_for_a_lock_is_granted_to_a_transaction_that_has_committed(hive):
    """The smallest schedule that the search finds: whoever asks after it gives up, for nobody will make way."""
    live = both(hive, scenario_of("shipped-late-lock"), *found("shipped-late-lock"))
    assert "NoAnswer" in live.errors("w1")


@pytest.mark.parametrize(("steps", "told"), [(LET_GO, ()), (GIVEN_UP, ("LockNotGranted",))], ids=["let go", "given up"])
def test_a_writer_waits_for_another_one(hive, steps, told):
    """It is granted the lock that the other one's commit gives back, or gives up and aborts."""
    scenario = scenario_of("locked-writers")
    live = both(hive, scenario, *played(scenario, steps))
    assert live.errors("w2") == told


def test_the_house_keeper_takes_the_lock_of_a_reader_that_is_silent(hive):
    """A writer gets it, and the reader is shown the change without being told."""
    scenario = scenario_of("timed-out-reader")
    live = both(hive, scenario, *played(scenario, READER_GOES_ON))
    assert live.values("r1") == ("v0", "v1")
    assert [event.arg for event in live.events if (event.f, event.type) == ("time-out", "ok")] == ["at=database txn=1"]


def test_a_writer_that_has_timed_out_is_refused_and_leaves_an_event(hive):
    """The shipped service writes it, for h2 to serve the table again."""
    scenario = scenario_of("timed-out-writer")
    live = both(hive, scenario, *played(scenario, "w1:end k1:end r1:end h2:end"))
    assert [event.arg for event in live.events if (event.f, event.type) == ("time-out", "ok")] == ["at=database txn=1"]


def test_a_transaction_that_has_timed_out_gets_no_write_id(hive):
    """The server says that it has an internal error; the transaction is aborted, and so the model says."""
    sessions = {"w1": ("h1", (B, Get(T), Alter(T, "v1"), Commit())), "k1": ("h1", (TimeOut("w1"),))}
    scenario = metastore("late-change", "", sessions, steps=LOCKING_STEPS)
    live = both(hive, scenario, *played(scenario, "w1.get_open_txns w1.get_table k1.time_out w1:end"))
    assert live.errors("w1") == ("TxnAborted", "TxnAborted")
    assert live.content == {"table:1": "v0"}
