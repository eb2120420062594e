"""Statistics as steps of live metastores: drawn races over tables and partitions, and a cache that follows the log."""

import pytest

from model.hive.rules import SHIPPED, SHIPPED_REFRESH, UNCACHED
from sim.hive.build import EVENTUAL, E, metastore
from sim.hive.statistics_statements import Analyze, GetStatistics
from sim.hive.workload import Alter, HiveTable
from sim.search.projection import Played
from tests.live.hive.agreement import both, both_generated, found, played, scenario_of
from tests.live.hive.statistics_races import drawn

pytestmark = pytest.mark.live
EXTERNAL = (HiveTable(E, "e0", managed=False),)


@pytest.mark.parametrize(
    ("rules", "seeds"),
    [(UNCACHED, range(8)), (SHIPPED, (4, 7, 10, 12, 18, 20, 22, 26)), (SHIPPED_REFRESH, range(8))],
    ids=["no cache", "event mode", "by default"],
)
def test_drawn_races_do_the_same_to_live_metastores(hive, rules, seeds):
    """Whoever analyzes, changes the table and asks, in transactions or not."""
    for seed in seeds:
        both_generated(hive, *drawn(seed, rules))


@pytest.mark.parametrize("rules", [UNCACHED, SHIPPED, SHIPPED_REFRESH], ids=["no cache", "event mode", "by default"])
def test_drawn_races_over_partitions_do_the_same(hive, rules):
    """The same of a partition, which is put and dropped meanwhile."""
    for seed in (3, 7, 9, 10, 11, 14, 21):
        both_generated(hive, *drawn(seed, rules, parts=True))


@pytest.mark.parametrize("rules", [UNCACHED, SHIPPED, SHIPPED_REFRESH], ids=["no cache", "event mode", "by default"])
def test_drawn_races_with_deletions_do_the_same(hive, rules):
    """Of an external table or its partition, of a column or of none."""
    for seed in (2, 5, 6):
        both_generated(hive, *drawn(seed, rules, parts=seed % 2 == 0, deletes=True))


def test_one_analyzed_table_that_is_altered_stops_every_cache(hive):
    """The replay of the alter looks for its statistics with a time limit that has not begun; so each poll begins with
    it again, and the alters that are made afterwards are taken back, in the database, too."""
    sessions = {"w1": ("h1", (Analyze(E, "10"), Alter(E, "e1"), Alter(E, "e2"), GetStatistics(E, "h2")))}
    scenario = metastore("analyzed", "", sessions, rules=SHIPPED, tables=EXTERNAL, properties=EVENTUAL)
    live = both(hive, scenario, *played(scenario, "w1:end h2.poll h2.apply"))
    assert live.content == {"table:1": "e1", "statistics:1": "10"}


FOUND = (
    "shipped-analyzed-reverts", "refresh-statistics-stay", "refresh-statistics-aborted", "shipped-partition-statistics",
    "refresh-partition-statistics", "shipped-analyzed-partition",
    "shipped-deleted-statistics",
)  # fmt: skip


@pytest.mark.parametrize("name", FOUND)
def test_what_the_search_finds_happens_live(hive, name):
    """The smallest failing schedule, and the property that it breaks."""
    both_generated(hive, scenario_of(name), Played(*found(name)))
