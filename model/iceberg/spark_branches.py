"""Spark SQL's INSERT beside main: into a branch, which is named in the table's identifier (`t.branch_b`), or into
none, under the id of a session that writes, audits and publishes (`spark.wap.id`).

The branch has to be there when the table is loaded; where it has gone by the commit, that makes it anew. All else is as
an INSERT is: calls to the catalog: load, load, commit, load.

Source: `spark/SparkCatalog.java` (`load`), the constructor of `spark/source/SparkTable.java`, `SparkWrite.java`
(`commitOperation`, `abort`) of 1.11.0 for Spark 3.5; `core/SnapshotProducer.java` (`targetBranch`).

Choices: INSERT alone; a row that is brought to a branch other than main is no part of the result.
"""

from collections.abc import Callable

from model.iceberg.cherry_pick import STAGED_WAP_ID
from model.iceberg.errors import IcebergError, ValidationFailed
from model.iceberg.files import Rows
from model.iceberg.merging import MergeAppend
from model.iceberg.result import CommandResult
from model.iceberg.spark import SparkSql
from model.iceberg.table import IcebergTable
from model.iceberg.tables import write_data_files


def has_branch(table: IcebergTable, branch: str) -> bool:
    """Whether a table that was loaded has this branch, or a tag of that name. Source: `SparkTable`."""
    return branch in dict(table.metadata.refs)


def insert_to(sql: SparkSql, branch: str, rows: Rows) -> CommandResult:
    """`INSERT INTO t.branch_b VALUES rows`. Raises: as an INSERT; `ValidationFailed` if there is no such branch."""
    table = sql.loaded()
    if not has_branch(table, branch):
        error = ValidationFailed(f"use branch {branch}: expected a branch of the table, it has none")
        error.result = CommandResult(table.metadata.current_snapshot_id)
        raise error
    return _insert(sql, table, rows, lambda producer: producer.to_branch(branch))


def insert_staged(sql: SparkSql, wap: int, rows: Rows) -> CommandResult:
    """`INSERT INTO t VALUES rows` under this id. Raises: as an INSERT.

    Source: `SparkWrite.commitOperation` (`stageOnly`).
    """

    def staged(producer: MergeAppend) -> None:
        producer.set(STAGED_WAP_ID, wap)
        producer.stage_only()

    return _insert(sql, sql.loaded(), rows, staged)


def _insert(sql: SparkSql, table: IcebergTable, rows: Rows, aim: Callable[[MergeAppend], None]) -> CommandResult:
    """Args: `aim` says where it goes. Returns: a result without commit, since main has none of it."""
    command, producer = CommandResult(table.metadata.current_snapshot_id), MergeAppend(table)
    try:
        aim(producer)
        for file in write_data_files(table, rows):
            producer.append_file(file)
        producer.commit()
    except IcebergError as error:
        error.result = command
        sql.abort(table, [file.path for file in producer.added_data.values()], error)
        raise
    return command
