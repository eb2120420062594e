"""Transactions that create a table, or put one in the place of whatever is there; and dropping one.

| transaction | begun on | commits |
| --- | --- | --- |
| create | no table | once, where nothing is: else `AlreadyExists`, and what was written stays |
| create or replace | none, or the table's metadata | in place of whatever is there by then, or where nothing is |

On a catalog of one pointer, who creates or replaces decides at the commit: a table that somebody has created since is
replaced as one that was there, with another uuid, and who goes on writing to it is told that it is another table. Over
REST it is decided at the beginning: it is a creation, or it is a replacement (`replace_table`).

Source: iceberg/5.2, iceberg/5.3; `core/BaseTransaction.java` (`commitCreateTransaction`, `commitReplaceTransaction`),
`core/BaseMetastoreCatalog.java` (`newReplaceTableTransaction`), `core/rest/RESTSessionCatalog.java`
(`createOrReplaceTransaction`) of 1.11.0; V56.

Choices: a new table has the default properties and format 2. A drop leaves the files (no purge).
"""

from collections.abc import Callable
from typing import cast

from model.iceberg import coverage
from model.iceberg.catalog import Creating
from model.iceberg.errors import IcebergError
from model.iceberg.files import Rows
from model.iceberg.metadata import TableMetadata
from model.iceberg.producer import TO_TRY
from model.iceberg.replace_table import ReplaceTransaction, commit_with_rows, replacement_of
from model.iceberg.rest import RestOperations
from model.iceberg.result import CommandResult
from model.iceberg.table import IcebergTable
from model.iceberg.transaction import TO_BEGIN


def creating(table: IcebergTable) -> Creating:
    """The operations of a catalog that makes tables; a Hive catalog here makes none."""
    return cast("Creating", table.ops)


class CreateTransaction(ReplaceTransaction):
    """A transaction that creates a table: no race that it loses is tried again."""

    def __init__(self, table: IcebergTable) -> None:
        self._begun = TableMetadata(table.world.chance.fresh("table"))
        self._begin(table, self._begun, self._begun)

    def _attempt(self) -> None:
        self._world.notes.intend(TO_TRY)
        creating(self._table).create(self._begun, self._current)

    def _may_retry(self, error: IcebergError) -> bool:
        """Source: `commitCreateTransaction`: "another process has created the same table"."""
        return False


class CreateOrReplaceTransaction(ReplaceTransaction):
    """A transaction that creates a table, or replaces the one that is there when it is committed."""

    def __init__(self, table: IcebergTable, found: TableMetadata | None) -> None:
        self._begun = TableMetadata(table.world.chance.fresh("table")) if found is None else found
        self._there = found
        self._begin(table, self._begun, self._begun if found is None else replacement_of(found))

    def _attempt(self) -> None:
        self._intend()
        there = creating(self._table).find()
        if there is None:
            creating(self._table).create(self._begun, self._current)
            return
        if there is not self._there:
            self._world.coverage.hit(coverage.REPLACED_UNSEEN)
        self._table.ops.commit(self._current, replaces=self._begun)


def begin_creating(table: IcebergTable, *, replaces: bool) -> ReplaceTransaction:
    """Begin to create a table, or to replace it. Raises: `AlreadyExists`, or any `IcebergError` of a load."""
    table.world.notes.intend(TO_BEGIN)
    found = creating(table).begin(replaces=replaces)
    if found is not None and isinstance(table.ops, RestOperations):
        return ReplaceTransaction(table)
    if replaces and not isinstance(table.ops, RestOperations):
        return CreateOrReplaceTransaction(table, found)
    return CreateTransaction(table)


def create_table_as(table: IcebergTable, rows: Rows, *, replaces: bool) -> CommandResult:
    """Create a table of one data file, or put it in the place of whatever is there. Raises: any `IcebergError`."""
    try:
        transaction = begin_creating(table, replaces=replaces)
    except IcebergError as error:
        error.result = table.command or CommandResult(None)
        raise
    return commit_with_rows(table, transaction, rows, transaction.base.current_snapshot_id)


def create_empty(table: IcebergTable) -> None:
    """Create a table without rows, as Spark's `CREATE TABLE` does. Raises: `AlreadyExists`, or any `IcebergError`."""
    begun = TableMetadata(table.world.chance.fresh("table"))
    table.world.notes.intend(TO_BEGIN)
    creating(table).begin(replaces=False)
    creating(table).create(begun, begun)


def drop_table(table: IcebergTable) -> CommandResult:
    """Take away the table of that name, whichever it is; no error if there is none. Raises: any `IcebergError`.

    Returns: a result whose snapshot is the drop's own name.
    """
    return dropped(table, creating(table).drop)[0]


def dropped(table: IcebergTable, drop: Callable[[int], bool]) -> tuple[CommandResult, bool]:
    """As `drop_table`, by this call, which is given the drop's own name. Returns: also whether there was a table."""
    by = table.world.chance.fresh("snapshot")
    table.command = CommandResult(None, by)
    try:
        there = drop(by)
    except IcebergError as error:
        error.result = table.command
        raise
    return CommandResult(None, by, by), there
