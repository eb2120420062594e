"""Databases that are to get other names, and lists of what was cleaned, on live metastores: as the simulation says."""

from itertools import islice

import pytest

from model.hive.rules import SHIPPED_REFRESH
from sim.generation.draws import seeded
from sim.hive.build import EXTERNAL, E, metastore
from sim.hive.drawn_updates import UPDATERS
from sim.hive.drawn_write_ids import RENAMER, WRITERS
from sim.hive.generate import GENERATOR
from sim.hive.race import HiveRace
from sim.hive.renamed_databases import RENAMED
from sim.hive.truncating import PARTED
from sim.hive.workload import Alter, Drop, DropPartition, ListPartitions, PutPartition
from sim.kernel.schedule import steps_of
from sim.search.at_gates import runs_at_gates
from sim.search.projection import Played
from sim.search.run import Runner
from sim.search.script import schedule_of
from tests.live.hive.agreement import both, both_generated, found, scenario_of

pytestmark = pytest.mark.live
EACH = 2
ONE_REFRESH = (
    "w2:end h1.poll h1.refresh_table d1:end h1.refresh_check h1.apply h1.refresh_names h1.refresh_partitions h1.apply"
)


@pytest.mark.parametrize(
    "name",
    [
        "database-renamed-as-shipped",
        "database-renamed-unlisted",
        "cleaned-higher-id-as-shipped",
        "refresh-database-renamed",
        "locks-database-renamed-as-shipped",
        "updates-database-renamed-as-shipped",
        "updates-database-renamed-checked-as-shipped",
    ],
)
def test_what_the_search_finds_happens_live(hive, name):
    """Step by step, with the same lists and the same property broken."""
    both(hive, scenario_of(name), *found(name))


@pytest.mark.parametrize("number", range(2))
def test_the_refresh_after_the_rename_knows_the_database_again(hive, number):
    """The rename falls into a refresh, whose databases have been read: a drop is refused until the next one begins."""
    scenario = metastore(
        "known-again", "", {"w2": ("h2", (Alter(E, "e1"),)), "d1": ("h1", RENAMED), "w1": ("h1", (Drop(E),))},
        rules=SHIPPED_REFRESH, tables=EXTERNAL, pollers=("h1",),
    )  # fmt: skip
    run = at_gates(scenario, ONE_REFRESH + (" h1.poll w1:end", " w1:end h1.poll")[number])
    assert [event.type for event in run.events if event.f == "drop"] == ["invoke", ("ok", "fail")[number]]
    both_generated(hive, scenario, Played(schedule_of(run), run))


def test_a_partition_that_is_refused_is_in_no_cache_and_one_whose_drop_is_refused_is_out_of_it(hive):
    """By default: of a drop the database is asked last."""
    changes = (*RENAMED, PutPartition(E, "d=2", "p2"), ListPartitions(E), DropPartition(E, "d=1"), ListPartitions(E))
    scenario = metastore(
        "refused", "", {"w1": ("h1", changes)}, rules=SHIPPED_REFRESH, tables=PARTED, pollers=("h1",)
    )  # fmt: skip
    run = at_gates(scenario, "w1:end")
    assert [event.f for event in run.events if event.type == "fail"] == ["put-partition", "drop-partition"]
    both_generated(hive, scenario, Played(schedule_of(run), run))


def at_gates(scenario, text):
    """The simulated run of these steps, at those of the gates."""
    assert scenario.live is not None
    return Runner(scenario, yield_points=scenario.live.yield_points[0]).play(steps_of(text))


@pytest.mark.parametrize(
    ("actors", "configuration", "rules"),
    [
        ((RENAMER,), "no-cache", "shipped"),
        ((RENAMER,), "no-cache-conflicts-at-commit", "shipped"),
        ((RENAMER,), "both", "shipped"),
        ((RENAMER,), "both", "shipped-refresh"),
        ((RENAMER, UPDATERS[0]), "no-cache", "shipped"),
        ((WRITERS[0],), "default", "shipped"),
    ],
)
def test_generated_races_do_the_same_to_live_metastores(hive, actors, configuration, rules):
    """A random schedule of each of the first ones that live metastores can run."""
    settings = GENERATOR.configurations[configuration]
    made = (GENERATOR.make(seeded(seed), settings, rules) for seed in range(2_000))
    theirs = (
        one for one in made if isinstance(one.program, HiveRace) and set(actors) <= set(one.program.workload.actors)
    )
    runs = ((one, run) for one in theirs for run in islice(runs_at_gates(one, 0, 20), 1))
    chosen = list(islice(runs, EACH))
    assert len(chosen) == EACH
    for scenario, run in chosen:
        both_generated(hive, scenario, run)
