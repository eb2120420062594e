"""Partitions that get other names: what the database does, what each cache has then, what a drawn race says of it."""

import pytest

from model.hive import FIXED, Request
from model.hive.errors import NoSuchTable, PartitionExists
from model.hive.impala_rules import IMPALA, IMPALA_REPAIRED
from model.hive.rules import SHIPPED, SHIPPED_REFRESH
from model.hive.tables import put_partition
from sim.generation.draws import seeded
from sim.hive.drawn_partition_renames import RENAMER
from sim.hive.generate import GENERATOR
from sim.hive.live import RENAME_PARTITION
from sim.hive.makers import asks_for
from sim.hive.partition_renames import RenamePartition
from sim.hive.partitions import PARTITIONS
from sim.hive.present import Present
from sim.hive.workload import HiveSession, HiveWorkload
from sim.world.live import Live
from tests.unit.hive.lab import E, Lab, T
from tests.unit.hive.told import Told

RENAMED = (("d=2", "p1"),)


def partitioned(rules, table=E):
    """Two metastores whose caches have a partition of the table."""
    lab = Lab(rules, start=False)
    lab.sql(lambda tx: put_partition(tx, table, "d=1", "p0"))
    for name in ("h1", "h2"):
        lab.replica(name).start()
    return lab


@pytest.mark.parametrize(
    ("rules", "own", "others"),
    [
        (FIXED, (("d=1", "p0"),), RENAMED),
        (SHIPPED, RENAMED, RENAMED),
        (SHIPPED_REFRESH, RENAMED, RENAMED),
        (IMPALA_REPAIRED, (("d=1", "p0"),), RENAMED),
        (IMPALA, RENAMED, (("d=1", "p0"),)),
    ],
    ids=["reference", "event mode", "by default", "Impala repaired", "Impala"],
)
def test_what_caches_have_of_a_partition_that_has_got_another_name(rules, own, others):
    """At the metastore that made the change, at once; at the other one, when it has followed the log or refreshed."""
    lab = partitioned(rules)
    event = lab.replica("h1").rename_partition(E, "d=1", "d=2", "p1")
    assert (event.kind, event.partition, event.old_partition) == ("ALTER_PARTITION", ("d=2", "p1"), "d=1")
    assert lab.replica("h1").get_partitions(Request(E)).partitions == own
    assert lab.replica("h2").get_partitions(Request(E)).partitions == (("d=1", "p0"),)
    lab.replica("h2").poller.poll()
    while lab.replica("h2").poller.poll():
        pass
    assert lab.replica("h2").get_partitions(Request(E)).partitions == others


def test_a_rename_takes_a_partition_that_is_there_and_a_name_that_is_not():
    """Of its own name, too, which is one that is there."""
    lab = partitioned(FIXED)
    h1 = lab.replica("h1")
    with pytest.raises(NoSuchTable):
        h1.rename_partition(E, "d=2", "d=3", "p1")
    with pytest.raises(PartitionExists):
        h1.rename_partition(E, "d=1", "d=1", "p1")
    h1.put_partition(E, "d=2", "p2")
    with pytest.raises(PartitionExists):
        h1.rename_partition(E, "d=1", "d=2", "p1")


@pytest.mark.parametrize(("rules", "refused"), [(SHIPPED_REFRESH, True), (SHIPPED, False), (FIXED, False)])
def test_by_default_the_name_of_a_partition_is_taken_that_only_the_cache_has(rules, refused):
    """h2 has not heard that it was dropped. In the event mode such a read is one of the database."""
    lab = partitioned(rules)
    lab.replica("h2").put_partition(E, "d=2", "p2")
    lab.replica("h1").drop_partition(E, "d=2")
    if refused:
        with pytest.raises(PartitionExists):
            lab.replica("h2").rename_partition(E, "d=1", "d=2", "p1")
        lab.replica("h1").rename_partition(E, "d=1", "d=2", "p1")
    else:
        lab.replica("h2").rename_partition(E, "d=1", "d=2", "p1")


def test_a_synchronized_cache_serves_the_new_name_once_its_transaction_has_committed():
    """The rename has a write id of the table's; until its commit has come, whose list has it asks the database."""
    lab = partitioned(FIXED, T)
    session = lab.session()
    session.begin((T,))
    assert session.rename_partition(T, "d=1", "d=2", "p1").write_id == 1
    assert session.get_partitions(T, "h2")[1:3] == (RENAMED, "database")
    lab.catch_up()
    reader = lab.session("h2")
    reader.begin((T,), read_only=True)
    assert reader.get_partitions(T)[1:3] == (RENAMED, "database")
    session.commit()
    lab.catch_up()
    reader.begin((T,), read_only=True)
    assert reader.get_partitions(T)[1:3] == (RENAMED, "cache")


def test_a_history_says_that_the_old_name_has_nothing_and_the_new_one_the_value():
    """A drop of the table takes the new one."""
    lab = partitioned(FIXED)
    event = lab.replica("h1").rename_partition(E, "d=1", "d=2", "p1")
    statement = RenamePartition(E, "d=1", "d=2", "p1")
    assert asks_for(statement, event)
    assert not asks_for(RenamePartition(E, "d=3", "d=2", "p1"), event)
    present = Present(Told().record)
    assert present.after(event) == [("partition:2/d=2", "p1"), ("partition:2/d=1", None)]
    assert present.after(lab.replica("h1").drop_table(E)) == [("table:2", None), ("partition:2/d=2", None)]


def test_a_workload_knows_both_names():
    """And refuses a value that somebody else writes there."""
    renames = HiveSession("w1", "h1", (RenamePartition(E, "d=1", "d=2", "p1"),))
    assert HiveWorkload((renames,)).partitions_of(E) == ("d=1", "d=2")
    again = HiveSession("w2", "h1", (RenamePartition(E, "d=3", "d=2", "p1"),))
    with pytest.raises(ValueError, match="twice"):
        HiveWorkload((renames, again))
    with pytest.raises(ValueError, match="RenamePartition: old"):
        RenamePartition(E, "", "d=2", "p1")


def test_one_race_in_six_has_such_a_rename_and_it_is_a_step():
    """In a session of its own; live, its call is held at the gate, too."""
    drawn = [GENERATOR.make(seeded(seed), GENERATOR.configurations["external"], "shipped") for seed in range(120)]
    renaming = [one for one in drawn if "RenamePartition" in one.summary]
    parts = [part for each in renaming for part in each.summary.split("; ") if "RenamePartition" in part]
    assert {part.partition(":")[0] for part in parts} == {RENAMER}
    assert 10 <= len(renaming) <= 35
    assert {RENAME_PARTITION in one.yield_points for one in renaming if one.yield_points} == {True}
    live = [one.live for one in renaming if isinstance(one.live, Live)]
    assert live
    assert all(RENAME_PARTITION in each.yield_points[0] for each in live)


def test_the_scenarios_are_live_where_somebody_ships_what_they_ask():
    """The event mode, the default mode, and the reading rule on the client's side."""
    live = {one.name.removeprefix("hive/") for one in PARTITIONS if isinstance(one.live, Live)}
    assert live == {
        "partition-rename", "partition-rename-own", "shipped-partition-rename", "external-partition-rename",
        "refresh-partition-rename",
    }  # fmt: skip
