"""A table whose history is a ring, on the real Iceberg: whoever looks for the ancestors of its head never ends."""

import json
from itertools import islice

import pytest

from real_backend.iceberg.java_files import iterate

pytestmark = pytest.mark.live
FOLDER = "/no-such-folder"
METADATA = {
    "format-version": 2, "table-uuid": "00000000-0000-0000-0000-000000000001", "location": FOLDER,
    "last-sequence-number": 3, "last-updated-ms": 3, "last-column-id": 1, "current-schema-id": 0,
    "schemas": [
        {"type": "struct", "schema-id": 0, "fields": [{"id": 1, "name": "id", "required": False, "type": "int"}]}
    ],
    "default-spec-id": 0, "partition-specs": [{"spec-id": 0, "fields": []}], "last-partition-id": 999,
    "default-sort-order-id": 0, "sort-orders": [{"order-id": 0, "fields": []}], "properties": {},
    "current-snapshot-id": 1, "refs": {"main": {"snapshot-id": 1, "type": "branch"}},
    "snapshots": [
        {"snapshot-id": one, "parent-snapshot-id": 3 - one, "sequence-number": number, "timestamp-ms": number,
         "manifest-list": f"{FOLDER}/{one}.avro", "summary": {"operation": "append"}, "schema-id": 0}
        for one, number in ((2, 2), (1, 3))
    ],
}  # fmt: skip


def test_the_ancestors_of_its_head_never_end(spark, tmp_path):
    """A thousand of a table that has two snapshots."""
    path = tmp_path / "v1.metadata.json"
    path.write_text(json.dumps(METADATA), encoding="utf-8")
    session, _ = spark
    io = session.jvm.iceberg.hadoop.HadoopFileIO(session.spark._jsc.hadoopConfiguration())
    table = session.jvm.iceberg.BaseTable(session.jvm.iceberg.StaticTableOperations(str(path), io), "t")
    met = islice(iterate(session.jvm.iceberg.util.SnapshotUtil.currentAncestors(table)), 1_000)
    assert [each.snapshotId() for each in met] == [1, 2] * 500
