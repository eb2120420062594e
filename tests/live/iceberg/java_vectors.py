"""Plays the test vectors of one forced retry on the real Iceberg: the builders of its Java API on a partitioned table.

A vector's keys and flags are the builders' methods: `no_conflicting_data` is `validateNoConflictingData`. What w2 does
before w1's first commit happens here between `apply()` and `commit()`, so the commit meets a changed table as a retry
does. No data file is written: their metadata are enough.
"""

from typing import Any

from real_backend.iceberg.java_files import iterate
from real_backend.jvm.java_errors import describe
from real_backend.jvm.jvm import Jvm
from tests.unit.iceberg.vectors import VECTORS, data, deletes

SCHEMA = (
    '{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"id","required":false,"type":"int"},'
    '{"id":2,"name":"p","required":false,"type":"string"}]}'
)
PRODUCERS = {
    "append": "newFastAppend", "merge-append": "newAppend", "delete": "newDelete", "rewrite": "newRewrite",
    "overwrite": "newOverwrite", "row-delta": "newRowDelta",
}  # fmt: skip
BUILDS_ON_START = ("rewrite", "overwrite", "row-delta")
PROPERTIES = {"format-version": "2", "commit.retry.min-wait-ms": "0", "commit.retry.max-wait-ms": "0"}
MODEL_NAMES = {"ValidationException": "ValidationFailed", "IllegalArgumentException": "InvalidOperation"}
DEFAULT_SETUP = [{"op": "append", "add": ["A", "B"]}]
Op = dict[str, Any]


def _playable(vector: dict[str, Any]) -> bool:
    during = vector.get("during", {})
    operations = [*vector.get("setup", DEFAULT_SETUP), vector["given"], *(op for ops in during.values() for op in ops)]
    return (
        not {"faults", "properties", "rules", "catalog"} & vector.keys()
        and set(during) <= {"commit 1", "load 1"}
        and all(op["op"] in PRODUCERS and op.get("start") is None for op in operations)
        and not any(
            text.startswith("id=") for op in operations for text in (*filters(op, "filter"), *filters(op, "conflict"))
        )
    )


def filters(op: Op, key: str) -> list[str]:
    """The filters that an operation has under this key: none, one, or a list."""
    found = op.get(key, [])
    return [found] if isinstance(found, str) else found


PLAYABLE = [vector["name"] for vector in VECTORS if _playable(vector)]


class JavaVectors:
    """A catalog in memory; each vector gets a table of its own."""

    def __init__(self, jvm: Jvm) -> None:
        self._jvm, self._iceberg = jvm, jvm.iceberg
        self._schema = self._iceberg.SchemaParser.fromJson(SCHEMA)
        self._spec = self._iceberg.PartitionSpec.builderFor(self._schema).identity("p").build()
        self._catalog = self._iceberg.inmemory.InMemoryCatalog()
        self._catalog.initialize("vectors", jvm.java_map({}))
        self._catalog.createNamespace(self._identifier("t").namespace())

    def play(self, vector: dict[str, Any]) -> dict[str, Any]:
        """What the model's `vectors.run` tells, as far as Java tells it."""
        identifier = self._identifier(vector["name"])
        self._catalog.createTable(identifier, self._schema, self._spec, self._jvm.java_map(PROPERTIES))
        for op in vector.get("setup", DEFAULT_SETUP):
            self._build(self._catalog.loadTable(identifier), op).commit()
        given, error = self._build(self._catalog.loadTable(identifier), vector["given"]), None
        try:
            during = vector.get("during", {})
            if "commit 1" in during:
                given.apply()
            for op in (op for ops in during.values() for op in ops):
                self._build(self._catalog.loadTable(identifier), op).commit()
            given.commit()
        except Exception as refused:
            name = describe(refused).split(":", 1)[0]
            error = MODEL_NAMES.get(name, name)
        return {"error": error} | _seen(self._catalog.loadTable(identifier))

    def _identifier(self, name: str) -> Any:
        return self._iceberg.catalog.TableIdentifier.parse(f"db.{name}")

    def _expression(self, text: str) -> Any:
        expressions = self._iceberg.expressions.Expressions
        return expressions.alwaysTrue() if text == "true" else expressions.equal("p", text.split("=")[1])

    def _data(self, name: str) -> Any:
        file = data(name)
        made = self._iceberg.DataFiles.builder(self._spec).withPath(f"memory:/{file.path}").withFormat("parquet")
        made = made.withFileSizeInBytes(10).withPartitionPath(f"p={file.partition}")
        return made.withRecordCount(file.record_count).build()

    def _deletes(self, name: str) -> Any:
        file = deletes(name)
        made = self._iceberg.FileMetadata.deleteFileBuilder(self._spec).ofPositionDeletes().withFormat("parquet")
        made = made.withPath(f"memory:/{file.path}").withFileSizeInBytes(10).withRecordCount(file.record_count)
        made = made.withPartitionPath(f"p={file.partition}")
        only = file.referenced_data_file
        return (made if only is None else made.withReferencedDataFile(f"memory:/{only}")).build()

    def _build(self, table: Any, op: Op) -> Any:
        kind = op["op"]
        update = getattr(table, PRODUCERS[kind])()
        snapshot = table.currentSnapshot()
        if kind in BUILDS_ON_START and "start" not in op and snapshot is not None:
            update.validateFromSnapshot(snapshot.snapshotId())
        by_filter = "overwriteByRowFilter" if kind == "overwrite" else "deleteFromRowFilter"
        for key, method in (("filter", by_filter), ("conflict", "conflictDetectionFilter")):
            for text in filters(op, key):
                getattr(update, method)(self._expression(text))
        add = "appendFile" if "append" in kind else "addRows" if kind == "row-delta" else "addFile"
        remove = "removeRows" if kind == "row-delta" else "deleteFile"
        for key, method, file in (
            ("add", add, self._data), ("remove", remove, self._data),
            ("deletes", "addDeletes", self._deletes), ("remove_deletes", "removeDeletes", self._deletes),
        ):  # fmt: skip
            for name in op.get(key, ()):
                getattr(update, method)(file(name))
        if "exist" in op:
            update.validateDataFilesExist(
                self._jvm.java.java.util.ArrayList([f"memory:/{data(n).path}" for n in op["exist"]])
            )
        for flag in op.get("validate", ()):
            getattr(update, "validate" + flag.title().replace("_", ""))()
        return update


def _seen(table: Any) -> dict[str, Any]:
    tasks = list(iterate(table.newScan().planFiles()))
    lineage: list[tuple[str, int]] = []
    snapshot = table.currentSnapshot()
    while snapshot is not None:
        lineage.insert(0, (str(snapshot.operation()), int(snapshot.sequenceNumber())))
        snapshot = table.snapshot(snapshot.parentId()) if snapshot.parentId() is not None else None
    return {
        "data": sorted(_name(task.file()) for task in tasks),
        "deletes": sorted({_name(deleted) for task in tasks for deleted in iterate(task.deletes())}),
        "labels": [label for label, _ in lineage],
        "sequence": [number for _, number in lineage],
    }


def _name(file: Any) -> str:
    return str(file.location()).rsplit("/", 1)[-1]
