"""Statistics of columns in CachedStore 4.0.1, in its default mode, on two real metastores: whose are ever seen.

Its refresh reads a table's statistics for tables without partition keys only, and an object of the database always has
a list of keys, if an empty one; its prewarm reads them and keeps none; and what is cached without statistics is
answered with none, not by the database. Source: `CachedStore.updateTableColStats`, `CachedStore.prewarm`,
`SharedCache.getTableColStatsFromCache`. Those of tables are simulated (`sim.hive.statistics`), not those of partitions.

Of partitions a list is no help there, either: such a metastore answers with statistics of aborted transactions.
"""

import time

import pytest
from hive_metastore import ttypes as wire

from real_backend.hive.client import new_table
from real_backend.hive.lock_calls import USER
from real_backend.hive.metastore import NEVER_REFRESHED, REFRESH_MS, REFRESHED
from real_backend.hive.names import write_id_list
from tests.live.hive.started import location_of
from tests.live.hive.test_refresh import E, X, alter, await_content, create, get, over, read, two
from tests.unit.hive.statistics_script import SCENARIOS, StatisticsScript

pytestmark = pytest.mark.live
PLAIN = {"metastore.rawstore.impl": "org.apache.hadoop.hive.metastore.ObjectStore"}
TRIES = 10
ENGINE, COLUMN, ACCURATE = "hive", "id", "COLUMN_STATS_ACCURATE"


def of_column(highest):
    """Statistics with this highest value."""
    return wire.ColumnStatisticsData(longStats=wire.LongColumnStatsData(highValue=highest, numNulls=0, numDVs=1))


def analyze(calls, name, highest):
    """What ANALYZE TABLE tells the metastore of the column: its highest value."""
    data = of_column(highest)
    told = wire.ColumnStatistics(
        wire.ColumnStatisticsDesc(isTblLevel=True, dbName="default", tableName=name, catName="hive"),
        [wire.ColumnStatisticsObj(COLUMN, "int", data)], engine=ENGINE,
    )  # fmt: skip
    calls.update_table_column_statistics_req(wire.SetPartitionsStatsRequest([told], engine=ENGINE))


def analyze_for_good(calls, name, value):
    """The same until a cache keeps it: a refresh that was under way takes it away again."""
    for _ in range(TRIES):
        analyze(calls, name, value)
        time.sleep(3 * REFRESH_MS / 1000)
        if highest(calls, name) == value:
            return
    raise AssertionError(f"statistics of {name}: expected them to stay, they did not in {TRIES} tries")


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
        analyze_for_good(h1, E, 10)
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
        analyze_for_good(h2, E, 10)
        analyze_for_good(h1, E, 20)
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


def test_a_list_says_whose_statistics_of_a_table_are_used_and_says_nothing_of_a_partitions(metastores, tmp_path):
    """What is analyzed of a partition is used with every list, refresh for refresh: also of a transaction that was
    aborted, or has not ended, which upstream's tests of the mode with events expect to be left out, as the database
    leaves it out, and as this cache does of a table.

    No refresh is under way while it is analyzed: it would take the statistics away again.
    """
    with two(metastores, "statistics_of", NEVER_REFRESHED, PLAIN) as (h1, h2):
        create(h1, E, "e0")
        parts = [Partition(h1, f"c{place}") for place, _ in enumerate(SCENARIOS)]
        told = [StatisticsScript(part).told(one)[-1] for part, one in zip(parts, SCENARIOS, strict=True)]
        assert told == ["seen -> compliant"] * len(SCENARIOS)
        whole = [StatisticsScript(Whole(h1, f"w{place}", tmp_path)).told(one) for place, one in enumerate(SCENARIOS)]
        assert whole == [scenario["steps"] for scenario in SCENARIOS]
    with over(metastores, "statistics_of", REFRESHED, PLAIN) as (h1, h2):
        for value in ("e1", "e2"):
            refreshed(h2, h1, E, value)
        assert [part.seen_by(h1).is_compliant() for part in parts] == [True, True, True, True]
        assert [part.seen_by(h2).is_compliant() for part in parts] == [True, True, False, False]


