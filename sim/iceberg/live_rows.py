"""The live rows of a snapshot, told from all files that there are: what an observer sees beside the clients.

Source: `model.iceberg.scan`, which a client reads by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from model.iceberg.files import (
    DATA,
    DELETED,
    AnyDeletes,
    DataFile,
    EqualityDeleteFile,
    Lineage,
    ManifestEntry,
    Row,
    container,
)
from model.iceberg.metadata import Snapshot
from model.iceberg.row_copies import lineage_at
from model.iceberg.row_ids import inherited


class Placed(NamedTuple):
    """A row where it is: its file, that file's data sequence number, and its position in it."""

    row: Row
    file: DataFile
    number: int
    position: int

    @property
    def lineage(self) -> Lineage:
        """Its id and its last change, as a reader is told."""
        return lineage_at(self.file, self.number, self.position)


def live_rows(objects: Mapping[str, Any], snapshot: Snapshot) -> Iterator[Placed]:
    """The rows that no delete file takes out. Raises: `KeyError` if a file is missing."""
    live: dict[str, tuple[DataFile, int]] = {}
    deletes: list[tuple[AnyDeletes, int]] = []
    for manifest in objects[snapshot.manifest_list]:
        entries: tuple[ManifestEntry, ...] = objects[manifest.path]
        number, added_by = manifest.sequence_number, manifest.added_snapshot_id
        entries = tuple([entry.numbered(number, added_by) for entry in entries])
        for entry in inherited(entries, manifest.first_row_id) if manifest.content == DATA else entries:
            if entry.status == DELETED:
                continue
            if isinstance(entry.file, DataFile):
                live[entry.file.path] = entry.file, entry.sequence_number or 0
            else:
                deletes.append((entry.file, entry.sequence_number or 0))
    for file, number in live.values():
        yield from _left(objects, file, number, deletes)


def _left(
    objects: Mapping[str, Any], file: DataFile, number: int, deletes: Iterable[tuple[AnyDeletes, int]]
) -> Iterator[Placed]:
    places: set[int] = set()
    ids: set[int] = set()
    for delete, at in deletes:
        if not delete.is_of(at, number):
            continue
        if isinstance(delete, EqualityDeleteFile):
            ids.update(objects[delete.path])
        else:
            places.update(place for of, place in objects[container(delete.path)] if of == file.path)
    for place, row in enumerate(objects[file.path]):
        if place not in places and row[0] not in ids:
            yield Placed(row, file, number, place)
