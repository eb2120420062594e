"""The row ids of a table of format 3 on the real Iceberg, and what is wrong with them."""

from collections.abc import Mapping
from typing import Any

from py4j.protocol import Py4JJavaError

from real_backend.iceberg.java_files import iterate
from real_backend.jvm.jvm import Jvm
from sim.iceberg.row_lineage import Ids, findings_of


def row_ids_amiss(jvm: Jvm, table: Any, metadata: Mapping[str, Any]) -> tuple[str, ...] | None:
    """What is wrong with a table's row ids, as sentences; None if its format has none.

    Args: `metadata`: in its JSON form. Snapshots of which a file is missing are not looked at.
    """
    if metadata["format-version"] < 3:
        return None
    found: dict[int, dict[str, Ids]] = {}
    for each in metadata["snapshots"]:
        try:
            found[each["snapshot-id"]] = _live_files(jvm, table, table.snapshot(each["snapshot-id"]))
        except Py4JJavaError:
            continue
    parents = {each["snapshot-id"]: each.get("parent-snapshot-id") for each in metadata["snapshots"]}
    return tuple(findings_of(found, parents, metadata["next-row-id"]))


def _live_files(jvm: Jvm, table: Any, snapshot: Any) -> dict[str, Ids]:
    io, found = table.io(), {}
    for manifest in snapshot.dataManifests(io):
        reader = jvm.iceberg.ManifestFiles.read(manifest, io, table.specs())
        try:
            for file in iterate(reader):
                found[str(file.location())] = Ids(file.firstRowId(), int(file.recordCount()))
        finally:
            reader.close()
    return found
