"""Statistics of partitions: the database's rule, what each cache has and tells, and what histories say of them."""

import pytest

from model.hive import FIXED, Request
from model.hive.errors import NoSuchTable
from model.hive.rules import SHIPPED, SHIPPED_REFRESH, UNCACHED
from sim.hive.makers import asks_for
from sim.hive.present import Present
from sim.hive.statistics_statements import Analyze
from tests.unit.hive.lab import E, Lab, T
from tests.unit.hive.statistics_script import SCENARIOS, ModelStatistics, StatisticsScript
from tests.unit.hive.told import Told

P, TENTH = "d=1", "d=10"
ALL = [UNCACHED, FIXED, SHIPPED, SHIPPED_REFRESH]
NAMES = ["no cache", "reference", "event mode", "by default"]


def lab_with(rules, *parts, table=E):
    """A lab whose table has these partitions, in every cache."""
    lab = Lab(rules)
    for part in parts:
        session = lab.session()
        if table == T:
            session.begin((T,))
        session.put_partition(table, part, "p0")
        if table == T:
            session.commit()
    follow(lab)
    return lab


def follow(lab):
    """Let every cache follow, or refresh once."""
    for name in ("h1", "h2") if lab.rules.caches else ():
        lab.catch_up(name) if lab.rules.follows != "nothing" else lab.replica(name).poller.poll()


def at(lab, name, part=P, table=E):
    """What a client without a list is told at a replica, and by whom."""
    told = lab.replica(name).get_statistics(Request(table), part)
    return told.value, told.source


@pytest.mark.parametrize("rules", ALL, ids=NAMES)
def test_what_is_told_when_every_cache_has_followed(rules):
    """By default h2 is told by a refresh, for it lacks the statistics of a partition."""
    lab = lab_with(rules, P)
    lab.session("h1").analyze(E, "10", partition=P)
    follow(lab)
    source = "cache" if rules.caches else "database"
    assert [at(lab, name) for name in ("h1", "h2")] == [("10", source)] * 2


def test_a_partition_that_is_not_there_cannot_be_analyzed():
    """Nor one that the cache alone has, by default: h2 has not heard of the drop."""
    lab = lab_with(SHIPPED_REFRESH, P)
    lab.session("h1").drop_partition(E, P)
    for part in (P, TENTH):
        with pytest.raises(NoSuchTable, match="expected one, got none"):
            lab.session("h2").analyze(E, "10", partition=part)


@pytest.mark.parametrize("rules", [FIXED, SHIPPED], ids=["reference", "event mode"])
def test_who_changes_a_partition_takes_the_statistics_of_all_whose_names_begin_alike(rules):
    """Then the database tells; of a dropped one it tells nothing."""
    lab = lab_with(rules, P, TENTH)
    for part in (P, TENTH):
        lab.session("h1").analyze(E, part[2:], partition=part)
    lab.catch_up()
    lab.session("h1").put_partition(E, TENTH, "p1")
    lab.catch_up()
    assert [at(lab, "h2", part) for part in (P, TENTH)] == [("1", "cache"), ("10", "database")]
    lab.session("h1").analyze(E, "11", partition=TENTH)
    lab.session("h1").drop_partition(E, P)
    lab.catch_up()
    assert [at(lab, "h2", part) for part in (P, TENTH)] == [(None, "database"), ("11", "database")]


def test_a_refresh_leaves_what_the_cache_was_told_since_the_last_one():
    """The next one brings the database's."""
    lab = lab_with(SHIPPED_REFRESH, P)
    lab.session("h2").analyze(E, "10", partition=P)
    lab.session("h1").analyze(E, "20", partition=P)
    seen = []
    for _ in range(2):
        lab.replica("h2").poller.poll()
        seen.append(at(lab, "h2"))
    assert seen == [("10", "cache"), ("20", "cache")]


@pytest.mark.parametrize("rules", [FIXED, SHIPPED, SHIPPED_REFRESH], ids=NAMES[1:])
def test_a_prewarm_brings_them(rules):
    """Not those of tables, as shipped."""
    lab = lab_with(rules, P)
    lab.session("h1").analyze(E, "10", partition=P)
    lab.replica("h2").start()
    assert at(lab, "h2") == ("10", "cache")


def test_an_alter_makes_them_inaccurate_for_good():
    """The cache as shipped tells of them all the same."""
    told = []
    for rules in (UNCACHED, FIXED, SHIPPED):
        lab = lab_with(rules, P, table=T)
        session = lab.session()
        session.begin((T,))
        session.put_partition(T, P, "p1")
        session.analyze(T, "10", partition=P)
        session.commit()
        follow(lab)
        session.begin((T,), read_only=True)
        told.append(session.get_statistics(T, "h2", P).value)
    assert told == [None, None, "10"]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["test"])
def test_upstreams_tests_of_a_partition(scenario):
    """The shipped cache looks at no list (live: tests/live/hive/test_statistics.py)."""
    for rules in (UNCACHED, FIXED):
        assert StatisticsScript(ModelStatistics(rules, partition=P)).told(scenario) == scenario["steps"]
    for rules in (SHIPPED, SHIPPED_REFRESH):
        told = StatisticsScript(ModelStatistics(rules, partition=P)).told(scenario)
        assert {step for step in told if step.startswith("seen")} == {"seen -> compliant"}


def test_a_history_has_them_under_a_key_of_their_own():
    """A drop of the partition takes them, or one of the table; an alter does not."""
    lab = lab_with(FIXED, P, TENTH)
    present = Present(Told().record)
    for part in (P, TENTH):
        event = lab.session().analyze(E, "10", partition=part)
        assert asks_for(Analyze(E, "10", partition=part), event)
        assert not asks_for(Analyze(E, "10"), event)
        assert present.after(event) == [(f"statistics:2/{part}", "10")]
    assert present.after(lab.session().put_partition(E, P, "p1")) == [(f"partition:2/{P}", "p1")]
    dropped = lab.session().drop_partition(E, P)
    assert present.after(dropped) == [(f"partition:2/{P}", None), (f"statistics:2/{P}", None)]
    assert present.after(lab.session().drop_table(E)) == [("table:2", None), (f"statistics:2/{TENTH}", None)]
