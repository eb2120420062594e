"""Runs the vectors of `tests/vectors/iceberg*.json`: one operation, what happened meanwhile, what must come out.

A vector: `setup` (operations before), `given` (the operation under test, by w1), `during` (keyed "commit 1": what w2
does just before w1's first commit is applied), `faults` (keyed alike, or "lock each": how it goes wrong), and what
is expected. An operation may be a transaction of `steps`, which replaces the table if it is "replace-table", or creates
it if it is "create-table"; validations of one with `start` "own" begin from its newest snapshot, and one that is
`pending` is not committed. Unless it says otherwise, no error, nothing deleted or left over, and no lock is expected.
"""

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from model.iceberg.append import FastAppend
from model.iceberg.errors import IcebergError, NoSuchTable
from model.iceberg.expressions import TRUE, Expression, IdBetween, InPartition
from model.iceberg.files import DataFile
from model.iceberg.invariants import invariant_findings
from model.iceberg.manifest_bins import ManifestMerging
from model.iceberg.merging import DeleteFiles, MergeAppend, RewriteFiles
from model.iceberg.new_table import begin_creating, drop_table
from model.iceberg.overwrite import OverwriteFiles
from model.iceberg.purge import drop_with_files
from model.iceberg.rename import rename_table
from model.iceberg.replace_partitions import ReplacePartitions
from model.iceberg.replace_table import ReplaceTransaction
from model.iceberg.rewrite_manifests import RewriteManifests
from model.iceberg.row_delta import RowDelta
from model.iceberg.rules import VARIANTS, Rules
from model.iceberg.scan import plan, read_rows
from model.iceberg.spark import SparkSql
from model.iceberg.table import IcebergTable
from model.iceberg.table_properties import TableProperties
from model.iceberg.tables import create_table, open_table
from model.iceberg.transaction import Transaction
from model.iceberg.update_schema import UpdateSchema
from model.iceberg.updates import UpdateProperties
from model.ports import World
from sim.iceberg.server_purges import purging
from tests.unit.iceberg.direct_world import Services, actor
from tests.unit.iceberg.managing_vectors import MANAGING, aim, refs_of
from tests.unit.iceberg.manifest_vectors import of_manifests
from tests.unit.iceberg.sql_vectors import say
from tests.unit.iceberg.vector_calls import planned
from tests.unit.iceberg.vector_files import FILES, FOLDER, data, deleted, deletes, row_ids_of

OF = (
    "transactions vectors equality managing rest replacing creating hadoop jdbc partitions sql procedures formats"
    " in_hive metastore_lock renaming manifests row_ids merging ancestry appended numbered"
)
VECTORS: list[dict[str, Any]] = [
    vector
    for name in ("iceberg.json", *[f"iceberg_{of}.json" for of in OF.split()])
    for vector in json.loads((FOLDER / name).read_text(encoding="utf-8"))
]
BY_NAME = {vector["name"]: vector for vector in VECTORS}
DEFAULTS: dict[str, Any] = {"error": None, "deleted": [], "leftover": [], "locks": 0}
Op = dict[str, Any]


@dataclass
class Setting:
    """One vector in the making."""

    services: Services
    catalog: Any
    rules: Rules
    others: int = 1


def expression(text: str) -> Expression:
    """A filter: "true", "p=p0", "id=3" or "id=3..9"."""
    if text == "true":
        return TRUE
    column, value = text.split("=")
    if column == "p":
        return InPartition(value)
    low, _, high = value.partition("..")
    return IdBetween(int(low), int(high or low))


def configure(producer: Any, op: Op, scanned: int | None) -> Any:
    """Call the builder methods that the operation's keys name."""
    start = op.get("start", "scan")
    if hasattr(producer, "validate_from_snapshot"):
        producer.validate_from_snapshot(scanned if start == "scan" else start)
    by_filter = ("overwrite_by_row_filter", "delete_from_row_filter")
    for key, methods in (("filter", by_filter), ("conflict", ("conflict_detection_filter",))):
        for method in methods:
            if key in op and hasattr(producer, method):
                for text in [op[key]] if isinstance(op[key], str) else op[key]:
                    getattr(producer, method)(expression(text))
    for name in op.get("add", ()):
        add = getattr(producer, "append_file", None) or getattr(producer, "add_file", None) or producer.add_rows
        add(data(name))
    for name in op.get("remove", ()):
        remove = getattr(producer, "delete_file", None) or producer.remove_rows
        remove(data(name))
    for name in op.get("deletes", ()):
        producer.add_deletes(deletes(name))
    for name in op.get("remove_deletes", ()):
        producer.remove_deletes(deletes(name))
    if "number" in op:
        producer.data_sequence_number(op["number"])
    if "exist" in op:
        producer.validate_data_files_exist(data(name).path for name in op["exist"])
    for flag in op.get("validate", ()):
        getattr(producer, f"validate_{flag}")()
    for name, value in op.get("set", {}).items():
        producer.set(name, value)
    for name in op.get("unset", ()):
        producer.remove(name)
    for name in op.get("columns", ()):
        producer.add_column(name)
    of_manifests(producer, op)
    return aim(producer, op)