class Partition:
    """A partition of a managed table of its own, and its statistics on one metastore.

    They are never used if those of its files are not accurate, too: so a task is said to have computed these.
    """

    def __init__(self, calls, name, *, makes=True) -> None:
        self.calls, self.name = calls, name
        if makes:
            self._make()

    def seen_by(self, calls):
        """The same on another metastore."""
        return Partition(calls, self.name, makes=False)

    def _make(self):
        location = location_of(self.calls, self.name)
        table = new_table(f"default.{self.name}", location, managed=True, value="v0", partitioned=True)
        self.calls.create_table(table)
        made = wire.Partition(values=["1"], dbName="default", tableName=self.name, sd=table.sd, parameters={})
        self.calls.add_partition_with_environment_context(made, wire.EnvironmentContext({"STATS_GENERATED": "TASK"}))

    def open_txn(self):
        return self.calls.open_txns(wire.OpenTxnRequest(num_txns=1, **USER)).txn_ids[0]

    def commit_txn(self, txn):
        self.calls.commit_txn(wire.CommitTxnRequest(txn))

    def abort_txn(self, txn):
        self.calls.abort_txn(wire.AbortTxnRequest(txn))

    def allocate(self, txn):
        request = wire.AllocateTableWriteIdsRequest("default", self.name, [txn])
        return self.calls.allocate_table_write_ids(request).txnToWriteIds[0].writeId

    def analyze(self, write_id):
        described = wire.ColumnStatisticsDesc(False, "default", self.name, partName="p=1", catName="hive")
        told = wire.ColumnStatistics(described, [wire.ColumnStatisticsObj(COLUMN, "int", of_column(1))], engine=ENGINE)
        self.calls.update_partition_column_statistics_req(
            wire.SetPartitionsStatsRequest([told], writeId=write_id, validWriteIdList=self._list(), engine=ENGINE)
        )

    def is_compliant(self):
        """Those that are not are not in the answer (`HMSHandler.get_partitions_statistics_req`)."""
        request = wire.PartitionsStatsRequest(
            "default", self.name, [COLUMN], ["p=1"], "hive", validWriteIdList=self._list(), engine=ENGINE
        )
        return bool(self.calls.get_partitions_statistics_req(request).partStats)

    def _list(self):
        asked = wire.GetValidWriteIdsRequest(fullTableNames=[f"default.{self.name}"])
        return str(write_id_list(f"default.{self.name}", self.calls.get_valid_write_ids(asked).tblValidWriteIds[0]))


class Whole(Partition):
    """The same of a table without partitions, whose parameters say that the statistics of its files are accurate: a
    metastore believes that of a table whose folder is a new one."""

    def __init__(self, calls, name, folder) -> None:
        self.folder = folder
        super().__init__(calls, name)

    def _make(self):
        table = new_table(f"default.{self.name}", f"file:{self.folder}/{self.name}", managed=True, value="v0")
        table.parameters[ACCURATE] = '{"BASIC_STATS":"true"}'
        self.calls.create_table(table)

    def analyze(self, write_id):
        described = wire.ColumnStatisticsDesc(True, "default", self.name, catName="hive")
        told = wire.ColumnStatistics(described, [wire.ColumnStatisticsObj(COLUMN, "int", of_column(1))], engine=ENGINE)
        self.calls.update_table_column_statistics_req(
            wire.SetPartitionsStatsRequest([told], writeId=write_id, validWriteIdList=self._list(), engine=ENGINE)
        )

    def is_compliant(self):
        asked = wire.TableStatsRequest(
            "default", self.name, [COLUMN], catName="hive", validWriteIdList=self._list(), engine=ENGINE
        )
        return bool(self.calls.get_table_statistics_req(asked).tableStats)


def test_whose_statistics_may_be_used_with_a_list(metastores, tmp_path):
    """Upstream's own tests, on a metastore without a cache: its answers are those of the model's lists."""
    with metastores.replicas(cached=False, names=("h1",)).metastores["h1"].connect() as calls:
        told = [StatisticsScript(Partition(calls, f"s{place}")).told(one) for place, one in enumerate(SCENARIOS)]
        whole = [StatisticsScript(Whole(calls, f"w{place}", tmp_path)).told(one) for place, one in enumerate(SCENARIOS)]
    assert told == whole == [scenario["steps"] for scenario in SCENARIOS]
