"""What a statement of Spark SQL asks of a session: the model's call for each."""

from __future__ import annotations

from collections.abc import Callable, Collection

from model.iceberg import CommandResult, SparkSql, TableMetadata, open_table
from model.iceberg.as_of_time import AsOf
from model.iceberg.manage import seen_after
from model.iceberg.new_table import create_empty
from model.iceberg.partial_progress import Limits
from model.iceberg.rename import rename_table
from model.iceberg.spark_branches import insert_staged, insert_to
from sim.iceberg.ages import ExpireOlder, RollBackToTime, time_before
from sim.iceberg.creating import MOVED, TABLE, MoveAside, PurgeTable
from sim.iceberg.incremental import OfPast, ReadAt, ReadSince
from sim.iceberg.managing import CherryPick, Expire, Managing, MoveBranch, Publish, RemoveRef, ReplaceRef, RollBack
from sim.iceberg.managing_calls import call_managing
from sim.iceberg.seen import snapshots_of
from sim.iceberg.sql_branches import BesideMain, InsertStaged, InsertTo
from sim.iceberg.sql_statements import (
    AlterPartitionField,
    Delete,
    Insert,
    InsertOverwrite,
    Merge,
    RemoveOrphanFiles,
    RewriteDataFiles,
    RewriteInCommits,
    RewriteManifests,
    RewritePositionDeletes,
    Select,
    Sql,
    Truncate,
    Update,
)


def call_sql(
    sql: SparkSql, statement: Sql | Managing | OfPast, ids: tuple[int, ...], committed: Callable[[], Collection[str]],
    known: TableMetadata | None = None,
) -> CommandResult:  # fmt: skip
    """Carry out a statement.

    Args: `ids`: those of all rows that the race may know; `committed`: finds the files that the table names now;
    `known`: what the user has seen of the table, of which the snapshots are that are named. Raises: `IcebergError`.
    """
    match statement:
        case Expire(most) if most:
            return sql.expire_snapshots(lambda update: update.age_out(most))
        case Expire() if known is not None:
            named = snapshots_of(known).below(1)
            return sql.expire_snapshots(lambda update: update.expire_snapshot_id(named))
        case ExpireOlder(age, keep):
            older_ms = None if age is None else time_before(age)
            return sql.expire_snapshots(lambda update: update.expire_older_than(older_ms, keep))
        case ReadAt(age_h=age, by=by) if age is not None:
            return sql.read_at(AsOf(time_before(age)), by)
        case ReadAt(ref, back, by) if known is not None:
            return sql.read_at(ref or snapshots_of(known).below(back), by)
        case ReadSince(what, back, until) if known is not None:
            end = None if until == "now" else known.current_snapshot_id
            return sql.read_since(what, snapshots_of(known).below(back), end)
        case PurgeTable() | MoveAside():
            return sql.drop_table_purge() if isinstance(statement, PurgeTable) else _move_aside(sql)
        case InsertTo() | InsertStaged():
            return _beside_main(sql, statement)
        case RollBack() | RollBackToTime() | CherryPick() | MoveBranch() | Publish():
            table = sql.loaded()
            return seen_after(table, call_managing(table, statement, known))
        case RemoveRef() | ReplaceRef():
            return call_managing(sql.loaded(), statement, known)
        case Insert(rows):
            return sql.insert(rows)
        case Delete(key):
            return sql.delete(key)
        case Update(key, value):
            return sql.update(key, value)
        case Select():
            return sql.select()
        case Merge(rows, matched, inserts):
            return sql.merge(rows, matched, inserts)
        case InsertOverwrite(rows, dynamic):
            return sql.insert_overwrite(rows, dynamic)
        case Truncate(by):
            return sql.truncate(ids, by == "DELETE FROM")
        case RemoveOrphanFiles():
            return sql.remove_orphan_files(committed())
        case RewriteDataFiles() | RewriteInCommits():
            return sql.rewrite_data_files(_limits(statement))
        case AlterPartitionField(dropped, added):
            return sql.alter_partition_field(dropped, added)
        case RewriteManifests():
            return sql.rewrite_manifests()
        case RewritePositionDeletes():
            return sql.rewrite_position_delete_files()
        case _:
            raise TypeError(f"statement {statement!r}: expected one of Spark SQL, got another one")


def _beside_main(sql: SparkSql, statement: BesideMain) -> CommandResult:
    if isinstance(statement, InsertTo):
        return insert_to(sql, statement.branch, statement.rows)
    return insert_staged(sql, statement.wap, statement.rows)


def _limits(statement: RewriteDataFiles | RewriteInCommits) -> Limits | None:
    return Limits(statement.commits, statement.failed) if isinstance(statement, RewriteInCommits) else None


def _move_aside(sql: SparkSql) -> CommandResult:
    renamed = rename_table(sql.loaded(), TABLE, MOVED)
    create_empty(open_table(sql.world, TABLE, catalog=sql.catalog, rules=sql.rules))
    return renamed
