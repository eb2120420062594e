"""Statistics of a table: the database's rule, what each cache has and tells, and what histories say of them."""

import pytest

from model.hive import FIXED, Request
from model.hive.rules import SHIPPED, SHIPPED_REFRESH, UNCACHED
from model.hive.tables import get
from sim.hive.makers import asks_for
from sim.hive.present import Present
from sim.hive.statistics_statements import Analyze
from tests.unit.hive.lab import E, Lab, T
from tests.unit.hive.statistics_script import SCENARIOS, ModelStatistics, StatisticsScript
from tests.unit.hive.told import EMPTY, ONE, Told, anomalies


def at(lab, name, table=E):
    """What a client without a list is told at a replica, and by whom."""
    told = lab.replica(name).get_statistics(Request(table))
    return told.value, told.source


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (UNCACHED, [("20", "database"), ("20", "database")]),
        (FIXED, [("20", "cache"), ("20", "cache")]),
        (SHIPPED, [("20", "cache"), ("20", "cache")]),
        (SHIPPED_REFRESH, [("20", "cache"), ("10", "cache")]),
    ],
    ids=["no cache", "reference", "event mode", "by default"],
)
def test_which_of_two_are_told_when_every_cache_has_followed(rules, told):
    """h2 is told of 10, then h1 of 20. By default h2 keeps its own for ever (live: test_statistics.py)."""
    lab = Lab(rules)
    lab.session("h2").analyze(E, "10")
    lab.session("h1").analyze(E, "20")
    if rules.caches:
        for name in ("h1", "h2"):
            while lab.replica(name).poller.poll():
                pass
    assert [at(lab, name) for name in ("h1", "h2")] == told


def test_by_default_others_are_never_told_and_nothing_outlives_a_restart():
    """The refresh brings the table, and not what was said of it; the prewarm drops it."""
    lab = Lab(SHIPPED_REFRESH)
    lab.session("h1").analyze(E, "10")
    lab.replica("h2").poller.poll()
    assert [at(lab, name) for name in ("h1", "h2")] == [("10", "cache"), (None, "cache")]
    lab.replica("h1").start()
    assert at(lab, "h1") == (None, "cache")


def test_whoever_has_not_seen_the_write_before_makes_them_inaccurate_for_good():
    """Two transactions at once: nobody is told of either, nor of a third one; who sends no list is."""
    lab = Lab(UNCACHED)
    one, two = lab.session(), lab.session()
    for session in (one, two):
        session.begin((T,))
    one.analyze(T, "1")
    two.analyze(T, "2")
    one.commit()
    two.commit()
    one.begin((T,))
    one.analyze(T, "3")
    assert one.get_statistics(T).value is None
    assert at(lab, "h1", T) == ("3", "database")


@pytest.mark.parametrize("rules", [UNCACHED, SHIPPED_REFRESH], ids=["no cache", "by default"])
def test_an_alter_makes_them_inaccurate_for_good(rules):
    """Its parameters say nothing of them: of a table with write ids nobody is told with a list, whoever analyzes."""
    lab = Lab(rules)
    session = lab.session()
    session.begin((T,))
    session.alter_table(T, (("v", "t1"),))
    session.analyze(T, "1")
    assert session.get_statistics(T).value is None
    assert at(lab, "h1", T)[0] == "1"


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["test"])
def test_upstreams_tests_in_each_cache(scenario):
    """A synchronized one asks the database for what it lacks; as shipped it has what was analyzed through it."""
    for rules in (FIXED, SHIPPED, SHIPPED_REFRESH):
        assert StatisticsScript(ModelStatistics(rules)).told(scenario) == scenario["steps"]


def test_a_history_has_them_under_a_key_of_their_own():
    """A drop takes them; an alter does not."""
    lab = Lab(FIXED)
    present = Present(Told().record)
    event = lab.session().analyze(E, "10")
    assert asks_for(Analyze(E, "10"), event)
    assert not asks_for(Analyze(E, "11"), event)
    assert present.after(event) == [("statistics:2", "10")]
    assert present.after(lab.session().alter_table(E, (("v", "e1"),))) == [("table:2", "e1")]
    assert present.after(lab.session().drop_table(E)) == [("table:2", None), ("statistics:2", None)]


