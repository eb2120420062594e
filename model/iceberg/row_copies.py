"""Rows that Spark SQL writes again, in format 3, with the row ids that they had.

A data file of such rows has two columns more: the id of each row, and the sequence number of the commit that was the
last to change it. Where a column is empty, a reader takes what it takes of every other file: its first row id and the
row's position; its own sequence number, though the specification says that of its data, which is another one where a
compaction has pinned it (#17039, mended behind 1.11.0). A file without a first row id has no ids, whatever it says.

| statement | of a row | id | last change |
| --- | --- | --- | --- |
| UPDATE, MERGE | that it changes | as it was | open |
| UPDATE, DELETE, MERGE, copy-on-write; `rewrite_data_files` | that it copies | as it was | as it was |
| MERGE | that it inserts | open | open |

All others write files without the columns: INSERT, INSERT OVERWRITE, MERGE without `WHEN MATCHED`; so does who gives
files to the Java API. What was read before the table came to format 3, or before the first commit in it, has no ids to
keep, whatever others have given it meanwhile.

Source: specification of the table format, "Row Lineage"; `ParquetValueReaders.rowIds` and `lastUpdated`; for Spark 3.5
of 1.11.0 `RewriteUpdateTableForRowLineage`, `RewriteMergeIntoTableForRowLineage`, `SparkWriteBuilder.build`,
`SparkCopyOnWriteScan.rowLineageAsDataCols`, `SparkPositionDeltaWriteBuilder`, `SparkTable.addLineageIfRequired`. These
are rules of Iceberg's session extensions: without them, UPDATE and MERGE keep nothing.
"""

from collections.abc import Sequence
from typing import NamedTuple

from model.iceberg.files import DataFile, Lineage, Row
from model.iceberg.partitioning import PartitionSpec
from model.iceberg.scan import ScanTask
from model.iceberg.table import IcebergTable
from model.iceberg.tables import write_data_files

OPEN: Lineage = (None, None)


class Copy(NamedTuple):
    """A row to write, and what the columns say of it."""

    row: Row
    lineage: Lineage = OPEN


def lineage_at(file: DataFile, number: int, position: int) -> Lineage:
    """The id and the last change of a row of a file as it was read; both are None if it has none.

    Args: `number`: the file's data sequence number. Source: `ParquetValueReaders.rowIds`, `lastUpdated`,
    `PartitionUtil.constantsMap`.
    """
    if file.first_row_id is None:
        return OPEN
    row_id, last = file.lineage[position] if file.lineage else OPEN
    own = number if file.added_at is None else file.added_at
    return file.first_row_id + position if row_id is None else row_id, own if last is None else last


def copied(task: ScanTask, position: int, row: Row) -> Copy:
    """A row of a task's file as it is."""
    return Copy(row, lineage_at(task.file, task.number, position))


def changed(task: ScanTask, position: int, row: Row) -> Copy:
    """What a row of a task's file becomes: its last change is the commit that writes it."""
    return Copy(row, (lineage_at(task.file, task.number, position)[0], None))


def write_copies(
    table: IcebergTable, copies: Sequence[Copy], spec: PartitionSpec | None = None
) -> tuple[DataFile, ...]:
    """Write these rows, if any, into new data files, as `write_data_files` does, with the columns where they say
    anything."""
    if not copies:
        return ()
    files = write_data_files(table, tuple([copy.row for copy in copies]), spec)
    if all(copy.lineage == OPEN for copy in copies):
        return files
    if len(files) == 1:
        return (files[0]._replace(lineage=tuple([copy.lineage for copy in copies])),)
    by = spec or table.metadata.partitioning.spec
    parts = [[copy.lineage for copy in copies if by.partition_of(copy.row[0]) == file.partition] for file in files]
    return tuple([file._replace(lineage=tuple(part)) for file, part in zip(files, parts, strict=True)])
