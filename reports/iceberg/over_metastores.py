"""An Iceberg table in a metastore, told as one in a register: the pointer is a parameter, the metadata a JSON file.

A read of the table's parameters is a load of the metadata that they name; an alter is a commit of the metadata that it
names. Steps keep their own names in pictures.

Choices: the metadata that the table was made with may not be opened in a run, since clients know it; then it is taken
from what the first commit was built on.
"""

from collections.abc import Mapping
from typing import Any

from model.iceberg.metadata import TableMetadata
from reports.explanation.renderer import Traced

LOCATION = "metadata_location"


def as_register(rows: list[Traced]) -> list[Traced]:
    """The rows with the metastore's calls as `load` and `commit`; unchanged if no metadata file was written."""
    files: dict[str, TableMetadata] = {}
    for row in rows:
        for body in (row.value, *row.args[1:2]):
            if row.lane == "files" and isinstance(body, TableMetadata):
                files.setdefault(row.resource, body)
    if not files:
        return rows
    initial = _before(next(iter(files.values())))
    return [_translated(row, files, initial) for row in rows]


def _translated(row: Traced, files: Mapping[str, TableMetadata], initial: TableMetadata) -> Traced:
    if row.point == "get_table" and row.outcome == "ok" and _location(row.value):
        return row._replace(operation="load", value=files.get(_location(row.value), initial), shown=row.operation)
    if row.point == "alter_table":
        location = next((found for found in map(_location, (*row.args[1:2], row.value)) if found), "")
        if location in files:
            updated = files[location]
            return row._replace(operation="commit", args=(row.resource, None, updated, None), shown=row.operation)
    return row


def _location(holder: Any) -> str:
    """The metadata file that parameters name; they are given as pairs, or belong to the table of an answer."""
    pairs = getattr(getattr(holder, "table", None), "parameters", holder)
    if type(pairs) is not tuple or not all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs):
        return ""
    return str(dict(pairs).get(LOCATION, ""))


def _before(updated: TableMetadata) -> TableMetadata:
    """What the first commit of a run was built on."""
    parent = updated.current.parent_id if updated.current else None
    kept = tuple(snapshot for snapshot in updated.snapshots if snapshot.snapshot_id != updated.current_snapshot_id)
    return updated._replace(snapshots=kept, current_snapshot_id=parent)
