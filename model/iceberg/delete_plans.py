"""What a caller of the Java API makes of a loaded table to delete rows of it: row deltas, ready to be committed.

Source: iceberg/4.2, iceberg/4.3; `core/BaseRowDelta.java`.

Choices: as in `model.iceberg.plans`.
"""

from model.iceberg.expressions import id_equals
from model.iceberg.files import Row
from model.iceberg.plans import Level, Planned, any_of, as_reads, command, tasks_of
from model.iceberg.position_deletes import write_deletes
from model.iceberg.row_delta import RowDelta
from model.iceberg.scan import ScanTask, live_rows
from model.iceberg.table import IcebergTable
from model.iceberg.tables import partition_of, write_data_files, write_equality_delete_file

FAR = 1_000
"""By how much ids differ that are in one partition in no race."""


def delete_rows(
    table: IcebergTable, ids: tuple[int, ...], level: Level, start: int | None, *, removes: bool = False,
    apart: bool = False,
) -> Planned:  # fmt: skip
    """`newRowDelta` of one position delete for each live row of these ids; but for "none", it refuses if their data
    file is gone. All of it is written by one task of an engine, when all has been found.

    Args: `removes`: it removes the data files that may hold the rows, too, which no engine asks for; `apart`: one task
    writes for each row, so that in format 3 a data file may come to have several vectors, which the commit merges.
    """
    producer = RowDelta(table).validate_from_snapshot(start)
    if level == "serializable":
        producer.conflict_detection_filter(any_of(ids)).validate_no_conflicting_data_files()
    tasks = {task.file.path: task for key in ids for task in tasks_of(table, key)}.values()
    parts = [(task, found) for task in tasks if (found := _found(table, task, ids))]
    for some in [_of(parts, key) for key in ids] if apart else [parts]:
        for deletes in write_deletes(table, producer, some, takes_over=False):
            producer.add_deletes(deletes)
    for task in tasks if removes else ():
        producer.remove_rows(task.file.as_scanned())
    if level != "none":
        named = tasks if removes else [task for task, _ in parts]
        producer.validate_data_files_exist([task.file.path for task in named])
    seen = tuple([row for _, found in parts for _, row in found])
    gone = tuple([(key, None) for key in ids if any(row[0] == key for row in seen)])
    return Planned(producer, command(table, reads=as_reads(seen, *ids), writes=gone))


def delete_elsewhere(table: IcebergTable, row_id: int, start: int | None) -> Planned:
    """`newRowDelta` of the deletion vector of a row twice, once as one of another partition, which has other ids."""
    producer, _ = planned = delete_rows(table, (row_id,), "none", start)
    elsewhere = partition_of(table, row_id + FAR)
    assert isinstance(producer, RowDelta)
    for vector in producer.added_deletes.given:
        producer.add_deletes(vector._replace(partition=elsewhere))
    return planned


def _found(table: IcebergTable, task: ScanTask, ids: tuple[int, ...]) -> list[tuple[int, Row]]:
    """The live rows of these ids in a task's file."""
    return [(at, row) for at, row in live_rows(table.files, task) if row[0] in ids]


def _of(parts: list[tuple[ScanTask, list[tuple[int, Row]]]], key: int) -> list[tuple[ScanTask, list[tuple[int, Row]]]]:
    """What was found of one id."""
    return [(task, own) for task, found in parts if (own := [each for each in found if each[1][0] == key])]


def delete_where(table: IcebergTable, row_id: int, level: Level, start: int | None) -> Planned:
    """`newRowDelta` of one equality delete of an id: whatever has it by then goes, and nobody looks for it before."""
    return Planned(_by_equality(table, row_id, level, start), command(table, writes=((row_id, None),)))


def upsert(table: IcebergTable, row_id: int, value: str, level: Level, start: int | None) -> Planned:
    """`newRowDelta` of one equality delete of an id, and of one data file with a row of that id, as Flink writes it.

    Source: `flink/.../sink/BaseDeltaTaskWriter.java`; `IcebergFilesCommitter.commitDeltaTxn` asks for no validation.
    """
    row = (row_id, value)
    producer = _by_equality(table, row_id, level, start)
    for file in write_data_files(table, (row,)):
        producer.add_rows(file)
    return Planned(producer, command(table, writes=(row,)))


def _by_equality(table: IcebergTable, row_id: int, level: Level, start: int | None) -> RowDelta:
    """But for "none", concurrent deletes that may be of that id are refused; for "serializable", so are additions."""
    producer = RowDelta(table)
    producer.starts_at_commit = True  # it deletes what it finds, and has read nothing
    producer.add_deletes(write_equality_delete_file(table, (row_id,), partition_of(table, row_id)))
    if level != "none":
        producer.validate_from_snapshot(start).conflict_detection_filter(id_equals(row_id))
        producer.validate_no_conflicting_delete_files()
    if level == "serializable":
        producer.validate_no_conflicting_data_files()
    return producer
