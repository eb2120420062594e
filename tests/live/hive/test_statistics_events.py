"""Statistics of many partitions at once, which no session of the model writes, and statistics that go.

Hive's ANALYZE says what it knows of many partitions in one call; its listener logs an event for each of them, and so
does ours. A cache that follows the log has them then, and takes away what is deleted.
"""

import pytest
from hive_metastore import ttypes as wire

from real_backend.hive.client import new_table
from real_backend.hive.exceptions import translated
from real_backend.hive.metastore import NEVER_REFRESHED
from tests.live.hive.started import location_of
from tests.live.hive.test_aggregates import BY_EVENTS
from tests.live.hive.test_refresh import two
from tests.live.hive.test_statistics import COLUMN, ENGINE, PLAIN, of_column
from tests.unit.hive.deletion_script import DELETIONS, answers, expected

pytestmark = pytest.mark.live
NAME, PARTS = "batched", ("p=1", "p=2")
UPDATED, DELETED = "UPDATE_PART_COL_STAT_EVENT", "DELETE_PART_COL_STAT_EVENT"


def make(calls):
    """A table of two partitions."""
    table = new_table(f"default.{NAME}", location_of(calls, NAME), managed=False, value="v0", partitioned=True)
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


class LiveDeletable:
    """An external table, or its partition, or one with write ids, of one metastore."""

    def __init__(self, calls, number, of) -> None:
        self._calls, self._name = calls, f"deleted{number}"
        self._partition = "" if of.startswith("table") else PARTS[0]
        managed = of.startswith("table with")
        table = new_table(f"default.{self._name}", location_of(calls, self._name), managed=managed, value="v0",
                          partitioned=bool(self._partition))  # fmt: skip
        calls.create_table(table)
        if of.startswith("partition"):
            calls.add_partition(wire.Partition(["1"], "default", self._name, sd=table.sd, parameters={}))

    def analyze(self, value) -> None:
        whose = (False, "default", self._name, self._partition) if self._partition else (True, "default", self._name)
        column = wire.ColumnStatisticsObj(COLUMN, "int", of_column(int(value)))
        said = wire.ColumnStatistics(wire.ColumnStatisticsDesc(*whose, catName="hive"), [column], engine=ENGINE)
        request = wire.SetPartitionsStatsRequest([said], engine=ENGINE)
        if self._partition:
            self._calls.update_partition_column_statistics_req(request)
        else:
            self._calls.update_table_column_statistics_req(request)

    def delete(self, *, unnamed) -> None:
        column = None if unnamed else COLUMN
        try:
            if self._partition:
                self._calls.delete_partition_column_statistics("default", self._name, self._partition, column, ENGINE)
            else:
                self._calls.delete_table_column_statistics("default", self._name, column, ENGINE)
        except Exception as error:
            raise translated(error) from error

    def told(self):
        how = {"catName": "hive", "engine": ENGINE}
        if self._partition:
            asked = wire.PartitionsStatsRequest("default", self._name, [COLUMN], [self._partition], **how)
            found = self._calls.get_partitions_statistics_req(asked).partStats.get(self._partition, [])
        else:
            found = self._calls.get_table_statistics_req(
                wire.TableStatsRequest("default", self._name, [COLUMN], **how)
            ).tableStats
        return str(found[0].statsData.longStats.highValue) if found else None


@pytest.mark.parametrize(
    ("first", "second"), [(BY_EVENTS, PLAIN), (NEVER_REFRESHED, PLAIN)], ids=["event mode", "by default"]
)
def test_deletions_are_answered_as_the_vectors_say(metastores, first, second):
    """By a metastore with a cache, and by one without."""
    database = "deletions_by_events" if first is BY_EVENTS else "deletions_by_default"
    with two(metastores, database, first, second) as connected:
        for number, row in enumerate(DELETIONS):
            for calls, cached in zip(connected, (True, False), strict=True):
                steps = expected(row, cached=cached)
                assert answers(LiveDeletable(calls, 2 * number + cached, row["of"]), steps) == steps


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