PRODUCERS = {
    "append": FastAppend,
    "merge-append": MergeAppend,
    "delete": DeleteFiles,
    "rewrite": RewriteFiles,
    "overwrite": OverwriteFiles,
    "row-delta": RowDelta,
    "replace-partitions": ReplacePartitions,
    "rewrite-manifests": RewriteManifests,
    "properties": UpdateProperties,
    "schema": UpdateSchema,
}


def perform(setting: Setting, world: World, table: IcebergTable, op: Op) -> None:
    """Do one operation; what it adds is put into the store first, as task writers do."""
    kind = op["op"]
    if kind.startswith("spark-"):
        sql = SparkSql(world, "t", op.get("mode", "merge-on-read"), op["isolation"], setting.catalog, setting.rules)
        say(sql, kind[6:], op)
    elif kind == "wait":
        world.clock.sleep_ms(op["ms"])
    elif kind == "forget-locks":
        setting.services.leases.clear()
    elif kind == "lock":
        world.locks.lock("t", "somebody")
    elif kind == "unlock":
        world.locks.unlock(op["id"])
    elif kind in MANAGING:
        MANAGING[kind](table, op)
    elif kind == "transaction":
        _transact(setting, Transaction(table), op["steps"])
    elif kind == "create-table":
        anew = open_table(world, "t", catalog=setting.catalog, rules=setting.rules)
        _transact(setting, begin_creating(anew, replaces=op.get("replaces", False)), op["steps"])
    elif kind == "drop-table":
        drop_table(table)
    elif kind == "drop-with-files":
        drop_with_files(table)
    elif kind == "rename-table":
        rename_table(table, op["from"], op["to"])
    elif kind == "replace-table":
        _transact(setting, ReplaceTransaction(table), op["steps"])
    else:
        _write(setting, op)
        configure(PRODUCERS[kind](table), op, table.metadata.current_snapshot_id).commit()


def _write(setting: Setting, op: Op) -> None:
    for name in (*op.get("add", ()), *op.get("manifest", ())):
        setting.services.objects[data(name).path] = tuple((i, v) for i, v in FILES["data"][name]["rows"])
    for name in op.get("deletes", ()):
        setting.services.objects[deletes(name).path] = deleted(name)


def _transact(setting: Setting, transaction: Transaction, steps: list[Op]) -> None:
    begun = transaction.current.current_snapshot_id
    for step in steps:
        _write(setting, step)
        at = transaction.table()
        scanned = at.metadata.current_snapshot_id if step.get("start") == "own" else begun
        given = {key: value for key, value in step.items() if key != "start"}
        update = configure(PRODUCERS[step["op"]](at), given, scanned)
        transaction.add(update)
        if not step.get("pending"):
            update.commit()
    transaction.commit()


def observe(setting: Setting) -> dict[str, Any]:
    """What a reader finds afterwards."""
    services = setting.services
    table = open_table(actor(services, "r1", 9), "t", catalog=setting.catalog)
    seen: dict[str, Any] = {"locks": len(services.leases)}
    try:
        metadata = table.ops.refresh()
        tasks = plan(table.files, metadata.current)
        seen["rows"] = [list(row) for row in sorted(read_rows(table.files, metadata))]
    except IcebergError as error:
        return seen | {"unreadable": type(error).__name__}
    seen["data"] = sorted(task.file.path.removeprefix("t/data/") for task in tasks)
    counts = {d.path.removeprefix("t/data/"): d.record_count for task in tasks for d in task.deletes}
    seen |= {"deletes": sorted(counts), "delete_counts": counts}
    seen["merged"] = sorted(path.removeprefix("t/data/") for path in services.objects if "merged-dvs" in path)
    seen["labels"] = [snapshot.operation for snapshot in metadata.lineage]
    seen["sequence"] = [snapshot.sequence_number for snapshot in metadata.lineage]
    seen |= {"snapshots": len(metadata.snapshots), "history": len(metadata.snapshot_log)}
    seen["refs"] = refs_of(metadata)
    seen |= {"columns": list(metadata.columns[2:]), "further": dict(metadata.properties.further)}
    seen["manifest_count"] = len(manifests := table.files.manifests(metadata.current))
    live = [entry.file for one in manifests for entry in table.files.live_entries(one)]
    seen |= row_ids_of(metadata, live)
    seen["live_deletes"] = sorted(file.path.removeprefix("t/data/") for file in live if not isinstance(file, DataFile))
    seen["manifests"] = sorted(
        sorted(f"{('existing', 'added', 'deleted')[e.status]} {e.location.removeprefix('t/data/')}" for e in entries)
        for entries in (services.objects.get(m.path, ()) for m in manifests)
    )
    seen["invariants"] = invariant_findings(metadata)
    used = {f"t/{path}" for path in FILES.get("never", ())}
    for snapshot in metadata.snapshots:
        used.add(snapshot.manifest_list)
        used.update(m.path for m in services.objects.get(snapshot.manifest_list, ()))
    used.update(metadata.metadata_log)
    used.add(services.tables.get("t", {}).get("metadata_location", ""))
    metadata_files = [path for path in services.objects if path.startswith("t/metadata/")]
    seen["leftover"] = sorted(path.removeprefix("t/metadata/") for path in metadata_files if path not in used)
    seen["left_over"] = len(seen["leftover"])
    return seen


