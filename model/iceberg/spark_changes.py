"""What Spark's DELETE, UPDATE and MERGE make of the rows that they have found: files, an operation, and its flags.

| command | operation | flags under `snapshot` | added by `serializable` |
| --- | --- | --- | --- |
| any copy-on-write | overwrite by file | start, filter, no conflicting deletes | no conflicting data |
| DELETE merge-on-read | row delta | start, filter, data files exist | no conflicting data files |
| UPDATE, MERGE merge-on-read | row delta | the same, deleted files, no conflicting delete files | as DELETE |

The filter is what is pushed down to the scan: the row that DELETE and UPDATE name; for MERGE, which joins on that
column, everything.

Source: iceberg/4.1; `SparkWrite.CopyOnWriteOperation`, `SparkPositionDeltaWrite.PositionDeltaBatchWrite` of 1.11.0 for
Spark 3.5; Spark's `RewriteMergeIntoTable`.

Choices: one task writes, so there is at most one new data file a partition. NULL ids do not exist: that a joined column
`IS NOT NULL` is no filter.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from model.iceberg.expressions import TRUE, Expression, id_equals
from model.iceberg.files import DataFile, DeleteFile, Row, Rows
from model.iceberg.overwrite import OverwriteFiles
from model.iceberg.partitioning import PartitionSpec
from model.iceberg.position_deletes import write_deletes
from model.iceberg.result import Effect
from model.iceberg.row_copies import Copy, changed, copied, write_copies
from model.iceberg.row_delta import RowDelta
from model.iceberg.rules import SHIPPED, Rules
from model.iceberg.scan import ScanTask, live_rows
from model.iceberg.table import IcebergTable

Found = tuple[ScanTask, tuple[tuple[int, Row], ...]]
Isolation = Literal["snapshot", "serializable"]
Matched = Literal["update", "delete", "nothing"]
"""What a MERGE does to a row that is there."""
Written = list[DataFile | DeleteFile]


@dataclass(frozen=True, slots=True)
class Change:
    """What a command does to rows.

    Fields: `row_filter`: what its scan is for; `becomes`: by id, what a row becomes that is there (None: it goes);
    `otherwise`: rows that are inserted if none of their id is there; `deletes_only`: it is a DELETE.
    """

    row_filter: Expression
    becomes: tuple[Effect, ...]
    otherwise: Rows = ()
    deletes_only: bool = False

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids that it looks for."""
        return tuple(dict(self.becomes) | dict(self.otherwise))

    def missing(self, rows: Rows) -> Rows:
        """What it inserts where these rows were found."""
        there = {row[0] for row in rows}
        return tuple([row for row in self.otherwise if row[0] not in there])

    def writes(self, rows: Rows) -> tuple[Effect, ...]:
        """What it does to rows where these were found."""
        there = {row[0] for row in rows}
        return (*[one for one in self.becomes if one[0] in there], *self.missing(rows))


def change_row(row_id: int, value: str | None) -> Change:
    """An UPDATE of a row, or a DELETE of it (None)."""
    return Change(id_equals(row_id), ((row_id, value),), deletes_only=value is None)


def merge(rows: Rows, matched: Matched, inserts: bool) -> Change:
    """A MERGE of `rows` by their ids. Args: what becomes of rows that are there, and whether others are inserted."""
    becomes: dict[str, tuple[Effect, ...]] = {
        "update": rows, "delete": tuple([(key, None) for key, _ in rows]), "nothing": (),
    }  # fmt: skip
    return Change(TRUE, becomes[matched], rows if inserts else ())


def find(table: IcebergTable, tasks: tuple[ScanTask, ...], change: Change) -> Iterator[Found]:
    """The tasks whose file holds a row that the command looks for, with these rows and their positions."""
    ids = change.ids
    for task in tasks:
        matches = tuple((at, row) for at, row in live_rows(table.files, task) if row[0] in ids)
        if matches:
            yield task, matches


def copy_on_write(
    table: IcebergTable,
    found: list[Found],
    change: Change,
    start: int | None,
    isolation: Isolation,
    spec: PartitionSpec,
) -> tuple[OverwriteFiles, Written]:
    """The found files by new ones with what is left of them, and with what is inserted.

    Args: `spec`: by which they are written: the default one when the write was built.
    """
    producer, becomes = OverwriteFiles(table), dict(change.becomes)
    kept: list[Copy] = []
    for task, _ in found:
        producer.delete_file(task.file)
        for at, row in live_rows(table.files, task):
            kept += _becoming(task, at, row, becomes) if row[0] in becomes else [copied(task, at, row)]
    kept += map(Copy, change.missing(rows_of(found)))
    written: Written = [*write_copies(table, kept, spec)]
    for file in written:
        assert isinstance(file, DataFile)
        producer.add_file(file)
    producer.validate_from_snapshot(start).conflict_detection_filter(change.row_filter)
    if isolation == "serializable":
        producer.validate_no_conflicting_data()
    producer.validate_no_conflicting_deletes()
    return producer, written


def merge_on_read(
    table: IcebergTable,
    found: list[Found],
    change: Change,
    start: int | None,
    isolation: Isolation,
    rules: Rules = SHIPPED,
) -> tuple[RowDelta, Written]:
    """Deletes of the found rows, and new files with what they become, and with what is inserted."""
    producer, becomes = RowDelta(table), dict(change.becomes)
    written: Written = []
    new: list[Copy] = []
    for deletes in write_deletes(table, producer, found, takes_over=True):
        producer.add_deletes(deletes)
        written.append(deletes)
    for task, matches in found:
        new += [one for at, row in matches for one in _becoming(task, at, row, becomes)]
    new += map(Copy, change.missing(rows_of(found)))
    for file in write_copies(table, new):
        producer.add_rows(file)
        written.append(file)
    producer.conflict_detection_filter(change.row_filter).validate_from_snapshot(start)
    producer.validate_data_files_exist(task.file.path for task, _ in found)
    if not change.deletes_only:
        producer.validate_deleted_files().validate_no_conflicting_delete_files()
    elif rules.delete_validates_new_delete_files:
        producer.validate_no_conflicting_delete_files()
    if isolation == "serializable":
        producer.validate_no_conflicting_data_files()
    return producer, written


def _becoming(task: ScanTask, at: int, row: Row, becomes: Mapping[int, str | None]) -> list[Copy]:
    """What is made of a row that the command is for: one, or none."""
    value = becomes[row[0]]
    return [] if value is None else [changed(task, at, (row[0], value))]


def rows_of(found: list[Found]) -> Rows:
    """The rows that were found."""
    return tuple([row for _, matches in found for _, row in matches])
