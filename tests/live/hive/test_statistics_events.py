"""Events of statistics that no session of the model leaves: of many partitions at once, and of statistics that go.

Hive's ANALYZE says what it knows of many partitions in one call; its listener logs an event for each of them, and so
does ours. A cache that follows the log has them then, and takes away what is deleted.
"""

import pytest
from hive_metastore import ttypes as wire

from real_backend.hive.client import new_table
from tests.live.hive.test_aggregates import BY_EVENTS
from tests.live.hive.test_refresh import two
from tests.live.hive.test_statistics import COLUMN, ENGINE, PLAIN, of_column

pytestmark = pytest.mark.live
NAME, PARTS = "batched", ("p=1", "p=2")
UPDATED, DELETED = "UPDATE_PART_COL_STAT_EVENT", "DELETE_PART_COL_STAT_EVENT"


def make(calls):
    """A table of two partitions."""
    table = new_table(f"default.{NAME}", f"file:/tmp/{NAME}", managed=False, value="v0", partitioned=True)
    calls.create_table(table)
    for name in PARTS:
        calls.add_partition(wire.Partition([name[2:]], "default", NAME, sd=table.sd, parameters={}))


def analyze_all(calls, highest):
    """What ANALYZE TABLE tells the metastore of all partitions, in one call."""
    told = [
        wire.ColumnStatistics(
            wire.ColumnStatisticsDesc(False, "default", NAME, partName=name, catName="hive"),
            [wire.ColumnStatisticsObj(COLUMN, "int", of_column(highest))], engine=ENGINE,
        )
        for name in PARTS
    ]  # fmt: skip
    calls.set_aggr_stats_for(wire.SetPartitionsStatsRequest(told, engine=ENGINE))


def told(calls):
    """The highest value of each partition that has statistics."""
    asked = wire.PartitionsStatsRequest("default", NAME, [COLUMN], list(PARTS), "hive", engine=ENGINE)
    found = calls.get_partitions_statistics_req(asked).partStats
    return {name: one[0].statsData.longStats.highValue for name, one in sorted(found.items())}


def logged(calls):
    """The kinds of the events of statistics, in order."""
    asked = wire.NotificationEventRequest(lastEvent=0, maxEvents=100)
    kinds = [event.eventType for event in calls.get_next_notification(asked).events]
    return [kind for kind in kinds if "STAT" in kind]


def test_a_cache_follows_statistics_of_many_partitions_and_those_that_are_deleted(metastores):
    """As a metastore without a cache has them, at once: whoever changes them follows the log."""
    with two(metastores, "batches", BY_EVENTS, PLAIN) as (h1, h2):
        make(h1)
        for highest in (5, 9):
            analyze_all(h1, highest)
            assert told(h1) == told(h2) == dict.fromkeys(PARTS, highest)
        h1.delete_partition_column_statistics("default", NAME, PARTS[0], COLUMN, ENGINE)
        assert told(h1) == told(h2) == {PARTS[1]: 9}
        assert logged(h1) == [UPDATED] * 4 + [DELETED]
