"""The row ids of a table of format 3 when a race has ended, told from its metadata and its files alone.

* `row-id-ahead`: a row has an id that is not below the table's next one.
* `row-id-twice`: two data files have an id in common, in whichever snapshots they are.
* `row-id-changed`: a data file that a snapshot has from its parent has other ids than there, or none.
* `upgraded-row-id-changed`: the same of a file that is of a snapshot without ids, too: its table has come to format 3.

Source: specification of the table format, "Row Lineage", "First Row ID Inheritance".

Choices: snapshots that have expired, and those of which a file is missing, are not looked at. A parent of an earlier
format has no ids. What another branch has of a file may have other ids ("Row Lineage for Upgraded Tables").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from model.iceberg.files import DATA, DELETED, DataFile
from model.iceberg.metadata import TableMetadata
from model.iceberg.row_ids import inherited

Objects = Mapping[str, Any]


class Ids(NamedTuple):
    """The row ids of a data file: its first one (None: it has none), and how many rows it has."""

    first: int | None
    rows: int


Live = Mapping[str, Ids]
"""The live data files of a snapshot, by path."""


def lineage_findings(objects: Objects, metadata: TableMetadata) -> list[str]:
    """What is wrong with the row ids of the model's table, as sentences."""
    parents = {snapshot.snapshot_id: snapshot.parent_id for snapshot in metadata.snapshots}
    return findings_of(_live_files(objects, metadata), parents, metadata.next_row_id)


def findings_of(of_snapshots: Mapping[int, Live], parents: Mapping[int, int | None], next_id: int) -> list[str]:
    """What is wrong with row ids, as sentences. Args: `parents`: of each snapshot; `next_id`: the table's."""
    ranges = {
        (ids.first, ids.first + ids.rows, path)
        for live in of_snapshots.values()
        for path, ids in live.items()
        if ids.first is not None
    }
    return [*_ahead(ranges, next_id), *_twice(ranges), *_changed(of_snapshots, parents)]


def _live_files(objects: Objects, metadata: TableMetadata) -> dict[int, Live]:
    """By snapshot; without those that cannot be read."""
    found: dict[int, Live] = {}
    of_manifests: dict[tuple[str, int | None], Live] = {}
    for snapshot in metadata.snapshots:
        try:
            live: dict[str, Ids] = {}
            for manifest in objects[snapshot.manifest_list]:
                key = manifest.path, manifest.first_row_id
                if manifest.content == DATA and key not in of_manifests:
                    of_manifests[key] = _files_of(objects, *key)
                live |= of_manifests.get(key, {})
        except KeyError:  # who reads the table is told of it
            continue
        found[snapshot.snapshot_id] = live
    return found


def _files_of(objects: Objects, manifest: str, first_row_id: int | None) -> Live:
    files = [each.file for each in inherited(objects[manifest], first_row_id) if each.status != DELETED]
    return {file.path: Ids(file.first_row_id, file.record_count) for file in files if isinstance(file, DataFile)}


Ranges = set[tuple[int, int, str]]
"""The first id of a file in a snapshot, the one behind its last, and its path."""


def _ahead(ranges: Ranges, next_id: int) -> Iterator[str]:
    for first, end, path in sorted(ranges):
        if end > next_id:
            yield f"row-id-ahead: expected row ids below {next_id}, the table's next one, got {first} on in {path}"


def _twice(ranges: Ranges) -> Iterator[str]:
    for (_, end, one), (first, _, other) in pairwise(sorted(ranges)):
        if one != other and first < end:
            yield f"row-id-twice: expected rows of {other} with ids of their own, got {first}, which is one of {one}"


def _changed(of_snapshots: Mapping[int, Live], parents: Mapping[int, int | None]) -> Iterator[str]:
    older = {path for live in of_snapshots.values() for path, (first, _) in live.items() if first is None}
    for snapshot, live in of_snapshots.items():
        above = parents[snapshot]
        parent = {} if above is None else of_snapshots.get(above, {})
        for path, (first, _) in live.items():
            had = parent[path].first if path in parent else None
            if had is not None and first != had:
                got = f"{first} in snapshot {snapshot}"
                kind = "upgraded-row-id-changed" if path in older and first is not None else "row-id-changed"
                yield f"{kind}: expected row ids of {path} from {had} on, as its parent has them, got {got}"
