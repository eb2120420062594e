"""A cache that is full: what it has evicted, what a read brings back, and which races of it can be live."""

import pytest

import checkers.hive  # noqa: F401  # its properties are known then
from model.hive import FIXED, Request, coverage
from model.hive.rules import SHIPPED, SHIPPED_REFRESH, UNCACHED
from model.hive.tables import put_partition
from sim.generation.draws import seeded
from sim.hive.build import E
from sim.hive.evictions import Evict
from sim.hive.generate import GENERATOR
from sim.hive.known import SHIPPED as FINDINGS
from sim.hive.live import live_of
from sim.hive.memory import PARTITIONED
from sim.hive.race import HiveRace
from sim.hive.workload import Get, HiveSession, HiveWorkload
from sim.world.live import Live
from tests.unit.hive.lab import Lab, T
from tests.unit.hive.told import Told, anomalies

M1 = HiveSession("m1", "h1", (Evict(E),))


def partitioned(rules):
    """Two metastores whose caches have a partition of the external table."""
    lab = Lab(rules, start=False)
    lab.sql(lambda tx: put_partition(tx, E, "d=1", "p1"))
    for name in ("h1", "h2"):
        lab.replica(name).start()
    return lab


@pytest.mark.parametrize(
    ("rules", "then", "source"),
    [(SHIPPED, (), "cache"), (SHIPPED_REFRESH, (), "cache"), (FIXED, (("d=1", "p1"),), "database")],
)
def test_a_table_that_was_evicted_and_read_again_has_no_partitions_as_shipped(rules, then, source):
    """The read itself has them; the list after it is answered by the entry that the read has left, if it leaves one."""
    lab = partitioned(rules)
    h2 = lab.replica()
    assert h2.get_partitions(Request(E)).partitions == (("d=1", "p1"),)
    h2.evict(E)
    assert h2.get_partitions(Request(E)).partitions == (("d=1", "p1"),)
    assert h2.get_table(Request(E)).partitions == (("d=1", "p1"),)
    answer = h2.get_partitions(Request(E))
    assert (answer.partitions, answer.source) == (then, source)


def test_no_event_brings_the_partitions_back_and_a_refresh_does():
    """The log of the event mode has nothing more to say of them."""
    for rules, parts in ((SHIPPED, ()), (SHIPPED_REFRESH, (("d=1", "p1"),))):
        lab = partitioned(rules)
        h2 = lab.replica()
        h2.evict(E)
        h2.get_table(Request(E))
        lab.session().alter_table(E, (("v", "e1"),))
        h2.poller.poll()
        answer = h2.get_partitions(Request(E))
        assert (answer.table.parameters, answer.partitions, answer.source) == ((("v", "e1"),), parts, "cache")


def test_an_eviction_of_what_is_not_cached_is_none():
    """Nothing is counted, and nobody else's entry goes."""
    lab = Lab()
    for name in (E, E, "default.other"):
        lab.replica().evict(name)
    assert lab.kernel.coverage[coverage.EVICTED] == 1
    assert list(lab.replica().cache.entries) == [T]
    assert sorted(lab.replica("h1").cache.entries) == sorted([E, T])


def test_a_table_that_was_evicted_need_not_be_served_from_the_cache_at_the_end():
    """At the replica that had no room for it; the others are to serve it."""
    for at, anomaly in (("h2", None), ("h1", "never-served")):
        told = Told().note("m1", "evict", f"at={at} table=t").cached("id=1 source=database")
        assert anomalies(told.final(t1="v0"), "convergence") == ([anomaly] if anomaly else [])


def test_only_a_cache_as_shipped_can_be_live():
    """The reference's does not keep what was read, and a metastore without a cache has nothing to evict."""
    work = HiveWorkload((M1, HiveSession("r1", "h1", (Get(E),))), PARTITIONED)
    of = {rules: live_of(HiveRace(work, rules)) for rules in (SHIPPED, FIXED, UNCACHED)}
    assert isinstance(of[SHIPPED], Live)
    assert of[FIXED] == "expected the rules of shipped servers, got those of servers that nobody ships"
    assert of[UNCACHED] == "expected a cache to evict tables from, got metastores without one"


def test_a_refresh_whose_thread_died_is_begun_again():
    """It had replaced the tables, and not yet their partitions: nothing else tells that there is something to do."""
    lab = partitioned(SHIPPED_REFRESH)
    h2 = lab.replica()
    h2.evict(E)
    h2.get_table(Request(E))

    class Died(Exception):
        """The thread has ended."""

    def dies(name):
        raise Died

    h2.poller._refresh_partitions = dies
    with pytest.raises(Died):
        h2.poller.poll()
    assert h2.poller.waits_beyond == -1
    del h2.poller._refresh_partitions
    h2.poller.poll()
    assert h2.poller.waits_beyond == h2.poller.position
    assert h2.get_partitions(Request(E)).partitions == (("d=1", "p1"),)


def test_the_generators_find_it_and_call_it_by_its_name():
    """In drawn races, of which one in six evicts a table: the finding is no other one's."""
    settings = GENERATOR.configurations["external-one-metastore"]
    drawn = [GENERATOR.make(seeded(seed), settings, "shipped") for seed in range(60)]
    evicting = [one for one in drawn if "Evict" in one.summary]
    assert 4 <= len(evicting) <= 20
    assert {one.scenario for one in FINDINGS if one.needs == (("evict",),)} == {"hive/evicted-partitions"}


@pytest.mark.parametrize("rules", [SHIPPED, SHIPPED_REFRESH], ids=["event mode", "by default"])
def test_a_managed_table_that_a_change_has_put_back_is_served_whatever_the_list_says(rules):
    """The change looks for the table and keeps it, of no list: nobody looks at lists."""
    lab = Lab(rules)
    lab.replica().evict(T)
    session = lab.session("h2")
    session.begin((T,))
    session.alter_table(T, (("v", "t1"),))
    assert session.get_table(T).source == "cache"
