"""Updates of statistics files, as a commit over REST asks for them; and which files an expiry deletes.

Source: `core/MetadataUpdate.java` (`SetStatistics`, `RemoveStatistics`, and the same of partitions),
`core/FileCleanupStrategy.java` of 1.11.0.
"""

from typing import NamedTuple

from model.iceberg.metadata import TableMetadata
from model.iceberg.statistics import StatisticsFile


def no_longer_named(before: TableMetadata, after: TableMetadata) -> tuple[str, ...]:
    """The paths that the table named before, and does not any more.

    Source: `FileCleanupStrategy.expiredStatisticsFilesLocations`: whoever has set another one in between.
    """
    left = {each.path for each in after.statistics}
    return tuple(dict.fromkeys([each.path for each in before.statistics if each.path not in left]))


class SetStatistics(NamedTuple):
    """`set-statistics`, `set-partition-statistics`: nothing is required of the table."""

    file: StatisticsFile

    def applied_to(self, table: TableMetadata) -> TableMetadata:
        """The table with this file in the place of what its snapshot has; to set the very same is a change, too."""
        others = [each for each in table.statistics if each.place != self.file.place]
        return table._replace(statistics=tuple(sorted([*others, self.file._replace()])))


class RemoveStatistics(NamedTuple):
    """`remove-statistics`, `remove-partition-statistics`."""

    snapshot_id: int
    of_partitions: bool = False

    def applied_to(self, table: TableMetadata) -> TableMetadata:
        """The table without the statistics of a snapshot; the very same if it has none."""
        kept = tuple([each for each in table.statistics if each.place != tuple(self)])
        return table if kept == table.statistics else table._replace(statistics=kept)


OfStatistics = SetStatistics | RemoveStatistics


def changes_of_statistics(base: TableMetadata, updated: TableMetadata) -> tuple[OfStatistics, ...]:
    """The updates that make the statistics of `updated` of those of `base`: what has been set since is another object,
    though it may say the same (`TableMetadata.Builder.setStatistics` compares nothing)."""
    places = [each.place for each in updated.statistics]
    found: list[OfStatistics] = [
        SetStatistics(each) for each in updated.statistics if not any(each is old for old in base.statistics)
    ]
    return (*found, *[RemoveStatistics(*each.place) for each in base.statistics if each.place not in places])
