"""Replacing whole partitions by new files: what Spark's INSERT OVERWRITE commits where partitions are overwritten
dynamically.

Whatever is in a partition of an added file goes, its delete files among it, as the table is when the commit is tried.
Partitions are those of the spec that the added files were written by: what a file of another spec has of these rows
stays. By a spec without partitions, all that the table has goes.

Source: iceberg/4.1; `core/BaseReplacePartitions.java` of 1.11.0; `SparkWrite.DynamicOverwrite` for what engines ask.

Choices: which partitions a manifest may have is not known before it is opened, so none is passed over for that.
"""

from collections.abc import Sequence

from model.iceberg import coverage
from model.iceberg.errors import InvalidOperation
from model.iceberg.expressions import FALSE, TRUE, Expression, InPartition, either
from model.iceberg.files import DataFile, ManifestFile, is_whole
from model.iceberg.merging import MergingProducer
from model.iceberg.metadata import OVERWRITE, Snapshot, TableMetadata
from model.iceberg.producer import Counters
from model.iceberg.table import IcebergTable
from model.iceberg.validations import Window

REPLACES_PARTITIONS = "replace-partitions"
"""What a snapshot says of itself that has replaced partitions."""


class ReplacePartitions(MergingProducer):
    """Removes what the partitions of the added files have, and adds these."""

    def __init__(self, table: IcebergTable) -> None:
        super().__init__(table)
        self._no_conflicting_data = False
        self._no_conflicting_deletes = False

    def add_file(self, file: DataFile) -> "ReplacePartitions":
        """Add a data file in the place of what its partition has."""
        self.data_filter.drop_partition(file.partition)
        self.delete_filter.drop_partition(file.partition)
        self.add_data(file)
        return self

    def validate_from_snapshot(self, snapshot_id: int | None) -> "ReplacePartitions":
        """The snapshot that was read. None: every commit ever made counts as concurrent."""
        self.start = snapshot_id
        return self

    def validate_append_only(self) -> "ReplacePartitions":
        """Refuse to remove anything: the partitions must be empty."""
        self.data_filter.fail_any = True
        self.delete_filter.fail_any = True
        return self

    def validate_no_conflicting_data(self) -> "ReplacePartitions":
        """Refuse concurrent additions to the partitions: what serializable isolation adds."""
        self._no_conflicting_data = True
        return self

    def validate_no_conflicting_deletes(self) -> "ReplacePartitions":
        """Refuse concurrent removals and deletes of what the partitions have: what snapshot isolation needs."""
        self._no_conflicting_deletes = True
        return self

    def operation(self) -> str:
        return OVERWRITE

    def summary(self) -> Counters:
        return (*super().summary(), (REPLACES_PARTITIONS, 1))

    def validate(self, base: TableMetadata, parent: Snapshot | None) -> None:
        if self._no_conflicting_data or self._no_conflicting_deletes:
            self._refuse_without_spec()
        if parent is None:
            return
        window, replaced = Window(self.context, base, parent, self.start), self._replaced
        if self._no_conflicting_data:
            window.added_data_files(replaced)
        if self._no_conflicting_deletes:
            window.deleted_data_files(replaced)
            window.no_new_delete_files(replaced)

    @property
    def _replaced(self) -> Expression:
        """Rows of the partitions of the added files; without partitions, every row."""
        replaced = FALSE
        for partition in dict.fromkeys([file.partition for file in self.added_data.values()]):
            replaced = either(replaced, TRUE if partition is None or is_whole(partition) else InPartition(partition))
        return replaced

    def apply(self, base: TableMetadata, parent: Snapshot | None) -> Sequence[ManifestFile]:
        self._refuse_without_spec()
        if any(is_whole(file.partition) for file in self.added_data.values()):
            self.data_filter.remove_by_row_filter(TRUE)
            self.delete_filter.remove_by_row_filter(TRUE)
        return super().apply(base, parent)

    def _refuse_without_spec(self) -> None:
        """Before anything else is looked at. Source: `MergingSnapshotProducer.dataSpec`, null if the spec is gone."""
        self._refuse_nothing_added()
        self.context.refuse_unknown_specs(self.added_data.values())

    def _refuse_nothing_added(self) -> None:
        """Source: `MergingSnapshotProducer.dataSpecs` ("no data files have been added")."""
        if not self.added_data:
            self.world.coverage.hit(coverage.PARTITIONS_OF_NOTHING)
            raise InvalidOperation("replace partitions: expected data files to add, got none")
