"""Aggregates of partitions' statistics in CachedStore 4.0.1, in both modes: of which partitions they are.

A request for all partitions but one is taken for one that leaves out the partition of unknown keys: the names asked for
are counted, and compared with the value of that partition, never with its name. So the cache answers with the aggregate
of all, as by default, where a refresh computes that; with events it keeps its aggregates in a list, in which there is
no place for this one. Source: `CachedStore.get_aggr_stats_for`, `SharedCache.TableWrapper` (`getAggrPartitionColStats`,
`refreshAggrPartitionColStats`). The model has
all of it (`model.hive.aggregates`), and does the same step by step.
"""

import time
from itertools import islice

import pytest
from hive_metastore import ttypes as wire
from thrift.Thrift import TApplicationException

from real_backend.hive.client import new_table
from real_backend.hive.metastore import REFRESH_MS, REFRESHED
from sim.generation.draws import seeded
from sim.hive.drawn_aggregates import ASKERS
from sim.hive.generate import GENERATOR
from sim.hive.race import HiveRace
from sim.search.at_gates import runs_at_gates
from tests.live.hive.agreement import both, both_generated, found, played, scenario_of
from tests.live.hive.started import location_of
from tests.live.hive.test_refresh import two
from tests.live.hive.test_statistics import COLUMN, ENGINE, PLAIN
from tests.unit.hive.aggregate_script import MODES, VECTORS, race_of, told

pytestmark = pytest.mark.live
BY_EVENTS = REFRESHED | {"metastore.cache.can.use.event": "true"}
NAME, PARTS = "parted", {"p=1": 10, "p=2": 20, "p=3": 30}
LONGEST_S = 60.0
REFRESHED_TO = [(30, 2), (10, 1), (30, 3)]


def make(calls):
    """A table of three partitions, each analyzed."""
    table = new_table(f"default.{NAME}", location_of(calls, NAME), managed=False, value="v0", partitioned=True)
    calls.create_table(table)
    for name, highest in PARTS.items():
        calls.add_partition(wire.Partition([name[2:]], "default", NAME, sd=table.sd, parameters={}))
        described = wire.ColumnStatisticsDesc(False, "default", NAME, partName=name, catName="hive")
        numbers = wire.LongColumnStatsData(lowValue=0, highValue=highest, numNulls=0, numDVs=1)
        column = wire.ColumnStatisticsObj(COLUMN, "int", wire.ColumnStatisticsData(longStats=numbers))
        told = wire.ColumnStatistics(described, [column], engine=ENGINE)
        calls.update_partition_column_statistics_req(wire.SetPartitionsStatsRequest([told], engine=ENGINE))


def aggregate(calls, *names):
    """The highest value of these partitions together, and how many of them are said to have statistics; None: of none.

    A refresh that read no statistics yet takes away those that were told since (`cached_statistics.refresh`).
    """
    asked = wire.PartitionsStatsRequest("default", NAME, [COLUMN], list(names), "hive", engine=ENGINE)
    try:
        found = calls.get_aggr_stats_for(asked)
    except TApplicationException as error:
        return "refused", error.message
    return (found.colStats[0].statsData.longStats.highValue, found.partsFound) if found.colStats else None


def test_by_default_all_partitions_but_one_are_answered_with_all(metastores):
    """Whose partitions go up to 20 is told of 30, as soon as a refresh has computed that."""
    with two(metastores, "aggregates", REFRESHED, PLAIN) as (h1, h2):
        make(h1)
        deadline = time.monotonic() + LONGEST_S
        while (told := [aggregate(h1, *names) for names in (("p=1", "p=2"), ("p=1",), PARTS)]) != REFRESHED_TO:
            assert time.monotonic() < deadline, told
            time.sleep(REFRESH_MS / 1000)
        assert (aggregate(h2, "p=1", "p=2"), aggregate(h2, "p=1"), aggregate(h2, *PARTS)) == ((20, 2), (10, 1), (30, 3))


def test_with_events_all_partitions_but_one_are_an_error(metastores):
    """Whoever asks for two of three is told of an internal error, each time; a plain metastore answers."""
    with two(metastores, "aggregates_events", BY_EVENTS, PLAIN) as (h1, h2):
        make(h1)
        for _ in range(2):
            assert aggregate(h1, "p=1", "p=2") == ("refused", "Internal error processing get_aggr_stats_for")
            assert (aggregate(h1, *PARTS), aggregate(h1, "p=1")) == ((30, 3), (10, 1))
        assert aggregate(h2, "p=1", "p=2") == (20, 2)


@pytest.mark.parametrize("mode", ["no cache", "event mode", "by default"])
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["test"])
def test_a_session_is_told_what_the_vectors_say(hive, vector, mode):
    """Of a managed table's partitions, with its list, step by step."""
    scenario = race_of(vector, MODES[mode])
    live = both(hive, scenario, *played(scenario, "w1:end"))
    assert told(live.events) == vector["told"][mode]


def test_generated_races_by_default_do_the_same_live(hive):
    """What a refresh brings, and who is told of it, step by step; also of a table that is gone."""
    made = (
        GENERATOR.make(seeded(seed), GENERATOR.configurations["external"], "shipped-refresh") for seed in range(6_000)
    )
    theirs = (one for one in made if isinstance(one.program, HiveRace) and ASKERS[0] in one.program.workload.actors)
    runs = ((one, run) for one in theirs for run in islice(runs_at_gates(one, 0, 20), 1))
    for scenario, run in islice(runs, 3, 5):
        both_generated(hive, scenario, run)


def test_what_one_session_was_told_of_all_partitions_is_told_to_everybody(hive):
    """It had analyzed one itself, and aborts: the smallest schedule that the search finds."""
    live = both(hive, scenario_of("shipped-aggregate"), *found("shipped-aggregate"))
    assert ("r1", "10") in [(event.process, read.value) for event in live.events for read in event.reads]
