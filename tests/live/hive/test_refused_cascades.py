"""Drops of databases with their tables that metastores 4.0.1 refuse: why, and what is gone all the same."""

import time
from contextlib import contextmanager

import pytest
from hive_metastore import ttypes as wire

from model.hive.lock_queue import Component
from real_backend.hive.client import CAPABILITIES, new_database, new_table
from real_backend.hive.lock_calls import LiveLocks
from real_backend.hive.metastore import NEVER_REFRESHED
from tests.live.hive.started import alone, location_of

pytestmark = pytest.mark.live
LONGEST_S = 60.0
CLEANER = {
    "metastore.task.threads.always": "org.apache.hadoop.hive.metastore.txn.service.AcidTxnCleanerService",
    "metastore.acid.txn.cleaner.interval": "200ms",
}
EVENTS = {"metastore.cache.can.use.event": "true"}
RECORDED = 'select "TC_TABLE" from "TXN_COMPONENTS" where "TC_DATABASE" = %s order by "TC_TABLE"'


@contextmanager
def cleaned(metastores, database, settings):
    """A metastore with these settings and the cleaner, its locks, and what is recorded of a database's tables."""
    with (
        alone(metastores, database, settings | CLEANER) as one,
        one.connect() as calls,
        metastores.postgres.connect(database) as connection,
    ):
        locks = LiveLocks(one.port)
        try:
            yield calls, locks, lambda name: [row for (row,) in connection.execute(RECORDED.encode(), (name,))]
        finally:
            locks.close()


def aborts_an_insert(locks, table):
    """An insert as Hive makes it: locked with what it does, then its write id; and it is aborted."""
    txn = locks.open_txn()
    assert locks.lock(txn, (Component("shared-read", table, operation="insert"),)).held
    assert locks.allocate_write_id(txn, table, again=False) == 1
    locks.abort_txn(txn)
    return txn


def refused(calls, database):
    """What a drop with all tables is told, which drops none."""
    with pytest.raises((wire.NoSuchObjectException, wire.MetaException)) as told:
        calls.drop_database(database, True, True)
    return told.value.message


def await_cleaner(locks, tables, left):
    """Wait until the lists of these tables have these aborted write ids."""
    locks.open_txn()  # the latest transaction is not forgotten
    deadline = time.monotonic() + LONGEST_S
    while (found := [locks.valid_write_ids(table).aborted for table in tables]) != left:
        assert time.monotonic() < deadline, (found, "the cleaner has not been")
        time.sleep(0.1)
    return [locks.valid_write_ids(table).high for table in tables]


def test_by_default_what_was_aborted_counts_as_committed_after_a_drop_that_was_refused(metastores):
    """The cache gives each table twice (`CachedStore.getTableObjectsByName`), so it is dropped twice, and the second
    drop finds none. All is taken back but what `AcidEventListener` has deleted on a connection of its own: who has
    aborted is forgotten, his write id is not; and who asks for the table again has the cache keep it without
    partitions. A table of another database shows that it is not so without a drop."""
    with cleaned(metastores, "cascade_refused", NEVER_REFRESHED) as (calls, locks, recorded):
        for name in ("sales", "other"):
            calls.create_database(new_database(name, location_of(calls, "nowhere")))
            location = location_of(calls, f"{name}/t")
            table = new_table(f"{name}.t", location, managed=True, value="t0", partitioned=True)
            calls.create_table(table)
            sd = wire.StorageDescriptor(**{**vars(table.sd), "location": f"{location}/p=1"})
            calls.add_partition(wire.Partition(values=["1"], dbName=name, tableName="t", sd=sd, parameters={}))
            aborts_an_insert(locks, f"{name}.t")
        assert calls.get_tables("sales", "*") == ["t", "t"]
        assert refused(calls, "sales") == "hive.sales.t table not found"
        assert calls.get_all_tables("sales") == ["t"]
        assert calls.get_partition_names("sales", "t", -1) == ["p=1"]
        for name in ("sales", "other"):
            calls.get_table_req(wire.GetTableRequest(dbName=name, tblName="t", capabilities=CAPABILITIES))
        assert [calls.get_partition_names(name, "t", -1) for name in ("sales", "other")] == [[], ["p=1"]]
        assert (recorded("sales"), recorded("other")) == ([], ["t"])
        assert await_cleaner(locks, ("sales.t", "other.t"), [(), (1,)]) == [1, 1]


def test_without_a_cache_it_is_so_of_what_was_dropped_before_the_table_that_is_refused(metastores):
    """A materialized view of another database is made of the second table."""
    with cleaned(metastores, "cascade_viewed", {}) as (calls, locks, recorded):
        for name in ("sales", "other"):
            calls.create_database(new_database(name, location_of(calls, "nowhere")))
        made = {name: new_table(f"sales.{name}", location_of(calls, name), managed=True, value="t0") for name in "ab"}
        for name, table in made.items():
            calls.create_table(table)
            aborts_an_insert(locks, f"sales.{name}")
        view = new_table("other.v", location_of(calls, "v"), managed=False, value="v0")
        view.tableType, view.parameters, view.viewExpandedText, view.viewOriginalText = "MATERIALIZED_VIEW", {}, "", ""
        source = wire.SourceTable(made["b"], 0, 0, 0)
        view.creationMetadata = wire.CreationMetadata("hive", "other", "v", {"sales.b"}, sourceTables=[source])
        calls.create_table(view)
        assert calls.get_tables("sales", "*") == ["a", "b"]
        assert "materialized views" in refused(calls, "sales")
        assert calls.get_all_tables("sales") == ["a", "b"]
        assert recorded("sales") == ["b"]
        assert await_cleaner(locks, ("sales.a", "sales.b"), [(), (1,)]) == [1, 1]


def test_in_event_mode_tables_are_named_twice_too_and_a_database_goes_with_them(metastores):
    """Within a database transaction, as a drop is one, the cache is not asked."""
    with alone(metastores, "cascade_named", NEVER_REFRESHED | EVENTS) as one, one.connect() as calls:
        calls.create_database(new_database("sales", location_of(calls, "nowhere")))
        for name in "ab":
            calls.create_table(new_table(f"sales.{name}", location_of(calls, name), managed=False, value="t0"))
        assert calls.get_tables("sales", "*") == ["a", "a", "b", "b"]
        assert calls.get_all_tables("sales") == ["a", "b"]
        calls.drop_database("sales", False, True)
        assert calls.get_all_databases() == ["default"]
