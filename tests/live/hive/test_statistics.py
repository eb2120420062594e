"""Statistics of columns in CachedStore 4.0.1, in its default mode, on two real metastores: whose are ever seen.

Its refresh reads a table's statistics for tables without partition keys only, and an object of the database always has
a list of keys, if an empty one; its prewarm reads them and keeps none; and what is cached without statistics is
answered with none, not by the database. Source: `CachedStore.updateTableColStats`, `CachedStore.prewarm`,
`SharedCache.getTableColStatsFromCache`. Statistics are not simulated.
"""

import pytest
from hive_metastore import ttypes as wire

from real_backend.hive.metastore import REFRESHED
from tests.live.hive.test_refresh import E, X, alter, await_content, create, get, over, read, two

pytestmark = pytest.mark.live
PLAIN = {"metastore.rawstore.impl": "org.apache.hadoop.hive.metastore.ObjectStore"}
ENGINE, COLUMN, ACCURATE = "hive", "id", "COLUMN_STATS_ACCURATE"


def analyze(calls, name, highest):
    """What ANALYZE TABLE tells the metastore of the column: its highest value."""
    data = wire.ColumnStatisticsData(longStats=wire.LongColumnStatsData(highValue=highest, numNulls=0, numDVs=1))
    told = wire.ColumnStatistics(
        wire.ColumnStatisticsDesc(isTblLevel=True, dbName="default", tableName=name, catName="hive"),
        [wire.ColumnStatisticsObj(COLUMN, "int", data)], engine=ENGINE,
    )  # fmt: skip
    calls.update_table_column_statistics_req(wire.SetPartitionsStatsRequest([told], engine=ENGINE))


def highest(calls, name):
    """The column's highest value as the metastore has it; None if it has no statistics of it."""
    asked = wire.TableStatsRequest("default", name, [COLUMN], catName="hive", engine=ENGINE)
    found = calls.get_table_statistics_req(asked).tableStats
    return found[0].statsData.longStats.highValue if found else None


def refreshed(changed, seen, name, value):
    """Let a change of the table come from one metastore to the other: then a refresh has read the table."""
    alter(changed, name, value)
    await_content(seen, name, (value, name))


def test_statistics_of_another_metastore_are_never_seen(metastores):
    """h2 has the table as it is, refresh for refresh, and says that it has no statistics; the database has them."""
    with two(metastores, "statistics", REFRESHED, REFRESHED) as (h1, h2):
        create(h1, E, "e0")
        await_content(h2, E, ("e0", E))
        analyze(h1, E, 10)
        refreshed(h1, h2, E, "e1")
        assert (highest(h1, E), highest(h2, E)) == (10, None)
        refreshed(h1, h2, E, "e2")
        assert (highest(h1, E), highest(h2, E)) == (10, None)


def test_a_metastores_own_first_statistics_stay_whatever_is_analyzed_elsewhere(metastores):
    """h2 answers with 10, and calls its statistics accurate: who takes max(id) from there is wrong."""
    with two(metastores, "statistics_stay", REFRESHED, REFRESHED) as (h1, h2):
        create(h2, E, "e0")
        create(h1, X, "x0")
        await_content(h1, E, ("e0", E))
        await_content(h2, X, ("x0", X))
        analyze(h2, E, 10)
        analyze(h1, E, 20)
        for value in ("x1", "x2"):
            refreshed(h1, h2, X, value)
            assert (highest(h1, E), highest(h2, E)) == (20, 10)
        assert get(h2, E).parameters[ACCURATE] == get(h1, E).parameters[ACCURATE] == '{"COLUMN_STATS":{"id":"true"}}'


def test_who_starts_later_has_no_statistics_and_a_plain_metastore_has_them(metastores):
    """Its prewarm has read the table, and its statistics, and has dropped these."""
    with two(metastores, "statistics_before", PLAIN, PLAIN) as (h1, h2):
        create(h1, E, "e0")
        analyze(h1, E, 10)
        assert (highest(h1, E), highest(h2, E)) == (10, 10)
    with over(metastores, "statistics_before", REFRESHED, PLAIN) as (h1, h2):
        assert (read(h1, E), read(h2, E)) == (("e0", E), ("e0", E))
        assert (highest(h1, E), highest(h2, E)) == (None, 10)
