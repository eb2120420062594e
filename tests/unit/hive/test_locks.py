"""The lock manager's rules: the table of who waits for whom, requests as a whole, ends, time-outs, dynamic writes."""

from dataclasses import replace

import pytest

import checkers.hive  # noqa: F401  # its properties are known then
from model.hive.errors import LockNotGranted, NoAnswer, NoSuchLock, NoSuchTxn, ReadOnlyTxn, TxnAborted, TxnOpen
from model.hive.lists import ValidTxnList
from model.hive.lock_queue import WAITS_FOR, Component
from model.hive.locks import add_dynamic_partitions, check_lock, heartbeat, lock, time_out, unlock
from model.hive.rows import HIVE_LOCKS
from model.hive.rules import FIXED, SHIPPED
from model.hive.txns import abort_txn, commit_txn, open_txn
from model.hive.txns import heartbeat as beat
from model.hive.txns import time_out as time_out_txns
from model.hive.write_ids import allocate, valid_write_ids
from tests.unit.hive.lab import Lab, T
from tests.unit.hive.lock_calls import ModelLocks, answers, drawn
from tests.unit.hive.lock_pairs import pairs, vectors, waits_of
from tests.unit.hive.told import EMPTY, ONE, Told, anomalies

CONFLICTS = replace(FIXED, exclusive_writes=False)
EXCLUSIVE, SHARED = (Component("exclusive", T),), (Component("shared-read", T),)


class Manager:
    """The bodies of database transactions, each in one of its own."""

    def __init__(self, rules=FIXED) -> None:
        self.lab, self.rules = Lab(rules), rules
        self.sql = self.lab.sql

    def open(self, count=1):
        return [self.sql(open_txn).txn for _ in range(count)]

    def lock(self, txn, parts):
        return self.sql(lambda tx: lock(tx, self.rules, txn, parts))

    def check(self, number):
        return self.sql(lambda tx: check_lock(tx, number)).held

    def commit(self, txn):
        return self.sql(lambda tx: commit_txn(tx, self.rules, txn)).state

    def tick(self, duration_ms):
        self.lab.kernel.run(until=int(self.lab.kernel.now) + duration_ms)

    def wrote(self, txn, partitions):
        self.sql(lambda tx: add_dynamic_partitions(tx, txn, T, partitions, "delete"))

    def abort(self, txn):
        self.sql(lambda tx: abort_txn(tx, txn))

    def allocate(self, txn, again):
        return self.sql(lambda tx: allocate(tx, txn, T, again=again))

    def rows(self):
        return self.sql(lambda tx: tx.scan(HIVE_LOCKS))


def test_who_waits_for_whom_is_what_metastores_say():
    """400 pairs; the kinds alone are the table of the source."""
    assert len(list(pairs())) == 400
    assert waits_of(ModelLocks()) == vectors()
    assert waits_of(ModelLocks(), of_one=True) == {}
    assert {kind: len(kinds) for kind, kinds in WAITS_FOR.items()} == {
        "shared-read": 1, "shared-write": 2, "excl-write": 3, "exclusive": 4,
    }  # fmt: skip


def test_a_request_is_granted_as_a_whole_and_in_its_turn():
    """The second part waits, so the first one is not held; who comes later waits for it all the same."""
    manager = Manager()
    first, second, third = manager.open(3)
    manager.lock(first, (Component("exclusive", "default.u"),))
    both = manager.lock(second, (*EXCLUSIVE, Component("exclusive", "default.u")))
    late = manager.lock(third, SHARED)
    assert (both.held, late.held) == (False, False)
    assert [row.held for _, row in manager.rows()] == [True, False, False, False]
    manager.commit(first)
    assert (manager.check(late.number), manager.check(both.number), manager.check(late.number)) == (False, True, False)
    manager.commit(second)
    assert manager.check(late.number)


