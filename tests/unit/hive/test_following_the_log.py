"""How a replica follows the log: what it cannot apply, gaps, renames, restarts; and what the shipped one does."""

from dataclasses import replace
from typing import Any

import pytest

from model.hive import FIXED, SHIPPED, Request, parse_write_ids
from model.hive.cache import Cache
from model.hive.errors import LogGap, OtherTable, UnknownEvent, Unsupported
from model.hive.log import append, clean, reject_gaps
from model.hive.rows import Event, Table
from model.hive.txns import TXN_TIMEOUT_MS, time_out
from model.ports import ConnectionLost
from tests.unit.hive.lab import E, Lab, T, value


def unknown(lab: Lab) -> None:
    """Log an event of a kind that this version has never heard of."""
    lab.sql(lambda tx: append(tx, "ALTER_DATACONNECTOR", name=E, table=tx.get("TBLS", E)))


def test_an_unknown_event_says_what_which_expected_got():
    """A typed error, one line."""
    lab = Lab()
    with pytest.raises(UnknownEvent, match=r"event 9: expected a kind out of CREATE_TABLE, .*, got 'RELOAD'") as raised:
        Cache(FIXED, lab.cluster.observer).apply(Event(9, 9, "RELOAD", name=E, table=Table(2, E, False)))
    assert "\n" not in str(raised.value)


def test_an_unknown_event_costs_a_reload_of_its_table():
    """What else is in the log is applied."""
    lab = Lab()
    unknown(lab)
    lab.session().alter_table(E, (("v", "e1"),))
    lab.poll(2)
    assert lab.kernel.coverage["hive: entry reloaded after an event that could not be applied"] == 1
    assert value(lab.ask(None, E)) == "e1"


def test_a_poller_that_retries_is_stuck_for_ever():
    """The mutant: nothing behind the bad event is ever applied; it waits for the log to grow, and tries again."""
    lab = Lab(replace(FIXED, bad_event="retry"))
    unknown(lab)
    lab.session().alter_table(E, (("v", "e1"),))
    poller = lab.replica().poller
    position = poller.position
    assert [poller.poll(), poller.poll()] == [0, 0]
    assert (poller.position, poller.waits_beyond) == (position, position + 2)
    assert value(lab.ask(None, E)) == "e0"


@pytest.mark.parametrize(
    ("ids", "end", "message"),
    [
        ((), 9, r"event after 7: expected 8, got none up to 9 \(cleaned\)"),
        ((9,), 9, r"event after 7: expected 8, got 9 \(cleaned\)"),
        ((8, 8), 8, r"event after 8: expected 9, got 8 \(given twice\)"),
    ],
)
def test_a_gap_in_the_log_says_what_which_expected_got(ids, end, message):
    """Cleaned, or given twice."""
    with pytest.raises(LogGap, match=message):
        reject_gaps(tuple([Event(event_id, event_id, "OPEN_TXN") for event_id in ids]), 7, end)
    reject_gaps((), 7, 7)


def test_a_gap_rebuilds_the_cache():
    """The position is that of the rebuild."""
    lab = Lab()
    for number in range(3):
        lab.session().alter_table(E, (("v", f"e{number}"),))
    lab.sql(lambda tx: clean(tx, 5))
    lab.poll()
    assert lab.kernel.coverage["hive: cache rebuilt after a gap"] == 1
    assert value(lab.ask(None, E)) == "e2"
    assert lab.replica().poller.poll() == 0


@pytest.mark.parametrize("end", ["commit", "abort"])
def test_a_transaction_that_has_ended_is_forgotten(end):
    """A poller remembers those that are under way, and no others."""
    lab = Lab()
    writer = lab.session()
    writer.begin((T,))
    writer.write_id(T)
    lab.catch_up()
    assert _remembered(lab) == ((1,), ((1, ((1, T, 1),)),))
    getattr(writer, end)()
    lab.catch_up()
    assert _remembered(lab) == ((), ())


def _remembered(lab: Lab) -> tuple[Any, ...]:
    """The transactions that h2 has seen open, and the write ids that it has heard of."""
    key: Any = lab.replica().poller.state_key()
    return tuple(key[2:])


def test_a_list_of_another_table_is_refused():
    """By the replica that is asked with it."""
    lab = Lab()
    with pytest.raises(OtherTable, match=r"expected a list of table default\.t, got one of default\.u"):
        lab.replica().look(Request(T, 1, parse_write_ids("default.u:0:9223372036854775807::")))


def test_a_renamed_entry_keeps_partitions_and_tag():
    """Under the new name, with the same id."""
    lab = Lab()
    writer = lab.session()
    writer.begin((T,))
    writer.put_partition(T, "d=1", "p1")
    writer.rename_table(T, "default.u")
    writer.commit()
    lab.catch_up()
    entry = lab.replica().cache.entries["default.u"]
    assert (entry.table.id, entry.partitions, lab.tag("default.u")) == (1, {"d=1": "p1"}, "[1:]")
    assert entry.tag is not None
    assert entry.tag.table == "default.u"
    assert T not in lab.replica().cache.entries


