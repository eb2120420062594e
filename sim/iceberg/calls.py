"""What a statement of the Java API asks of a table: the model's call for each, alone or in a transaction."""

from __future__ import annotations

from model.iceberg import IcebergTable, delete_plans, plans, schema_plans
from model.iceberg.api import Step, read_at, read_since, run, run_transaction, scan
from model.iceberg.append_once import append_once
from model.iceberg.as_of_time import AsOf
from model.iceberg.given_manifests import replace_manifests
from model.iceberg.manifest_appends import append_given, append_manifest, plan_append
from model.iceberg.overwrite_where import overwrite_where
from model.iceberg.plans import Planned
from model.iceberg.result import CommandResult
from sim.iceberg.ages import time_before
from sim.iceberg.by_hand import (
    AddPartitions,
    AppendGiven,
    AppendOnce,
    CompactWith,
    DeleteAndRemove,
    DeleteElsewhere,
    OfRows,
    OverwriteWhere,
    ReplaceManifests,
    SetAndUnset,
)
from sim.iceberg.columns import (
    AddField,
    AddStruct,
    AddTyped,
    ChangeType,
    MoveColumn,
    OfColumns,
    RenameColumn,
    WidenColumn,
)
from sim.iceberg.equality import DeleteWhere, Upsert
from sim.iceberg.incremental import ReadAt, ReadSince
from sim.iceberg.layout import DropColumn, MoveTo, RemoveStatistics, SetStatistics, SortBy, UnsetProperty
from sim.iceberg.managing import Managing
from sim.iceberg.managing_calls import call_managing
from sim.iceberg.manifests import AppendManifest, ClusterManifests
from sim.iceberg.python_statements import PythonAlone
from sim.iceberg.seen import snapshots_of
from sim.iceberg.statements import (
    AddColumn,
    Append,
    ChangeRow,
    Compact,
    Copy,
    DeleteRow,
    JavaApi,
    Operation,
    Overwrite,
    RemoveFile,
    RemoveWhere,
    Replace,
    ReplacePartitions,
    Scan,
    SetProperty,
    Transaction,
    UpdateSpec,
)


def call(table: IcebergTable, statement: JavaApi | PythonAlone) -> CommandResult:
    """Carry out a statement on a table that was loaded. Raises: `IcebergError`; `TypeError` if Java has it not."""
    match statement:
        case Scan(times, at):
            return scan(table, times, refreshes=at == "current")
        case ReadSince(what):
            return read_since(table, "appends" if what == "appends" else "changes")
        case ReadAt(ref, back, age_h=age_h):
            named = ref or snapshots_of(table.metadata).below(back)
            return read_at(table, named if age_h is None else AsOf(time_before(age_h)))
        case Transaction(steps, start, left_open):
            return run_transaction(table, [_step(step, start == "begin") for step in steps], left_open=left_open)
        case ReplaceManifests(but_one, gives):
            return replace_manifests(table, but_one=but_one, gives=gives)
        case AppendGiven(rows):
            return append_given(table, rows)
        case SetAndUnset(name, value):
            return run(plans.set_and_remove_property(table, name, value), table)
        case Append():
            return run(planned(table, statement, None), table)
        case AppendManifest(rows, merge, cleans):
            return append_manifest(table, rows, merge=merge, after_any_error=cleans == "after any error")
        case _ if isinstance(statement, Managing):
            return call_managing(table, statement)
        case _ if isinstance(statement, PythonAlone):
            raise TypeError(f"statement {statement!r}: expected one of the Java API, got one of PyIceberg alone")
        case _:
            return run(planned(table, statement, table.metadata.current_snapshot_id), table)


def _step(operation: Operation, from_begin: bool) -> Step:
    def step(table: IcebergTable, begun: int | None) -> Planned:
        return planned(table, operation, begun if from_begin else table.metadata.current_snapshot_id)

    return step


