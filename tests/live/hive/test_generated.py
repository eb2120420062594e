"""Generated races on live metastores, and what they found: moments in which two clients do the same thing."""

from itertools import islice

import pytest

from model.hive.rules import SHIPPED, UNCACHED
from sim.generation.draws import seeded
from sim.hive.build import EVENTUAL, E, Sessions, T, U, metastore
from sim.hive.generate import GENERATOR
from sim.hive.workload import (
    Alter,
    Begin,
    Commit,
    Create,
    Drop,
    Get,
    HiveTable,
    ListPartitions,
    PutPartition,
    Rename,
    Write,
)
from sim.search.at_gates import runs_at_gates
from tests.live.hive.agreement import both, both_generated, played

pytestmark = pytest.mark.live
EACH = 4
EXTERNAL = (HiveTable(E, "e0", managed=False),)


@pytest.mark.parametrize("configuration", ["default", "both", "conflicts-at-commit"])
def test_generated_races_do_the_same_to_live_metastores(hive, configuration):
    """Steps, what every statement is told, changes of content, what caches and the database have at the end."""
    made = (GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration]) for seed in range(2_000))
    found = list(islice(((each, one) for each in made for one in runs_at_gates(each, 0, 1)), EACH))
    assert len(found) == EACH
    for scenario, run in found:
        both_generated(hive, scenario, run)


def test_a_partition_that_somebody_else_has_added_is_altered(hive):
    """The second client had looked before."""
    sessions = {name: ("h1", (PutPartition(E, "d=1", f"{name}-1"),)) for name in ("w1", "w2")}
    scenario = metastore("put-put", "", sessions, rules=SHIPPED, tables=EXTERNAL, properties=EVENTUAL)
    live = both(hive, scenario, *played(scenario, "w1.put_partition w2:end"))
    assert live.content["partition:1/d=1"] == "w2-1"


def test_a_rename_keeps_what_was_written_while_it_was_on_its_way(hive):
    """It is the change of a name, and of nothing else."""
    sessions: Sessions = {"w1": ("h1", (Rename(E, "default.f"),)), "w2": ("h1", (Alter(E, "e1"),))}
    scenario = metastore("rename-alter", "", sessions, rules=SHIPPED, tables=EXTERNAL, properties=EVENTUAL)
    assert both(hive, scenario, *played(scenario, "w2:end w1:end")).content == {"table:1": "e1"}


def test_tables_are_numbered_in_the_order_in_which_they_are_made(hive):
    """Not in that in which they were asked for."""
    sessions = {name: ("h1", (Create(table, name, managed=False),)) for name, table in (("w1", E), ("w2", "default.f"))}
    scenario = metastore("two-made", "", sessions, rules=SHIPPED, tables=(), properties=EVENTUAL)
    assert both(hive, scenario, *played(scenario, "w2:end w1:end")).content == {"table:1": "w2", "table:2": "w1"}


def test_partitions_of_a_table_that_is_not_there(hive):
    """The cache serves an empty list of a table that it does not have; the client finds that there is none."""
    sessions = {"w1": ("h1", (ListPartitions("default.f"),))}
    scenario = metastore("nothing", "", sessions, rules=SHIPPED, tables=EXTERNAL, properties=EVENTUAL)
    live = both(hive, scenario, *played(scenario, "w1:end"))
    assert (live.errors("w1"), live.values("w1")) == ((), ())


def test_a_refused_rename_leaves_write_ids_where_they_are(hive):
    """And of a table that only the cache has, the new name is asked for first."""
    sessions = {
        "w1": ("h1", (Begin((T,)), Write(T), Rename(T, U), Commit(), Begin((T,)), Get(T), Drop(T), Commit())),
        "w2": ("h2", (Begin(), Rename(T, U), Rename(T, "default.w"))),
    }
    tables = (HiveTable(T, "v0"), HiveTable(U, "u0"))
    scenario = metastore("renames", "", sessions, rules=SHIPPED, tables=tables, properties=EVENTUAL)
    live = both(hive, scenario, *played(scenario, "w1:end w2:end"))
    assert (live.errors("w1"), live.errors("w2")) == (("TableExists",), ("TableExists", "NoSuchTable"))


def test_metastores_without_a_cache(hive):
    """Every read is the database's."""
    sessions = {"w1": ("h1", (Begin((T,)), Get(T), Drop(T), Commit())), "w2": ("h2", (Begin(), Get(T), Rename(T, U)))}
    scenario = metastore("uncached", "", sessions, rules=UNCACHED, pollers=(), properties=EVENTUAL)
    assert both(hive, scenario, *played(scenario, "w1:end w2:end")).errors("w2") == ("NoSuchTable",)
