"""A metastore that is restarted: what its new process knows, what is refused, what is drawn, and what can be live."""

from functools import partial

import pytest

from model.hive import FIXED, coverage
from model.hive.rules import SHIPPED, SHIPPED_REFRESH, UNCACHED
from model.hive.tables import drop
from sim.generation.draws import seeded
from sim.hive.build import EXTERNAL, B, E, T
from sim.hive.generate import GENERATOR
from sim.hive.live import live_of
from sim.hive.race import HiveRace, process_of
from sim.hive.restarting import KEPT
from sim.hive.restarts import Restart
from sim.hive.workload import Alter, Commit, HiveSession, HiveWorkload
from sim.world.live import Live
from tests.unit.hive.lab import Lab

OPERATOR = HiveSession("o1", "h2", (Restart(),))
WRITER = HiveSession("w1", "h1", (Alter(E, "e1"),))


@pytest.mark.parametrize(("rules", "position"), [(FIXED, "now"), (KEPT, "then"), (SHIPPED, "now")])
def test_a_new_process_follows_the_log_from_where_it_is_or_was(rules, position):
    """Its cache has what the database has, and what the log says of that again changes nothing."""
    lab = Lab(rules)
    then = lab.replica().poller.position
    lab.session("h1").alter_table(E, (("v", "e1"),))
    replica = lab.cluster.boot("h2")
    replica.start()
    assert replica.poller.position == (then if position == "then" else then + 1)
    assert lab.kernel.coverage.get(coverage.RESUMED, 0) == int(position == "then")
    assert dict(replica.cache.entries[E].table.parameters)["v"] == "e1"
    lab.catch_up()
    assert replica.poller.position == then + 1
    assert dict(replica.cache.entries[E].table.parameters)["v"] == "e1"


def test_one_that_dies_before_its_cache_is_filled_hands_the_position_on():
    """It has not followed the log itself."""
    lab = Lab(KEPT)
    then = lab.replica().poller.position
    lab.session("h1").alter_table(E, (("v", "e1"),))
    lab.cluster.boot("h2")
    lab.cluster.boot("h2").start()
    assert lab.replica().poller.position == then


def test_a_gap_behind_a_kept_position_is_noticed():
    """What was cleaned meanwhile cannot be followed: the cache is filled once more, from where the log is."""
    lab = Lab(KEPT)
    lab.session("h1").alter_table(E, (("v", "e1"),))
    lab.cluster.lose_next("h2")
    lab.session("h1").alter_table(E, (("v", "e2"),))
    lab.cluster.boot("h2").start()
    assert lab.replica().poller.poll() == 1
    assert lab.kernel.coverage[coverage.REBUILT] == 1
    assert lab.replica().poller.poll() == 0


def test_only_a_replica_whose_thread_runs_is_restarted():
    """Of another one nobody would fill the cache."""
    with pytest.raises(ValueError, match="session o1: restarts: expected one of h2, got 'h1'"):
        HiveWorkload((WRITER, HiveSession("o1", "h1", (Restart(),))))


def test_what_can_be_live():
    """Shipped caches, of which one is there from beginning to end."""
    work = HiveWorkload((WRITER, OPERATOR), EXTERNAL)
    both = HiveWorkload((WRITER, OPERATOR, HiveSession("o2", "h1", (Restart(),))), EXTERNAL, pollers=("h1", "h2"))
    assert isinstance(live_of(HiveRace(work, SHIPPED)), Live)
    assert live_of(HiveRace(work, UNCACHED)) == ("expected shipped caches that are filled in the race, got servers off")
    assert live_of(HiveRace(both, SHIPPED)) == (
        "expected a replica that runs from beginning to end, got h2, h1, which fill their caches"
    )
    managed = HiveWorkload((HiveSession("w1", "h1", (B, Alter(T, "v1"), Commit())), OPERATOR))
    assert isinstance(live_of(HiveRace(managed, FIXED)), str)


@pytest.mark.parametrize("actor", ["h2", "h2-thread", "h2-restarted", "h2-thread-restarted-2"])
def test_the_replica_of_an_update_thread(actor):
    """By its name, whichever process of it this is."""
    assert process_of(actor) == "h2"


def test_restarts_are_drawn_seldom_and_positions_kept_where_that_is_safe():
    """One race of six has one."""
    settings = GENERATOR.configurations["default"]
    drawn = {rules: [GENERATOR.make(seeded(seed), settings, rules) for seed in range(120)] for rules in
             ("reference", "shipped")}  # fmt: skip
    having = {rules: [one for one in races if "Restart" in one.summary] for rules, races in drawn.items()}
    assert all(8 <= len(races) <= 40 for races in having.values())
    kept = {rules: {"keeps_position=True" in one.bounds for one in races} for rules, races in having.items()}
    assert kept == {"reference": {True, False}, "shipped": {False}}


@pytest.mark.parametrize("rules", [SHIPPED, SHIPPED_REFRESH, FIXED], ids=["event mode", "by default", "reference"])
def test_a_table_that_is_gone_ends_a_prewarm_as_shipped(rules, monkeypatch):
    """The next one begins with what this one had loaded; the reference goes on with the next table."""
    lab = Lab(rules, start=False)
    replica, left = lab.replica(), [E, T]
    critical = replica.memory.critical

    def drops(operation, resource, section):
        """The one that is about to be loaded, and the one before it."""
        if operation == "prewarm_table" and left and len(replica.cache.entries) == 1:
            for name in (left.pop(), left.pop()):
                lab.sql(partial(drop, name=name))
        return critical(operation, resource, section)

    monkeypatch.setattr(replica.memory, "critical", drops)
    replica.start()
    ended = rules is not FIXED
    assert lab.kernel.coverage.get(coverage.PREWARM_ENDED, 0) == int(ended)
    assert list(replica.cache.entries) == [E]
    if rules is SHIPPED:
        lab.catch_up()
        assert list(replica.cache.entries) == [E]
