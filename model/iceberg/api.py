"""Commands of the Java API on a table that was loaded before: append, overwrite, replace a file, delete a row.

A command's calls to the catalog: load, commit, load; after a lost race load, commit again; refused: load.

Source: iceberg/2.1, iceberg/4.3; `core/FastAppend.java`, `core/BaseOverwriteFiles.java`.
"""

from collections.abc import Sequence
from typing import Literal

from model.iceberg.append import FastAppend
from model.iceberg.errors import IcebergError
from model.iceberg.expressions import TRUE, id_equals
from model.iceberg.files import DataFile, Row, Rows
from model.iceberg.overwrite import OverwriteFiles
from model.iceberg.producer import SnapshotProducer
from model.iceberg.result import CommandResult, Effect
from model.iceberg.row_delta import RowDelta
from model.iceberg.scan import live_rows, plan, read_rows
from model.iceberg.table import IcebergTable
from model.iceberg.tables import write_data_file, write_delete_file


def append(table: IcebergTable, rows: Rows) -> CommandResult:
    """`newFastAppend` of one new data file. Conflicts with nothing, and depends on no snapshot."""
    start = table.metadata.current_snapshot_id
    producer = FastAppend(table).append_file(write_data_file(table, rows))
    return run_commit(producer, CommandResult(start, writes=rows))


def overwrite(
    table: IcebergTable,
    rows: Rows,
    *,
    validate: bool = False,
    by: Literal["filter", "file"] = "filter",
    live: Sequence[DataFile] | None = None,
) -> CommandResult:
    """`newOverwrite` of the whole table by one new data file.

    Args: `by`: remove by the row filter `true`, evaluated anew by every attempt, or by naming the data files that are
    live in the loaded metadata; `live`: these files, if the caller knows them, else they are read; `validate`: start
    snapshot, conflict filter `true` and both validateNoConflicting flags.
    """
    metadata = table.metadata
    producer = OverwriteFiles(table)
    if by == "filter":
        producer.overwrite_by_row_filter(TRUE)
    else:
        for file in live_files(table) if live is None else live:
            producer.delete_file(file)
    producer.add_file(write_data_file(table, rows))
    if validate:
        producer.validate_from_snapshot(metadata.current_snapshot_id).conflict_detection_filter(TRUE)
        producer.validate_no_conflicting_data().validate_no_conflicting_deletes()
    return run_commit(producer, CommandResult(metadata.current_snapshot_id, writes=rows))


def replace(table: IcebergTable, row_id: int, rows: Rows) -> CommandResult:
    """`newOverwrite` of the data files that may hold a row, by name, by a new file of `rows`, or by nothing.

    It refuses what a copy-on-write command refuses under `snapshot` isolation: deletes that appeared for those files,
    and files that are gone.
    """
    metadata = table.metadata
    producer = OverwriteFiles(table).validate_from_snapshot(metadata.current_snapshot_id)
    for task in plan(table.files, metadata.current, id_equals(row_id)):
        producer.delete_file(task.file)
    if rows:
        producer.add_file(write_data_file(table, rows))
    producer.validate_no_conflicting_deletes()
    gone = () if any(row[0] == row_id for row in rows) else ((row_id, None),)
    return run_commit(producer, CommandResult(metadata.current_snapshot_id, writes=(*rows, *gone)))


def delete_row(table: IcebergTable, row_id: int) -> CommandResult:
    """`newRowDelta` of one position delete for each live row of that id; it refuses if their data file is gone."""
    metadata = table.metadata
    producer = RowDelta(table).validate_from_snapshot(metadata.current_snapshot_id)
    seen: list[Row] = []
    for task in plan(table.files, metadata.current, id_equals(row_id)):
        found = [(at, row) for at, row in live_rows(table.files, task) if row[0] == row_id]
        if found:
            seen += [row for _, row in found]
            positions = tuple([(task.file.path, at) for at, _ in found])
            producer.add_deletes(write_delete_file(table, positions, task.file.partition))
            producer.validate_data_files_exist([task.file.path])
    writes = ((row_id, None),) if seen else ()
    command = CommandResult(metadata.current_snapshot_id, reads=as_reads(tuple(seen), row_id), writes=writes)
    return run_commit(producer, command)


def live_files(table: IcebergTable) -> tuple[DataFile, ...]:
    """The data files of the snapshot that the client knows."""
    return tuple(task.file for task in plan(table.files, table.metadata.current))


def read(table: IcebergTable) -> CommandResult:
    """Refresh, and read all rows of the current snapshot; `reads` joins duplicates of one id by "|".

    Raises: `TableUnreadable` if a file that the metadata names is missing.
    """
    metadata = table.ops.refresh()
    return CommandResult(metadata.current_snapshot_id, reads=as_reads(read_rows(table.files, metadata)))


def as_reads(rows: Rows, *ids: int) -> tuple[Effect, ...]:
    """Rows by id, sorted; ids that were looked for and not found have the value None."""
    found: dict[int, str | None] = dict.fromkeys(ids)
    for row_id, value in sorted(rows):
        before = found.get(row_id)
        found[row_id] = value if before is None else f"{before}|{value}"
    return tuple(sorted(found.items()))


def run_commit(producer: SnapshotProducer, command: CommandResult) -> CommandResult:
    """Commit, and complete the command's result; an error gets the result as far as it is known."""
    producer.table.command = command._replace(snapshot=producer.snapshot_id)
    try:
        saved = producer.commit()
    except IcebergError as error:
        known = producer.table.command
        error.result = known._replace(start=command.start) if error.definite else known  # it was refused from there on
        raise
    return producer.table.command._replace(snapshot=saved.snapshot_id, commit=saved.snapshot_id, parent=saved.parent_id)
