"""Lists of what a metastore's cache may hold: what they match, and that nothing else brings a table into it."""

import pytest

from model.hive import FIXED, SHIPPED, coverage
from model.hive.cached_objects import EVERYTHING, CachedObjects
from model.hive.replica import Request
from model.hive.rules import SHIPPED_REFRESH
from sim.generation.draws import Draws, replayed, seeded
from sim.hive.build import Sessions, metastore
from sim.hive.drawn_lists import with_lists
from sim.hive.generate import GENERATOR
from sim.hive.workload import Alter, HiveSession, HiveWorkload, Rename
from sim.search.run import Runner
from sim.search.strategies import Deviations
from tests.unit.hive.lab import E, Lab, T
from tests.unit.hive.told import Told, anomalies

DENIES_E = CachedObjects(denied=r"hive\.default\.e")


@pytest.mark.parametrize(
    ("allowed", "denied", "cached"),
    [
        (".*", "", "a.t a.u b.t"),
        (".*", r"hive\.a\..*", "b.t"),
        (r"hive\.a\..*", "", "a.t a.u"),
        (r"hive\.a\..*,hive\.b\.t", "", "a.t a.u b.t"),
        (r"hive\.a\..*", r"hive\.a\.t", "a.u"),
        (r"hive\.a\.t", r"hive\.a\..*", ""),
        ("a.*", "", ""),
        (r".*\.a\.t", "", "a.t"),
        ("", "", ""),
        (".*", "t", "a.t a.u b.t"),
        (".*", ".*t", "a.u"),
    ],
)
def test_a_table_is_cached_that_the_one_list_has_and_the_other_has_not(allowed, denied, cached):
    """As `TestCachedStore.testPrewarmWhiteList` and `testPrewarmBlackList`: a pattern is of the whole name."""
    objects = CachedObjects(allowed, denied)
    assert " ".join(name for name in ("a.t", "a.u", "b.t") if objects.has(name)) == cached


def test_every_table_is_cached_by_default():
    """Whatever its name."""
    assert EVERYTHING.has("default.t")


@pytest.mark.parametrize("rules", [FIXED, SHIPPED, SHIPPED_REFRESH], ids=["reference", "events", "refresh"])
def test_nothing_brings_a_table_into_the_cache_that_is_not_to_be_there(rules):
    """Neither the prewarm, nor a change of its own or another one's, nor a read of it."""
    lab = Lab(rules, start=False)
    for name in ("h1", "h2"):
        lab.replica(name).cache.objects = DENIES_E
        lab.replica(name).start()
    for at in ("h1", "h2"):
        lab.replica(at).alter_table(E, (("v", f"by {at}"),))
        lab.replica("h2").poller.poll()
        lab.replica(at).put_partition(E, "d=1", f"by {at}")
        assert lab.replica("h2").get_partitions(Request(E)).partitions == (("d=1", f"by {at}"),)
        lab.replica("h2").poller.poll()
    assert [E in lab.replica(name).cache.entries for name in ("h1", "h2")] == [False, False]
    assert lab.kernel.coverage[coverage.NOT_TO_BE_CACHED] == 2


def test_its_own_rename_takes_a_table_out_whose_name_is_not_to_be_cached():
    """As shipped in the default mode; the replica that makes the change forgets it at once."""
    lab = Lab(SHIPPED_REFRESH, start=False)
    lab.replica().cache.objects = CachedObjects(denied=r"hive\.default\.f")
    lab.replica().start()
    lab.replica().rename_table(E, "default.f")
    assert E not in lab.replica().cache.entries


def test_as_shipped_the_old_name_stays_of_a_table_whose_new_name_is_not_to_be_cached():
    """The event has the new name, and is passed over; the reference forgets the old one."""
    found = []
    for rules in (SHIPPED, FIXED):
        lab = Lab(rules, start=False)
        for name in ("h1", "h2"):
            lab.replica(name).cache.objects = CachedObjects(denied=r"hive\.default\.f")
            lab.replica(name).start()
        lab.replica("h1").rename_table(E, "default.f")
        lab.catch_up()
        assert "default.f" not in lab.replica("h2").cache.entries
        found.append(E in lab.replica("h2").cache.entries)
    assert found == [True, False]


@pytest.mark.parametrize("rules", [FIXED, SHIPPED], ids=["reference", "events"])
def test_the_event_of_a_table_that_is_not_to_be_cached_makes_no_entry(rules):
    """Another replica makes one."""
    lab = Lab(rules, start=False)
    for name in ("h1", "h2"):
        lab.replica(name).cache.objects = CachedObjects(denied=r"hive\.default\.f")
        lab.replica(name).start()
    lab.replica("h1").create_table("default.f", (("v", "f0"),), False)
    lab.catch_up()
    assert "default.f" not in lab.replica("h2").cache.entries


def test_one_name_of_a_drawn_race_is_denied_or_is_the_only_one_allowed():
    """A name that a table gets, too; by default there is no list."""
    workload = HiveWorkload((HiveSession("w1", "h1", (Rename("default.t", "default.u"),)),))
    drawn = [with_lists(Draws(replayed(tape)), workload) for tape in ("00", "a0", "a1", "b0", "b1")]
    assert drawn[0] is workload
    assert [one.cached for one in drawn[1:]] == [
        CachedObjects(denied=r"hive\.default.t"), CachedObjects(denied=r"hive\.default.u"),
        CachedObjects(allowed=r"hive\.default.t"), CachedObjects(allowed=r"hive\.default.u"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rules", "store", "least"),
    [("shipped", "default", 6), ("reference", "default", 6), ("impala", "default", 0), ("shipped", "no-cache", 0)],
)
def test_lists_are_drawn_for_caches_that_have_them(rules, store, least):
    """In one race of six; Impala's daemon has none, nor has a metastore without a cache. Its parameters tell."""
    drawn = [GENERATOR.make(seeded(seed), GENERATOR.configurations[store], rules) for seed in range(60)]
    listed = [one for one in drawn if " cached: " in one.bounds]
    assert least <= len(listed) <= 3 * least
    assert all(("cached" in dict(one.parameters)) == (one in listed) for one in drawn)


def test_what_is_not_to_be_cached_need_not_be_served_from_the_cache_at_the_end():
    """And what is to be has to."""
    asked = {}
    for denied in (T, E):
        sessions: Sessions = {"w1": ("h1", (Alter(T, "t1"),))}
        lists = CachedObjects(denied=rf"hive\.{denied}")
        scenario = metastore("listed", "", sessions, properties=("convergence",), cached=lists)
        run = Runner(scenario).run(Deviations())
        told = [event.arg for event in run.events if (event.f, event.type) == ("cached", "ok")]
        asked[denied] = ["cached=never" in (each or "") for each in told]
        assert run.failure is None
    assert asked == {T: [True], E: [False]}


def test_an_empty_cache_is_no_fault_of_what_is_not_to_be_cached():
    """And one of what is to be."""
    for words, anomaly in (("source=database cached=never", []), ("source=database", ["never-served"])):
        assert anomalies(Told().cached(f"id=1 {words}").final(t1="v0"), "convergence") == anomaly