def _of_columns(table: IcebergTable, operation: OfColumns) -> Planned:
    match operation:
        case RenameColumn(name, to):
            return schema_plans.rename_column(table, name, to)
        case AddTyped(name, of):
            return schema_plans.add_column(table, name, of)
        case WidenColumn() | ChangeType():
            return schema_plans.update_column(table, operation.name, operation.to)
        case MoveColumn(name, after):
            return schema_plans.move_column(table, name, after)
        case AddStruct(name, field):
            return schema_plans.add_struct(table, name, field)
        case AddField(struct, name):
            return schema_plans.add_column(table, f"{struct}.{name}")


def planned(table: IcebergTable, operation: Operation | OfRows, start: int | None) -> Planned:
    """The operation on the table as it is at hand; its validations begin from `start`."""
    match operation:
        case Append(rows, merge):
            return plans.append(table, rows, merge=merge)
        case Overwrite(rows, by=by):
            return plans.overwrite(table, rows, operation.level, by, None, start)
        case ReplacePartitions(rows, level):
            return plans.replace_partitions(table, rows, level, start)
        case Replace(key, rows, level):
            return plans.replace(table, key, rows, level, start)
        case DeleteRow(level=level):
            return delete_plans.delete_rows(table, operation.ids, level, start, apart=operation.apart)
        case DeleteWhere(key, level):
            return delete_plans.delete_where(table, key, level, start)
        case Upsert(key, value, level):
            return delete_plans.upsert(table, key, value, level, start)
        case RemoveFile(key, level):
            return plans.remove_file(table, key, level)
        case RemoveWhere(ids):
            return plans.remove_where(table, ids)
        case ChangeRow(key, value, level):
            return plans.change_row(table, key, value, level, start)
        case Compact(number):
            return plans.compact(table, start, pinned=number == "starting")
        case AppendManifest(rows, merge):
            return plan_append(table, rows, merge=merge)
        case ClusterManifests(by, small):
            return plans.cluster_manifests(table, by_file=by == "file", small=small)
        case Copy(source, target, level):
            return plans.copy(table, source, target, level, operation.filter, start)
        case SetProperty(name, value):
            return plans.set_property(table, name, value)
        case AddColumn(name):
            return schema_plans.add_column(table, name)
        case DropColumn(name):
            return schema_plans.drop_column(table, name)
        case _ if isinstance(operation, OfColumns):
            return _of_columns(table, operation)
        case UnsetProperty(name):
            return plans.remove_property(table, name)
        case MoveTo(folder):
            return plans.update_location(table, folder)
        case SetStatistics(name, back, of_partitions):
            at = snapshots_of(table.metadata).below(back)
            return plans.set_statistics(table, name, at, of_partitions=of_partitions)
        case RemoveStatistics(back, of_partitions):
            at = snapshots_of(table.metadata).below(back)
            return plans.remove_statistics(table, at, of_partitions=of_partitions)
        case SortBy():
            return plans.replace_sort_order(table, operation.fields)
        case UpdateSpec():
            return plans.update_spec(table, operation.field)
        case _:
            return _by_hand(table, operation, start)


def _by_hand(table: IcebergTable, operation: OfRows, start: int | None) -> Planned:
    match operation:
        case DeleteAndRemove(key):
            return delete_plans.delete_rows(table, (key,), "snapshot", start, removes=True)
        case DeleteElsewhere(key):
            return delete_plans.delete_elsewhere(table, key, start)
        case CompactWith(rows, of):
            return (
                plans.compact(table, start, further=rows) if of == "all" else plans.rewrite_nothing(table, rows, start)
            )
        case AppendOnce(rows, job):
            return append_once(table, rows, job)
        case OverwriteWhere(key, rows):
            return overwrite_where(table, key, rows, operation.effects)
        case AddPartitions(rows):
            return plans.replace_partitions(table, rows, "none", None, only_adds=True)
