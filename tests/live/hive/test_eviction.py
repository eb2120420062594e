"""CachedStore 4.0.1, unmodified, with more tables than its memory holds: what is evicted comes back without partitions.

Nobody holds anything: the limit, the estimates of sizes and what goes first are Hive's own and Guava's.
"""

import pytest
from hive_metastore import ttypes as wire

from real_backend.hive.client import new_table
from real_backend.hive.metastore import NEVER_REFRESHED, REFRESH_MS
from tests.live.hive.started import location_of
from tests.live.hive.test_refresh import get, over, two

pytestmark = pytest.mark.live
LIMIT = "metastore.cached.rawstore.max.cache.memory"
EVENTS = {"metastore.cache.can.use.event": "true"}
SMALL, ENOUGH = {LIMIT: "50Kb"}, {LIMIT: "100Mb"}
OFTEN = {"metastore.cached.rawstore.cache.update.frequency": f"{REFRESH_MS}ms"}
PLAIN = {"metastore.rawstore.impl": "org.apache.hadoop.hive.metastore.ObjectStore"}
TABLES = [f"t{number}" for number in range(20)]
PARTITIONS = ["0", "1", "2"]


def fill(calls):
    """Twenty external tables with three partitions each."""
    for name in TABLES:
        table = new_table(f"default.{name}", location_of(calls, name), managed=False, value="v0", partitioned=True)
        calls.create_table(table)
        calls.add_partitions([
            wire.Partition(values=[value], dbName="default", tableName=name, sd=table.sd, parameters={})
            for value in PARTITIONS
        ])  # fmt: skip


def hidden(calls):
    """The tables that have no partitions, once each table has been read."""
    for name in TABLES:
        get(calls, name)
    lists = {name: calls.get_partition_names("default", name, -1) for name in TABLES}
    assert {len(found) for found in lists.values()} <= {0, len(PARTITIONS)}
    return [name for name, found in lists.items() if not found]


@pytest.mark.parametrize("events", [{}, EVENTS | OFTEN], ids=["by default", "event mode"])
def test_tables_that_do_not_fit_have_no_partitions(metastores, events):
    """One metastore with a cache, one without: the first has lost partitions that nobody has dropped."""
    name = f"evicted{len(events)}"
    with two(metastores, name, NEVER_REFRESHED | SMALL | events, PLAIN) as (cached, plain):
        fill(cached)
        assert hidden(cached)
        assert not hidden(plain)
    with over(metastores, name, NEVER_REFRESHED | ENOUGH | events, PLAIN) as (cached, _):
        assert not hidden(cached)
