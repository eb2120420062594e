"""The statistics files of a table: of a snapshot one of the table, and one of its partitions, each named by its path.

Who sets one puts it in the place of what the snapshot has, and nobody asks whether the table has that snapshot, or the
file. With a snapshot its statistics go; the file is deleted by who expires it, if no other snapshot names it.

Source: specification of the table format, table statistics, partition statistics; `core/TableMetadata.java`
(`Builder.setStatistics`, `removeStatistics`, `setPartitionStatistics`, `rewriteSnapshotsInternal`),
`core/MetadataUpdate.java` (`SetStatistics`, `RemoveStatistics`, and the same of partitions) of 1.11.0.

Choices: what a file says is left out: no plan of the model goes by it.
"""

from collections.abc import Collection
from typing import NamedTuple


class StatisticsFile(NamedTuple):
    """A file of statistics. Args: `of_partitions`: it is one of the table's partitions (`PartitionStatisticsFile`)."""

    snapshot_id: int
    path: str
    of_partitions: bool = False

    @property
    def place(self) -> tuple[int, bool]:
        """What there is one file for."""
        return (self.snapshot_id, self.of_partitions)


Files = tuple[StatisticsFile, ...]


def without_statistics(files: Files, ids: Collection[int]) -> Files:
    """These files but for those of some snapshots."""
    return tuple([each for each in files if each.snapshot_id not in ids])
