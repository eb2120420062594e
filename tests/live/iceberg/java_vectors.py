"""Plays the test vectors of one forced retry on the real Iceberg: the builders of its Java API on a partitioned table.

A vector's keys and flags are the builders' methods: `no_conflicting_data` is `validateNoConflictingData`. What w2 does
before w1's first commit happens here between `apply()` and `commit()`, so the commit meets a changed table as a retry
does. No data file is written: their metadata are enough, with bounds of ids for data files and equality deletes.
"""

from typing import Any

import pytest
from py4j.protocol import Py4JJavaError

from model.iceberg.files import EqualityDeleteFile
from real_backend.iceberg.java_files import iterate
from real_backend.jvm.java_errors import describe
from real_backend.jvm.jvm import Jvm
from tests.live.iceberg.java_dvs import Vectors
from tests.live.iceberg.java_leftovers import Leftovers, counted, name_of
from tests.live.iceberg.java_managing import MANAGED, aimed, managed, places_of_refs
from tests.live.iceberg.java_rewriting import of_manifests
from tests.unit.iceberg.vector_files import data, deletes
from tests.unit.iceberg.vectors import VECTORS

SCHEMA = (
    '{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"id","required":true,"type":"int"},'
    '{"id":2,"name":"p","required":false,"type":"string"}]}'
)
PRODUCERS = {
    "append": "newFastAppend", "merge-append": "newAppend", "delete": "newDelete", "rewrite": "newRewrite",
    "overwrite": "newOverwrite", "row-delta": "newRowDelta", "properties": "updateProperties", "schema": "updateSchema",
    "replace-partitions": "newReplacePartitions", "rewrite-manifests": "rewriteManifests",
}  # fmt: skip
BUILDS_ON_START = ("rewrite", "overwrite", "row-delta", "replace-partitions")
PROPERTIES = {"format-version": "2", "commit.retry.min-wait-ms": "0", "commit.retry.max-wait-ms": "0"}
RETRIES = "commit.retry.num-retries"
MERGED_BY = {
    "enabled": "commit.manifest-merge.enabled", "min_count": "commit.manifest.min-count-to-merge",
    "target_bytes": "commit.manifest.target-size-bytes",
}  # fmt: skip
KNOWN = (*PROPERTIES, RETRIES, *MERGED_BY.values(), "write.parquet.compression-codec")
MODEL_NAMES = {
    "ValidationException": "ValidationFailed",
    "CherrypickAncestorCommitException": "ValidationFailed",
    "DuplicateWAPCommitException": "ValidationFailed",
    "NullPointerException": "InvalidOperation",
    "IllegalArgumentException": "InvalidOperation",
    "IllegalStateException": "InvalidOperation",
    "CommitFailedException": "CommitFailed",
    "AlreadyExistsException": "AlreadyExists",
    "NoSuchTableException": "NoSuchTable",
}
TWO_VECTORS = "Can't index multiple DVs"
TRANSACTIONS = ("transaction", "replace-table")
PLAYED = (*PRODUCERS, *MANAGED, "create-table", "drop-table")
DEFAULT_SETUP = [{"op": "append", "add": ["A", "B"]}]
Op = dict[str, Any]


def _playable(vector: dict[str, Any]) -> bool:
    """Whether it is one in memory whose others act before the commit; `test_creating` has all interleavings."""
    during = vector.get("during", {})
    operations = [*vector.get("setup", DEFAULT_SETUP), vector["given"], *(op for ops in during.values() for op in ops)]
    return (
        not {"faults", "rules"} & vector.keys()
        and vector.get("catalog", "java-api") == "java-api"
        and vector.get("properties", {}).keys() <= {"commit_retry_num_retries"}
        and set(during) <= {"commit 1", "load 1", "load 2"}
        and not (vector["given"].get("replaces") and "commit 1" in during)  # it loads in its commit
        and not ("load 2" in during and vector["expect"].get("trace", "").startswith("load commit"))  # it is committed
        and all(op["op"] in PLAYED and op.get("start") in (None, "own") for op in _each(operations))
    )