@pytest.mark.parametrize("how", ["commit", "conflict", "abort", "time-out"])
def test_every_end_of_a_transaction_releases_its_locks(how):
    """And whoever waited has them."""
    manager = Manager(CONFLICTS)
    rival, mine, other = manager.open(3)
    update = (Component("shared-write", T, operation="update"),)
    manager.lock(mine, (*update, *SHARED))
    waiting = manager.lock(other, EXCLUSIVE)
    if how == "conflict":
        manager.lock(rival, update)
        manager.sql(lambda tx: unlock(tx, waiting.number))
        manager.commit(rival)
        waiting = manager.lock(other, EXCLUSIVE)
    if how == "abort":
        manager.abort(mine)
    elif how == "time-out":
        manager.tick(10)
        manager.sql(lambda tx: beat(tx, other))
        assert manager.sql(lambda tx: time_out_txns(tx, FIXED, 5)) == (rival, mine)
    else:
        assert manager.commit(mine) == ("a" if how == "conflict" else "c")
    assert manager.check(waiting.number)


def test_a_sign_of_life_keeps_locks_without_a_transaction():
    """One is silent, one beats, one asks again."""
    manager = Manager()
    numbers = [manager.lock(0, SHARED).number for _ in range(3)]
    manager.tick(10)
    manager.sql(lambda tx: heartbeat(tx, numbers[1]))
    manager.check(numbers[2])
    assert manager.sql(lambda tx: time_out(tx, 5)) == (numbers[0],)
    with pytest.raises(NoSuchLock):
        manager.check(numbers[0])
    with pytest.raises(NoSuchLock):
        manager.sql(lambda tx: heartbeat(tx, numbers[0]))


def test_who_asks_again_gives_a_sign_of_life_for_the_transaction():
    """It does not time out."""
    manager = Manager()
    (mine,) = manager.open()
    number = manager.lock(mine, SHARED).number
    manager.tick(10)
    manager.check(number)
    assert manager.sql(lambda tx: time_out_txns(tx, FIXED, 5)) == ()


def test_locks_of_a_transaction_are_given_up_only_while_they_are_waited_for():
    """A lock without a transaction at any time; what is not there already has been."""
    manager = Manager()
    first, second = manager.open(2)
    held, waiting = manager.lock(first, EXCLUSIVE), manager.lock(second, EXCLUSIVE)
    with pytest.raises(TxnOpen):
        manager.sql(lambda tx: unlock(tx, held.number))
    manager.sql(lambda tx: unlock(tx, waiting.number))
    manager.sql(lambda tx: unlock(tx, waiting.number))
    assert len(manager.rows()) == 1


def test_a_transaction_that_has_ended_gets_no_locks_but_as_shipped_if_it_has_committed():
    """They stay: it has no end any more."""
    shipped, fixed = Manager(SHIPPED), Manager()
    for manager in (shipped, fixed):
        aborted, late = manager.open(2)
        manager.abort(aborted)
        manager.commit(late)
        with pytest.raises(TxnAborted):
            manager.lock(aborted, EXCLUSIVE)
        with pytest.raises(NoSuchTxn):
            manager.lock(99, EXCLUSIVE)
    with pytest.raises(NoSuchTxn):
        fixed.lock(2, EXCLUSIVE)
    assert shipped.lock(2, EXCLUSIVE).held
    assert shipped.commit(2) == "c"
    shipped.tick(10)
    assert shipped.sql(lambda tx: time_out_txns(tx, SHIPPED, 5)) == ()
    assert len(shipped.rows()) == 1


def test_a_dynamic_write_conflicts_on_the_partitions_that_it_wrote():
    """Its lock is on the table; until it says what it wrote, so is its write."""
    for partitions, ending in (((), "a"), (("p=2",), "c"), (("p=1",), "a")):
        manager = Manager(CONFLICTS)
        first, second = manager.open(2)
        place = "p=1" if partitions else ""
        manager.lock(first, (Component("shared-write", T, place, "update"),))
        parts = (Component("shared-write", T, "", "insert", True), Component("shared-write", T, "", "delete", True))
        manager.lock(second, parts)
        if partitions:
            manager.wrote(second, partitions)
        manager.commit(first)
        assert manager.commit(second) == ending, partitions


