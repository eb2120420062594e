"""Statistics of several partitions of a table together: who is told of which, by the database and by each cache.

The database has none to tell of if one of the partitions has some that may not be used with the list. A cache that
follows the log keeps the aggregate of all partitions when it has told somebody of it, and tells everybody of it until a
partition changes, whatever their lists; one in the default mode has it from its last refresh, for who sends no list.
Both count the names that are asked for, and take all but one for all but the partition of unknown keys: of that
aggregate the one has no place to keep, and fails, the other has that of all.

Source: hive/7 (row 49, `testAggrStatAbortTxn`); `CachedStore.get_aggr_stats_for`, `mergeColStatsForPartitions`,
`SharedCache.TableWrapper` (`getAggrPartitionColStats`, `refreshAggrPartitionColStats`, `getPartitionColStats`),
`ObjectStore.get_aggr_stats_for` 4.0.1; live: tests/live/hive/test_aggregates.py.

Choices: the number that is known of a column is its highest value, and so is an aggregate's. No table has a partition
of unknown keys. A refresh brings aggregates each time, upstream not the first time after a prewarm.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from model.hive.errors import NoAggregate
from model.hive.lists import ValidWriteIdList
from model.hive.rows import NEVER_ANALYZED, Partition, Statistics
from model.hive.rules import Rules
from model.hive.statistics import is_compliant

Kept = tuple[str, ...]
"""The aggregates that a cache has of a table: none, of all partitions, or that and of all but the default one."""


class Merged(NamedTuple):
    """The highest value of some partitions (None: nobody knows any), and how many have statistics."""

    value: str | None
    found: int


class OfTable(Protocol):
    """A cached table."""

    partitions: dict[str, str]
    partition_statistics: dict[str, Statistics]
    aggregates: Kept


def merge(known: Sequence[Statistics | None]) -> Merged:
    """What these statistics say together."""
    values = [one.value for one in known if one is not None and one.value is not None]
    return Merged(max(values, key=lambda value: (len(value), value), default=None), len(values))


def of_rows(rows: Mapping[str, Partition], asked: Sequence[str], writes: ValidWriteIdList | None) -> Merged:
    """What the database tells who has this list of some of a table's partitions. Raises: `NoAggregate`."""
    there = [rows[name].statistics for name in asked if name in rows]
    return _usable(there, writes)


def of_entry(
    entry: OfTable, rules: Rules, asked: Sequence[str], names: int, writes: ValidWriteIdList | None
) -> Merged | None:
    """The same of a cache, which may keep what it tells; None: it asks the database.

    Args: `names`: how many partitions the database has. Raises: `NoAggregate`.
    """
    known = [entry.partition_statistics.get(name) for name in asked]
    if rules.aggregates == "by-list":
        return None if None in known else _usable(known, writes)
    if rules.aggregates == "refreshed" and writes is not None:
        return None
    all_but_one = len(asked) == names - 1
    if entry.aggregates and (len(asked) == names or all_but_one):
        if all_but_one and len(entry.aggregates) == 1:
            raise NoAggregate("aggregate of all partitions but one: expected a place for it, got none")
        return Merged(entry.aggregates[int(all_but_one)], len(asked))
    if any(one is not None and not _is_told(entry, name, one, writes) for name, one in zip(asked, known, strict=True)):
        return None
    found = merge(known)
    if rules.aggregates == "kept" and found.value is not None:
        if all_but_one:
            raise NoAggregate("aggregate of all partitions but one: expected a place for it, got none")
        entry.aggregates = (found.value,) if len(asked) == names else entry.aggregates
    return found


def _is_told(entry: OfTable, name: str, one: Statistics, writes: ValidWriteIdList | None) -> bool:
    """Whether a cache looks no further for a partition's statistics than what it has."""
    if writes is None:
        return True
    return name in entry.partitions and writes.is_valid(one.write_id)


def _usable(known: Sequence[Statistics | None], writes: ValidWriteIdList | None) -> Merged:
    for one in known:
        if not is_compliant(one or NEVER_ANALYZED, writes):
            raise NoAggregate("aggregate of partitions: expected statistics that the list has, got others")
    return merge(known)


def of_all(known: Mapping[str, Statistics]) -> Kept:
    """What a load or a refresh keeps, from a table's partitions that have statistics."""
    value = merge(list(known.values())).value
    return () if value is None else (value, value)
