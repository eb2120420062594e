"""What a snapshot may have done: compactions add no rows, each format has deletes of its kind, and statistics
go with their snapshots."""

import pytest

from model.iceberg.files import (
    ADDED,
    DATA,
    DELETED,
    DELETES,
    EXISTING,
    DataFile,
    DeleteFile,
    EqualityDeleteFile,
    ManifestFile,
)
from model.iceberg.files import ManifestEntry as Entry
from model.iceberg.metadata import MAIN, Snapshot, TableMetadata
from model.iceberg.statistics import StatisticsFile
from sim.iceberg.snapshot_rules import deletes_of_other_formats, replaced_by_more, statistics_left

AnyFile = DataFile | DeleteFile | EqualityDeleteFile
ROWS = {"one": 1, "two": 2, "three": 3}
POSITIONS = DeleteFile("deletes", 1, "two", "two")
BY_ID = EqualityDeleteFile("deletes", 1, 1, 1)
VECTOR = POSITIONS._replace(is_vector=True)


def table(operation: str, content: str, *entries: tuple[int, AnyFile], version: int = 2, added: int = 2):
    """A table of one snapshot besides its first, which has one manifest, and the files of it."""
    found = tuple([Entry(status, 2, None, file) for status, file in entries])
    counts = [sum(each.status == status for each in found) for status in (ADDED, EXISTING, DELETED)]
    manifest = ManifestFile("m", content, 2, 2, added, counts[0], counts[1], counts[2])
    snapshot = Snapshot(2, 1, 2, operation, "list")
    metadata = TableMetadata(1, version, snapshots=(snapshot,), current_snapshot_id=2, refs=((MAIN, 2),))
    return metadata, {"m": found, "list": (manifest,)}


def data(path: str) -> DataFile:
    """A data file of these rows."""
    return DataFile(path, ROWS[path], 1, 3)


@pytest.mark.parametrize(("operation", "entries", "found"), [
    ("replace", ((DELETED, "two"), (ADDED, "two")), 0),
    ("replace", ((DELETED, "three"), (ADDED, "two")), 0),
    ("replace", ((DELETED, "two"), (ADDED, "three")), 1),
    ("replace", ((ADDED, "one"),), 1),
    ("replace", ((EXISTING, "two"),), 0),
    ("overwrite", ((ADDED, "one"),), 0),
])  # fmt: skip
def test_a_compaction_adds_no_more_than_it_removes(operation, entries, found):
    """Fewer are what deletes have left."""
    metadata, objects = table(operation, DATA, *[(status, data(path)) for status, path in entries])
    assert len(replaced_by_more(objects, metadata)) == found


def test_what_another_snapshot_has_added_is_not_its_own():
    """Its manifests are those that it has written."""
    metadata, objects = table("replace", DATA, (ADDED, data("one")), added=1)
    assert replaced_by_more(objects, metadata) == []


@pytest.mark.parametrize(("version", "file", "found"), [
    (1, POSITIONS, 1), (1, BY_ID, 1), (2, POSITIONS, 0), (2, VECTOR, 1),
    (2, BY_ID, 0), (3, POSITIONS, 1), (3, VECTOR, 0),
    (3, BY_ID, 0),
])  # fmt: skip
def test_each_format_has_deletes_of_its_kind(version, file, found):
    """Of those that are new; what a table had before it came to its format stays."""
    metadata, objects = table("overwrite", DELETES, (ADDED, file), version=version)
    before = metadata._replace(snapshots=(), refs=(), current_snapshot_id=None)
    assert len(deletes_of_other_formats(objects, [before, metadata])) == found
    assert deletes_of_other_formats(objects, [metadata, metadata]) == []


def test_statistics_go_with_their_snapshot():
    """Those of a snapshot that is gone already may be set."""
    metadata, _ = table("append", DATA, (ADDED, data("one")))
    named = metadata._replace(statistics=(StatisticsFile(2, "path"),))
    without = named._replace(snapshots=())
    assert len(statistics_left([named, without])) == 1
    assert statistics_left([named, without._replace(statistics=())]) == []
    assert statistics_left([without, without]) == []
