"""Replacing data files: by row filter, or by name as copy-on-write commands do.

Source: iceberg/4.1, iceberg/4.2; `core/BaseOverwriteFiles.java`.

As shipped, deletes of the files that are replaced are looked for by the conflict filter: an equality delete of another
row of such a file, whose bounds tell so, is undone. `validates_all_new_deletes` is the repair.
"""

from model.iceberg import coverage
from model.iceberg.errors import InvalidOperation, ValidationFailed
from model.iceberg.expressions import FALSE, TRUE, Expression
from model.iceberg.files import DataFile
from model.iceberg.merging import MergingProducer
from model.iceberg.metadata import APPEND, DELETE, OVERWRITE, Snapshot, TableMetadata
from model.iceberg.table import IcebergTable
from model.iceberg.validations import Window


class OverwriteFiles(MergingProducer):
    """Removes data files and adds others, in one snapshot."""

    def __init__(self, table: IcebergTable) -> None:
        super().__init__(table)
        self._replaced: list[DataFile] = []
        self._overwrite_filter: Expression | None = None
        self._conflict_filter: Expression | None = None
        self._no_conflicting_data = False
        self._no_conflicting_deletes = False
        self._added_match = False

    def overwrite_by_row_filter(self, row_filter: Expression) -> "OverwriteFiles":
        """Remove every file whose rows all match this or an earlier filter, as the table is when the commit is tried.

        Validations go by the last filter alone, as upstream's do (`MergingSnapshotProducer.rowFilter`).
        """
        self._overwrite_filter = row_filter
        self.data_filter.remove_by_row_filter(row_filter)
        self.delete_filter.remove_by_row_filter(row_filter)
        return self

    def add_file(self, file: DataFile) -> "OverwriteFiles":
        """Add a data file."""
        self.add_data(file)
        return self

    def delete_file(self, file: DataFile) -> "OverwriteFiles":
        """Remove a data file."""
        self._replaced.append(file)
        self.data_filter.remove(file)
        return self

    def validate_from_snapshot(self, snapshot_id: int | None) -> "OverwriteFiles":
        """The snapshot that was read. None: every commit ever made counts as concurrent."""
        self.start = snapshot_id
        return self

    def conflict_detection_filter(self, conflict_filter: Expression) -> "OverwriteFiles":
        """Only files that may hold matching rows conflict."""
        self._conflict_filter = conflict_filter
        return self

    def validate_no_conflicting_data(self) -> "OverwriteFiles":
        """Refuse concurrent additions of matching data: what serializable isolation adds."""
        self._no_conflicting_data = True
        self.fail_missing_delete_paths()
        return self

    def validate_no_conflicting_deletes(self) -> "OverwriteFiles":
        """Refuse concurrent deletes of matching data: what snapshot isolation needs."""
        self._no_conflicting_deletes = True
        self.fail_missing_delete_paths()
        return self

    def validate_added_files_match_overwrite_filter(self) -> "OverwriteFiles":
        """Refuse a file that is added unless all its rows are such as the row filter removes."""
        self._added_match = True
        return self

    def operation(self) -> str:
        """Source: iceberg/1.2: the label is computed from what was asked for."""
        if self.data_filter.removes_files and not self.added_data:
            return DELETE
        if self.added_data and not self.data_filter.removes_files:
            return APPEND
        return OVERWRITE

    def validate(self, base: TableMetadata, parent: Snapshot | None) -> None:
        if self._added_match:
            self._refuse_added_beside_filter()
        if parent is None:
            return
        window = Window(self.context, base, parent, self.start)
        if self._no_conflicting_data:
            window.added_data_files(self._data_conflict_filter())
        if self._no_conflicting_deletes:
            if self._overwrite_filter is not None:
                conflict_filter = self._conflict_filter or self._overwrite_filter
                window.no_new_delete_files(conflict_filter)
                window.deleted_data_files(conflict_filter)
            if self._replaced:
                conflict = None if self.rules.validates_all_new_deletes else self._conflict_filter
                window.no_new_deletes_for_data_files(self._replaced, conflict)

    def _refuse_added_beside_filter(self) -> None:
        """Source: `BaseOverwriteFiles.validate`, before all others: strictly by partitions, or by metrics.

        Who has no row filter has one that matches nothing; who adds nothing has no spec (`dataSpec`).
        """
        if not self.added_data:
            raise InvalidOperation("overwrite: expected data files to add, got none")
        overwritten = self._overwrite_filter or FALSE
        for file in self.added_data.values():
            if not overwritten.must_match(file):
                self.world.coverage.hit(coverage.ADDED_NO_MATCH)
                raise ValidationFailed(f"add {file.path}: expected rows that the overwrite filter matches, got others")

    def _data_conflict_filter(self) -> Expression:
        if self._conflict_filter is not None:
            return self._conflict_filter
        if self._overwrite_filter is not None and not self._replaced:
            return self._overwrite_filter
        return TRUE