@pytest.mark.parametrize(("writes", "found"), [(ONE, []), (EMPTY, ["unlisted-statistics"])])
def test_a_session_that_is_told_of_an_unlisted_write_is_found(writes, found):
    """Whatever became of the transaction; of tables it may see what is not listed."""
    told = Told().begin("w1", 1)
    told.versions += 1
    told.note("w1", "analyze", "at=h1 table=t txn=1 id=1 wid=1 name=t", commit=1, writes=[("statistics:1", "10")])
    told.end("w1", 1).begin("r1", 2)
    words = f"at=h1 table=t txn=2 id=1 writes={writes} source=database seen=1"
    told.note("r1", "get-statistics", words, reads=[("statistics:1", "10", None)])
    assert [one for one in anomalies(told.final(t1="v0"), "no-dirty-reads") if one] == found


def test_an_alter_that_is_followed_fails_if_the_table_was_analyzed():
    """h2 has the alter, and the database has it again, at each poll; what comes after it is never followed."""
    lab = Lab(SHIPPED)
    session = lab.session("h1")
    session.analyze(E, "10")
    session.alter_table(E, (("v", "e1"),))
    session.alter_table(E, (("v", "e2"),))
    assert [lab.replica("h2").poller.poll() for _ in range(2)] == [0, 0]
    assert lab.replica("h2").get_table(Request(E)).table.parameters == (("v", "e1"),)
    assert session.get_table(E, "h2").table.parameters == (("v", "e1"),)
    assert lab.sql(lambda tx: get(tx, E)).parameters == (("v", "e1"),)


def test_an_alter_that_is_followed_fails_before_the_database_if_a_partition_was_analyzed():
    """The cache has it, of no later one; the database is not written, for the partitions come first."""
    lab = Lab(SHIPPED)
    session = lab.session("h1")
    session.put_partition(E, "d=1", "p0")
    session.analyze(E, "10", partition="d=1")
    session.alter_table(E, (("v", "e1"),))
    session.alter_table(E, (("v", "e2"),))
    assert [lab.replica("h2").poller.poll() for _ in range(2)] == [0, 0]
    assert lab.replica("h2").get_table(Request(E)).table.parameters == (("v", "e1"),)
    assert lab.sql(lambda tx: get(tx, E)).parameters == (("v", "e2"),)


def test_a_refreshed_cache_tells_its_own_by_what_the_table_says():
    """The number is its own, the write id that of the table, which is another metastore's."""
    lab = Lab(SHIPPED_REFRESH)
    for name, value in (("h2", "10"), ("h1", "20")):
        session = lab.session(name)
        session.begin((T,))
        session.analyze(T, value)
        session.commit()
    session = lab.session("h2")
    session.begin((T,), read_only=True)
    assert session.get_statistics(T)[1:] == ("10", "cache")
    lab.replica("h2").poller.poll()
    assert session.get_statistics(T)[1:] == ("10", "cache")
    late = lab.session("h1")
    late.begin((T,))
    late.analyze(T, "30")
    lab.replica("h2").poller.poll()
    assert session.get_statistics(T)[1:] == (None, "cache")


def test_who_analyzes_keeps_a_table_that_its_cache_lacks():
    """By default the metastore looks for it when it tells of the change; it has no statistics of it then."""
    lab = Lab(SHIPPED_REFRESH)
    lab.session("h1").create_table("default.f", (("v", "f0"),), managed=False)
    lab.session("h2").analyze("default.f", "10")
    assert at(lab, "h2", "default.f") == (None, "cache")


def test_by_default_a_rename_brings_the_databases_statistics():
    """They are written anew under the new name, in the cache as well."""
    lab = Lab(SHIPPED_REFRESH)
    lab.session("h1").analyze(E, "10")
    lab.session("h2").rename_table(E, "default.f")
    assert at(lab, "h2", "default.f") == ("10", "cache")
