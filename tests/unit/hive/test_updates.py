"""Updates under locks as statements, their checkers, and what cleaning forgets of ended transactions."""

import pytest

from model.hive.cleaning import clean_txns, clean_write_ids
from model.hive.conflicts import latest_conflict
from model.hive.errors import SnapshotOutdated
from model.hive.lists import ValidTxnList
from model.hive.lock_queue import Component
from model.hive.locks import add_dynamic_partitions, lock
from model.hive.rows import TXNS, WRITE_ID_OF_TXN
from model.hive.rules import FIXED, SHIPPED
from model.hive.txns import abort_txn, commit_txn, open_txn
from model.hive.write_ids import allocate, valid_write_ids
from sim.generation.draws import seeded
from sim.hive.generate import GENERATOR
from sim.hive.live import CLEAN_STEPS
from sim.hive.race import HiveRace
from sim.hive.update_statements import CleanHistory, LockedUpdate
from sim.hive.updating import UPDATING
from tests.unit.hive.lab import Lab, T


def _ended(lab, *ends):
    """Transactions with a write id each, which end so ("" stays open)."""
    opened = [lab.sql(open_txn).txn for _ in ends]
    for txn, end in zip(opened, ends, strict=True):
        lab.sql(lambda tx, txn=txn: allocate(tx, txn, T))
        if end == "commit":
            lab.sql(lambda tx, txn=txn: commit_txn(tx, FIXED, txn))
        elif end == "abort":
            lab.sql(lambda tx, txn=txn: abort_txn(tx, txn))
    return opened


def test_write_ids_that_an_open_snapshot_lacks_are_kept():
    """The second one is open: the first one committed beside it."""
    lab = Lab(FIXED)
    first, second = lab.sql(open_txn).txn, lab.sql(open_txn).txn
    lab.sql(lambda tx: allocate(tx, first, T))
    lab.sql(lambda tx: commit_txn(tx, FIXED, first))
    lab.sql(lambda tx: clean_write_ids(tx, FIXED))
    lab.sql(lambda tx: clean_txns(tx, FIXED))
    seen = lab.sql(lambda tx: valid_write_ids(tx, ValidTxnList(second, [first]), T))
    assert seen.open == (1,)
    lab.sql(lambda tx: commit_txn(tx, FIXED, second))
    lab.sql(lambda tx: clean_write_ids(tx, FIXED))
    assert lab.sql(lambda tx: tx.scan(WRITE_ID_OF_TXN)) == ()


@pytest.mark.parametrize(("rules", "left"), [(FIXED, (1, 3)), (SHIPPED, (3,))], ids=["reference", "shipped"])
def test_an_aborted_transaction_with_write_ids_is_forgotten_as_shipped(rules, left):
    """The last one never is."""
    lab = Lab(rules)
    _ended(lab, "abort", "commit", "commit")
    assert lab.sql(lambda tx: clean_txns(tx, rules)) == (() if left == (1, 3) else (1,))
    assert tuple(txn for txn, _ in lab.sql(lambda tx: tx.scan(TXNS))) == left


def test_a_dynamic_write_conflicts_with_any_partition_until_it_has_said_which():
    """Source: `LatestTxnIdInConflictHandler`."""
    lab = Lab(FIXED)
    first, second = lab.sql(open_txn).txn, lab.sql(open_txn).txn
    part = Component("shared-write", T, operation="update", dynamic=True)
    lab.sql(lambda tx: lock(tx, FIXED, first, (part,)))
    lab.sql(lambda tx: lock(tx, FIXED, second, (part,)))
    lab.sql(lambda tx: add_dynamic_partitions(tx, first, T, ("d=1",), "update"))
    lab.sql(lambda tx: commit_txn(tx, FIXED, first))
    assert lab.sql(lambda tx: latest_conflict(tx, second)) == first
    lab.sql(lambda tx: add_dynamic_partitions(tx, second, T, ("d=2",), "update"))
    assert lab.sql(lambda tx: latest_conflict(tx, second)) == 0


def test_who_was_overtaken_by_a_later_transaction_is_aborted():
    """And who waited for an earlier one has its changes in the list, and a write id above."""
    lab = Lab(FIXED)
    first, second = lab.session(), lab.session()
    first.begin((T,))
    second.begin((T,))
    second.update_under_lock(T, "excl-write")
    second.commit()
    with pytest.raises(SnapshotOutdated):
        first.update_under_lock(T, "excl-write")
    first.begin((T,))
    first.update_under_lock(T, "excl-write")
    writes = first.list_of(T)
    assert writes is not None
    assert (writes.high, writes.aborted) == (3, (2,))


@pytest.mark.parametrize(
    ("given", "named"), [({"kind": "exclusive"}, "kind"), ({"partitions": ("",)}, "partitions")], ids=["kind", "name"]
)
def test_a_statement_is_refused_by_its_argument(given, named):
    """When it is made."""
    with pytest.raises(ValueError, match=f"LockedUpdate: {named}"):
        LockedUpdate(T, **given)


def test_updates_and_cleaning_are_drawn_seldom():
    """Where calls are steps, and no name changes hands."""
    drawn = [GENERATOR.make(seeded(seed), GENERATOR.configurations["default"]).program for seed in range(400)]
    works = [each.workload for each in drawn if isinstance(each, HiveRace)]
    assert 10 <= sum(work.has(LockedUpdate) for work in works) <= 120
    assert 10 <= sum(work.has(CleanHistory) for work in works) <= 120


def test_cleaned_history_is_live_where_the_shipped_cleaner_does_the_same():
    """Not where somebody aborts and is remembered, nor where a cache that is as designed is filled in the race."""
    cleaning = [one for one in UPDATING if isinstance(one.program, HiveRace) and one.program.workload.has(CleanHistory)]
    live = {one.name.removeprefix("hive/"): one.live for one in cleaning}
    assert [name for name, there in live.items() if there is None] == [
        "cleaned-abort",
        "cleaned-before-looked-up",
        "cleaned-and-passed-over",
        "cleaned-higher-id",
    ]
    for there in filter(None, live.values()):
        assert {*CLEAN_STEPS} <= {*there.yield_points[0]}


def test_what_is_drawn_last_is_drawn_seldom():
    """Renamed tables under locks, where no name changes hands else, and sets of locks; believed caches by default."""
    seen = {"n1": 0, "l1": 0, "a1": 0, "b1": 0}
    for seed in range(300):
        actors = _drawn(seed, "reference").actors
        for name in seen:
            seen[name] += name in actors
    assert seen.pop("b1") == 0
    assert all(5 <= times <= 60 for times in seen.values()), seen
    assert 5 <= sum("b1" in _drawn(seed, "shipped-refresh").actors for seed in range(120)) <= 60


def _drawn(seed, rules):
    race = GENERATOR.make(seeded(seed), GENERATOR.configurations["default"], rules).program
    assert isinstance(race, HiveRace)
    return race.workload