def test_a_write_id_that_is_allocated_again_is_above_all_others():
    """The one before is nobody's any more (HIVE-26472)."""
    manager = Manager()
    first, second = manager.open(2)
    asked = ((first, False), (second, False), (first, False), (first, True), (first, False))
    ids = [manager.allocate(txn, again) for txn, again in asked]
    assert ids == [1, 2, 1, 3, 3]
    manager.commit(first)
    seen = manager.sql(lambda tx: valid_write_ids(tx, ValidTxnList(2, [second]), T))
    assert (seen.high, seen.open) == (3, (2,))


def test_a_read_only_transaction_gets_no_write_id():
    """Upstream says that it is not open, or read-only."""
    manager = Manager()
    reader = manager.sql(lambda tx: open_txn(tx, True)).txn
    with pytest.raises(ReadOnlyTxn):
        manager.sql(lambda tx: allocate(tx, reader, T))


def test_drawn_sequences_have_every_answer():
    """What the live test compares is worth comparing."""
    told = [one for seed in range(60) for one in answers(ModelLocks(), drawn(seed))]
    for word in ("True", "False", "None", "NoSuchLock", "NoSuchTxn", "TxnAborted", "TxnOpen", "Refused"):
        assert told.count(word) > 10, word


def test_a_session_waits_gives_up_and_says_for_whom():
    """A transaction that is open may make way later; one that has committed never does."""
    lab = Lab(SHIPPED)
    first, second = lab.session(), lab.session()
    first.begin((T,))
    second.begin((T,))
    assert first.lock_table(T, "exclusive") == 1
    with pytest.raises(LockNotGranted):
        second.lock_table(T, "shared-read")
    with pytest.raises(TxnAborted):
        second.commit()
    first.commit()
    lab.replica("h1").lock_table(first.txn, T, "exclusive")
    second.begin((T,))
    with pytest.raises(NoAnswer, match=rf"waits for transaction {first.txn}, which has ended"):
        second.lock_table(T, "shared-read")


def test_a_session_gets_a_set_of_locks_as_a_whole_or_waits():
    """Of partitions and databases, too."""
    lab = Lab(SHIPPED)
    first, second, third = lab.session(), lab.session(), lab.session()
    for session in (first, second, third):
        session.begin((T,))
    assert first.lock_together((("exclusive", f"{T}/d=1"), ("shared-read", "default.u"))) == 1
    assert second.lock_together((("exclusive", f"{T}/d=2"),)) == 2
    with pytest.raises(LockNotGranted, match=r"lock of default\.u, default: "):
        third.lock_together((("shared-read", "default.u"), ("excl-write", "default")))
    held = [(part.table, part.partition, part.held) for _, part in lab.sql(lambda tx: tx.scan(HIVE_LOCKS))]
    assert held == [("t", "d=1", True), ("u", "", True), ("t", "d=2", True)]


def test_a_time_out_ends_a_transaction_for_whoever_reads_and_its_session_is_not_told():
    """Its content is no open transaction's any more; in its own list its write id counts as committed."""
    told = Told().begin("w1", 1).change("w1", 1, 1, t1="v1").begin("r1", 2)
    assert anomalies(told.read("r1", 2, EMPTY, t1="v1").history(), "no-dirty-reads") == ["unfinished-write-served"]
    told = Told().begin("w1", 1).change("w1", 1, 1, t1="v1").note("k1", "time-out", "at=database txn=1").begin("r1", 2)
    assert anomalies(told.read("r1", 2, EMPTY, t1="v1").history(), "no-dirty-reads") == []
    assert anomalies(told.read("w1", 1, ONE, t1="v1").history(), "no-dirty-reads") == []
    assert anomalies(told.read("r1", 2, ONE, t1="v1").history(), "no-dirty-reads") == ["aborted-id-in-list"]
