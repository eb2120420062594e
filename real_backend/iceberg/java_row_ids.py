"""The row ids of a table of format 3 on the real Iceberg, and what is wrong with them."""

from collections.abc import Mapping
from typing import Any

from py4j.protocol import Py4JJavaError

from real_backend.iceberg.java_files import iterate
from real_backend.jvm.jvm import Jvm
from sim.iceberg.row_lineage import Ids, findings_of

Manifest = tuple[str, int | None]
"""Its path, and its first row id, which lists may give it anew."""


def row_ids_amiss(jvm: Jvm, table: Any, metadata: Mapping[str, Any]) -> tuple[str, ...] | None:
    """What is wrong with a table's row ids, as sentences; None if its format has none.

    Args: `metadata`: in its JSON form. Snapshots of which a file is missing are not looked at.
    """
    if metadata["format-version"] < 3:
        return None
    found: dict[int, dict[str, Ids]] = {}
    read: dict[Manifest, dict[str, Ids]] = {}
    for each in metadata["snapshots"]:
        try:
            found[each["snapshot-id"]] = _live_files(jvm, table, table.snapshot(each["snapshot-id"]), read)
        except Py4JJavaError:
            continue
    parents = {each["snapshot-id"]: each.get("parent-snapshot-id") for each in metadata["snapshots"]}
    return tuple(findings_of(found, parents, metadata["next-row-id"]))


def _live_files(jvm: Jvm, table: Any, snapshot: Any, read: dict[Manifest, dict[str, Ids]]) -> dict[str, Ids]:
    """Args: `read`: what manifests were found to have, to which is added: most are those of the snapshot before."""
    found: dict[str, Ids] = {}
    for manifest in snapshot.dataManifests(table.io()):
        key = str(manifest.path()), manifest.firstRowId()
        if key not in read:
            read[key] = _files_of(jvm, table, manifest)
        found |= read[key]
    return found


def _files_of(jvm: Jvm, table: Any, manifest: Any) -> dict[str, Ids]:
    reader = jvm.iceberg.ManifestFiles.read(manifest, table.io(), table.specs())
    try:
        return {str(file.location()): Ids(file.firstRowId(), int(file.recordCount())) for file in iterate(reader)}
    finally:
        reader.close()
