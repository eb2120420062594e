"""The model's lock manager against a live metastore's, 4.0.1: who waits for whom, drawn sequences, time-outs."""

import time
from contextlib import contextmanager

import pytest

from model.hive.errors import NoSuchLock, NoSuchTxn, TxnAborted, TxnOpen
from model.hive.lock_queue import Component
from real_backend.hive.lock_calls import LiveLocks
from real_backend.hive.metastore import Metastore
from real_backend.hive.processes import remove_folder, temporary_folder
from tests.unit.hive.lock_calls import ModelLocks, answers, drawn
from tests.unit.hive.lock_pairs import vectors, waits_of
from tests.unit.hive.lock_script import SCENARIOS, LockScript

pytestmark = pytest.mark.live
SEQUENCES = 60
TIMEOUT_S = 2
LONGEST_S = 60.0
SERVICES = "org.apache.hadoop.hive.metastore.txn.service"
HOUSE_KEEPER, CLEANER = f"{SERVICES}.AcidHouseKeeperService", f"{SERVICES}.AcidTxnCleanerService"
TIMES = {
    "metastore.acid.housekeeper.interval": "200ms",
    "metastore.acid.txn.cleaner.interval": "200ms",
    "metastore.txn.timeout": f"{TIMEOUT_S}s",
}
"""Who is silent for two seconds is aborted; of what has ended, the cleaner forgets what has left nothing."""


def exclusive(table):
    """What a change of the table's schema asks for."""
    return (Component("exclusive", table),)


@pytest.fixture(scope="module")
def manager(metastores):
    """A live metastore's lock manager."""
    locks = LiveLocks(metastores.replicas(cached=False, names=("h1",)).metastores["h1"].port)
    yield locks
    locks.close()


@contextmanager
def timing_out(metastores, database, services=HOUSE_KEEPER):
    """A lock manager with these services beside it, and what its database has."""
    folder = temporary_folder("lakeproof-locks-")
    metastores.postgres.create_database(database, "empty")
    settings = {"metastore.task.threads.always": services, **TIMES}
    one = Metastore("h1", metastores.postgres, database, folder, cached=False, settings=settings)
    try:
        one.start()
        one.await_health()
        with metastores.postgres.connect(database) as connection:
            yield LiveLocks(one.port), lambda query: connection.execute(query).fetchall()
    finally:
        one.stop()
        remove_folder(folder)


def test_who_waits_for_whom(manager):
    """All 400 pairs of kinds and places, of two transactions; of one none waits."""
    assert waits_of(manager) == vectors()
    assert waits_of(manager, of_one=True) == {}


def no_silence():
    """The manager's metastore has no house keeper."""
    raise AssertionError("expected a scenario without silence, got one with it")


def test_upstreams_tests(manager):
    """As data; the one in which a lock times out has a house keeper below."""
    scenarios = [scenario for scenario in SCENARIOS if "silence" not in scenario["steps"]]
    told = [LockScript(manager, f"l{place}", no_silence).told(one) for place, one in enumerate(scenarios)]
    assert told == [scenario["steps"] for scenario in scenarios]
    assert len(told) == len(SCENARIOS) - 1


def test_drawn_sequences_are_answered_as_the_model_answers(manager):
    """Every call, and the locks that there are at the end."""
    said = []
    for seed in range(SEQUENCES):
        calls = drawn(seed)
        said.append(answers(manager, calls))
        assert said[-1] == answers(ModelLocks(), calls), seed
    words = {one for told in said for one in told}
    assert {"True", "False", "NoSuchLock", "NoSuchTxn", "TxnAborted", "TxnOpen"} <= words


def test_who_is_silent_is_aborted_and_its_locks_go(metastores):
    """With an event; whoever gives a sign of life keeps both. First upstream's own test, of a lock without any."""
    with timing_out(metastores, "silent") as (manager, ask):
        (scenario,) = [scenario for scenario in SCENARIOS if "silence" in scenario["steps"]]
        script = LockScript(manager, "silent", lambda: time.sleep(2 * TIMEOUT_S))
        assert script.told(scenario) == scenario["steps"]
        silent, alive = manager.open_txn(), manager.open_txn()
        assert manager.lock(silent, exclusive("default.t")).held
        waiting = manager.lock(alive, exclusive("default.t"))
        assert not waiting.held
        deadline = time.monotonic() + LONGEST_S
        while not waiting.held and time.monotonic() < deadline:
            time.sleep(0.2)
            waiting = manager.check_lock(waiting.number)
        assert waiting.held
        with pytest.raises(TxnAborted):
            manager.commit_txn(silent, exclusive=True)
        with pytest.raises(TxnAborted):
            manager.lock(silent, exclusive("default.u"))
        log = ask('select "EVENT_TYPE" from "NOTIFICATION_LOG" order by "EVENT_ID"')
        assert [kind for (kind,) in log] == ["OPEN_TXN", "OPEN_TXN", "ABORT_TXN"]
        manager.commit_txn(alive, exclusive=True)


