"""Replacing delete files by others of the same deletes: `RewriteFiles` of delete files alone.

What is replaced has to be there still, in each attempt; nothing else is validated: there is no data file that somebody
could have deleted rows of meanwhile, and the snapshot to validate from, which is set, is not looked at. A new delete
file has a data sequence number that it is given, so that it is of the data files that the old ones were of.

Source: `core/BaseRewriteFiles.java` (`validate`), `MergingSnapshotProducer.add(DeleteFile, long)` and
`newDeleteFilesAsManifests` of 1.11.0.
"""

from model.iceberg.files import DeleteFile
from model.iceberg.merging import MergingProducer
from model.iceberg.metadata import REPLACE
from model.iceberg.table import IcebergTable


class ReplaceDeletes(MergingProducer):
    """Puts delete files in the place of others."""

    def __init__(self, table: IcebergTable) -> None:
        super().__init__(table)
        self.fail_missing_delete_paths()

    def delete_file(self, file: DeleteFile) -> "ReplaceDeletes":
        """Replace this delete file."""
        self.delete_filter.remove(file)
        return self

    def add_file(self, file: DeleteFile, number: int) -> "ReplaceDeletes":
        """By this one, of that data sequence number. Raises: `InvalidOperation` if it is none of the table's format."""
        self._add_delete_file(file)
        self.delete_numbers[file.path] = number
        return self

    def operation(self) -> str:
        return REPLACE
