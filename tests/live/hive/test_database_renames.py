"""Databases that are to get other names, and lists of what was cleaned, on live metastores: as the simulation says."""

import time
from itertools import islice

import pytest
from hive_metastore import ttypes as wire

from real_backend.hive.client import new_database, new_table
from sim.generation.draws import seeded
from sim.hive.drawn_write_ids import RENAMER, WRITERS
from sim.hive.generate import GENERATOR
from sim.hive.race import HiveRace
from sim.search.at_gates import runs_at_gates
from tests.live.hive.agreement import both, both_generated, found, scenario_of

pytestmark = pytest.mark.live
EACH = 2
LONGEST_S = 60.0


@pytest.mark.parametrize(
    "name",
    [
        "database-renamed-as-shipped",
        "database-renamed-unlisted",
        "cleaned-higher-id-as-shipped",
    ],
)
def test_what_the_search_finds_happens_live(hive, name):
    """Step by step, with the same lists and the same property broken."""
    both(hive, scenario_of(name), *found(name))


def test_a_cache_that_follows_events_knows_the_database_by_the_name_that_it_did_not_get(metastores):
    """The other metastore's, until it is restarted: what is asked outside of a database transaction is refused."""
    replicas = metastores.replicas(cached=True, names=("h1", "h2"))
    with replicas.metastores["h1"].connect() as h1, replicas.metastores["h2"].connect() as h2:
        h1.create_database(new_database("ours", f"file:{replicas.metastores['h1'].folder}"))
        h1.create_table(new_table("ours.e", "file:/tmp/ours.e", managed=False, value="e0"))
        replicas.settle()
        before = {*h2.get_all_databases()}
        asked = h2.get_database("ours")
        asked.name, asked.parameters = "sales", {"said": "something else"}
        h1.alter_database("ours", asked)
        deadline = time.monotonic() + LONGEST_S
        while {*h2.get_all_databases()} != before - {"ours"} | {"sales"}:
            assert time.monotonic() < deadline, h2.get_all_databases()
            time.sleep(0.1)
        with pytest.raises(wire.NoSuchObjectException):
            h2.get_database("ours")
        with pytest.raises(wire.InvalidObjectException):
            h2.create_table(new_table("ours.u", "file:/tmp/ours.u", managed=False, value="u0"))
        assert replicas.backing.tables("ours") == ["ours.e"]


@pytest.mark.parametrize(
    ("actor", "configuration", "rules"),
    [
        (RENAMER, "no-cache", "shipped"),
        (RENAMER, "no-cache-conflicts-at-commit", "shipped"),
        (WRITERS[0], "default", "shipped"),
    ],
)
def test_generated_races_do_the_same_to_live_metastores(hive, actor, configuration, rules):
    """A random schedule of each of the first ones that live metastores can run."""
    settings = GENERATOR.configurations[configuration]
    made = (GENERATOR.make(seeded(seed), settings, rules) for seed in range(2_000))
    theirs = (one for one in made if isinstance(one.program, HiveRace) and actor in one.program.workload.actors)
    runs = ((one, run) for one in theirs for run in islice(runs_at_gates(one, 0, 20), 1))
    chosen = list(islice(runs, EACH))
    assert len(chosen) == EACH
    for scenario, run in chosen:
        both_generated(hive, scenario, run)
