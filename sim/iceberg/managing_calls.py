"""What a statement that manages snapshots asks of a table: the model's call for each."""

from __future__ import annotations

from model.iceberg import IcebergTable
from model.iceberg.append import FastAppend
from model.iceberg.cherry_pick import STAGED_WAP_ID
from model.iceberg.cherry_pick import CherryPick as Picking
from model.iceberg.errors import IcebergError
from model.iceberg.expressions import TRUE
from model.iceberg.manage import expire, expire_by_age, manage, publish
from model.iceberg.manage_several import Change, manage_several
from model.iceberg.metadata import TableMetadata
from model.iceberg.new_table import create_table_as, drop_table
from model.iceberg.overwrite import OverwriteFiles
from model.iceberg.producer import SnapshotProducer
from model.iceberg.purge import drop_with_files
from model.iceberg.references import SetSnapshot, UpdateReferences
from model.iceberg.rename import rename_table
from model.iceberg.replace_partitions import ReplacePartitions
from model.iceberg.replace_table import replace_table
from model.iceberg.result import CommandResult
from model.iceberg.roll_back_to_time import RollBackToTime as GoingBack
from model.iceberg.tables import write_data_file
from model.iceberg.transaction import PendingUpdate
from sim.iceberg.ages import ExpireOlder, Retain, RollBackToTime, time_before
from sim.iceberg.creating import MOVED, TABLE, CreateTable, DropTable, DropWithFiles, MoveAside, PutTable, RenameTable
from sim.iceberg.managing import (
    AppendTo,
    CherryPick,
    CreateRef,
    Expire,
    ManageSnapshots,
    Managing,
    MoveBranch,
    OfBranches,
    OfRefs,
    OverwriteIn,
    Publish,
    RemoveRef,
    RenameBranch,
    ReplaceRef,
    ReplaceTable,
    RollBack,
    Stage,
    Together,
)
from sim.iceberg.seen import Snapshots, snapshots_of


def call_managing(table: IcebergTable, statement: Managing, known: TableMetadata | None = None) -> CommandResult:
    """Carry out a statement on a table that was loaded.

    Args: `known`: the metadata that its client names snapshots by, if it is not that. Raises: `IcebergError`.
    """
    match statement:
        case CreateTable(rows, replaces):
            return create_table_as(table, rows, replaces=replaces)
        case DropWithFiles():
            return drop_with_files(table)
        case DropTable():
            return drop_table(table)
        case RenameTable():
            return rename_table(table, TABLE, MOVED)
        case MoveAside():
            raise TypeError(f"statement {statement!r}: expected one of the Java API, got one of Spark SQL")
        case PutTable():
            return rename_table(table, statement.aside, TABLE)
    seen = snapshots_of(known or table.metadata)
    match statement:
        case Expire(keep, cleans):
            named = None if keep else seen.below(1)
            return expire(table, keep=keep or None, snapshot_id=named, cleans_metadata=cleans)
        case ExpireOlder(age, keep):
            return expire_by_age(table, older_than_ms=None if age is None else time_before(age), keep=keep)
        case RollBackToTime(age):
            return manage(table, lambda at: GoingBack(at, time_before(age)))
        case Retain():
            return manage(table, lambda at: UpdateReferences(at).retain(statement.retention))
        case RollBack(back, anywhere):
            return manage(table, lambda at: SetSnapshot(at, seen.below(back), anywhere=anywhere))
        case Publish(ref):
            return publish(table, ref)
        case CherryPick():
            return manage(table, lambda at: Picking(at, seen.picked()))
        case ReplaceTable(rows):
            return replace_table(table, rows)
        case AppendTo() | OverwriteIn() | Stage():
            return _write(table, statement)
        case ManageSnapshots(changes):
            return manage_several(table, [_change(one, seen) for one in changes])
        case _:
            at = seen.below(getattr(statement, "back", 0))
            return manage(table, lambda staged: _of_refs(UpdateReferences(staged), statement, at))


def _change(one: Together, seen: Snapshots) -> Change:
    """One change of several."""
    at = seen.below(getattr(one, "back", 0))
    match one:
        case RollBack(_, anywhere):
            return lambda manager: manager.change(lambda staged: SetSnapshot(staged, at, anywhere=anywhere))
        case CherryPick():
            return lambda manager: manager.change(lambda staged: Picking(staged, seen.picked()))
        case _:
            return lambda manager: manager.change_refs(lambda update: _of_refs(update, one, at))


def _of_refs(update: UpdateReferences, statement: OfRefs, snapshot_id: int) -> PendingUpdate:
    match statement:
        case CreateRef(name, tag):
            return update.create(name, snapshot_id, tag=tag)
        case ReplaceRef(name, tag):
            return update.replace(name, snapshot_id, tag=tag)
        case RemoveRef(name, tag):
            return update.remove(name, tag=tag)
        case RenameBranch(name, to):
            return update.rename(name, to)
        case MoveBranch(name, to, forward):
            return update.move(name, to, fast_forward=forward)


def _write(table: IcebergTable, statement: OfBranches) -> CommandResult:
    """Commit to a branch, or to none. Returns: a result without commit, since main has none of it."""
    command = CommandResult(table.metadata.current_snapshot_id)
    try:
        _beside(table, statement).commit()
    except IcebergError as error:
        error.result = command
        raise
    return command


def _beside(table: IcebergTable, statement: OfBranches) -> SnapshotProducer:
    overwrites = isinstance(statement, OverwriteIn) or (isinstance(statement, Stage) and statement.overwrites)
    replaces = isinstance(statement, Stage) and statement.replaces
    producer: OverwriteFiles | FastAppend | ReplacePartitions
    producer = OverwriteFiles(table) if overwrites else ReplacePartitions(table) if replaces else FastAppend(table)
    if isinstance(statement, Stage):
        producer.stage_only()
        if statement.wap:
            producer.set(STAGED_WAP_ID, statement.wap)
    else:
        producer.to_branch(statement.branch)
    file = write_data_file(table, statement.rows)
    if isinstance(producer, OverwriteFiles):
        return producer.overwrite_by_row_filter(TRUE).add_file(file)
    if isinstance(producer, ReplacePartitions):
        return producer.add_file(file)
    return producer.append_file(file)
