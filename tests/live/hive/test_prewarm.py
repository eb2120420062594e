"""A metastore's cache is filled while others change tables, and lost in a race: CachedStore 4.0.1 step by step.

Its prewarm stands still before it reads its position in the log and the names of the tables, and before each table.
"""

from itertools import islice

import pytest

from model.hive.rules import SHIPPED, SHIPPED_REFRESH
from real_backend.hive.conformance import live_steps
from sim.generation.draws import seeded
from sim.hive.build import EVENTUAL, EXTERNAL, E, Sessions, metastore
from sim.hive.generate import GENERATOR
from sim.hive.live import PREWARM, RESTART
from sim.hive.restarts import Restart
from sim.hive.workload import Alter, Create, Get
from sim.search.at_gates import runs_at_gates
from sim.search.projection import Played
from tests.live.hive.agreement import both, both_generated, found, played, scenario_of

pytestmark = pytest.mark.live
EACH = 3
FILLING = ("alter_table", "create_table", "get_table", "poll", "apply", *PREWARM, RESTART)


def race(rules, sessions, cold=("h2",)):
    """A race in which h2 fills its cache."""
    return metastore(
        "filled", "", sessions, rules=rules, tables=EXTERNAL, properties=EVENTUAL, cold=cold, steps=FILLING
    )


def filled(run):
    """Whether a table is read into a cache, and something happens beside."""
    operations = [step.operation for step in live_steps(run)]
    return PREWARM[1] in operations and not {*operations} <= {*PREWARM}


@pytest.mark.parametrize(
    ("rules", "followed"),
    [(SHIPPED, "h2.poll h2.apply"), (SHIPPED_REFRESH, "h2.poll h2.apply h2.apply")],
    ids=["event mode", "by default"],
)
def test_a_cache_is_filled_while_others_change_tables(hive, rules, followed):
    """It has what was there when the table was read; what came later it follows."""
    text = f"h2.prewarm w1.alter_table h2.prewarm_table w1:end {followed}"
    sessions: Sessions = {"w1": ("h1", (Alter(E, "e1"), Alter(E, "e2"), Get(E)))}
    scenario = race(rules, sessions)
    schedule, run = played(scenario, text)
    both_generated(hive, scenario, Played(schedule, run))
    assert [str(step) for step in live_steps(run)] == text.replace("w1:end", "w1.alter_table w1.get_table").split()


def test_a_restart_makes_the_loss_by_a_replay_last(hive):
    """The later alter would have been replayed, too."""
    live = both(hive, scenario_of("shipped-restarted"), *found("shipped-restarted"))
    assert (live.content, live.errors("w1")) == ({"table:1": "e1"}, ())
    assert "m1.restart=applied" in live.trace


def test_a_prewarm_that_is_begun_again_keeps_what_is_gone(hive):
    """It comes to a table that was dropped, and fails; the one before it in its list is dropped, too, and stays."""
    live = both(hive, scenario_of("shipped-prewarm-phantom"), *found("shipped-prewarm-phantom"))
    assert {*live.content.values()} == {None}
    assert [event.arg.split()[-2:] for event in live.events if event.f == "cached" and event.reads] == [
        ["source=cache", "seen=1"]
    ]


def test_what_was_read_of_the_log_goes_with_the_process(hive):
    """h2 has read an event and not applied it: it starts again, with the content that the event tells of."""
    sessions: Sessions = {"w1": ("h1", (Alter(E, "e1"), Create("default.f", "f0", managed=False))),
                          "m1": ("h2", (Restart(),)), "r1": ("h1", (Get(E), Get(E, "h2")))}  # fmt: skip
    scenario = race(SHIPPED, sessions, cold=())
    text = "w1.alter_table h2.poll m1.restart w1.create_table h2-restarted.prewarm h2-restarted.prewarm_table"
    live = both(hive, scenario, *played(scenario, f"{text} h2-restarted.prewarm_table r1:end"))
    assert live.values("r1") == ("e1", "e1")
    assert dict(live.replay_writes)["h2"] == 0


@pytest.mark.parametrize("rules", ["shipped", "shipped-refresh"])
def test_generated_races_with_caches_that_are_filled_do_the_same_live(hive, rules):
    """Drawn replicas that start in the race."""
    settings = GENERATOR.configurations["both"]
    made = (GENERATOR.make(seeded(seed), settings, rules) for seed in range(3_000))
    filling = (one for one in made if " started in the race" in one.bounds)
    runs = ((each, one) for each in filling for one in runs_at_gates(each, 0, 1))
    chosen = list(islice((pair for pair in runs if filled(pair[1].run)), EACH))
    assert len(chosen) == EACH
    for scenario, one in chosen:
        both_generated(hive, scenario, one)
