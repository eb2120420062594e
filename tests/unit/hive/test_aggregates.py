"""Aggregates of partitions' statistics: what the database and each cache tell, and what becomes of what one keeps."""

import pytest

from model.hive import FIXED, Request
from model.hive.errors import NoAggregate
from model.hive.rules import SHIPPED, SHIPPED_REFRESH, UNCACHED
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from tests.unit.hive.aggregate_script import MODES, VECTORS, race_of, told
from tests.unit.hive.lab import E, Lab

PARTS = {"p=1": "10", "p=2": "20", "p=3": "30"}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["test"])
def test_a_session_is_told(vector, mode):
    """By the rules that a vector names (live: tests/live/hive/test_aggregates.py)."""
    run = Runner(race_of(vector, MODES[mode])).play(steps_of("w1:end"))
    assert told(run.events) == vector["told"][mode]


def lab(rules):
    """Three partitions of an external table, each analyzed through h1."""
    made = Lab(rules)
    session = made.session("h1")
    for name, value in PARTS.items():
        session.put_partition(E, name, "v0")
        session.analyze(E, value, partition=name)
    return made, session


def ask(session, *names):
    """What a client without a list is told."""
    try:
        found = session.get_aggregate(E, names)
    except NoAggregate:
        return "refused"
    return found.value, found.found


def test_by_default_all_but_one_are_told_of_all_once_a_refresh_has_been():
    """Until then each is told of those that he asks for."""
    made, session = lab(SHIPPED_REFRESH)
    assert ask(session, "p=1", "p=2") == ("20", 2)
    while made.replica("h1").poller.poll():
        pass
    assert [ask(session, *names) for names in (("p=1", "p=2"), ("p=1",), tuple(PARTS))] == [
        ("30", 2), ("10", 1), ("30", 3),
    ]  # fmt: skip


def test_with_events_all_but_one_are_refused_each_time():
    """There is no place for what they would be told; what is kept of all changes nothing of that."""
    _, session = lab(SHIPPED)
    for _ in range(2):
        assert ask(session, "p=1", "p=2") == "refused"
        assert (ask(session, *PARTS), ask(session, "p=1")) == (("30", 3), ("10", 1))


def test_what_a_prewarm_has_read_has_a_place_for_both():
    """So all but one are told of all, until a partition changes."""
    made, session = lab(SHIPPED)
    made.replica("h2").start()
    late = made.session("h2")
    assert ask(late, "p=1", "p=2") == ("30", 2)
    session.analyze(E, "11", partition="p=1")
    made.catch_up()
    assert ask(late, "p=1", "p=2") == "refused"


@pytest.mark.parametrize("rules", [FIXED, UNCACHED], ids=["reference", "no cache"])
def test_others_tell_of_what_is_asked_for(rules):
    """Whatever was told before."""
    _, session = lab(rules)
    assert [ask(session, *names) for names in (tuple(PARTS), ("p=1", "p=2"), ("p=4",))] == [
        ("30", 3), ("20", 2), (None, 0),
    ]  # fmt: skip


def test_a_table_that_the_cache_lacks_is_the_databases():
    """And whose answer it is, is said."""
    made, session = lab(SHIPPED)
    assert session.get_aggregate(E, ("p=1",)).source == "cache"
    made.replica("h1").evict(E)
    assert made.replica("h1").get_aggregate(Request(E), ("p=1",)).source == "database"