def _prepare(vector: dict[str, Any], rules: Rules) -> Setting:
    services = Services(tables={"t": {}}, replaces=vector.get("catalog") == "hadoop-replacing")
    services.served = purging(lambda: services.objects, services.remove)
    setting = Setting(services, vector.get("catalog", "rest"), rules)
    world = actor(services, "setup", 0)
    merging = ManifestMerging(**vector.get("merging", {}))
    properties = TableProperties(**vector.get("properties", {}), merging=merging)
    of_table = {"format_version": vector.get("format", 2), "partition_width": vector.get("width", 0)}
    table = create_table(world, "t", catalog=setting.catalog, properties=properties, **of_table)
    for op in vector.get("setup", [{"op": "append", "add": ["A", "B"]}]):
        table.ops.refresh()
        perform(setting, world, table, op)
    services.trace.clear()
    services.deleted.clear()
    services.coverage.clear()
    return setting


def run(vector: dict[str, Any]) -> dict[str, Any]:
    """Everything that can be observed of a vector's run."""
    rules = VARIANTS[vector.get("rules", "shipped")]
    setting = _prepare(vector, rules)
    plan_: dict[tuple[str, int], Any] = {}
    world = actor(setting.services, "w1", 1, plan_)
    table = open_table(world, "t", catalog=setting.catalog, rules=rules)
    with suppress(NoSuchTable):
        table.ops.refresh()
    setting.services.trace.clear()
    surprises: list[str] = []

    def meanwhile(ops: list[Op]) -> None:
        for op in ops:
            setting.others += 1
            other = world if op["op"] == "wait" else actor(setting.services, "w2", setting.others)
            theirs = open_table(other, "t", catalog=setting.catalog)
            outcome = None
            try:
                perform(setting, other, theirs, op)
            except IcebergError as error:
                outcome = type(error).__name__
            if outcome != op.get("error"):
                surprises.append(f"meanwhile {op}: expected {op.get('error')}, got {outcome}")

    plan_.update(planned(vector, meanwhile))
    result: dict[str, Any] = {"error": None, "surprises": surprises}
    try:
        perform(setting, world, table, vector["given"])
    except IcebergError as error:
        result["error"] = type(error).__name__
    result["deleted"] = sorted(path.removeprefix("t/") for path in setting.services.deleted)
    result["trace"] = " ".join(s[3:] for s in setting.services.catalog_trace().split() if s.startswith("w1."))
    result["locking"] = " ".join(s[3:] for s in setting.services.trace if s.startswith("w1.") and "lock" in s)
    result["coverage"] = sorted(mark.removeprefix("iceberg: ") for mark in setting.services.coverage)
    return result | observe(setting)


def mismatches(vector: dict[str, Any]) -> list[str]:
    """Where a run differs from the vector's expectations."""
    expected = DEFAULTS | vector["expect"]
    if "unreadable" in expected:
        expected.pop("leftover")
    got = run(vector)
    found = [
        f"{key}: expected {value}, got {got.get(key)}"
        for key, value in expected.items()
        if key != "coverage" and got.get(key) != value
    ]
    missing = [mark for mark in expected.get("coverage", ()) if mark not in got["coverage"]]
    found += [f"mark {mark}: expected, got {got['coverage']}" for mark in missing]
    found += [] if "invariants" in expected else got.get("invariants", [])
    return [*found, *got["surprises"]]
