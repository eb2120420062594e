"""Changes of a table's statistics files, as calls of Iceberg's Java API."""

from typing import Any

from real_backend.iceberg.java_files import JavaFiles
from real_backend.iceberg.java_seen import snapshots_seen
from real_backend.jvm.jvm import Jvm
from sim.iceberg.layout import OfStatistics, SetStatistics


def update_statistics(jvm: Jvm, files: JavaFiles, maker: Any, table: Any, given: OfStatistics) -> Any:
    """The update that sets or removes a statistics file.

    Args: `maker`: the Java table or transaction, and `table`: the table as that has it.
    """
    snapshot = snapshots_seen(table).below(given.back)
    update = maker.updatePartitionStatistics() if given.of_partitions else maker.updateStatistics()
    if not isinstance(given, SetStatistics):
        remove = update.removePartitionStatistics if given.of_partitions else update.removeStatistics
        return remove(snapshot)
    path = files.statistics(table, given.name)
    if given.of_partitions:
        made = jvm.iceberg.ImmutableGenericPartitionStatisticsFile.builder().snapshotId(snapshot)
        return update.setPartitionStatistics(made.path(path).fileSizeInBytes(1).build())
    blobs = jvm.java.java.util.ArrayList()
    return update.setStatistics(jvm.iceberg.GenericStatisticsFile(snapshot, path, 1, 1, blobs))
