"""Rows that another hand deletes by positions: a row delta as Java's, in a table of PyIceberg, which writes none.

It reads such delete files. The commit loop is the library's; a row delta validates that the data file it names is there
still, as `BaseRowDelta` does of what `validateDataFilesExist` names, and nothing else.

Source: `core/BaseRowDelta.java` of 1.11.0 (its operation and its validation), `pyiceberg/table/update/snapshot.py`
(`_SnapshotProducer`), "Position Delete Files" in the specification.

Choices: a delete file is of one data file, whose path its bounds name.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.manifest import (
    DataFile,
    DataFileContent,
    FileFormat,
    ManifestContent,
    ManifestEntry,
    ManifestEntryStatus,
    ManifestFile,
    ManifestWriterV2,
)
from pyiceberg.table import Table, Transaction
from pyiceberg.table.snapshots import Operation
from pyiceberg.table.update.snapshot import _FastAppendFiles
from pyiceberg.table.update.validate import _validate_data_files_exist

PATH, POSITION = 2147483546, 2147483545
"""The ids of a delete file's columns."""


def delete_rows(transaction: Transaction, keys: Sequence[int]) -> list[int]:
    """Delete these rows, as far as they are there. Returns: those that were."""
    found = []
    delta = _RowDelta(Operation.DELETE, transaction, transaction._table.io)
    for task in transaction._scan().plan_files():
        with transaction._table.io.new_input(task.file.file_path).open() as body:
            ids = pq.read_table(body).column("id").to_pylist()
        gone = _positions(transaction._table, task)
        here = [place for place, key in enumerate(ids) if key in keys and place not in gone]
        if here:
            delta.delete(task.file, here)
            found += [ids[place] for place in here]
    if found:
        delta.commit()
    return found


def _positions(table: Table, task: Any) -> set[int]:
    """The positions of a task's file that are deleted."""
    gone: set[int] = set()
    for file in task.delete_files:
        with table.io.new_input(file.file_path).open() as body:
            rows = pq.read_table(body).to_pylist()
        gone |= {row["pos"] for row in rows if row["file_path"] == task.file.file_path}
    return gone


class _DeleteManifestWriter(ManifestWriterV2):
    def content(self) -> ManifestContent:
        return ManifestContent.DELETES

    @property
    def _meta(self) -> dict[str, str]:
        return {**super()._meta, "content": "deletes"}


class _RowDelta(_FastAppendFiles):
    """A snapshot that adds delete files."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._of: dict[str, DataFile] = {}
        self._files: list[DataFile] = []

    def delete(self, file: DataFile, positions: Sequence[int]) -> None:
        """Delete the rows at these positions of a data file."""
        path = f"{file.file_path}-deletes-{self.snapshot_id}.parquet"
        body = io.BytesIO()
        pq.write_table(pa.table({"file_path": [file.file_path] * len(positions), "pos": list(positions)}), body)
        with self._io.new_output(path).create() as stream:
            stream.write(body.getvalue())
        bounds = {PATH: file.file_path.encode()}
        made = DataFile.from_args(
            content=DataFileContent.POSITION_DELETES, file_path=path, file_format=FileFormat.PARQUET,
            partition=file.partition, record_count=len(positions), file_size_in_bytes=len(body.getvalue()),
            lower_bounds=bounds, upper_bounds=bounds,
        )  # fmt: skip
        made.spec_id = file.spec_id
        self._of[file.file_path] = file
        self._files.append(made)

    def _manifests(self) -> list[ManifestFile]:
        written = []
        for spec_id in dict.fromkeys([file.spec_id for file in self._files]):
            output = self.new_manifest_output()
            spec = self.spec(spec_id)
            with _DeleteManifestWriter(spec, self.schema(), output, self._snapshot_id, self._compression) as writer:
                for file in self._files:
                    if file.spec_id == spec_id:
                        writer.add(ManifestEntry.from_args(
                            status=ManifestEntryStatus.ADDED, snapshot_id=self._snapshot_id, data_file=file,
                        ))  # fmt: skip
            written.append(writer.to_manifest_file())
        return [*written, *self._existing_manifests()]

    def _validate_concurrency(self) -> None:
        window = self._commit_window
        if window is None or window.is_empty() or window.head is None or window.base is None:
            return
        _validate_data_files_exist(self._transaction._table, window.head, set(self._of.values()), window.base)
