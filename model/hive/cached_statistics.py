"""What a cache has of the statistics of a table's partitions, and what becomes of them when a partition changes.

Whatever puts a partition in the place of another one takes the statistics of both away, with those of every partition
whose name begins like that of the one that goes; who asks for them then is told by the database. Those that are
deleted go alone; as shipped, if their column is named: without one, nothing has the key that is looked for.

Source: `SharedCache.TableWrapper` 4.0.1 (`alterPartitionAndStats`, `removePartition`, `updatePartitionColStats`,
`refreshPartitionColStats`, `removePartitionColStats`), `CachedStore.updatePartitionColumnStatisticsInCache`.
"""

from typing import Protocol

from model.hive.lists import ValidWriteIdList
from model.hive.rows import DELETE_PARTITION_STATISTICS, UPDATE_PARTITION_STATISTICS, Event, Statistics
from model.hive.statistics import is_compliant


class OfPartitions(Protocol):
    """A cached table. `statistics_dirty`: it has been told of statistics since the last refresh of them."""

    partitions: dict[str, str]
    partition_statistics: dict[str, Statistics]
    statistics_dirty: bool


def follow(entry: OfPartitions, event: Event, *, adds: bool, takes_unnamed: bool = True) -> bool:
    """Take in what an event says of statistics, before its partition is put in place. Returns: whether that is to be.

    Args: `adds`: a partition that the cache lacks is put there by who analyzes it; `takes_unnamed`: statistics that are
    deleted without a column's name go.
    """
    assert event.partition is not None
    name = event.partition[0]
    if event.kind == DELETE_PARTITION_STATISTICS:
        if takes_unnamed or not event.unnamed:
            entry.partition_statistics.pop(name, None)
        entry.statistics_dirty = True
        return False
    gone = event.old_partition or name
    if gone in entry.partitions and event.kind != "ADD_PARTITION":
        for other in [each for each in entry.partition_statistics if each.startswith(gone)]:
            del entry.partition_statistics[other]
    if event.kind != UPDATE_PARTITION_STATISTICS:
        return True
    if name not in entry.partitions and not adds:
        return False
    assert event.analyzed is not None
    entry.partition_statistics[name] = event.analyzed
    entry.statistics_dirty = True
    return True


def usable(of: Statistics, writes: ValidWriteIdList | None, *, by_list: bool) -> bool:
    """Whether a partition's statistics are told to who has this list."""
    return not by_list or is_compliant(of, writes)


def refresh(entry: OfPartitions, found: dict[str, Statistics]) -> bool:
    """Put what the database has in the place of what there is; returns whether it did.

    The flag is looked at once there is one to put: without any, all are taken away.
    """
    if found and entry.statistics_dirty:
        entry.statistics_dirty = False
        return False
    entry.partition_statistics = found
    return True