def test_locks_of_a_transaction_that_has_committed_stay_for_ever(metastores):
    """It asks again after its commit, as a call does that was late. Nobody can take the lock away, nor does time."""
    with timing_out(metastores, "late", f"{HOUSE_KEEPER},{CLEANER}") as (manager, ask):
        late = manager.open_txn()
        manager.commit_txn(late, exclusive=True)
        orphan = manager.lock(late, exclusive("default.t"))
        assert orphan.held
        for end in (manager.abort_txn, manager.check_lock):
            with pytest.raises(NoSuchTxn):
                end(late if end == manager.abort_txn else orphan.number)
        manager.commit_txn(late, exclusive=True)
        with pytest.raises(TxnOpen):
            manager.unlock(orphan.number)
        other = manager.open_txn()
        waiting = manager.lock(other, exclusive("default.t"))
        deadline = time.monotonic() + 3 * TIMEOUT_S
        while time.monotonic() < deadline:
            time.sleep(0.5)
            assert not manager.check_lock(waiting.number).held
        assert ask(f'select count(*) from "TXNS" where "TXN_ID" = {late}') == [(0,)]
        assert [number for number, _ in manager.locks_of("default")] == [orphan.number, waiting.number]
        with pytest.raises(NoSuchTxn):
            manager.lock(late, exclusive("default.t"))
        manager.abort_txn(other)
        with pytest.raises(NoSuchLock):
            manager.check_lock(waiting.number)


def test_acknowledged_inserts_are_in_no_list_when_the_house_keeper_has_been(metastores):
    """The first transaction inserts under the second write id and commits, the second one aborts: the scenario
    `hive/cleaned-higher-id-as-shipped`. The next write id brings the rows back."""
    with timing_out(metastores, "unlisting", f"{HOUSE_KEEPER},{CLEANER}") as (locks, _):
        first, second = locks.open_txn(), locks.open_txn()
        for write_id, txn in enumerate((second, first), 1):
            assert locks.lock(txn, (Component("shared-read", "default.t", operation="insert"),)).held
            assert locks.allocate_write_id(txn, "default.t", again=False) == write_id
        locks.commit_txn(first, exclusive=True)
        locks.abort_txn(second)
        before = locks.valid_write_ids("default.t")
        assert (before.high, before.aborted) == (2, (1,))
        locks.commit_txn(locks.open_txn(), exclusive=True)
        deadline = time.monotonic() + LONGEST_S
        while locks.valid_write_ids("default.t").high == 2:
            assert time.monotonic() < deadline, "the house keeper has not been"
            time.sleep(0.1)
        after = locks.valid_write_ids("default.t")
        assert (after.high, after.aborted) == (1, (1,))
        third = locks.open_txn()
        assert locks.allocate_write_id(third, "default.t", again=False) == 3
        locks.commit_txn(third, exclusive=True)
        again = locks.valid_write_ids("default.t")
        assert (again.high, again.invalid) == (3, (1,))


def test_the_write_id_of_an_aborted_transaction_counts_as_committed_when_the_cleaner_has_been(metastores):
    """Nothing is recorded of it but the write id, which stays: the scenario `hive/cleaned-abort-as-shipped`."""
    services = f"{HOUSE_KEEPER},{CLEANER}"
    with timing_out(metastores, "forgetting", services) as (locks, rows):
        aborted = locks.open_txn()
        assert locks.allocate_write_id(aborted, "default.t", again=False) == 1
        locks.abort_txn(aborted)
        before = locks.valid_write_ids("default.t")
        assert (before.high, before.aborted) == (1, (1,))
        locks.open_txn()
        deadline = time.monotonic() + LONGEST_S
        while rows(f'select 1 from "TXNS" where "TXN_ID" = {aborted}'.encode()):
            assert time.monotonic() < deadline, "the cleaner has not been"
            time.sleep(0.1)
        after = locks.valid_write_ids("default.t")
        assert (after.high, after.invalid) == (1, ())
