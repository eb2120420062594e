"""Making and opening tables on each of the modelled catalogs.

Choices: a table is made by set-up code, before anything is concurrent, so creation has no loop and no validation.
"""

from collections.abc import Sequence
from typing import Any, Literal

from model.iceberg.append import FastAppend
from model.iceberg.catalog import TableOperations
from model.iceberg.files import (
    DataFile,
    DeleteFile,
    EqualityDeleteFile,
    Partition,
    Position,
    Rows,
    data_file,
    delete_file,
    equality_delete_file,
)
from model.iceberg.hadoop import HadoopOperations
from model.iceberg.jdbc import JdbcOperations
from model.iceberg.meanings import IDS, POSITIONS, ROWS
from model.iceberg.metadata import TableMetadata
from model.iceberg.metastore import LOCATION, metadata_location
from model.iceberg.metastore_tables import HiveTables
from model.iceberg.partitioning import UNPARTITIONED, PartitionSpec, Transform, partitioned_by
from model.iceberg.register import RegisterOperations
from model.iceberg.rest import RestOperations
from model.iceberg.rest_client import MAX_RESENDS
from model.iceberg.rules import SHIPPED, Rules
from model.iceberg.table import IcebergTable
from model.iceberg.table_properties import TableProperties
from model.ports import World

Catalog = Literal["rest", "java-api", "jdbc", "hadoop", "hadoop-replacing", "hive-lock", "hive-no-lock"]
REPLACING: Catalog = "hadoop-replacing"
IN_FOLDERS: tuple[Catalog, ...] = ("hadoop", REPLACING)
"""The Hadoop catalog, where renames refuse a target that is there, and where they replace it."""


def open_table(
    world: World,
    name: str,
    *,
    catalog: Catalog = "rest",
    rules: Rules = SHIPPED,
    loaded: Any = None,
    max_resends: int = MAX_RESENDS,
) -> IcebergTable:
    """A client's handle on a table; asks the catalog nothing before its first use.

    Args: `loaded`: `table.ops.seen` of another handle on the same catalog, for a client that loaded the table before
    the run began; `max_resends`: how often the REST client sends a request again.
    """
    return IcebergTable(world, _operations(world, name, catalog, rules, loaded, max_resends), name, rules)


def _operations(
    world: World, name: str, catalog: Catalog, rules: Rules, loaded: Any, max_resends: int
) -> TableOperations:
    match catalog:
        case "rest":
            return RestOperations(world, name, rules, loaded, max_resends)
        case "java-api":
            return RegisterOperations(world, name, loaded)
        case "jdbc":
            return JdbcOperations(world, name, loaded)
        case "hadoop" | "hadoop-replacing":
            return HadoopOperations(world, name, loaded)
        case "hive-lock":
            return HiveTables(world, name, rules, loaded)
        case "hive-no-lock":
            return HiveTables(world, name, rules, loaded, locks=False)


def create_table(
    world: World,
    name: str,
    rows: Rows = (),
    *,
    catalog: Catalog = "rest",
    properties: TableProperties | None = None,
    rules: Rules = SHIPPED,
    format_version: int = 2,
    partition_width: int = 0,
    partition_transform: Transform = "truncate",
) -> IcebergTable:
    """Make a table; `rows`, if any, become its first data files, one a partition, in its first snapshot. Set-up only.

    Args: `partition_width`: how many ids a partition has, or how many buckets there are; 0: the table has no
    partitions.

    On a Hive catalog, the metastore must have a table of that name already; it is made an Iceberg table.
    """
    metadata = TableMetadata(
        world.chance.fresh("table"),
        format_version,
        properties=TableProperties() if properties is None else properties,
        partitioning=partitioned_by(partition_width, partition_transform),
    )
    if catalog in ("hive-lock", "hive-no-lock"):
        location = metadata_location(world, name, 0)
        world.store.put(location, metadata)
        world.metastore.alter_table(name, {LOCATION: location, "table_type": "ICEBERG"})
    elif catalog in IN_FOLDERS:
        world.folders.commit(name, 1, metadata)
    else:
        world.register.commit(name, 0, metadata)
    table = open_table(world, name, catalog=catalog, rules=rules)
    if rows:
        append = FastAppend(table)
        for file in write_data_files(table, rows):
            append.append_file(file)
        append.commit()
    return table


def partition_of(table: IcebergTable, row_id: int) -> Partition:
    """The partition of a row as the client knows the table, by its default spec."""
    return table.metadata.partitioning.spec.partition_of(row_id)


def write_data_files(table: IcebergTable, rows: Rows, spec: PartitionSpec | None = None) -> tuple[DataFile, ...]:
    """Write new data files, one for each partition that the rows are of; no snapshot has them yet.

    Args: `spec`: by which they are written, if it is not the table's default one.
    """
    if table.metadata.partitioning is UNPARTITIONED:
        return (write_data_file(table, rows),)
    parts = (spec or table.metadata.partitioning.spec).divided(rows)
    return tuple([write_data_file(table, part, partition) for partition, part in parts.items()])


def write_data_file(table: IcebergTable, rows: Rows, partition: Partition = None) -> DataFile:
    """Write one new data file; no snapshot has it yet."""
    path = f"{table.location}/data/{table.world.chance.fresh('file')}"
    table.files.write(path, rows, ROWS)
    return data_file(path, rows, partition)


def write_delete_file(
    table: IcebergTable, positions: tuple[Position, ...], partition: Partition = None, *, is_vector: bool = False
) -> DeleteFile:
    """Write one new position delete file, or a deletion vector; no snapshot has it yet."""
    path = f"{table.location}/data/{table.world.chance.fresh('file')}-deletes"
    table.files.write(path, positions, POSITIONS)
    return delete_file(path, positions, partition, is_vector)


def write_vectors(table: IcebergTable, parts: Sequence[tuple[tuple[Position, ...], Partition]]) -> list[DeleteFile]:
    """Write deletion vectors, each of one data file and its partition, as one task does: into one new file.

    Source: `core/deletes/BaseDVFileWriter.java`, `close`.
    """
    if len(parts) == 1:
        ((positions, partition),) = parts
        return [write_delete_file(table, positions, partition, is_vector=True)]
    path = f"{table.location}/data/{table.world.chance.fresh('file')}-deletes"
    table.files.write(path, tuple([each for positions, _ in parts for each in positions]), POSITIONS)
    return [delete_file(f"{path}#{place}", *part, is_vector=True) for place, part in enumerate(parts)]


def write_equality_delete_file(
    table: IcebergTable, ids: tuple[int, ...], partition: Partition = None
) -> EqualityDeleteFile:
    """Write one new equality delete file; no snapshot has it yet."""
    path = f"{table.location}/data/{table.world.chance.fresh('file')}-equality-deletes"
    table.files.write(path, ids, IDS)
    return equality_delete_file(path, ids, partition)
