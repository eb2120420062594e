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
    DropPartition,
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


def test_a_rename_is_refused_for_a_name_that_only_the_cache_has(hive):
    """h2 has not heard that the table is gone."""
    sessions: Sessions = {"w1": ("h1", (Drop(E),)), "w2": ("h2", (Rename("default.f", E), Get(E)))}
    tables = (*EXTERNAL, HiveTable("default.f", "f0", managed=False))
    scenario = metastore("cached-name", "", sessions, rules=SHIPPED, tables=tables, properties=EVENTUAL)
    live = both(hive, scenario, *played(scenario, "w1:end w2:end"))
    assert (live.errors("w2"), live.values("w2")) == (("TableExists",), ("e0",))


@pytest.mark.parametrize("change", [Create(E, "n0", managed=False), Rename("default.f", E)], ids=["create", "rename"])
def test_a_table_that_a_refused_change_found_is_kept_without_its_partitions(hive, change):
    """h2 has not heard of it: it finds the table in the database, and keeps it as a read does."""
    sessions: Sessions = {
        "w1": ("h1", (Create(E, "e0", managed=False), PutPartition(E, "d=1", "p0"))),
        "w2": ("h2", (ListPartitions(E), change, ListPartitions(E))),
    }
    tables = (HiveTable("default.f", "f0", managed=False),)
    scenario = metastore("found", "", sessions, rules=SHIPPED, tables=tables, properties=EVENTUAL)
    live = both(hive, scenario, *played(scenario, "w1:end w2:end"))
    reads = [[read.value for read in event.reads] for event in live.events if event.reads and event.process == "w2"]
    assert (live.errors("w2"), reads) == (("TableExists",), [["e0", "p0"], ["e0", None]])


def test_a_drop_takes_the_partitions_that_the_table_has(hive):
    """The table that was made anew has none."""
    sessions: Sessions = {"w1": ("h1", (Drop(E), Create(E, "n0", managed=False), Drop(E)))}
    tables = (HiveTable(E, "e0", managed=False, partitions=(("d=1", "p0"),)),)
    scenario = metastore("drop-drop", "", sessions, rules=SHIPPED, tables=tables, properties=EVENTUAL)
    live = both(hive, scenario, *played(scenario, "w1:end"))
    gone = [[write.key for write in event.writes] for event in live.events if event.f == "drop" and event.writes]
    assert gone == [["table:1", "partition:1/d=1"], ["table:2"]]


@pytest.mark.parametrize(
    "change", [Drop(E), Alter(E, "e9"), PutPartition(E, "d=1", "p9")], ids=lambda each: type(each).__name__
)
def test_a_change_is_made_to_the_table_that_is_there_when_it_arrives(hive, change):
    """It had been made anew, as another kind of table, since the client looked."""
    sessions: Sessions = {"w1": ("h1", (change, Get(E))), "w2": ("h1", (Drop(E), Create(E, "n0"), Get(E)))}
    scenario = metastore("anew", "", sessions, rules=SHIPPED, tables=EXTERNAL, properties=EVENTUAL)
    step = {Drop: "drop_table", Alter: "alter_table", PutPartition: "put_partition"}[type(change)]
    both(hive, scenario, *played(scenario, f"w1:{step} w2.drop_table h2:end w2:end w1:end"))


def test_a_partition_that_somebody_else_has_dropped_is_added(hive):
    """The client had looked before."""
    sessions: Sessions = {
        "w1": ("h1", (PutPartition(E, "d=1", "p1"),)), "w2": ("h1", (DropPartition(E, "d=1"),)),
    }  # fmt: skip
    tables = (HiveTable(E, "e0", managed=False, partitions=(("d=1", "p0"),)),)
    scenario = metastore("put-drop", "", sessions, rules=SHIPPED, tables=tables, properties=EVENTUAL)
    live = both(hive, scenario, *played(scenario, "w1:put_partition w2:end w1:end"))
    assert live.content == {"table:1": "e0", "partition:1/d=1": "p1"}


def test_the_designs_caches_do_not_pull_the_log_after_a_write(hive):
    """The replica's own cache has a change through it when its update thread has come to it."""
    sessions: Sessions = {
        "w1": ("h1", (Begin((T,)), Get(T), Commit())), "w2": ("h1", (Begin((T,)), Alter(T, "v1"), Commit())),
    }  # fmt: skip
    scenario = metastore("no-pull", "", sessions)
    text = "w1.get_open_txns w2.get_open_txns w2.allocate_write_id w2.alter_table w1:end w2:end"
    assert both(hive, scenario, *played(scenario, text)).values("w1") == ("v0",)


def test_the_write_ids_of_a_dropped_table_go_with_it(hive):
    """One that is made under its name begins at 1 again."""
    again = (Drop(T), Create(T, "n0"), Begin((T,)), Write(T), Get(T), Commit())
    sessions: Sessions = {"w1": ("h1", (Begin((T,)), Write(T), Commit(), *again))}
    scenario = metastore("ids-again", "", sessions, rules=UNCACHED, pollers=(), properties=EVENTUAL)
    live = both(hive, scenario, *played(scenario, "w1:end"))
    assert [event.arg.rpartition("wid=")[2] for event in live.events if (event.f, event.type) == ("write", "ok")] == [
        "1", "1",
    ]  # fmt: skip


def test_metastores_without_a_cache(hive):
    """Every read is the database's."""
    sessions = {"w1": ("h1", (Begin((T,)), Get(T), Drop(T), Commit())), "w2": ("h2", (Begin(), Get(T), Rename(T, U)))}
    scenario = metastore("uncached", "", sessions, rules=UNCACHED, pollers=(), properties=EVENTUAL)
    assert both(hive, scenario, *played(scenario, "w1:end w2:end")).errors("w2") == ("NoSuchTable",)
