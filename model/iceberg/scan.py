"""Reading a table: which files, which deletes apply to them, which rows are left.

Source: iceberg/1.3: a position delete applies to a data file if the file's sequence number is not larger, an equality
delete if it is smaller; where a deletion vector applies, no position delete file does, for the vector is to have all
of theirs; `core/DeleteFileIndex.java` (`forDataFile`), `core/ManifestGroup.java`.
Before anything is read, all vectors of the partitions that may match are put into an index, one a data file: where a
second one is met, the scan is refused, whatever it is for (`DeleteFileIndex.Builder.add`; apache/iceberg#17206).
A manifest that is listed twice is read once: `ManifestGroup` has a set of them, by their paths.

Choices: rows come in the order of manifests, entries and positions, which is what a single-threaded reader returns.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from model.iceberg.errors import SeveralVectors, UnknownSpec
from model.iceberg.expressions import TRUE, Expression
from model.iceberg.files import DATA, AnyDeletes, DataFile, DeleteFile, EqualityDeleteFile, ManifestFile, Row, Rows
from model.iceberg.metadata import Snapshot, TableMetadata
from model.iceberg.storage import TableFiles


class ScanTask(NamedTuple):
    """One data file to read, the delete files to apply to it, and its data sequence number."""

    file: DataFile
    deletes: tuple[AnyDeletes, ...]
    number: int


def plan(
    files: TableFiles, snapshot: Snapshot | None, row_filter: Expression = TRUE, specs: Collection[int] | None = None
) -> tuple[ScanTask, ...]:
    """The tasks of a scan of `snapshot` for rows that match.

    Args: `specs`: the ids of those that the table has (None: of all that there are).

    Raises: `TableUnreadable` if the manifest list or a manifest is missing; `SeveralVectors` if a data file has two;
    `UnknownSpec` if a manifest is of a spec that the table does not have.
    """
    data: list[tuple[int, DataFile]] = []
    deletes: list[tuple[int, AnyDeletes]] = []
    listed: dict[str, ManifestFile] = {}
    for each in files.manifests(snapshot):
        listed.setdefault(each.path, each)
    for manifest in listed.values():
        if specs is not None and manifest.has_live_files:
            refuse_unknown_spec(manifest, specs)
        for entry in files.live_entries(manifest):
            number = entry.sequence_number or 0
            if manifest.content != DATA:
                assert not isinstance(entry.file, DataFile)
                deletes.append((number, entry.file))
            elif isinstance(entry.file, DataFile) and row_filter.may_match(entry.file):
                data.append((number, entry.file._replace(manifest=manifest.path)))
    again = second_vectors(file for _, file in deletes if file.is_vector and row_filter.may_match_delete(file))
    if again:
        got = f"{again[0].path} and another one"
        raise SeveralVectors(f"index {again[0].referenced_data_file}: expected one deletion vector, got {got}")
    return tuple(
        ScanTask(file, effective(tuple(d for at, d in deletes if d.is_of(at, number) and d.may_apply_to(file))), number)
        for number, file in data
    )


def refuse_unknown_spec(manifest: ManifestFile, specs: Collection[int]) -> None:
    """Raise `UnknownSpec` if a manifest that is opened is of none of these specs."""
    if manifest.spec_id not in specs:
        raise UnknownSpec(f"plan {manifest.path}: expected a spec of the table, got {manifest.spec_id}")


def second_vectors(deletes: Iterable[AnyDeletes]) -> tuple[AnyDeletes, ...]:
    """The vectors of data files that have one already, be it the same in another manifest."""
    known: set[str | None] = set()
    again: list[AnyDeletes] = []
    for vector in [one for one in deletes if one.is_vector]:
        if vector.referenced_data_file in known:
            again.append(vector)
        known.add(vector.referenced_data_file)
    return tuple(again)


def effective(deletes: tuple[AnyDeletes, ...]) -> tuple[AnyDeletes, ...]:
    """Those of the deletes of one data file that a reader applies: with a vector, no position delete file."""
    if not any(one.is_vector for one in deletes):
        return deletes
    return tuple([one for one in deletes if one.is_vector or isinstance(one, EqualityDeleteFile)])


def deleted_positions(files: TableFiles, task: ScanTask) -> frozenset[int]:
    """The positions of a task's data file that its deletes take out."""
    return frozenset(
        position
        for delete in task.deletes
        if isinstance(delete, DeleteFile)
        for path, position in files.positions(delete)
        if path == task.file.path
    )


def deleted_ids(files: TableFiles, task: ScanTask) -> frozenset[int]:
    """The ids whose rows a task's equality deletes take out of its data file."""
    return frozenset(
        row_id for delete in task.deletes if isinstance(delete, EqualityDeleteFile) for row_id in files.ids(delete)
    )


def live_rows(files: TableFiles, task: ScanTask) -> Iterator[tuple[int, Row]]:
    """The rows of a task that are not deleted, with their positions."""
    gone, ids = deleted_positions(files, task), deleted_ids(files, task)
    for position, row in enumerate(files.rows(task.file)):
        if position not in gone and row[0] not in ids:
            yield position, row


def read_rows(files: TableFiles, metadata: TableMetadata, row_filter: Expression = TRUE) -> Rows:
    """The rows of the current snapshot that match. Raises: as `rows_at`."""
    return rows_at(files, metadata, metadata.current, row_filter)


def rows_at(
    files: TableFiles, metadata: TableMetadata, snapshot: Snapshot | None, row_filter: Expression = TRUE
) -> Rows:
    """The rows of a snapshot that match, by the specs of the table.

    Raises: as `plan`; `TableUnreadable` if any file is missing, `StorageFailed` if the store does not answer.
    """
    return tuple(
        row
        for task in plan(files, snapshot, row_filter, metadata.partitioning.ids)
        for _, row in live_rows(files, task)
        if row_filter.matches(row[0], task.file.partition)
    )