def test_a_rename_of_a_table_that_was_not_cached_loads_it():
    """Its content is nowhere but in the database."""
    lab = Lab()
    del lab.replica().cache.entries[E]
    lab.replica().cache.listed_at = 0
    lab.session().rename_table(E, "default.x")
    lab.poll()
    assert value(lab.ask(None, "default.x")) == "e0"
    assert lab.ask(None, "default.x").source == "cache"


def test_a_crashed_replica_answers_nobody_and_comes_back_with_the_truth():
    """Calls fail with a closed connection, whatever they were about to do."""
    lab = Lab()
    session = lab.session("h2")
    lab.session("h1").alter_table(E, (("v", "e1"),))
    old = lab.replica()
    lab.cluster.crashed("h2")
    with pytest.raises(ConnectionLost, match="expected a server, it is down"):
        session.get_table(E)
    with pytest.raises(ConnectionLost, match=r"get_table\(h2\): expected an answer, the server died"):
        old.get_table(Request(E))
    with pytest.raises(ConnectionLost):
        old.database.transact("open_txn", "h2", lambda tx: tx.now_ms())
    lab.cluster.boot("h2").start()
    assert value(session.get_table(E)) == "e1"


def test_shipped_a_write_pulls_the_log_into_the_writers_cache():
    """One replica alone is consistent."""
    lab = Lab(SHIPPED)
    lab.session("h1").alter_table(E, (("v", "e1"),))
    assert (value(lab.ask(None, E, at="h1")), value(lab.ask(None, E, at="h2"))) == ("e1", "e0")


def test_shipped_a_replay_sets_the_database_back():
    """R1: until the second alter is replayed, too; here each is a batch of its own."""
    lab = Lab(replace(SHIPPED, batch=1))
    for number in (1, 2):
        lab.session("h1").alter_table(E, (("v", f"e{number}"),))
    seen = [_stored(lab)]
    for _ in range(2):
        lab.poll()
        seen.append(_stored(lab))
    assert seen == ["e2", "e1", "e2"]


def test_shipped_a_rename_freezes_every_cache_and_the_old_name_still_answers():
    """R2, R3: the replay fails, on the writer's replica as well; what h1 looked up for its alter stays what it was."""
    lab = Lab(SHIPPED)
    lab.session("h1").rename_table(E, "default.x")
    lab.session("h1").alter_table("default.x", (("v", "e1"),))
    lab.catch_up()
    for name, new in (("h1", "e0"), ("h2", "e1")):
        assert value(lab.ask(None, E, at=name)) == "e0"
        assert value(lab.ask(None, "default.x", at=name)) == new
    assert lab.kernel.coverage["hive: poller retries the same event"] >= 2


def test_shipped_an_expected_parameter_is_not_passed_on():
    """R9; and the variant that does pass it on."""
    lab = Lab(SHIPPED)
    with pytest.raises(Unsupported, match="CachedStore does not pass it on"):
        lab.replica().alter_table(E, (("v", "e1"),), 0, ("v", "e0"))
    assert _stored(lab) == "e0"
    lab = Lab(replace(SHIPPED, passes_expected_parameter=True))
    lab.replica().alter_table(E, (("v", "e1"),), 0, ("v", "e0"))
    assert _stored(lab) == "e1"


@pytest.mark.parametrize(
    ("rules", "kinds"),
    [
        (SHIPPED, ["OPEN_TXN", "ABORT_TXN"]),
        (replace(FIXED, timeout_abort_is_logged=False), ["OPEN_TXN"]),
    ],
)
def test_a_transaction_that_times_out_leaves_an_event_since_4_0_1(rules, kinds):
    """HIVE-27797: before it nobody who follows the log hears of it."""
    lab = Lab(rules)
    lab.session().begin()
    lab.kernel.run(until=TXN_TIMEOUT_MS + 1)
    assert lab.sql(lambda tx: time_out(tx, rules)) == (1,)
    assert lab.log() == kinds


def _stored(lab: Lab) -> str:
    return str(lab.sql(lambda tx: dict(tx.get("TBLS", E).parameters)["v"]))


@pytest.mark.parametrize("end", ["commit", "abort"])
def test_a_change_that_arrives_after_its_transaction_has_ended_is_served(end):
    """A call that was late: no end of the transaction is left to wait for."""
    lab = Lab()
    writer = lab.session()
    writer.begin((T,))
    write_id = writer.write_id(T)
    getattr(writer, end)()
    lab.replica("h1").alter_table(T, (("v", "late"),), write_id)
    lab.catch_up()
    reader = lab.session("h2")
    reader.begin((T,), read_only=True)
    answer = reader.get_table(T)
    assert (answer.source, value(answer)) == ("cache", "late")
