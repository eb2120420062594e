"""The rules of a table's statistics with one broken: which scenario shows it, and on what property.

Source: hive/7 (row 49); `model.hive.statistics`, `Replica.cached_statistics`.
"""

from dataclasses import replace

from model.hive import FIXED, aggregates, cached_statistics, replica
from model.hive.cache import Cache
from model.hive.entry import Entry
from model.hive.lists import ValidWriteIdList
from model.hive.rows import DELETE_STATISTICS, Event, Statistics
from model.hive.rules import UNCACHED
from sim.hive.build import EVENTUAL, EXTERNAL, E, metastore
from sim.hive.statistics import STATISTICS
from sim.hive.statistics_statements import Analyze, DeleteStatistics
from sim.world.scenario import Scenario
from tests.mutants.mutant import Mutant

CHANGE = Cache._change


def _whatever_the_list(statistics: Statistics, writes: ValidWriteIdList | None) -> bool:
    return statistics.accurate


def _up_to_its_end(statistics: Statistics, writes: ValidWriteIdList | None) -> bool:
    return writes is None or statistics.write_id <= writes.high


def _used_by_all(of: Statistics, writes: ValidWriteIdList | None, *, by_list: bool) -> bool:
    return True


def _used_up_to_the_end(of: Statistics, writes: ValidWriteIdList | None, *, by_list: bool) -> bool:
    return writes is None or of.write_id <= writes.high


def _keeps_deleted(cache: Cache, entry: Entry, event: Event) -> None:
    if event.kind != DELETE_STATISTICS:
        CHANGE(cache, entry, event)


WHATEVER = Mutant(
    "statistics-whatever-the-list", "a cache tells of the statistics that it has, whatever the list",
    ((replica, "is_compliant", _whatever_the_list),), FIXED,
)  # fmt: skip
UP_TO_END = Mutant(
    "statistics-up-to-the-end", "a list has the statistics of an aborted write that is not beyond its end",
    ((replica, "is_compliant", _up_to_its_end),), UNCACHED,
)  # fmt: skip
OF_PARTITION = Mutant(
    "partition-statistics-whatever-the-list", "a cache looks at no list for a partition's statistics",
    ((cached_statistics, "usable", _used_by_all),), FIXED,
)  # fmt: skip
OF_PARTITION_UP_TO_END = Mutant(
    "partition-statistics-up-to-the-end", "a list has a partition's statistics of an open write not beyond its end",
    ((cached_statistics, "usable", _used_up_to_the_end),), FIXED,
)  # fmt: skip
TOGETHER = Mutant(
    "aggregate-whatever-the-list", "a cache looks at no list for the statistics of partitions together",
    ((aggregates, "is_compliant", _whatever_the_list),), FIXED,
)  # fmt: skip
KEPT = Mutant(
    "aggregate-kept", "what a cache has told of all partitions together it tells everybody", (),
    replace(FIXED, aggregates="kept"),
)  # fmt: skip
PARTITION_STAYS = Mutant(
    "deleted-partition-statistics-stay", "a cache keeps what was deleted of a partition without a column's name",
    (), replace(FIXED, takes_unnamed_statistics=False),
)  # fmt: skip
TABLE_STAYS = Mutant(
    "deleted-statistics-stay", "a cache keeps a table's statistics that were deleted",
    ((Cache, "_change", _keeps_deleted),), FIXED,
)  # fmt: skip
DELETIONS: dict[Mutant, Scenario] = {
    PARTITION_STAYS: next(one for one in STATISTICS if one.name == "hive/deleted-statistics"),
    TABLE_STAYS: metastore(
        "deleted-of-table", "", {"w1": ("h1", (Analyze(E, "10"), DeleteStatistics(E)))}, tables=EXTERNAL,
        pollers=("h2",), properties=EVENTUAL, steps=("update_statistics", "delete_statistics", "poll"),
    ),
}  # fmt: skip
"""Each breaks convergence in this scenario, which holds without it."""
MUTANTS: tuple[Mutant, ...] = (WHATEVER, UP_TO_END, OF_PARTITION, OF_PARTITION_UP_TO_END, TOGETHER, KEPT)
KILLS = {
    "statistics-whatever-the-list": "hive/statistics",
    "statistics-up-to-the-end": "hive/statistics-aborted",
    "partition-statistics-whatever-the-list": "hive/partition-statistics",
    "partition-statistics-up-to-the-end": "hive/partition-statistics",
    "aggregate-whatever-the-list": "hive/aggregate",
    "aggregate-kept": "hive/aggregate",
}
"""Each breaks no-dirty-reads in this scenario, which holds without it."""
BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
