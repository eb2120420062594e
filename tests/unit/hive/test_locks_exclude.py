"""Locks keep each other out: on histories written by hand, kept, and broken where both are held for certain."""

import pytest

from model.hive.lock_queue import KINDS, WAITS_FOR
from tests.unit.hive.told import Told, anomalies

BROKEN = ["both-hold-the-lock"]


class Locking(Told):
    """A history of sessions that lock."""

    def locks(self, process: str, txn: int, kind: str = "exclusive", table: str = "default.t") -> "Locking":
        """A lock that is granted."""
        self.note(process, "lock", f"at=h1 table={table} kind={kind} txn={txn} lock={txn}")
        return self

    def locks_all(self, process: str, txn: int, *parts: str) -> "Locking":
        """Several locks in one request, "exclusive@default.t" each."""
        self.note(process, "lock", f"at=h1 parts={','.join(parts)} txn={txn} lock={txn}")
        return self

    def gives_up(self, process: str, table: str) -> "Locking":
        """A lock that is not: the transaction is aborted."""
        op = self.record.invoke(process, "lock", f"at=h1 table={table} kind=exclusive")
        self.record.fail(op, "LockNotGranted: expected it after 2 checks, got none")
        return self

    def found(self) -> list[str]:
        """What is wrong."""
        return anomalies(self.history(), "locks-exclude")


def begun() -> Locking:
    """Two transactions."""
    told = Locking()
    told.begin("w1", 1).begin("w2", 2)
    return told


@pytest.mark.parametrize("one", KINDS)
@pytest.mark.parametrize("other", KINDS)
def test_who_may_hold_a_table_together(one, other):
    """The kinds that the lock manager lets nobody wait for."""
    found = begun().locks("w1", 1, one).locks("w2", 2, other).found()
    assert found == (BROKEN if one in WAITS_FOR[other] else [])


@pytest.mark.parametrize("how", ["commit", "abort"])
def test_an_end_makes_room(how):
    """From the moment on at which it is asked for."""
    told = begun().locks("w1", 1)
    told.end("w1", 1, how)
    assert told.locks("w2", 2).found() == []
    late = begun().locks("w1", 1).locks("w2", 2)
    late.end("w1", 1, how)
    assert late.found() == BROKEN


def test_an_end_of_unknown_outcome_may_have_made_room():
    """Nobody can tell."""
    told = begun().locks("w1", 1)
    told.record.info(told.record.invoke("w1", "commit", "at=h1"), "ConnectionLost: no answer")
    assert told.locks("w2", 2).found() == []


def test_a_time_out_makes_room():
    """Of the transaction that it aborted, and of no other."""
    told = begun().locks("w1", 1)
    told.note("k1", "time-out", "at=database txn=1")
    assert told.locks("w2", 2).found() == []
    other = begun().locks("w1", 1)
    other.note("k1", "time-out", "at=database txn=0")
    assert other.locks("w2", 2).found() == BROKEN


@pytest.mark.parametrize("how", ["commit", "abort"])
def test_a_time_out_makes_room_whatever_end_is_asked_for_after_it(how):
    """No answer to a later end says that the transaction was open until then."""
    told = begun().locks("w1", 1)
    told.note("k1", "time-out", "at=database txn=1")
    told.locks("w2", 2)
    told.record.info(told.record.invoke("w1", how, "at=h1"), "ConnectionLost: no answer")
    assert told.found() == []


def test_an_end_that_was_on_its_way_did_not_make_room_if_a_time_out_found_the_transaction_open():
    """Both hold the lock until the time-out."""
    told = begun().locks("w1", 1)
    lost = told.record.invoke("w1", "commit", "at=h1")
    told.locks("w2", 2)
    told.note("k1", "time-out", "at=database txn=1")
    told.record.info(lost, "ConnectionLost: no answer")
    assert told.found() == BROKEN


def test_who_gives_up_another_lock_holds_none():
    """Its transaction is aborted within the statement."""
    assert begun().locks("w1", 1).gives_up("w1", "default.u").locks("w2", 2).found() == []
    assert begun().gives_up("w1", "default.u").locks("w1", 1).locks("w2", 2).found() == BROKEN


def test_other_tables_and_a_transactions_own_locks_are_in_nobodys_way():
    """A request for more is granted."""
    assert begun().locks("w1", 1).locks("w2", 2, table="default.u").found() == []
    assert begun().locks("w1", 1).locks("w1", 1, "shared-read").found() == []


@pytest.mark.parametrize(("wid", "old_name"), [(1, []), (0, BROKEN)])
def test_a_lock_goes_with_its_table_to_another_name(wid, old_name):
    """Whoever locks that one later meets it, and the old name is free; without write ids it stays where it was."""

    def renamed():
        told = begun().locks("w1", 1)
        told.note("w1", "rename", f"at=h1 table=default.t txn=1 id=1 wid={wid} name=default.u", commit=1)
        return told

    assert renamed().locks("w2", 2).found() == old_name
    assert renamed().locks("w2", 2, table="default.u").found() == (BROKEN if wid else [])


def test_a_request_that_waits_goes_with_its_table_to_another_name():
    """It is granted under that one, and says nothing of the old one."""
    told = begun()
    waiting = told.record.invoke("w1", "lock", "at=h1 table=default.t kind=exclusive")
    told.note("w3", "rename", "at=h1 table=default.t txn=3 id=1 wid=1 name=default.u", commit=1)
    told.record.ok(waiting, arg="at=h1 table=default.t kind=exclusive txn=1 lock=1")
    assert told.locks("w2", 2).found() == []


def test_a_rename_that_nobody_answers_may_have_taken_the_lock_along():
    """Nobody can tell."""
    told = begun().locks("w1", 1)
    told.record.info(told.record.invoke("w1", "rename", "at=h1 table=default.t"), "ConnectionLost: no answer")
    assert told.locks("w2", 2).found() == []


@pytest.mark.parametrize(("tables", "found"), [(1, []), (0, BROKEN)])
def test_a_lock_is_over_where_its_database_gets_another_name(tables, found):
    """If any table has got one: 4.0.1 acknowledges it, and renames none."""
    told = begun().locks("w1", 1)
    told.note("d1", "rename-database", f"at=h1 database=default to=sales txn=0 tables={tables}")
    assert told.locks("w2", 2).found() == found


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("exclusive@default.t", "shared-read@default.t/d=1", BROKEN),
        ("exclusive@default.t/d=1", "exclusive@default.t/d=1", BROKEN),
        ("exclusive@default.t/d=1", "exclusive@default.t/d=2", []),
        ("exclusive@default.t/d=1", "exclusive@default.t/d=10", []),
        ("exclusive@default", "shared-read@default.t/d=1", BROKEN),
        ("exclusive@default.t", "shared-read@default", []),
        ("excl-write@default", "excl-write@default.t", BROKEN),
        ("exclusive@default", "shared-read@default", BROKEN),
        ("exclusive@default.t", "exclusive@default.tt", []),
        ("exclusive@default.u,shared-read@default.t", "shared-read@default.t,exclusive@default.u", BROKEN),
        ("exclusive@default.u,shared-read@default.t", "shared-read@default.t,exclusive@default.w", []),
    ],
)
def test_partitions_databases_and_sets_exclude_what_overlaps_with_them(one, other, found):
    """But a shared read of a database keeps it there, no more."""
    told = begun().locks_all("w1", 1, *one.split(",")).locks_all("w2", 2, *other.split(","))
    assert told.found() == found
