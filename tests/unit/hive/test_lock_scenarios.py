"""Hive's own tests of its lock manager as data, on the model; `tests/live/hive/test_locks.py` asks live metastores."""

import pytest

from model.hive import lock_queue, locks, txns
from model.hive.locks import Locked
from model.hive.rows import HIVE_LOCKS
from tests.unit.hive import lock_calls
from tests.unit.hive.lock_script import SCENARIOS, on_model

ROWS = {16, 18, 19, 20, 21, 27, 29, 31, 36, 37}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: f"{scenario['id']}-{scenario['test']}")
def test_scenario(scenario):
    """Each step is answered as upstream's test expects."""
    assert on_model(scenario) == scenario["steps"]


def test_there_is_each_test_of_the_rows():
    """Each once; all have expectations."""
    assert {scenario["id"] for scenario in SCENARIOS} == ROWS
    assert len({scenario["test"] for scenario in SCENARIOS}) == len(SCENARIOS) == 45
    assert all(any(" -> " in step for step in scenario["steps"]) for scenario in SCENARIOS)


def _by_who_holds(tx, number):
    earlier = [row for _, row in tx.scan(HIVE_LOCKS, None, (number,)) if row.held]
    return any(lock_queue.in_the_way(mine, row) for _, mine in lock_queue.request_of(tx, number) for row in earlier)


@pytest.mark.parametrize(
    ("place", "name", "broken", "failing"),
    [
        (lock_queue, "is_blocked", _by_who_holds, {36}),
        (lock_queue, "overlap", lambda a, b: a[1:4] == b[1:4], {19}),
        (locks, "check_lock", lambda tx, number: Locked(number, True), {16, 20, 36}),
        (locks, "unlock", lambda tx, number: None, {20, 21}),
        (txns, "release", lambda tx, txn, row: None, {20, 21, 36}),
        (locks, "heartbeat", lambda tx, number: None, {16}),
    ],
    ids=["passes-who-waits", "nothing-contains", "granted", "never-unlocked", "never-released", "no-sign-of-life"],
)
def test_the_rows_notice_what_is_broken(monkeypatch, place, name, broken, failing):
    """Each wrong rule fails in the rows that are about it, and in others that need it."""
    monkeypatch.setattr(place, name, broken)
    if hasattr(lock_calls, name):
        monkeypatch.setattr(lock_calls, name, broken)
    assert failing <= {scenario["id"] for scenario in SCENARIOS if on_model(scenario) != scenario["steps"]}
