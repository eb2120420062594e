"""What is cleaned of history while a reader needs it, by upstream's tests as data: nothing; and what would notice."""

from dataclasses import replace

import pytest

from model.hive import cleaning, conflicts, locks, txns
from model.hive.lock_queue import Component
from model.hive.rows import WRITE_SET
from model.hive.rules import UNCACHED
from tests.unit.hive.history_script import OVERTAKEN, SCENARIOS, HistoryScript, ModelHistory

TABLE = "default.t"


def told(scenario, *, keeps):
    """The scenario on a model of its own."""
    return HistoryScript(ModelHistory(keeps=keeps), TABLE).told(scenario)


@pytest.mark.parametrize("keeps", [True, False], ids=["min-history", "no-min-history"])
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["test"].split()[0])
def test_scenario(scenario, keeps):
    """Each step is answered as upstream's test expects."""
    assert told(scenario, keeps=keeps) == scenario["steps"]


@pytest.mark.parametrize(("dates", "second"), [(False, OVERTAKEN["no-min-history"]), (True, OVERTAKEN["min-history"])])
def test_who_begins_between_the_two_steps_of_a_commit_may_see_an_insert_in_part(dates, second):
    """Unless the cleaner says himself when he has first seen it."""
    rules = replace(UNCACHED, keeps_min_history=False, cleaner_dates_inserts=dates)
    history = ModelHistory(keeps=False, dates=dates)
    tables = (TABLE, "default.u")
    writer = history.locks.open_txn(read_only=False)
    for table in tables:
        history.locks.lock(writer, (Component("shared-read", table, operation="insert"),))
        history.locks.allocate_write_id(writer, table, again=False)
    commit_id = history.locks.lab.sql(txns.highest_txn)
    seen = history.seen_by(history.locks.open_txn(read_only=True))
    history.locks.lab.sql(lambda tx: txns.commit_txn(tx, rules, writer, commit_id))
    first = history.writes_of(seen, tables[0]).short
    history.clean()
    assert [first, history.writes_of(seen, tables[1]).short] == second


def _without_inserts(tx, txn, components, commit, *, inserts=None):
    conflicts.move_to_write_set(tx, txn, components, commit)


def _collects_all(tx, oldest):
    for key, _ in tx.scan(WRITE_SET):
        tx.delete(WRITE_SET, key)


@pytest.mark.parametrize(
    ("place", "name", "broken", "failing"),
    [
        (txns, "move_to_write_set", _without_inserts, {34}),
        (locks, "record_insert", lambda tx, txn, table, partition: None, {34}),
        (cleaning, "collect_garbage", _collects_all, {34, 35}),
    ],
    ids=["inserts-not-kept", "inserts-unknown", "cleaned-too-early"],
)  # fmt: skip
def test_the_rows_notice_what_is_broken(monkeypatch, place, name, broken, failing):
    """Without the note of whom an open transaction may have missed."""
    monkeypatch.setattr(place, name, broken)
    assert failing == {each["id"] for each in SCENARIOS if told(each, keeps=False) != each["steps"]}


@pytest.mark.parametrize("asked", [("insert", "update"), ("update", "insert")])
def test_an_insert_beside_an_update_of_the_same_place_is_an_update(asked):
    """Whatever is asked for first."""
    history = ModelHistory(keeps=True)
    script = HistoryScript(history, TABLE)
    script.do_open(), script.do_open()
    script.do_update("1")
    for kind in asked:
        getattr(script, f"do_{kind}")("2")
    script.do_commit("1")
    rules = replace(UNCACHED, exclusive_writes=False)
    assert history.locks.lab.sql(lambda tx: txns.commit_txn(tx, rules, script.txns[1])).state == "a"
