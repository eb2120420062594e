"""Partitions that get other names on live metastores, as in the simulator: step by step, with what caches have then."""

import pytest

from model.hive.rules import SHIPPED
from sim.hive.build import EVENTUAL, E, Sessions, metastore
from sim.hive.partition_renames import RenamePartition
from sim.hive.partitions import RENAMING
from sim.hive.workload import DropPartition, HiveTable, ListPartitions, PutPartition
from tests.live.hive.agreement import both, played, scenario_of

pytestmark = pytest.mark.live
TWO = (HiveTable(E, "e0", managed=False, partitions=(("d=1", "p0"), ("d=2", "q0"))),)


def listed(run, reader):
    """What each list of a reader's had: where it came from, and the partitions' values."""
    found = [event for event in run.events if event.process == reader and event.f == "list-partitions" and event.reads]
    return [("source=cache" in event.arg, [read.value for read in event.reads[1:]]) for event in found]


def test_every_cache_has_the_names_that_there_are(hive):
    """h2 lists the old name, then what the events say."""
    scenario = scenario_of("external-partition-rename")
    run = both(hive, scenario, *played(scenario, "r1.get_partitions w1:end h2.poll h2.apply r1:end"))
    assert listed(run, "r1") == [(True, ["p0", None]), (True, ["p2", "p1"])]


def test_the_reading_rule_sends_who_knows_of_the_rename_to_the_database(hive):
    """Until the event of the commit."""
    scenario = scenario_of("partition-rename")
    for count, cached in ((3, False), (4, True)):
        run = both(hive, scenario, *played(scenario, f"w1:end {'h2.poll ' * count} r1:end"))
        assert listed(run, "r1") == [(cached, [None, "p1"])] * 2


def test_what_a_rename_meets(hive):
    """A partition of the new name; none of the old one, which somebody has just dropped; both as they should be."""
    sessions: Sessions = {
        "w1": ("h1", (RenamePartition(E, "d=1", "d=2", "v1"), RenamePartition(E, "d=2", "d=3", "v2"),
                      RenamePartition(E, "d=1", "d=2", "v3"), PutPartition(E, "d=1", "v4"), ListPartitions(E))),
        "w2": ("h2", (DropPartition(E, "d=2"),)),
    }  # fmt: skip
    scenario = metastore("renames", "", sessions, rules=SHIPPED, tables=TWO, properties=EVENTUAL, steps=RENAMING)
    run = both(hive, scenario, *played(scenario, "w1.rename_partition w2:end w1:end"))
    left = {"d=1": "v4", "d=2": "v3", "d=3": None}
    assert run.errors("w1") == ("PartitionExists", "NoSuchTable")
    assert run.content == {"table:1": "e0"} | {f"partition:1/{name}": value for name, value in left.items()}
