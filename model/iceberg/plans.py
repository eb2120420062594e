"""What a caller of the Java API makes of a loaded table: an update that is ready to be committed, and what it does.

Source: iceberg/4.2, iceberg/4.3; `core/FastAppend.java`, `core/BaseOverwriteFiles.java`, `core/BaseRewriteFiles.java`,
`core/StreamingDelete.java`. Row deltas: `model.iceberg.delete_plans`.

Choices: `level` says which validations the caller asks for, which are flags of the builder: "none"; "snapshot", against
concurrent deletes of what it replaces; "serializable", also against concurrent additions of what it read. `start` is
the snapshot that validations begin from (`validateFromSnapshot`); without one, that of the metadata at hand.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Literal, NamedTuple

from model.iceberg.append import FastAppend
from model.iceberg.expressions import TRUE, Expression, either, id_equals
from model.iceberg.files import DataFile, Row, Rows
from model.iceberg.merging import DeleteFiles, MergeAppend, RewriteFiles
from model.iceberg.overwrite import OverwriteFiles
from model.iceberg.partitioning import Field
from model.iceberg.replace_partitions import ReplacePartitions
from model.iceberg.result import CommandResult, Effect
from model.iceberg.rewrite_manifests import RewriteManifests, live_files_of
from model.iceberg.row_copies import Copy, copied, write_copies
from model.iceberg.scan import ScanTask, live_rows, plan
from model.iceberg.sort_orders import Fields
from model.iceberg.statistics_changes import RemoveStatistics
from model.iceberg.table import IcebergTable
from model.iceberg.tables import write_data_files
from model.iceberg.transaction import PendingUpdate
from model.iceberg.update_spec import UpdatePartitionSpec
from model.iceberg.update_statistics import UpdatePartitionStatistics, UpdateStatistics, written
from model.iceberg.updates import ReplaceSortOrder, UpdateLocation, UpdateProperties

Level = Literal["none", "snapshot", "serializable"]


class Planned(NamedTuple):
    """An update that has not been committed, and what its command reads and writes if it is."""

    update: PendingUpdate
    command: CommandResult


def append(table: IcebergTable, rows: Rows, *, merge: bool = False) -> Planned:
    """`newFastAppend` of one new data file, or `newAppend`. Conflicts with nothing, and depends on no snapshot."""
    producer = (MergeAppend if merge else FastAppend)(table)
    for file in write_data_files(table, rows):
        producer.append_file(file)
    return Planned(producer, command(table, writes=rows))


def overwrite(
    table: IcebergTable, rows: Rows, level: Level, by: Literal["filter", "file"], live: Sequence[DataFile] | None,
    start: int | None,
) -> Planned:  # fmt: skip
    """`newOverwrite` of the whole table by one new data file, by row filter `true` or by the files that are live."""
    producer = OverwriteFiles(table)
    if by == "filter":
        producer.overwrite_by_row_filter(TRUE)
    else:
        for file in live_files(table) if live is None else live:
            producer.delete_file(file.as_scanned())
    _add(table, producer, rows)
    _validate(producer, level, start, TRUE)
    return Planned(producer, command(table, writes=rows))


def replace_partitions(
    table: IcebergTable, rows: Rows, level: Level, start: int | None, *, only_adds: bool = False
) -> Planned:
    """`newReplacePartitions` of new data files, one for each partition of the rows.

    It asks for what Spark's dynamic overwrite asks for; with `only_adds` for `validateAppendOnly`, as no engine does.
    Source: `SparkWrite.DynamicOverwrite.commit` (3.5).
    """
    producer = ReplacePartitions(table)
    _add(table, producer, rows)
    if only_adds:
        producer.validate_append_only()
    if level != "none":
        producer.validate_from_snapshot(start)
        producer.validate_no_conflicting_deletes()
    if level == "serializable":
        producer.validate_no_conflicting_data()
    return Planned(producer, command(table, writes=rows))


def replace(table: IcebergTable, row_id: int, rows: Rows, level: Level, start: int | None) -> Planned:
    """`newOverwrite` of the data files that may hold a row, by name, by a new file of `rows`, or by nothing."""
    producer = OverwriteFiles(table)
    for task in tasks_of(table, row_id):
        producer.delete_file(task.file.as_scanned())
    _add(table, producer, rows)
    _validate(producer, level, start, id_equals(row_id) if level == "serializable" else None)
    gone = () if any(row[0] == row_id for row in rows) else ((row_id, None),)
    return Planned(producer, command(table, writes=(*rows, *gone)))


def change_row(table: IcebergTable, row_id: int, value: str, level: Level, start: int | None) -> Planned:
    """`newOverwrite` of the data files of a row by one of their live rows, with another value of that row."""
    found = dict(_rows_of(table, row_id))
    producer = OverwriteFiles(table)
    writes = _rewrite(table, producer, row_id, value) if found else ()
    _validate(producer, level, start, id_equals(row_id))
    return Planned(producer, command(table, as_reads(tuple(found.items()), row_id), writes))


def copy(
    table: IcebergTable, source: int, target: int, level: Level, covers: Iterable[int], start: int | None
) -> Planned:
    """Read row `source`, and change row `target` to its value.

    Args: `covers`: the rows that the conflict filter is for.
    """
    found = dict(_rows_of(table, source) + _rows_of(table, target))
    producer = OverwriteFiles(table)
    both = source in found and target in found
    writes = _rewrite(table, producer, target, found[source]) if both else ()
    _validate(producer, level, start, any_of(covers))
    return Planned(producer, command(table, as_reads(tuple(sorted(found.items())), source, target), writes))


def any_of(ids: Iterable[int]) -> Expression:
    """What matches rows of these ids, of which there is at least one."""
    return reduce(either, [id_equals(row_id) for row_id in ids])


def _rewrite(table: IcebergTable, producer: OverwriteFiles, row_id: int, value: str) -> Rows:
    """Replace the files of a row by one with its new value. Returns: what is written of it."""
    kept: list[Row] = []
    for task in tasks_of(table, row_id):
        producer.delete_file(task.file.as_scanned())
        kept += [(key, value if key == row_id else old) for _, (key, old) in live_rows(table.files, task)]
    _add(table, producer, tuple(kept))
    return ((row_id, value),)


def remove_file(table: IcebergTable, row_id: int, level: Level) -> Planned:
    """`newDelete` of the data files that may hold a row, by name; but for "none", they must all be there still."""
    producer = DeleteFiles(table)
    producer.starts_at_commit = False  # it names what was seen before
    if level != "none":
        producer.fail_missing_delete_paths()
    gone: list[Row] = []
    for task in tasks_of(table, row_id):
        producer.delete_file(task.file.as_scanned())
        gone += [row for _, row in live_rows(table.files, task)]
    return Planned(producer, command(table, writes=tuple(sorted({row[0]: None for row in gone}.items()))))


def remove_where(table: IcebergTable, ids: Sequence[int]) -> Planned:
    """`newDelete` by a row filter for each of these ids: what it takes out is known when it is committed."""
    producer = DeleteFiles(table)
    for row_id in ids:
        producer.delete_from_row_filter(id_equals(row_id))
    return Planned(producer, command(table, writes=tuple([(row_id, None) for row_id in ids])))


def compact(
    table: IcebergTable, start: int | None, *, pinned: bool = False, in_spark: bool = False, further: Rows = ()
) -> Planned:  # fmt: skip
    """`newRewrite` of all live data files by one with the same rows; `pinned`: with the sequence number of the start;
    `in_spark`: it names their deletion vectors, as the action of Spark and Flink does, which have to be there then, and
    keeps row ids, as Spark does; `further`: rows that it adds to them, as no engine does.

    Source: `RewriteDataFiles.USE_STARTING_SEQUENCE_NUMBER`, `core/actions/RewriteDataFilesCommitManager.java`,
    `core/actions/RewriteFileGroup.java`, `danglingDVs`.
    """
    producer = RewriteFiles(table).validate_from_snapshot(start)
    begun = table.metadata.snapshot(start)
    if pinned and begun is not None:
        producer.data_sequence_number(begun.sequence_number)
    tasks = plan(table.files, table.metadata.current)
    live = [(task, at, row) for task in tasks for at, row in live_rows(table.files, task)]
    for task in tasks:
        producer.delete_file(task.file.as_scanned())
        for vector in [one for one in task.deletes if one.is_vector and in_spark]:
            producer.delete_vector(vector)
    kept = [copied(*each) if in_spark else Copy(each[-1]) for each in live]
    for file in write_copies(table, [*kept, *map(Copy, further)]):
        producer.add_file(file)
    return Planned(producer, command(table, writes=further))


def cluster_manifests(table: IcebergTable, *, by_file: bool, small: bool) -> Planned:
    """`rewriteManifests().clusterBy` of all data manifests into one, or into one for each file; `small`: `rewriteIf`
    they have one file at most."""
    producer = RewriteManifests(table).cluster_by(lambda file: file.path if by_file else "")
    producer.starts_at_commit = True  # it names no manifest
    if small:
        producer.rewrite_if(lambda manifest: live_files_of([manifest]) < 2)
    return Planned(producer, command(table))


def rewrite_nothing(table: IcebergTable, rows: Rows, start: int | None) -> Planned:
    """`newRewrite` that replaces no file, and adds one of these rows, as no engine does."""
    producer = RewriteFiles(table).validate_from_snapshot(start)
    _add(table, producer, rows)
    return Planned(producer, command(table, writes=rows))


def set_property(table: IcebergTable, name: str, value: str) -> Planned:
    """`updateProperties` of one property; the last writer wins."""
    return Planned(UpdateProperties(table).set(name, value), command(table))


def set_and_remove_property(table: IcebergTable, name: str, value: str) -> Planned:
    """`updateProperties` with and without one property. Raises: `InvalidOperation`."""
    return Planned(UpdateProperties(table).set(name, value).remove(name), command(table))


def remove_property(table: IcebergTable, name: str) -> Planned:
    """`updateProperties` without one property; the last writer wins."""
    return Planned(UpdateProperties(table).remove(name), command(table))


def replace_sort_order(table: IcebergTable, fields: Fields) -> Planned:
    """`replaceSortOrder` by these fields; the last writer wins."""
    return Planned(ReplaceSortOrder(table, fields), command(table))


def update_location(table: IcebergTable, location: str) -> Planned:
    """`updateLocation` to a path prefix; on one pointer, any commit after its load refuses it."""
    return Planned(UpdateLocation(table, location), command(table))


def set_statistics(table: IcebergTable, name: str, snapshot_id: int, *, of_partitions: bool) -> Planned:
    """`updateStatistics`, or `updatePartitionStatistics`: set a file for a snapshot; a new one is written before."""
    update = UpdatePartitionStatistics if of_partitions else UpdateStatistics
    change = written(table, name, snapshot_id, of_partitions=of_partitions)
    return Planned(update(table, change), command(table))


def remove_statistics(table: IcebergTable, snapshot_id: int, *, of_partitions: bool) -> Planned:
    """`updateStatistics`, or `updatePartitionStatistics`: remove what a snapshot has; the file stays."""
    update = UpdatePartitionStatistics if of_partitions else UpdateStatistics
    return Planned(update(table, RemoveStatistics(snapshot_id, of_partitions)), command(table))


def update_spec(table: IcebergTable, field: Field | None) -> Planned:
    """`updateSpec` to one partition field, or to none; any commit in between refuses it."""
    return Planned(UpdatePartitionSpec(table).partition_by(field), command(table))


def alter_spec(table: IcebergTable, dropped: Field | None, added: Field | None) -> Planned:
    """`updateSpec`, `removeField` of one that has to be there, and `addField`: either may be None."""
    return Planned(UpdatePartitionSpec(table).remove_field(dropped).partition_by(added), command(table))


def live_files(table: IcebergTable) -> tuple[DataFile, ...]:
    """The data files of the snapshot that the client knows."""
    return tuple(task.file for task in plan(table.files, table.metadata.current))


def as_reads(rows: Rows, *ids: int) -> tuple[Effect, ...]:
    """Rows by id, sorted; ids that were looked for and not found have the value None."""
    found: dict[int, str | None] = dict.fromkeys(ids)
    for row_id, value in sorted(rows):
        before = found.get(row_id)
        found[row_id] = value if before is None else f"{before}|{value}"
    return tuple(sorted(found.items()))


def command(table: IcebergTable, reads: tuple[Effect, ...] = (), writes: tuple[Effect, ...] = ()) -> CommandResult:
    return CommandResult(table.metadata.current_snapshot_id, reads=reads, writes=writes)


def _add(table: IcebergTable, producer: OverwriteFiles | ReplacePartitions | RewriteFiles, rows: Rows) -> None:
    """Write these rows, if any, into new files, one a partition, and add them."""
    for file in write_data_files(table, rows) if rows else ():
        producer.add_file(file)


def tasks_of(table: IcebergTable, row_id: int) -> tuple[ScanTask, ...]:
    return plan(table.files, table.metadata.current, id_equals(row_id))


def _rows_of(table: IcebergTable, row_id: int) -> Rows:
    found = [row for task in tasks_of(table, row_id) for _, row in live_rows(table.files, task)]
    return tuple([row for row in found if row[0] == row_id])


def _validate(producer: OverwriteFiles, level: Level, start: int | None, conflict: Expression | None) -> None:
    if level == "none":
        return
    producer.validate_from_snapshot(start)
    if conflict is not None:
        producer.conflict_detection_filter(conflict)
    if level == "serializable":
        producer.validate_no_conflicting_data()
    producer.validate_no_conflicting_deletes()
