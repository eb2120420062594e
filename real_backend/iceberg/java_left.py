"""What a race of the Java API leaves of a table beside lineage and rows: read from its metadata and its manifests."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from py4j.protocol import Py4JJavaError

from real_backend.iceberg.java_files import JavaFiles, is_equality, iterate
from real_backend.iceberg.live_run import Version
from real_backend.jvm.jvm import Jvm
from sim.iceberg.left import Words, data_words, deletes_words, equality_words, words


def metadata_of(jvm: Jvm, table: Any) -> dict[str, Any]:
    """A table's metadata in its JSON form."""
    found: dict[str, Any] = json.loads(str(jvm.iceberg.TableMetadataParser.toJson(table.operations().current())))
    return found


def left_of(
    jvm: Jvm, files: JavaFiles, table: Any, metadata: Mapping[str, Any], lineage: tuple[Version, ...],
    defaults: Collection[str],
) -> Words | None:  # fmt: skip
    """The words for a table; None if a manifest cannot be read. Args: `defaults`: properties that nobody has set."""
    try:
        found = list(_files(jvm, files, table))
    except Py4JJavaError:
        return None
    schema = next(each for each in metadata["schemas"] if each["schema-id"] == metadata["current-schema-id"])
    return words(
        {name: ref["snapshot-id"] for name, ref in metadata["refs"].items()},
        {each["snapshot-id"]: each["sequence-number"] for each in metadata["snapshots"]},
        {version.snapshot: version.ordinal for version in lineage},
        tuple([field["name"] for field in schema["fields"]]),
        {name: value for name, value in metadata["properties"].items() if name not in defaults},
        found,
    )


def _files(jvm: Jvm, files: JavaFiles, table: Any) -> Iterator[str]:
    io, snapshot, manifests = table.io(), table.currentSnapshot(), jvm.iceberg.ManifestFiles
    for manifest in snapshot.dataManifests(io) if snapshot is not None else ():
        for file in _in(manifests.read(manifest, io)):
            yield data_words(files.rows_in(file), file.dataSequenceNumber())
    for manifest in snapshot.deleteManifests(io) if snapshot is not None else ():
        for file in _in(manifests.readDeleteManifest(manifest, io, table.specs())):
            if is_equality(file):
                yield equality_words(files.id_deleted_by(file), file.dataSequenceNumber())
            else:
                yield deletes_words(*files.deleted_by(file), file.dataSequenceNumber())


def _in(reader: Any) -> Iterator[Any]:
    try:
        yield from iterate(reader)
    finally:
        reader.close()
