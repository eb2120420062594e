"""What a snapshot may have done by what it says of itself, and by the format of the table that it was added to; and
what goes with it.

* One that is called `replace` changes no rows: it adds no more records than there are in the files that it removes.
* A table of format 3 gets no new position delete files but deletion vectors, one of format 2 no vectors, one of format
  1 no deletes at all.
* A snapshot that goes takes its statistics with it.

Source: Iceberg table specification, Snapshots (`operation`), Position Delete Files, Deletion Vectors; of 1.11.0
`SnapshotProducer` ("Invalid REPLACE operation"), `MergingSnapshotProducer.validateDeleteFileForVersion`,
`TableMetadata.Builder.removeSnapshots`.

Choices: over REST nobody requires a format (`model.iceberg.requirements`), so there it is not asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from model.iceberg.files import ADDED, DATA, DELETED, DELETES, DeleteFile, ManifestEntry
from model.iceberg.metadata import REPLACE, Snapshot, TableMetadata


def replaced_by_more(objects: Mapping[str, Any], metadata: TableMetadata) -> list[str]:
    """Compactions that have added rows, as sentences. Args: `objects`: all files."""
    found = []
    for snapshot in metadata.snapshots:
        if snapshot.operation != REPLACE:
            continue
        entries = list(_own_entries(objects, snapshot, DATA))
        added, removed = (sum(e.file.record_count for e in entries if e.status == one) for one in (ADDED, DELETED))
        if added > removed:
            found.append(f"replace: expected up to {removed} records in {snapshot.snapshot_id}, got {added}")
    return found


def deletes_of_other_formats(objects: Mapping[str, Any], versions: Sequence[TableMetadata]) -> list[str]:
    """Delete files that the table was not to have when they were added, as sentences."""
    found = []
    for before, after in pairwise(versions):
        known, version = {each.snapshot_id for each in before.snapshots}, after.format_version
        new = [snapshot for snapshot in after.snapshots if snapshot.snapshot_id not in known]
        found += [
            f"delete-format: expected deletes of format {version}, got {entry.location}"
            for snapshot in new
            for entry in _own_entries(objects, snapshot, DELETES)
            if entry.status == ADDED and not _is_of(entry, version)
        ]
    return found


def statistics_left(versions: Sequence[TableMetadata]) -> list[str]:
    """Statistics of snapshots that went without them, as sentences."""
    found: list[str] = []
    for before, after in pairwise(versions):
        if not after.statistics:
            continue
        there = {each.snapshot_id for each in after.snapshots}
        gone = {each.snapshot_id for each in before.snapshots} - there
        found += [
            f"statistics-left: expected {each.path} to go with snapshot {each.snapshot_id}"
            for each in after.statistics
            if each.snapshot_id in gone
        ]
    return found


def _is_of(entry: ManifestEntry, version: int) -> bool:
    """Whether a new delete file is one of a format; an equality delete is of all that have deletes."""
    if not isinstance(entry.file, DeleteFile):
        return version > 1
    return version > 1 and entry.file.is_vector == (version > 2)


def _own_entries(objects: Mapping[str, Any], snapshot: Snapshot, content: str) -> Iterator[ManifestEntry]:
    """The entries of the manifests of this content that a snapshot has added."""
    for manifest in objects.get(snapshot.manifest_list, ()):
        if manifest.content == content and manifest.added_snapshot_id == snapshot.snapshot_id:
            yield from objects.get(manifest.path, ())
