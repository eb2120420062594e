"""Mutants of statistics files (`model.iceberg.statistics`, `update_statistics`, `expire`)."""

from collections.abc import Collection

from model.iceberg import expire, metadata
from model.iceberg.errors import ValidationFailed
from model.iceberg.metadata import TableMetadata
from model.iceberg.statistics import Files
from model.iceberg.statistics_changes import SetStatistics
from model.iceberg.update_statistics import UpdatePartitionStatistics, UpdateStatistics
from tests.mutants.damage import replaced
from tests.mutants.mutant import Mutant

_set = SetStatistics.applied_to


def beside(self: SetStatistics, table: TableMetadata) -> TableMetadata:
    """A snapshot may have several files."""
    return table._replace(statistics=(*table.statistics, self.file))


def of_a_snapshot(self: SetStatistics, table: TableMetadata) -> TableMetadata:
    """Statistics are of a snapshot that the table has."""
    if table.snapshot(self.file.snapshot_id) is None:
        raise ValidationFailed(f"statistics: expected a snapshot of the table, got {self.file.snapshot_id}")
    return _set(self, table)


def all_of_them(files: Files, _: Collection[int]) -> Files:
    """Statistics stay when their snapshot goes."""
    return files


def of_expired(before: TableMetadata, after: TableMetadata) -> tuple[str, ...]:
    """The files of snapshots that have gone, whoever else names them."""
    return tuple([each.path for each in before.statistics if after.snapshot(each.snapshot_id) is None])


def anew(self: UpdatePartitionStatistics) -> None:
    """Statistics of partitions are set on what is there."""
    UpdateStatistics(self._table, self._change).commit()


STATISTICS: tuple[Mutant, ...] = (
    replaced("statistics-kept-beside", SetStatistics, "applied_to", beside, "nobody knows which are meant"),
    replaced("statistics-need-a-snapshot", SetStatistics, "applied_to", of_a_snapshot, "kinder than upstream"),
    replaced("statistics-outlive-snapshots", metadata, "without_statistics", all_of_them, "files that stay for ever"),
    replaced("named-statistics-deleted", expire, "no_longer_named", of_expired, "a file that is named is gone"),
    replaced("partition-statistics-look-again", UpdatePartitionStatistics, "commit", anew, "kinder than upstream"),
)
BY_NAME = {mutant.name: mutant for mutant in STATISTICS}
