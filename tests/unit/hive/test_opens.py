"""Opens of transactions that take long: which of them snapshots pass over, and which are made again."""

from dataclasses import replace

import pytest

from model.hive import FIXED, coverage
from model.hive.rows import TXNS
from model.hive.rules import UNCACHED
from model.hive.txns import OPEN_TXN_TIMEOUT_MS, open_txn, open_txns, snapshot, takes_too_long
from sim.hive.opens import OPENS
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from tests.unit.hive.lab import Lab

BY_NAME = {scenario.name.removeprefix("hive/"): scenario for scenario in OPENS}
AT_ITS_COMMIT = "w1.open_txn!pause w1:open_txn r1.open_txn!pause r1.open_txn r1:get_open_txns w1:end r1:end"


@pytest.mark.parametrize(
    ("name", "broken", "hit"),
    [
        ("slow-open", None, coverage.SLOW_COMMIT_OF_OPEN),
        ("slow-open-as-shipped", "no-dirty-reads/aborted-id-in-list", None),
    ],
)
def test_an_open_whose_commit_was_slow_is_withdrawn(name, broken, hit):
    """And made again; as shipped the reader is shown what it has written."""
    run = Runner(BY_NAME[name]).play(steps_of(AT_ITS_COMMIT))
    assert run.failure == broken
    assert hit is None or run.coverage[hit] == 1


def test_what_is_withdrawn_is_in_nobodys_list():
    """The transaction that is made in its place has another id."""
    lab = Lab()
    replica = lab.replica("h1")
    now_ms = iter((OPEN_TXN_TIMEOUT_MS + 1, 0))
    replica._watch = lambda: next(now_ms)
    assert replica.open_txn() == 2
    assert lab.sql(open_txns).open == (1, 2)
    lab.kernel.run(until=OPEN_TXN_TIMEOUT_MS + 1)
    assert lab.sql(open_txns).open == (2,)


@pytest.mark.parametrize(("rules", "again"), [(FIXED, True), (UNCACHED, False)])
@pytest.mark.parametrize("read_only", [False, True])
def test_only_writers_are_made_again(rules, again, read_only):
    """A reader that is passed over writes nothing."""
    lab = Lab(replace(rules, caches=False))
    replica = lab.replica("h1")
    replica._watch = lambda: 2 * OPEN_TXN_TIMEOUT_MS if lab.sql(lambda tx: tx.get(TXNS, 2)) is None else 0
    assert replica.open_txn(read_only) == (2 if again and not read_only else 1)


@pytest.mark.parametrize("duration_ms", [0, OPEN_TXN_TIMEOUT_MS])
def test_up_to_the_time_limit_an_open_is_in_time(duration_ms):
    """A millisecond more is too long."""
    assert not takes_too_long(duration_ms, read_only=False)
    assert takes_too_long(OPEN_TXN_TIMEOUT_MS + 1, read_only=False)


@pytest.mark.parametrize(("begins_with_id", "missing"), [(True, (1,)), (False, ())])
def test_a_transaction_is_as_old_as_its_id(begins_with_id, missing):
    """One that is as old as the wait before it has nobody missing below it."""
    lab = Lab()
    lab.sql(lambda tx: tx.next_value("TXN_ID"))  # who is about to commit
    slow_ms = [0]

    def body(tx):
        began = tx.now_ms
        tx.now_ms = lambda: began() - (slow_ms.pop() if slow_ms else 0)
        return open_txn(tx, True, begins_with_id=begins_with_id)

    slow_ms[0] = OPEN_TXN_TIMEOUT_MS
    assert lab.sql(body).txn == 2
    assert snapshot(lab.sql(open_txns), 2).open == missing
