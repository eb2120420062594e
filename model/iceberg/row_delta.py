"""Row-level changes: data files to add, and deletes that take rows out of files that stay.

Source: iceberg/1.2 (label), iceberg/4.1, iceberg/4.2; `core/BaseRowDelta.java`.

Choices: format 2, with position delete files, or format 3, with deletion vectors in their place; both have equality
deletes. In format 1 there are none of them. Vectors of one data file within one commit are merged
(`model.iceberg.merged_vectors`). No row lineage.
"""

from collections.abc import Iterable

from model.iceberg import coverage
from model.iceberg.errors import ValidationFailed
from model.iceberg.expressions import TRUE, Expression
from model.iceberg.files import AnyDeletes, DataFile
from model.iceberg.merging import MergingProducer
from model.iceberg.metadata import APPEND, DELETE, OVERWRITE, Snapshot, TableMetadata
from model.iceberg.table import IcebergTable
from model.iceberg.validations import Window


class RowDelta(MergingProducer):
    """Adds rows and deletes, in one snapshot."""

    def __init__(self, table: IcebergTable) -> None:
        super().__init__(table)
        self._removed_data: list[DataFile] = []
        self._referenced: dict[str, None] = {}
        self._conflict_filter: Expression = TRUE
        self._deleted_files = False
        self._no_conflicting_data = False
        self._no_conflicting_deletes = False

    def add_rows(self, file: DataFile) -> "RowDelta":
        """Add a data file."""
        self.add_data(file)
        return self

    def add_deletes(self, file: AnyDeletes) -> "RowDelta":
        """Add a delete file. Raises: `InvalidOperation` if it is none of the table's format."""
        self._add_delete_file(file)
        return self

    def remove_rows(self, file: DataFile) -> "RowDelta":
        """Remove a data file."""
        self._removed_data.append(file)
        self.data_filter.remove(file)
        return self

    def remove_deletes(self, file: AnyDeletes) -> "RowDelta":
        """Remove a delete file, whose positions a new one has taken over. It may be gone already."""
        self.delete_filter.remove(file)
        return self

    def validate_from_snapshot(self, snapshot_id: int | None) -> "RowDelta":
        """The snapshot that was read. None: every commit ever made counts as concurrent."""
        self.start = snapshot_id
        return self

    def conflict_detection_filter(self, conflict_filter: Expression) -> "RowDelta":
        """Only files that may hold matching rows conflict."""
        self._conflict_filter = conflict_filter
        return self

    def validate_data_files_exist(self, paths: Iterable[str]) -> "RowDelta":
        """The data files that the new deletes refer to; refuse if one was rewritten meanwhile."""
        self._referenced.update(dict.fromkeys(paths))
        return self

    def validate_deleted_files(self) -> "RowDelta":
        """Refuse also if a referenced data file was removed by a commit labelled `delete`."""
        self._deleted_files = True
        return self

    def validate_no_conflicting_data_files(self) -> "RowDelta":
        """Refuse concurrent additions of matching data: what serializable isolation adds."""
        self._no_conflicting_data = True
        return self

    def validate_no_conflicting_delete_files(self) -> "RowDelta":
        """Refuse concurrent delete files that can apply to matching rows."""
        self._no_conflicting_deletes = True
        return self

    def operation(self) -> str:
        """Source: iceberg/1.2 (#14581: only data added is an append)."""
        if self.added_data and not self.added_deletes and not self.data_filter.removes_files:
            return APPEND
        if self.added_deletes and not self.added_data:
            return DELETE
        return OVERWRITE

    def validate(self, base: TableMetadata, parent: Snapshot | None) -> None:
        if parent is None:
            return
        window = Window(self.context, base, parent, self.start)
        window.start_is_ancestor()
        if self._referenced:
            window.data_files_exist(self._referenced, self._conflict_filter, skip_deletes=not self._deleted_files)
        if self._deleted_files:
            self.fail_missing_delete_paths()
        if self._no_conflicting_data:
            window.added_data_files(self._conflict_filter)
        if self._no_conflicting_deletes:
            if self._removed_data:
                window.no_new_deletes_for_data_files(self._removed_data, self._conflict_filter)
            window.no_new_delete_files(self._conflict_filter)
        self._no_delete_of_referenced_file()
        vectors = self.added_deletes.vectors_of
        if vectors:
            window.no_added_vectors(vectors, self._conflict_filter)

    def _no_delete_of_referenced_file(self) -> None:
        """Source: `BaseRowDelta.validateNoConflictingFileAndPositionDeletes`."""
        both = [file.path for file in self._removed_data if file.path in self._referenced]
        if both:
            self.world.coverage.hit(coverage.REFERENCED_FILE_DELETED)
            raise ValidationFailed(f"remove {both}: expected files that no delete of this commit refers to, got them")
