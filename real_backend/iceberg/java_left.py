"""What a race of the Java API leaves of a table beside lineage and rows: read from its metadata and its manifests."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from py4j.protocol import Py4JJavaError

from model.iceberg.sort_orders import Fields, SortField
from real_backend.iceberg.java_files import JavaFiles, is_equality, is_there, iterate
from real_backend.iceberg.java_specs import MOVED
from real_backend.iceberg.live_versions import retention_in
from real_backend.jvm.jvm import Jvm
from sim.iceberg.ages import retention_words
from sim.iceberg.heads import ref_words
from sim.iceberg.left import (
    Words,
    data_words,
    deletes_words,
    equality_words,
    file_name,
    last_column_words,
    location_words,
    manifest_words,
    of_spec,
    orders_words,
    row_ids_words,
    specs_words,
    statistics_words,
    types_words,
    words,
)
from sim.iceberg.managing import MAIN
from sim.iceberg.manifest_merging import merges_unusually
from sim.iceberg.workload import Rows

CREATED_AT = "created-at"
"""A property that `CatalogHandlers.stageTableCreate` gives to a table: the time of day."""
NUMBERS = ("long", "float", "double", "decimal")
"""How the types of columns begin that are told."""


def metadata_of(jvm: Jvm, table: Any) -> dict[str, Any]:
    """A table's metadata in its JSON form."""
    found: dict[str, Any] = json.loads(str(jvm.iceberg.TableMetadataParser.toJson(table.operations().current())))
    return found


def left_of(
    jvm: Jvm, files: JavaFiles, table: Any, metadata: Mapping[str, Any], ordinals: Mapping[int, int],
    defaults: Collection[str], of_refs: bool,
) -> Words | None:  # fmt: skip
    """The words for a table; None if a manifest cannot be read.

    Args: `ordinals`: the places of snapshots; `defaults`: properties that nobody has set; `of_refs`: what each ref has
    is told, too.
    """
    try:
        found = list(_files(jvm, files, table))
        found += list(_refs(files, table, metadata)) if of_refs else []
        said = [(name, retention_words(retention_in(name, ref))) for name, ref in metadata["refs"].items()]
        found += [f"{name} says: {words}" for name, words in said if words]
        found.append(f"format {metadata['format-version']}")
        found += _row_ids(metadata) if metadata["format-version"] > 2 else []
        specs = metadata["partition-specs"]
        fields = {each["spec-id"]: [field["transform"] for field in each["fields"]] for each in specs}
        found += list(_manifests(table)) if len(specs) > 1 or merges_unusually(metadata["properties"]) else []
        found += specs_words(fields, metadata["default-spec-id"], metadata["last-partition-id"])
    except Py4JJavaError:
        return None
    schema = next(each for each in metadata["schemas"] if each["schema-id"] == metadata["current-schema-id"])
    found += orders_words(_sort_orders(metadata), metadata["default-sort-order-id"])
    at, numbers = metadata["location"], {each["snapshot-id"]: _number(each) for each in metadata["snapshots"]}
    lists = {_number(each): each["manifest-list"].startswith(f"{at}/") for each in metadata["snapshots"]}
    found += location_words(at.removeprefix(MOVED) if at.startswith(MOVED) else "", lists)
    found += _statistics(table, metadata, numbers)
    columns = dict(_columns(schema["fields"]))
    found += last_column_words(metadata["last-column-id"], len(columns))
    found += types_words([(name, of) for name, of in columns.items() if of.startswith(NUMBERS)])
    return words(
        {name: ref["snapshot-id"] for name, ref in metadata["refs"].items()},
        numbers,
        ordinals,
        tuple(columns),
        {name: value for name, value in metadata["properties"].items() if name not in (*defaults, CREATED_AT)},
        found,
    )


def _columns(fields: Sequence[Mapping[str, Any]], above: str = "") -> Iterator[tuple[str, str]]:
    """Columns by the paths to them, and their types; what is in a struct comes behind it."""
    for field in fields:
        path, kind = f"{above}{field['name']}", field["type"]
        yield path, kind if isinstance(kind, str) else "struct"
        if isinstance(kind, Mapping):
            yield from _columns(kind["fields"], f"{path}.")


def _sort_orders(metadata: Mapping[str, Any]) -> dict[int, Fields]:
    """The sort orders; a field whose column is gone is one of an earlier schema."""
    names = {field["id"]: field["name"] for schema in metadata["schemas"] for field in schema["fields"]}
    return {
        each["order-id"]: tuple(
            [SortField(names[field["source-id"]], field["direction"] == "desc") for field in each["fields"]]
        )
        for each in metadata["sort-orders"]
    }


def _row_ids(metadata: Mapping[str, Any]) -> list[str]:
    taken = [(_number(each), each.get("first-row-id"), each.get("added-rows", 0)) for each in metadata["snapshots"]]
    return row_ids_words(metadata["next-row-id"], taken)


def _number(snapshot: Mapping[str, Any]) -> int:
    """Its sequence number; 0: of format 1."""
    return int(snapshot.get("sequence-number", 0))


def _statistics(table: Any, metadata: Mapping[str, Any], numbers: Mapping[int, int]) -> Iterator[str]:
    for kind, of_partitions in (("statistics", False), ("partition-statistics", True)):
        for each in metadata.get(kind, ()):
            path = each["statistics-path"]
            at = numbers.get(each["snapshot-id"])
            yield statistics_words(at, file_name(path), of_partitions, is_there(table.io(), path))


def _files(jvm: Jvm, files: JavaFiles, table: Any) -> Iterator[str]:
    io, snapshot, manifests = table.io(), table.currentSnapshot(), jvm.iceberg.ManifestFiles
    for manifest in snapshot.dataManifests(io) if snapshot is not None else ():
        for file in _in(manifests.read(manifest, io)):
            words_of = data_words(files.rows_in(file), file.dataSequenceNumber(), file.firstRowId())
            yield words_of + of_spec(int(file.specId()))
    for manifest in snapshot.deleteManifests(io) if snapshot is not None else ():
        for file in _in(manifests.readDeleteManifest(manifest, io, table.specs())):
            if is_equality(file):
                words_of = equality_words(files.id_deleted_by(file), file.dataSequenceNumber())
            else:
                words_of = deletes_words(*files.deleted_by(file), file.dataSequenceNumber())
            yield words_of + of_spec(int(file.specId()))


def _manifests(table: Any) -> Iterator[str]:
    snapshot = table.currentSnapshot()
    for each in snapshot.allManifests(table.io()) if snapshot is not None else ():
        counts = int(each.addedFilesCount()), int(each.existingFilesCount()), int(each.deletedFilesCount())
        yield manifest_words(str(each.content()).lower(), int(each.partitionSpecId()), *counts)


def _refs(files: JavaFiles, table: Any, metadata: Mapping[str, Any]) -> Iterator[str]:
    for name, ref in metadata["refs"].items():
        if name != MAIN:
            try:
                of_tag = ref["type"] == "tag"
                rows: Rows | None = (
                    files.rows(table, ref["snapshot-id"]) if of_tag else files.rows_of_branch(table, name)
                )
            except Py4JJavaError:
                rows = None
            yield ref_words(ref["type"], name, rows)


def _in(reader: Any) -> Iterator[Any]:
    try:
        yield from iterate(reader)
    finally:
        reader.close()
