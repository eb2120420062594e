"""Appends by a manifest that their caller has written: files that are there already are imported so.

Source: `spark/SparkTableUtil.java` (`importSparkPartitions`, `deleteManifests`) of 1.11.0 for Spark 3.5, which
`add_files`, `migrate` and `snapshot` call for tables with partitions: it deletes the manifests that it has written in
format 1, where copies are committed, and after any error, an unknown outcome among them (#13443).
"""

from model.iceberg.api import run_commit
from model.iceberg.append import FastAppend
from model.iceberg.appended_manifests import NO_SNAPSHOT
from model.iceberg.errors import IcebergError
from model.iceberg.files import ADDED, DATA, EXISTING, DataFile, ManifestEntry, ManifestFile, Rows, spec_id_of
from model.iceberg.manifest_bounds import bounds_of
from model.iceberg.meanings import ENTRIES
from model.iceberg.merging import MergeAppend
from model.iceberg.plans import Planned, command
from model.iceberg.result import CommandResult
from model.iceberg.table import IcebergTable
from model.iceberg.tables import write_data_files


def plan_append(table: IcebergTable, rows: Rows, *, merge: bool) -> Planned:
    """`newFastAppend`, or `newAppend`, of a new manifest for each spec of new data files with these rows."""
    producer = (MergeAppend if merge else FastAppend)(table)
    for manifest in _written(table, rows):
        producer.append_manifest(manifest)
    return Planned(producer, command(table, writes=rows))


def append_manifest(table: IcebergTable, rows: Rows, *, merge: bool, after_any_error: bool) -> CommandResult:
    """Commit such an append, and delete what was written for it where it is not in the table.

    Args: `after_any_error`: as Spark's import does, else after one that says so. Raises: any `IcebergError`.
    """
    producer = (MergeAppend if merge else FastAppend)(table)
    written = _written(table, rows)
    paths = [manifest.path for manifest in written]
    try:
        for manifest in written:
            producer.append_manifest(manifest)
        done = run_commit(producer, command(table, writes=rows))
    except IcebergError as error:
        if after_any_error or error.cleanable:
            table.files.delete_quietly(paths)
        raise
    if producer.table.metadata.format_version == 1:
        table.files.delete_quietly(paths)
    return done


def append_given(table: IcebergTable, rows: Rows) -> CommandResult:
    """Commit an append of manifests whose files are said to exist, or, without rows, of those that the table has.

    Raises: `InvalidOperation`: an append takes neither.
    """
    producer = FastAppend(table)
    done = command(table, writes=rows)
    try:
        for manifest in _written(table, rows, EXISTING) if rows else _own(table):
            producer.append_manifest(manifest)
    except IcebergError as error:
        error.result = done
        raise
    return run_commit(producer, done)


def _own(table: IcebergTable) -> list[ManifestFile]:
    """The data manifests of the snapshot that the client knows."""
    current = table.metadata.current
    known = () if current is None else table.files.manifests(current)
    return [manifest for manifest in known if manifest.content == DATA]


def _written(table: IcebergTable, rows: Rows, status: int = ADDED) -> list[ManifestFile]:
    """New data files with these rows, in manifests that no snapshot has yet."""
    return [write_manifest_of(table, [file], status) for file in write_data_files(table, rows)]


def write_manifest_of(table: IcebergTable, files: list[DataFile], status: int = ADDED) -> ManifestFile:
    """Write a manifest of these files of one spec. Source: `ManifestFiles.write`, with no snapshot id."""
    path = f"{table.location}/metadata/given-{table.world.chance.fresh('manifest')}"
    table.files.write(path, tuple([ManifestEntry(status, NO_SNAPSHOT, None, file) for file in files]), ENTRIES)
    counts = (len(files), 0) if status == ADDED else (0, len(files))
    spec_id, rows = spec_id_of(files[0].partition), sum([file.record_count for file in files])
    bounds = bounds_of([file.partition for file in files])
    named = (path, DATA, None, None, NO_SNAPSHOT)
    return ManifestFile(*named, *counts, 0, spec_id, live_rows=rows, bounds=bounds)
