"""What caches make of a database that was to get another name: as data, and what else would notice a broken step."""

import pytest

from model.hive.cached_objects import CachedObjects
from model.hive.errors import NoSuchDatabase, NoSuchTable, PartitionExists
from model.hive.rules import SHIPPED, SHIPPED_REFRESH
from model.hive.tables import create, get, partitions, put_partition
from tests.unit.hive.database_script import ROWS, changes_of, refused
from tests.unit.hive.lab import Lab

MODES = {"event": SHIPPED, "default": SHIPPED_REFRESH}


def _make_tables(tx):
    for name in "tuv":
        create(tx, f"sales.{name}", (("v", "1"),), False)
    for number in "12":
        put_partition(tx, "sales.t", f"p={number}", "1")


def lab_of(mode, objects=None):
    """Replicas whose database `sales` has the tables, and which have them in their caches."""
    lab = Lab(MODES[mode], start=False)
    lab.sql(_make_tables)
    for name in ("h1", "h2"):
        if objects is not None:
            lab.replica(name).cache.objects = objects
        lab.replica(name).start()
    return lab


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['mode']}-{row['at']}-{row['when'].replace(' ', '-')}")
def test_what_is_refused(row):
    """As live metastores answer."""
    lab = lab_of(row["mode"])
    lab.replica("h1").rename_database("sales", "shop")
    if row["when"] != "at once":
        lab.catch_up("h1")
        lab.catch_up("h2")
    if row["when"] == "restarted":
        lab.cluster.boot(row["at"]).start()
    assert refused(changes_of(lab.replica(row["at"]), "sales")) == row["refused"]


def test_a_refresh_begins_with_the_databases():
    """It reads them again, as often as the replica has touched one: the first thing that it does brings them."""
    lab = lab_of("default")
    replica = lab.replica("h1")
    replica.rename_database("sales", "shop")
    with pytest.raises(NoSuchDatabase):
        replica.alter_table("sales.t", (("v", "2"),))
    assert replica.poller.poll() == 0
    replica.alter_table("sales.t", (("v", "2"),))


@pytest.mark.parametrize(("allowed", "known"), [(r"hive\.other\..*", True), (r"hive\.sales\..*", False)])
def test_a_cache_that_may_hold_no_table_of_the_database_passes_over_the_event(allowed, known):
    """It is looked for in the lists as if of the table ""."""
    lab = lab_of("event", CachedObjects(allowed))
    lab.replica("h1").rename_database("sales", "shop")
    assert ("alter" not in refused(changes_of(lab.replica("h1"), "sales"))) is known


def test_by_default_a_cache_keeps_what_is_refused_of_partitions():
    """The database is asked for before a partition is added, and when it has been dropped: the cache keeps that."""
    lab = lab_of("default")
    replica = lab.replica("h1")
    replica.rename_database("sales", "shop")
    before = set(replica.cache.entries["sales.t"].partitions)
    for change in (
        lambda: replica.put_partition("sales.t", "p=3", "1"),
        lambda: replica.drop_partition("sales.t", "p=1"),
    ):
        with pytest.raises(NoSuchDatabase):
            change()
    assert set(replica.cache.entries["sales.t"].partitions) == before - {"p=1"}
    table = lab.sql(lambda tx: get(tx, "sales.t"))
    assert {name for name, _ in lab.sql(lambda tx: partitions(tx, table))} == before
    lab.catch_up("h1")
    assert set(replica.cache.entries["sales.t"].partitions) == before


def test_by_default_a_partition_that_is_nowhere_cannot_be_renamed_whatever_has_its_new_name():
    """The old name is looked for first."""
    replica = lab_of("default").replica("h1")
    with pytest.raises(NoSuchTable, match="p=7"):
        replica.rename_partition("sales.t", "p=7", "p=1", "9")
    with pytest.raises(PartitionExists):
        replica.rename_partition("sales.t", "p=2", "p=1", "9")


def test_refused_renames_move_no_write_ids():
    """A managed table's stay with its name."""
    lab = lab_of("event")
    lab.sql(lambda tx: create(tx, "sales.m", (("v", "1"),), True))
    replica = lab.replica("h1")
    replica.rename_database("sales", "shop")
    session = lab.session()
    session.begin(("sales.m",))
    assert session.write_id("sales.m") == 1
    with pytest.raises(NoSuchDatabase):
        replica.rename_table("sales.m", "sales.k")
    assert lab.sql(lambda tx: tx.get("NEXT_WRITE_ID", "sales.m")) == 2
