"""The rules of a table's statistics with one broken: which scenario shows it, and on what property.

Source: hive/7 (row 49); `model.hive.statistics`, `Replica.cached_statistics`.
"""

from dataclasses import replace

from model.hive import FIXED, cached_statistics, replica
from model.hive.cached_statistics import OfPartitions
from model.hive.lists import ValidWriteIdList
from model.hive.rows import UPDATE_PARTITION_STATISTICS, Event, Statistics
from model.hive.rules import UNCACHED
from tests.mutants.mutant import Mutant

FOLLOW = cached_statistics.follow


def _whatever_the_list(statistics: Statistics, writes: ValidWriteIdList | None) -> bool:
    return statistics.accurate


def _up_to_its_end(statistics: Statistics, writes: ValidWriteIdList | None) -> bool:
    return writes is None or statistics.write_id <= writes.high


def _stay(entry: OfPartitions, event: Event, *, adds: bool) -> bool:
    """What a partition is told of stays when it is changed, or gone."""
    before = dict(entry.partition_statistics)
    put = FOLLOW(entry, event, adds=adds)
    if event.kind != UPDATE_PARTITION_STATISTICS:
        entry.partition_statistics = before
    return put


WHATEVER = Mutant(
    "statistics-whatever-the-list", "a cache tells of the statistics that it has, whatever the list",
    ((replica, "is_compliant", _whatever_the_list),), FIXED,
)  # fmt: skip
UP_TO_END = Mutant(
    "statistics-up-to-the-end", "a list has the statistics of an aborted write that is not beyond its end",
    ((replica, "is_compliant", _up_to_its_end),), UNCACHED,
)  # fmt: skip
OF_PARTITION = Mutant(
    "partition-statistics-whatever-the-list", "a cache looks at no list for a partition's statistics", (),
    replace(FIXED, partition_statistics_by_list=False),
)  # fmt: skip
STAY = Mutant(
    "partition-statistics-stay", "a cache keeps the statistics of a partition that is changed or dropped",
    ((cached_statistics, "follow", _stay),), FIXED,
)  # fmt: skip
MUTANTS: tuple[Mutant, ...] = (WHATEVER, UP_TO_END, OF_PARTITION, STAY)
KILLS = {
    "statistics-whatever-the-list": "hive/statistics",
    "statistics-up-to-the-end": "hive/statistics-aborted",
    "partition-statistics-whatever-the-list": "hive/partition-statistics",
}
"""Each breaks no-dirty-reads in this scenario, which holds without it."""
BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
