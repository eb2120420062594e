"""Fifty clients at once on one live metastore 4.0.1 with its cache: what it has in the end is what the database has.

Source: hive/7 (row 45); `testMultiThreadedSharedCacheOps`, whose threads are in one process, on the cache alone.

Choices: ten at a time, for each of which the metastore has connections enough to its database.
"""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from hive_metastore import ttypes as wire

from real_backend.hive.backing import Backing
from real_backend.hive.client import Connection, new_table
from real_backend.hive.metastore import NEVER_REFRESHED
from tests.live.hive.started import alone, location_of
from tests.live.hive.test_refresh import alter, read

pytestmark = pytest.mark.live
CLIENTS, AT_ONCE = 50, 10
CONNECTIONS = 30
PARTS = ["1", "2"]


def use(port, number):
    """One client makes a table with partitions, alters it, and drops a partition; every other one drops the table."""
    name = f"t{number}"
    with Connection(port) as calls:
        table = new_table(f"default.{name}", location_of(calls, name), managed=False, value="v0", partitioned=True)
        calls.create_table(table)
        calls.add_partitions([
            wire.Partition(values=[value], dbName="default", tableName=name, sd=table.sd, parameters={"v": value})
            for value in PARTS
        ])  # fmt: skip
        assert read(calls, name) == ("v0", name)
        calls.drop_partition("default", name, PARTS[:1], False)
        if number % 2:
            calls.drop_table("default", name, False)


def test_the_cache_has_what_fifty_clients_have_left(metastores):
    """Tables, their content and their partitions; nobody refreshes it."""
    settings = NEVER_REFRESHED | {
        "metastore.thread.pool.size": str(CLIENTS), "datanucleus.connectionPool.maxPoolSize": str(CONNECTIONS),
    }  # fmt: skip
    database = "threads"
    with (
        alone(metastores, database, settings) as metastore,
        closing(Backing(metastores.postgres, database)) as backing,
    ):
        with ThreadPoolExecutor(AT_ONCE) as clients:
            list(clients.map(lambda number: use(metastore.port, number), range(CLIENTS)))
        with Connection(metastore.port) as calls:
            for name in calls.get_all_tables("default"):
                alter(calls, name, "v1")
            found = {
                f"t{number}": (read(calls, f"t{number}"), _parts(calls, f"t{number}")) for number in range(CLIENTS)
            }
        left = {name.partition(".")[2]: row for name in backing.tables("default") if (row := backing.table(name))}
        stored = {
            name: ((row.parameters["v"], name), [value for value, _ in backing.partitions(row.live_id)])
            for name, row in left.items()
        }
    assert stored == {f"t{number}": (("v1", f"t{number}"), PARTS[1:]) for number in range(0, CLIENTS, 2)}
    assert {name: told for name, told in found.items() if told[0][0]} == stored


def _parts(calls, name):
    """What the metastore's cache lists of a table's partitions; nothing of one that it has not."""
    try:
        return [one.removeprefix("p=") for one in calls.get_partition_names("default", name, -1)]
    except wire.NoSuchObjectException:
        return []
