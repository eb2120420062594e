"""Looking a table over when a race has ended: invariants of its metadata, what refs say is kept, deletes that miss,
files left behind; in format 3, row ids, by themselves."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any

from checkers.iceberg.inspections import ROW_IDS, UNASKED
from checkers.isolation.invariants import INSPECT
from model.iceberg.clock_rule import TOLERANCE_MS
from model.iceberg.files import ADDED, DATA, DELETED, DELETES, DeleteFile, ManifestFile, Row
from model.iceberg.invariants import invariant_findings
from model.iceberg.metadata import DELETE, REPLACE, Snapshot, TableMetadata
from model.iceberg.schemas import schema_ids
from sim.iceberg.astray import astray, overwritten
from sim.iceberg.kept_ids import kept_ids
from sim.iceberg.lineage import rings
from sim.iceberg.past_schemas import under_no_schema
from sim.iceberg.retained import unkept
from sim.iceberg.row_lineage import lineage_findings
from sim.iceberg.statements import Statement
from sim.world.simulation import Simulation

INSPECTOR = "r-inspect"
MERGED = "data/merged-dvs"
"""What begins the names of files that a commit itself writes beside data files (`model.iceberg.merged_vectors`)."""


def inspect(
    simulation: Simulation,
    location: str,
    metadata: TableMetadata,
    pointer: str | None,
    owned: str = "",
    more: Sequence[str] = (),
    changed: Collection[Row] | None = None,
    named: Collection[int] = (),
) -> None:
    """Record one `inspect` operation per finding, or a single one that found nothing.

    Args: `location`: the table's path prefix; `pointer`: the metadata file that the catalog names, where it names one;
    `owned`: the folder below the location whose files the clients are to clean up (empty: all); `more`: findings of
    others; `changed`: of a table whose rows keep their ids when they are written again, as UPDATE and MERGE leave
    them; `named`: snapshots that were to go by their ids.
    """
    objects = simulation.services.store.objects
    findings = [f"metadata: {text}" for text in invariant_findings(metadata)]
    made_under = {each.snapshot_id: each.schema_id for each in metadata.snapshots}
    findings += under_no_schema(made_under, schema_ids(metadata))
    findings += rings({each.snapshot_id: each.parent_id for each in metadata.snapshots}, metadata.refs)
    if not _is_cut(metadata):
        findings += [text for snapshot in metadata.snapshots for text in _misses(objects, metadata, snapshot)]
    findings += _vectors(objects, metadata)
    gone = [each.path for each in metadata.statistics if each.path not in objects]
    findings += [f"statistics: expected {path}, which the table names, it is gone" for path in gone]
    versions = versions_of(simulation, location)
    findings += _never_current(versions, metadata)
    findings += [*unkept(versions, named), *_back_in_time(versions), *more]
    places = [place for place in (location, metadata.location) if place]
    folders = tuple([f"{place}/{folder}" for place in places for folder in (owned, MERGED)])
    findings += _leaks(objects, folders, metadata, pointer)
    record_findings(simulation, findings)
    if metadata.format_version > 2:
        kept = [] if changed is None else kept_ids(objects, metadata, changed)
        record_findings(simulation, [*kept, *lineage_findings(objects, metadata)], ROW_IDS)


def committed_files(simulation: Simulation, table: str) -> frozenset[str]:
    """The files that the snapshots of a table in a register name now, looked up beside the clients."""
    objects = simulation.services.store.objects
    metadata: TableMetadata = simulation.services.register.current(table).value
    manifests = {one.path: None for snapshot in metadata.snapshots for one in _manifests(objects, snapshot)}
    inside = [entry.location for path in manifests for entry in objects.get(path, ())]
    return frozenset([*[snapshot.manifest_list for snapshot in metadata.snapshots], *manifests, *inside])


def record_findings(simulation: Simulation, findings: Sequence[str], kind: str = INSPECT) -> None:
    """Record what is wrong, or that nothing is: of a table that is gone, nothing can be."""
    for text in findings or [""]:
        op = simulation.record.invoke(INSPECTOR, kind, text)
        simulation.record.ok(op)


def record_unasked(simulation: Simulation, locations: Sequence[str], sent: Sequence[Statement]) -> None:
    """Record what nobody can have done to these tables. Args: `sent`: all statements of the race."""
    history = simulation.services.register.history
    found = [text for location in locations for text in astray(versions_of(simulation, location), sent)]
    found += [text for one in locations for text in overwritten([each.value for each in history.get(one, ())])]
    if found:
        record_findings(simulation, found, UNASKED)


def versions_of(simulation: Simulation, location: str) -> list[TableMetadata]:
    """The versions of a table, where its catalog keeps them."""
    versions = simulation.services.register.history.get(location, ())
    return [each.value for each in versions if isinstance(each.value, TableMetadata)]


def _back_in_time(versions: list[TableMetadata]) -> list[str]:
    """Versions that are older than those that they were built on, by more than a minute.

    Source: the constructor of `TableMetadata` ("Invalid update timestamp"): nobody could load such a table.
    """
    times = [each.last_updated_ms for each in versions]
    return [f"times: expected {new} from {old} on" for old, new in pairwise(times) if old - new > TOLERANCE_MS]


def _is_cut(metadata: TableMetadata) -> bool:
    """Whether snapshots have expired: who deleted a file is not known then."""
    known = {snapshot.snapshot_id for snapshot in metadata.snapshots}
    return any(each.parent_id is not None and each.parent_id not in known for each in metadata.snapshots)


def _misses(objects: dict[str, Any], metadata: TableMetadata, snapshot: Snapshot) -> list[str]:
    """Delete files that refer to no live data file at the very snapshot that adds them.

    A file that another commit has deleted does not count: its rows may be deleted again. Source: iceberg/4.2, notes on
    `skipDeletes`; `RowDelta.validateDeletedFiles`. Nor does one whose deletes are rewritten, for they were of nothing
    before: `BaseRewriteFiles.validate` does not look for the data files that deletes are of.
    """
    manifests = _manifests(objects, snapshot)
    if all(manifest.content == DATA for manifest in manifests):
        return []
    deleted = _deleted_besides(snapshot, objects, metadata)
    entries = [(manifest, entry) for manifest in manifests for entry in objects.get(manifest.path, ())]
    live = {entry.file.path for manifest, entry in entries if manifest.content == DATA and entry.status != DELETED}
    rewritten = _deletes_taken_out(snapshot, entries) if snapshot.operation == REPLACE else set()
    return [
        f"dangling-delete: {entry.file.path} of snapshot {snapshot.snapshot_id} refers to a file that is not live"
        for manifest, entry in entries
        if manifest.content == DELETES and entry.status == ADDED and manifest.added_snapshot_id == snapshot.snapshot_id
        and isinstance(entry.file, DeleteFile)
        and entry.file.referenced_data_file is not None
        and entry.file.referenced_data_file not in live | deleted | rewritten
    ]  # fmt: skip


def _deletes_taken_out(snapshot: Snapshot, entries: Sequence[tuple[ManifestFile, Any]]) -> set[str | None]:
    """The data files that the delete files are of that a snapshot takes out."""
    return {
        entry.file.referenced_data_file
        for manifest, entry in entries
        if manifest.content == DELETES and entry.status == DELETED and entry.snapshot_id == snapshot.snapshot_id
    }


def _vectors(objects: dict[str, Any], metadata: TableMetadata) -> list[str]:
    """Data files with more than one deletion vector in the current snapshot, and vectors that a commit has kept of a
    data file that it has removed.

    Source: iceberg/1.3; `MergingSnapshotProducer.apply` (`removeDanglingDeletesFor`).
    """
    if metadata.format_version < 3 or metadata.current is None:
        return []
    found = _vectors_of(objects, metadata.current)
    several = [f"vectors: expected one of {path}, got {', '.join(of)}" for path, of in found.items() if len(of) > 1]
    kept = [
        f"kept-vector: expected none of {path}, which snapshot {snapshot.snapshot_id} removes, got {', '.join(of)}"
        for snapshot in metadata.snapshots
        for path, of in _vectors_of(objects, snapshot).items()
        if path in _removed_by(snapshot, objects)
    ]
    return several + kept


def _vectors_of(objects: dict[str, Any], snapshot: Snapshot) -> dict[str, list[str]]:
    """The live deletion vectors of each data file."""
    found: dict[str, list[str]] = {}
    for manifest in _manifests(objects, snapshot):
        for entry in objects.get(manifest.path, ()) if manifest.content == DELETES else ():
            if entry.status != DELETED and entry.file.is_vector:
                found.setdefault(entry.file.lower, []).append(entry.file.path)
    return found


def _never_current(tables: list[TableMetadata], metadata: TableMetadata) -> list[str]:
    """Snapshots in the table's history that no commit has made current. Args: `tables`: its versions, where the catalog
    keeps them.

    Source: iceberg/1.1; `TableMetadata.Builder.updateSnapshotLog`: none that was inside a transaction.
    """
    if not tables:
        return []
    known = {table.current_snapshot_id for table in tables} | set(tables[0].snapshot_log)
    return [
        f"history: expected what was the current snapshot, got {snapshot}"
        for snapshot in metadata.snapshot_log
        if snapshot not in known
    ]


def _deleted_besides(here: Snapshot, objects: dict[str, Any], metadata: TableMetadata) -> set[str]:
    """The data files that other commits labelled `delete` have removed."""
    others = [snapshot for snapshot in metadata.snapshots if snapshot.operation == DELETE and snapshot is not here]
    return {path for snapshot in others for path in _removed_by(snapshot, objects)}


def _removed_by(snapshot: Snapshot, objects: dict[str, Any]) -> set[str]:
    """The data files that a commit has removed."""
    return {
        entry.file.path
        for manifest in _manifests(objects, snapshot)
        if manifest.content == DATA and manifest.added_snapshot_id == snapshot.snapshot_id
        for entry in objects.get(manifest.path, ())
        if entry.status == DELETED
    }


def _manifests(objects: dict[str, Any], snapshot: Snapshot) -> tuple[ManifestFile, ...]:
    manifests: tuple[ManifestFile, ...] = objects.get(snapshot.manifest_list, ())
    return manifests


def _leaks(
    objects: dict[str, Any], folders: tuple[str, ...], metadata: TableMetadata, pointer: str | None
) -> list[str]:
    known = {pointer, *metadata.metadata_log}
    for snapshot in metadata.snapshots:
        known.add(snapshot.manifest_list)
        if metadata.statistics:
            known.update([each.path for each in metadata.statistics if each.snapshot_id == snapshot.snapshot_id])
        for manifest in _manifests(objects, snapshot):
            if manifest.path not in known:
                known.add(manifest.path)
                known.update([entry.location for entry in objects.get(manifest.path, ())])
    left = [path for path in objects if path.startswith(folders) and path not in known]
    return [f"leak: {', '.join(left)}"] if left else []
