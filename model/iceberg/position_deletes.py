"""What whoever deletes rows by their positions writes: a delete file for each data file, or vectors, in format 3.

What a new one takes over of older ones goes with its commit.

Source: `core/deletes/BaseDVFileWriter.java`, `SparkPositionDeltaWrite.broadcastRewritableDeletes` (delete
granularity `file`), `Context.useDVs` of 1.11.0 for Spark 3.5.
"""

from collections.abc import Sequence

from model.iceberg.files import DeleteFile, Partition, Position, Row
from model.iceberg.row_delta import RowDelta
from model.iceberg.scan import ScanTask
from model.iceberg.table import IcebergTable
from model.iceberg.tables import write_delete_file, write_vectors

Placed = Sequence[tuple[int, Row]]
"""Rows with their positions in a data file."""
Part = tuple[tuple[Position, ...], Partition]


def write_deletes(
    table: IcebergTable, producer: RowDelta, found: Sequence[tuple[ScanTask, Placed]], *, takes_over: bool
) -> list[DeleteFile]:
    """Write what deletes these rows of these tasks' files; `producer` removes the older deletes that it takes over.

    Args: `takes_over`: in format 2, too, new deletes of a data file take over those that are of that one alone.
    """
    has_vectors = table.metadata.format_version > 2
    parts = [_part(table, producer, task, rows, takes_over=takes_over or has_vectors) for task, rows in found]
    if has_vectors and parts:
        return write_vectors(table, parts)
    return [write_delete_file(table, *part) for part in parts]


def _part(table: IcebergTable, producer: RowDelta, task: ScanTask, rows: Placed, *, takes_over: bool) -> Part:
    positions: set[Position] = {(task.file.path, at) for at, _ in rows}
    for older in task.deletes if takes_over else ():
        if isinstance(older, DeleteFile) and older.referenced_data_file is not None:
            positions.update(table.files.positions(older))
            producer.remove_deletes(older)
    return tuple(sorted(positions)), task.file.partition
