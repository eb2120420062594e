"""The rules of a table's statistics with one broken: which scenario shows it, and on what property.

Source: hive/7 (row 49); `model.hive.statistics`, `Replica.cached_statistics`.
"""

from dataclasses import replace

from model.hive import FIXED, aggregates, cached_statistics, replica
from model.hive.lists import ValidWriteIdList
from model.hive.rows import Statistics
from model.hive.rules import UNCACHED
from tests.mutants.mutant import Mutant


def _whatever_the_list(statistics: Statistics, writes: ValidWriteIdList | None) -> bool:
    return statistics.accurate


def _up_to_its_end(statistics: Statistics, writes: ValidWriteIdList | None) -> bool:
    return writes is None or statistics.write_id <= writes.high


def _used_by_all(of: Statistics, writes: ValidWriteIdList | None, *, by_list: bool) -> bool:
    return True


def _used_up_to_the_end(of: Statistics, writes: ValidWriteIdList | None, *, by_list: bool) -> bool:
    return writes is None or of.write_id <= writes.high


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
