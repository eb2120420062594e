"""Incremental scans: what the commits since a snapshot have appended, or changed.

A scan of appends has the files that appends have added, as they were added: whatever deletes rows of them since, and
whatever else was committed, an overwrite too, is not in it. A changelog has the files that each commit has added and
removed, but for compactions; where one of these commits has delete files, it is refused. Both need main to have come
from the snapshot, which itself may have expired.

Source: `core/BaseIncrementalScan.java` (`fromSnapshotIdExclusive`), `BaseIncrementalAppendScan.java`,
`BaseIncrementalChangelogScan.java` of 1.11.0; `SnapshotUtil.isParentAncestorOf`, `ancestorsBetween`.

Choices: from an excluded snapshot, and of all rows. Rows of one commit come in the order of ids.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from model.iceberg.errors import InvalidOperation
from model.iceberg.files import ADDED, DATA, DELETES, EXISTING, DataFile, ManifestEntry, ManifestFile, Rows
from model.iceberg.metadata import APPEND, REPLACE, Snapshot, TableMetadata, ancestors
from model.iceberg.scan import refuse_unknown_spec
from model.iceberg.storage import TableFiles


class Change(NamedTuple):
    """A row that a commit has changed. `ordinal`: the commit's, from 0; `sign`: "+", it was added, "-", removed."""

    ordinal: int
    id: int
    sign: str
    value: str


def appended(files: TableFiles, metadata: TableMetadata, start: int, end: int | None = None) -> Rows:
    """The rows that appends have added since, until a snapshot, or until now.

    Raises: `InvalidOperation`, and as `scan.plan`.
    """
    appends = [each for each in _between(metadata, start, end) if each.operation == APPEND]
    entries = [entry for entry in _entries(files, metadata, appends) if entry.status == ADDED]
    return tuple(sorted([row for entry in entries for row in _rows(files, entry)]))


def changed(files: TableFiles, metadata: TableMetadata, start: int) -> Rows:
    """The rows that were added, "+x", or removed with their files, "-x", since. Raises: as `appended`."""
    return signed(changes(files, metadata, start))


def signed(found: Sequence[Change]) -> Rows:
    """Changes as rows, their values with their signs."""
    return tuple([(each.id, f"{each.sign}{each.value}") for each in sorted(found)])


def changes(files: TableFiles, metadata: TableMetadata, start: int, end: int | None = None) -> list[Change]:
    """The rows that were added, or removed with their files, since. Raises: as `appended`."""
    line = [each for each in _between(metadata, start, end) if each.operation != REPLACE]
    for each in line:
        if any(manifest.content == DELETES for manifest in files.manifests(each)):
            raise InvalidOperation(f"changelog of {each.snapshot_id}: expected a snapshot without delete files")
    order = [each.snapshot_id for each in reversed(line)]
    return [
        Change(order.index(entry.snapshot_id), key, "+" if entry.status == ADDED else "-", value)
        for entry in _entries(files, metadata, line)
        for key, value in _rows(files, entry)
    ]


def _between(metadata: TableMetadata, start: int, end: int | None) -> list[Snapshot]:
    """As `_since`, of main now, or of a snapshot that is to be there, on main or not. Raises: `InvalidOperation`."""
    refuse_unknown_end(metadata, end)
    return _since(metadata if end is None else metadata._replace(current_snapshot_id=end), start)


def refuse_unknown_end(metadata: TableMetadata, end: int | None) -> None:
    """Raise `InvalidOperation` if there is no such snapshot. Source: `BaseIncrementalScan.toSnapshot`."""
    if end is not None and metadata.snapshot(end) is None:
        raise InvalidOperation(f"scan until {end}: expected a snapshot of the table, it has none")


def _since(metadata: TableMetadata, start: int) -> list[Snapshot]:
    """The snapshots of main behind this one, newest first. Raises: `InvalidOperation` if main has not come from it."""
    found = []
    for each in ancestors(metadata, metadata.current):
        found.append(each)
        if each.parent_id == start:
            return found
    at = metadata.current_snapshot_id
    raise InvalidOperation(f"scan since {start}: expected a snapshot that main, at {at}, has come from")


def _entries(files: TableFiles, metadata: TableMetadata, line: Sequence[Snapshot]) -> Iterator[ManifestEntry]:
    """What these snapshots have added to the table, or taken out."""
    ids = frozenset([each.snapshot_id for each in line])
    manifests: dict[str, ManifestFile] = {}
    for each in line:
        own = (one for one in files.manifests(each) if one.content == DATA and one.added_snapshot_id in ids)
        manifests.update({one.path: one for one in own})
    for manifest in manifests.values():
        refuse_unknown_spec(manifest, metadata.partitioning.ids)
        yield from [one for one in files.entries(manifest) if one.snapshot_id in ids and one.status != EXISTING]


def _rows(files: TableFiles, entry: ManifestEntry) -> Rows:
    assert isinstance(entry.file, DataFile)
    return files.rows(entry.file)
