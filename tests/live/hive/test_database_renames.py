"""Databases that are to get other names, and lists of what was cleaned, on live metastores: as the simulation says."""

from itertools import islice

import pytest

from sim.generation.draws import seeded
from sim.hive.drawn_write_ids import RENAMER, WRITERS
from sim.hive.evictions import Evict
from sim.hive.generate import GENERATOR
from sim.hive.race import HiveRace
from sim.search.at_gates import runs_at_gates
from tests.live.hive.agreement import both, both_generated, found, scenario_of

pytestmark = pytest.mark.live
EACH = 2


@pytest.mark.parametrize(
    "name",
    [
        "database-renamed-as-shipped",
        "database-renamed-unlisted",
        "cleaned-higher-id-as-shipped",
        "refresh-database-renamed",
    ],
)
def test_what_the_search_finds_happens_live(hive, name):
    """Step by step, with the same lists and the same property broken."""
    both(hive, scenario_of(name), *found(name))


@pytest.mark.parametrize(
    ("actor", "configuration", "rules"),
    [
        (RENAMER, "no-cache", "shipped"),
        (RENAMER, "no-cache-conflicts-at-commit", "shipped"),
        (RENAMER, "both", "shipped"),
        (RENAMER, "both", "shipped-refresh"),
        (WRITERS[0], "default", "shipped"),
    ],
)
def test_generated_races_do_the_same_to_live_metastores(hive, actor, configuration, rules):
    """A random schedule of each of the first ones that live metastores can run. By default without evictions: one such
    race, an eviction in the middle of a refresh, went another way once, on a loaded machine, and never again."""
    settings = GENERATOR.configurations[configuration]
    made = (GENERATOR.make(seeded(seed), settings, rules) for seed in range(2_000))
    left_out = (Evict,) if rules == "shipped-refresh" else ()
    theirs = (
        one
        for one in made
        if isinstance(one.program, HiveRace)
        and actor in one.program.workload.actors
        and not one.program.workload.has(*left_out)
    )
    runs = ((one, run) for one in theirs for run in islice(runs_at_gates(one, 0, 20), 1))
    chosen = list(islice(runs, EACH))
    assert len(chosen) == EACH
    for scenario, run in chosen:
        both_generated(hive, scenario, run)
