"""An overwrite by the filter of one row, all of whose new rows have to be such as it removes.

Source: `core/BaseOverwriteFiles.java` (`validateAddedFilesMatchOverwriteFilter`) of 1.11.0.
"""

from collections.abc import Sequence

from model.iceberg.expressions import id_equals
from model.iceberg.files import Rows
from model.iceberg.overwrite import OverwriteFiles
from model.iceberg.plans import Planned, command
from model.iceberg.table import IcebergTable
from model.iceberg.tables import write_data_files


def overwrite_where(table: IcebergTable, key: int, rows: Rows, writes: Sequence[tuple[int, str | None]]) -> Planned:
    """`newOverwrite` by the row filter `id = key`, by one new data file. Args: `writes`: what it does to rows."""
    producer = OverwriteFiles(table).overwrite_by_row_filter(id_equals(key))
    producer.starts_at_commit = True  # it takes away what it finds, and has read nothing
    producer.validate_added_files_match_overwrite_filter()
    for file in write_data_files(table, rows):
        producer.add_file(file)
    return Planned(producer, command(table, writes=tuple(writes)))