def _each(operations: list[Op]) -> list[Op]:
    """The operations, those of transactions by themselves."""
    return [step for op in operations for step in (op["steps"] if op["op"] in TRANSACTIONS else [op])]


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
        self._leftovers, self._vectors = Leftovers(jvm), Vectors(jvm, self._spec)
        self._catalog.createNamespace(self._identifier("t").namespace())

    def play(self, vector: dict[str, Any]) -> dict[str, Any]:
        """What the model's `vectors.run` tells, as far as Java tells it."""
        identifier = self._identifier(vector["name"])
        retries = str(vector.get("properties", {}).get("commit_retry_num_retries", 4))
        version = str(vector.get("format", 2))
        merging = {MERGED_BY[name]: str(value).lower() for name, value in vector.get("merging", {}).items()}
        properties = self._jvm.java_map({**PROPERTIES, "format-version": version, RETRIES: retries, **merging})
        self._catalog.createTable(identifier, self._schema, self._spec, properties)
        for op in vector.get("setup", DEFAULT_SETUP):
            self._begun(identifier, op)()
        error, during = None, vector.get("during", {})
        try:
            given = self._begun(identifier, vector["given"], "commit 1" in during)
            for op in (op for ops in during.values() for op in ops):
                self._begun(identifier, op)()
            given()
        except Exception as refused:
            name = describe(refused).split(":", 1)[0]
            error = MODEL_NAMES.get(name, name)
        if not self._catalog.tableExists(identifier):
            return {"error": error, "unreadable": "NoSuchTable"}
        table = self._catalog.loadTable(identifier)
        try:
            return {"error": error} | self._seen(table)
        except Py4JJavaError as refused:
            if TWO_VECTORS not in describe(refused):
                raise
            return {"error": error, "unreadable": "SeveralVectors"}

    def left_by_a_bin_that_cannot_be_read(self) -> tuple[str, int]:
        """The error of a merging append where the only manifest of the table is gone, and how many files it leaves."""
        identifier, properties = self._identifier("unreadable"), {**PROPERTIES, MERGED_BY["min_count"]: "2"}
        table = self._catalog.createTable(identifier, self._schema, self._spec, self._jvm.java_map(properties))
        self._build(table, {"op": "append", "add": ["A"]}).commit()
        for manifest in table.currentSnapshot().allManifests(table.io()):
            table.io().deleteFile(manifest.path())
        update = self._build(table, {"op": "merge-append", "add": ["B"]})
        before = self._leftovers.written_for(table)
        with pytest.raises(Py4JJavaError) as refused:
            update.commit()
        return describe(refused.value).split(":", 1)[0], self._leftovers.written_for(table) - before

    def _begun(self, identifier: Any, op: Op, applied: bool = False) -> Any:
        """The operation up to its commit, or to its one call. Args: as `_prepared`."""
        if op["op"] == "drop-table":
            return lambda: self._catalog.dropTable(identifier, False)
        if op["op"] != "create-table":
            return self._prepared(self._catalog.loadTable(identifier), op, applied)
        builder = self._catalog.buildTable(identifier, self._schema).withPartitionSpec(self._spec)
        builder = builder.withProperties(self._jvm.java_map(PROPERTIES))
        transaction = builder.createOrReplaceTransaction() if op.get("replaces") else builder.createTransaction()
        for step in op["steps"]:
            self._build(transaction, step).commit()
        return transaction.commitTransaction

    def _prepared(self, table: Any, op: Op, applied: bool = False) -> Any:
        """The operation up to its commit. Args: `applied`: what a first attempt does of it has been done."""
        if op["op"] in MANAGED:
            return managed(table, op, applied)
        if op["op"] not in TRANSACTIONS:
            update = self._build(table, op, table.currentSnapshot())
            if applied:
                update.apply()
            return update.commit
        transaction = self._replacing(table) if op["op"] == "replace-table" else table.newTransaction()
        begun = table.currentSnapshot()
        for step in op["steps"]:
            at = transaction.table().currentSnapshot() if step.get("start") == "own" else begun
            update = self._build(transaction, step, at)
            if not step.get("pending"):
                update.commit()
        return transaction.commitTransaction

    def _replacing(self, table: Any) -> Any:
        """Source: `BaseMetastoreCatalogTableBuilder.newReplaceTableTransaction`."""
        operations, order = table.operations(), self._iceberg.SortOrder.unsorted()
        base, none = operations.current(), self._jvm.java_map({})
        new = base.buildReplacement(self._schema, self._spec, order, base.location(), none)
        return self._iceberg.Transactions.replaceTableTransaction(str(table.name()), operations, new)

    def _identifier(self, name: str) -> Any:
        return self._iceberg.catalog.TableIdentifier.parse(f"db.{name}")

    def _expression(self, text: str) -> Any:
        expressions = self._iceberg.expressions.Expressions
        if text == "true":
            return expressions.alwaysTrue()
        column, value = text.split("=")
        if column == "p":
            return expressions.equal("p", value)
        low, _, high = value.partition("..")
        above = expressions.greaterThanOrEqual("id", int(low))
        return getattr(expressions, "and")(above, expressions.lessThanOrEqual("id", int(high or low)))

    def _metrics(self, file: Any) -> Any:
        """The bounds of its ids; the column is required, so nothing has to be said of nulls."""
        integer, convert = self._iceberg.types.Types.IntegerType.get(), self._iceberg.types.Conversions.toByteBuffer
        bounds = [self._jvm.java_map({1: convert(integer, bound)}) for bound in (file.lower, file.upper)]
        counts = [self._jvm.java_map({}) for _ in range(3)]
        return self._iceberg.Metrics(None, None, *counts, *bounds)

    def _data(self, name: str) -> Any:
        file = data(name)
        made = self._iceberg.DataFiles.builder(self._spec).withPath(f"memory:/{file.path}").withFormat("parquet")
        made = made.withFileSizeInBytes(10).withPartitionPath(f"p={file.partition}")
        return made.withMetrics(self._metrics(file)).withRecordCount(file.record_count).build()

    def _deletes(self, name: str) -> Any:
        file = deletes(name)
        made = self._iceberg.FileMetadata.deleteFileBuilder(self._spec).withFormat("parquet")
        if isinstance(file, EqualityDeleteFile):
            fields = self._jvm.gateway.new_array(self._jvm.gateway.jvm.int, 1)
            fields[0] = 1
            made = made.ofEqualityDeletes(fields).withPath(f"memory:/{file.path}").withFileSizeInBytes(10)
            made = made.withPartitionPath(f"p={file.partition}").withMetrics(self._metrics(file))
            return made.withRecordCount(file.record_count).build()
        made = made.ofPositionDeletes()
        made = made.withPath(f"memory:/{file.path}").withFileSizeInBytes(10).withRecordCount(file.record_count)
        made = made.withPartitionPath(f"p={file.partition}")
        only = file.referenced_data_file
        if file.is_vector:
            made = made.withFormat("puffin").withContentOffset(4).withContentSizeInBytes(6)
        return (made if only is None else made.withReferencedDataFile(f"memory:/{only}")).build()

    def _build(self, table: Any, op: Op, snapshot: Any = None) -> Any:
        """A builder of a table, or of a transaction. Args: `snapshot`: what its validations begin from."""
        kind = op["op"]
        update = getattr(table, PRODUCERS[kind])()
        if kind in BUILDS_ON_START and op.get("start", "own") is not None and snapshot is not None:
            update.validateFromSnapshot(snapshot.snapshotId())
        by_filter = "overwriteByRowFilter" if kind == "overwrite" else "deleteFromRowFilter"
        for key, method in (("filter", by_filter), ("conflict", "conflictDetectionFilter")):
            for text in filters(op, key):
                getattr(update, method)(self._expression(text))
        add = "appendFile" if "append" in kind else "addRows" if kind == "row-delta" else "addFile"
        remove = "removeRows" if kind == "row-delta" else "deleteFile"
        written = self._vectors.of(op.get("deletes", []), self._deletes)
        for key, method, file in (
            ("add", add, self._data), ("remove", remove, self._data),
            ("deletes", "addDeletes", lambda name: written.get(name) or self._deletes(name)),
            ("remove_deletes", "removeDeletes", self._deletes),
        ):  # fmt: skip
            for name in op.get(key, ()):
                getattr(update, method)(file(name))
        if "number" in op:
            update.dataSequenceNumber(op["number"])
        if "exist" in op:
            update.validateDataFilesExist(
                self._jvm.java.java.util.ArrayList([f"memory:/{data(n).path}" for n in op["exist"]])
            )
        for name, value in op.get("set", {}).items():
            update.set(name, value)
        for name in op.get("unset", ()):
            update.remove(name)
        for name in op.get("columns", ()):
            update.addColumn(name, self._iceberg.types.Types.IntegerType.get())
        for flag in op.get("validate", ()):
            getattr(update, "validate" + flag.title().replace("_", ""))()
        return aimed(of_manifests(self._jvm, update, table, op, self._data), op)

    def _seen(self, table: Any) -> dict[str, Any]:
        tasks = list(iterate(table.newScan().planFiles()))
        applied = [deleted for task in tasks for deleted in iterate(task.deletes())]
        counts = counted(applied)
        lineage: list[tuple[str, int]] = []
        snapshot = table.currentSnapshot()
        while snapshot is not None:
            lineage.insert(0, (str(snapshot.operation()), int(snapshot.sequenceNumber())))
            snapshot = table.snapshot(snapshot.parentId()) if snapshot.parentId() is not None else None
        return {
            "next_row_id": int(table.operations().current().nextRowId()),
            "taken": [[each.firstRowId(), each.addedRows() or 0] for each in table.snapshots()],
            "row_ids": {name_of(task.file()): task.file().firstRowId() for task in tasks},
            "data": sorted(name_of(task.file()) for task in tasks),
            "deletes": sorted(counts),
            "delete_counts": counts,
            "merged": self._leftovers.merged(table),
            "labels": [label for label, _ in lineage],
            "sequence": [number for _, number in lineage],
            "snapshots": len(list(table.snapshots())),
            "history": len(list(table.history())),
            "refs": places_of_refs(table),
            "columns": [str(field.name()) for field in list(table.schema().columns())[2:]],
            "further": {str(k): str(v) for k, v in dict(table.properties()).items() if k not in KNOWN},
            "manifest_count": len(list(table.currentSnapshot().allManifests(table.io()))),
            "left_over": self._leftovers.of(table),
            "manifests": self._leftovers.manifests(table),
        }
