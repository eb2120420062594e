"""Files of rows and of deletes by Iceberg's own generic writer and reader: real Parquet, without Spark."""

import itertools
import json
from collections.abc import Iterator
from typing import Any

from py4j.protocol import Py4JJavaError

from real_backend.iceberg.live_run import sorted_rows
from real_backend.jvm.jvm import Jvm
from sim.iceberg.workload import Rows, Scan

_SCHEMA = (
    '{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"id","required":false,"type":"int"},'
    '{"id":2,"name":"v","required":false,"type":"string"}]}'
)


_IDS = '{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"id","required":false,"type":"int"}]}'


class NoOlder:
    """A Java function that knows no older deletes of any path: whoever calls merges them."""

    class Java:
        """Read by py4j."""

        implements = ("java.util.function.Function",)

    def apply(self, path: str) -> None:
        """None."""


def _where(deletes: Any) -> tuple[str, int | None]:
    """Where a delete file is: vectors may share a file."""
    return str(deletes.location()), deletes.contentOffset()


class JavaFiles:
    """Writes each distinct file once: it is immutable, and comes back when a run has ended that has deleted it.

    Args: `home`: the folder of data files; what is not in memory there is no matter of a run's.
    """

    def __init__(self, jvm: Jvm, home: str = "memory:/data") -> None:
        self._jvm, self._home = jvm, home
        self._written: dict[tuple[str, Rows, str], Any] = {}
        self._rows: dict[str, Rows] = {}
        self._deletes: dict[tuple[str, tuple[tuple[str, frozenset[int]], ...]], list[Any]] = {}
        self._deleted: dict[tuple[str, int | None], tuple[str, frozenset[int]]] = {}
        self._merged: dict[tuple[str, int], frozenset[int]] = {}
        self._equality: dict[tuple[str, int, str], Any] = {}
        self._ids: dict[str, int] = {}
        self._numbers = itertools.count(1)
        memory = jvm.java_class("org.apache.iceberg.inmemory.InMemoryFileIO").getDeclaredField("IN_MEMORY_FILES")
        memory.setAccessible(True)
        self._bodies = memory.get(None)
        self._memory, self._kept = self._bodies.keySet(), jvm.java.java.util.HashSet()
        self._saved = jvm.java.java.util.HashMap()
        self.schema = jvm.iceberg.SchemaParser.fromJson(_SCHEMA)

    def spec(self, width: int) -> Any:
        """Partitions of so many ids each; 0: none."""
        spec = self._jvm.iceberg.PartitionSpec
        return spec.builderFor(self.schema).truncate("id", width).build() if width else spec.unpartitioned()

    def data_files(self, io: Any, name: str, rows: Rows, spec: Any) -> list[Any]:
        """Parquet files with these rows, one a partition, as Java's `DataFile`s; in the order of the rows."""
        if spec.isUnpartitioned():
            return [self.data_file(io, name, rows, spec if spec.specId() else None)]
        parts: dict[str, list[tuple[int, str]]] = {}
        for row in rows:
            parts.setdefault(str(self._partition(spec, row[0])), []).append(row)
        return [self.data_file(io, f"{name}-{place}", tuple(part), spec) for place, part in enumerate(parts.values())]

    def data_file(self, io: Any, name: str, rows: Rows, spec: Any = None) -> Any:
        """A Parquet file with these rows, all of one partition. Equal names, rows and specs give the same file."""
        key = name, rows, _told(spec)
        if key not in self._written:
            path = self._new(f"{self._home}/{len(self._written)}-{name}.parquet")
            self._written[key] = self._write(io, path, rows, spec)
            self._save(path)
            self._rows[path] = rows
        return self._written[key]

    def _partition(self, spec: Any, row_id: int) -> Any:
        """The partition of a row: a `PartitionKey`."""
        record = self._jvm.iceberg.data.GenericRecord.create(self.schema)
        record.setField("id", row_id)
        key = self._jvm.iceberg.PartitionKey(spec, self.schema)
        key.partition(record)
        return key

    def rows_in(self, file: Any) -> Rows:
        """The rows of a data file that was written here, whatever was deleted since."""
        return self._rows[str(file.location())]

    def deleted_by(self, deletes: Any) -> tuple[Rows, tuple[int, ...]]:
        """The rows of the data file that a delete file made here is for, and the positions that it deletes."""
        merged = str(deletes.referencedDataFile()), int(deletes.recordCount())
        path, positions = self._deleted.get(_where(deletes)) or (merged[0], self._merged[merged])
        return self._rows[path], tuple(positions)

    def expect_merged(self, file: Any, ids: tuple[int, ...], older: list[Any]) -> None:
        """What a vector deletes that a commit merges of vectors made here. Args: as a part of `deletion_vectors`."""
        path = str(file.location())
        positions = self._positions(path, ids).union(*[self._deleted[_where(vector)][1] for vector in older])
        self._merged[path, len(positions)] = positions

    def position_deletes(self, io: Any, name: str, file: Any, ids: tuple[int, ...], spec: Any) -> Any:
        """A file that deletes rows from a data file written here, which has them, of its partition.

        Equal names and arguments give the same file.
        """
        path = str(file.location())
        positions = self._positions(path, ids)
        key = name, ((path, positions),)
        if key not in self._deletes:
            made = self._write_deletes(io, name, path, positions, file, spec)
            self._deletes[key], self._deleted[_where(made)] = [made], (path, positions)
        return self._deletes[key][0]

    def _positions(self, path: str, ids: tuple[int, ...]) -> frozenset[int]:
        return frozenset([at for at, (key, _) in enumerate(self._rows[path]) if key in ids])

    def _write_deletes(self, io: Any, name: str, path: str, positions: frozenset[int], file: Any, spec: Any) -> Any:
        iceberg = self._jvm.iceberg
        output = self._output(io, self._new(f"{self._home}/{next(self._numbers)}-{name}-deletes.parquet"))
        partition = None if spec.isUnpartitioned() else file.partition()
        writer = self._factory(spec).newPosDeleteWriter(output, iceberg.FileFormat.PARQUET, partition)
        for at in sorted(positions):
            writer.write(iceberg.deletes.PositionDelete.create().set(path, at, None))
        writer.close()
        return writer.toDeleteFile()

    def equality_delete(self, io: Any, name: str, row_id: int, spec: Any) -> Any:
        """A file that deletes all older rows of an id in its partition. Equal arguments give the same file."""
        key = name, row_id, _told(spec)
        if key not in self._equality:
            iceberg = self._jvm.iceberg
            output = self._output(io, self._new(f"{self._home}/{next(self._numbers)}-{name}-equality-deletes.parquet"))
            schema = iceberg.SchemaParser.fromJson(_IDS)
            fields = self._jvm.gateway.new_array(self._jvm.gateway.jvm.int, 1)
            fields[0] = 1
            factory = iceberg.data.GenericAppenderFactory(self.schema, spec, fields, schema, None)
            partition = None if spec.isUnpartitioned() else self._partition(spec, row_id)
            writer = factory.newEqDeleteWriter(output, iceberg.FileFormat.PARQUET, partition)
            record = iceberg.data.GenericRecord.create(schema)
            record.setField("id", row_id)
            writer.write(record)
            writer.close()
            self._equality[key] = made = writer.toDeleteFile()
            self._ids[str(made.location())] = row_id
        return self._equality[key]

    def id_deleted_by(self, deletes: Any) -> int:
        """The id of an equality delete made here."""
        return self._ids[str(deletes.location())]

    def deletion_vectors(self, table: Any, name: str, parts: list[tuple[Any, tuple[int, ...], list[Any]]]) -> list[Any]:
        """Deletion vectors of data files written here, in one file, as one task of an engine writes them.

        Args: `parts`: data file, ids of rows that it has, and the vectors made here whose deletes the new one takes
        over. Equal names and arguments give the same vectors.
        """
        found = []
        for file, ids, older in parts:
            path = str(file.location())
            taken = [self._deleted[_where(vector)][1] for vector in older]
            found.append((path, self._positions(path, ids).union(*taken)))
        key = f"{name}-vectors", tuple(found)
        if key not in self._deletes:
            self._deletes[key] = made = self._write_vectors(table, found, [file for file, _, _ in parts])
            positions = dict(found)
            for vector in made:
                path = str(vector.referencedDataFile())
                self._deleted[_where(vector)] = path, positions[path]
        return self._deletes[key]

    def _write_vectors(self, table: Any, found: list[tuple[str, frozenset[int]]], files: list[Any]) -> list[Any]:
        iceberg = self._jvm.iceberg
        factory = iceberg.io.OutputFileFactory.builderFor(table, 1, 1).format(iceberg.FileFormat.PUFFIN).build()
        writer = iceberg.deletes.BaseDVFileWriter(factory, NoOlder())
        for (path, positions), file in zip(found, files, strict=True):
            spec = table.specs().get(file.specId())
            partition = None if spec.isUnpartitioned() else file.partition()
            for at in sorted(positions):
                writer.delete(path, at, spec, partition)
        writer.close()
        made = list(writer.result().deleteFiles())
        self._save(self._new(str(made[0].location())))
        return made

    def statistics(self, table: Any, name: str) -> str:
        """A file of this name, which is written unless the table names it. Returns: its path."""
        path = f"{self._home}/{name}.stats"
        if all(str(each.path()) != path for each in (*table.statisticsFiles(), *table.partitionStatisticsFiles())):
            output = table.io().newOutputFile(path).createOrOverwrite()
            output.write(0)
            output.close()
        return path

    def _save(self, path: str) -> None:
        """Keep the bytes of a file that a run may delete."""
        if path in self._bodies:
            self._saved.put(path, self._bodies.get(path))

    def _new(self, path: str) -> str:
        self._kept.add(path)
        return path

    def keep(self) -> None:
        """Keep all files that are there, until the JVM ends."""
        self._kept.addAll(self._memory)
        self._saved.putAll(self._bodies)

    @property
    def in_memory(self) -> int:
        """How many files there are."""
        return int(self._memory.size())

    def forget_the_rest(self) -> None:
        """Drop all files from memory but those written here and what is kept, and bring back those that are gone."""
        self._memory.retainAll(self._kept)
        self._bodies.putAll(self._saved)

    def _output(self, io: Any, path: str) -> Any:
        return self._jvm.iceberg.encryption.EncryptedFiles.plainAsEncryptedOutput(io.newOutputFile(path))

    def _factory(self, spec: Any = None) -> Any:
        """Its delete files have whole paths as bounds, as those of engines: a cut one stands for every data file."""
        of_spec = () if spec is None else (spec,)
        factory = self._jvm.iceberg.data.GenericAppenderFactory(self.schema, *of_spec)
        return factory.set("write.metadata.metrics.default", "full")

    def _write(self, io: Any, path: str, rows: Rows, spec: Any) -> Any:
        iceberg = self._jvm.iceberg
        partition = None if spec is None or spec.isUnpartitioned() else self._partition(spec, rows[0][0])
        writer = self._factory(spec).newDataWriter(self._output(io, path), iceberg.FileFormat.PARQUET, partition)
        for key, value in rows:
            record = iceberg.data.GenericRecord.create(self.schema)
            record.setField("id", key)
            record.setField("v", value)
            writer.write(record)
        writer.close()
        return writer.toDataFile()

    def rows(self, table: Any, snapshot: int | None = None) -> Rows:
        """The rows of a table, at a snapshot if one is named. Raises what Java throws if it cannot be read."""
        at = () if snapshot is None else (snapshot,)
        return sorted_rows(json.loads(self._jvm.java.lakeproof.TableRows.read(table, *at)))

    def rows_of_branch(self, table: Any, branch: str) -> Rows:
        """The rows of a branch, which is read by the current schema. Raises: as `rows`."""
        return sorted_rows(json.loads(self._jvm.java.lakeproof.TableRows.readBranch(table, branch)))


def is_there(io: Any, path: str) -> bool:
    """Whether there is a file: in memory, to ask for one that is not there is an error."""
    try:
        return bool(io.newInputFile(path).exists())
    except Py4JJavaError:
        return False


def _told(spec: Any) -> str:
    return "" if spec is None or not (spec.specId() or spec.isPartitioned()) else f"{spec.specId()}: {spec}"


def is_equality(deletes: Any) -> bool:
    """Whether a delete file is one of equality deletes."""
    return str(deletes.content()) == "EQUALITY_DELETES"


def iterate(iterable: Any) -> Iterator[Any]:
    """The elements of a Java `Iterable` (py4j iterates only Java collections)."""
    iterator = iterable.iterator()
    while iterator.hasNext():
        yield iterator.next()


def scanned(files: JavaFiles, table: Any, scan: Scan) -> tuple[Rows, ...]:
    """What a read of the whole table has found, each time: who reads one snapshot twice names it."""
    table.refresh()
    if scan.times > 1 and scan.at == "first":
        return scan.times * (files.rows(table, table.currentSnapshot().snapshotId()),)
    readings = [files.rows(table)]
    for _ in range(scan.times - 1):
        table.refresh()
        readings.append(files.rows(table))
    return tuple(readings)
