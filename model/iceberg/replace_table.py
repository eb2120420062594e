"""A transaction that replaces a table: what it makes takes the place of whatever is there when it is committed.

It is built on the metadata that was loaded at its beginning: main is removed, its history stays, and the updates are
applied to that. The commit loads the table, for the catalog to compare, and asks nothing else: no update is applied
again, none is validated. What was committed meanwhile is gone from the table where one pointer is compared; over REST
its snapshots stay, beside a main that does not have them.

Source: iceberg/5.2, iceberg/5.3; `core/BaseTransaction.java` (`commitReplaceTransaction`), `core/TableMetadata.java`
(`buildReplacement`), `core/rest/RESTTableOperations.java` (`UpdateType.REPLACE`) of 1.11.0; V55, V57.

Choices: the new table has the columns that every table begins with, no sort order, no partitions (in format 1 what is
left of them), and the properties, the refs but main, and the format that it had. A table that is not there is not
created (`new_table` does).
"""

from model.iceberg import coverage
from model.iceberg.append import FastAppend
from model.iceberg.backoff import Backoff
from model.iceberg.clock_rule import built
from model.iceberg.errors import IcebergError
from model.iceberg.files import Rows
from model.iceberg.metadata import MAIN, TableMetadata
from model.iceberg.producer import TO_RETRY, TO_TRY
from model.iceberg.result import CommandResult
from model.iceberg.table import IcebergTable
from model.iceberg.tables import write_data_file
from model.iceberg.transaction import Transaction


def replacement_of(base: TableMetadata) -> TableMetadata:
    """The metadata with an empty main and the columns of a new table. Source: `TableMetadata.buildReplacement`."""
    columns = TableMetadata._field_defaults["columns"]
    return base._replace(
        refs=tuple([ref for ref in base.refs if ref[0] != MAIN]),
        retentions=tuple([each for each in base.retentions if each.name != MAIN]),
        current_snapshot_id=None,
        columns=columns,
        types=(),
        dropped_columns=base.last_column_id - len(columns),
        sort_orders=base.sort_orders.with_default(()),
        partitioning=base.partitioning.evolved(None, base.format_version),
    )


class ReplaceTransaction(Transaction):
    """One of them, to be used once; it begins with what its client has loaded."""

    def __init__(self, table: IcebergTable) -> None:
        self._begun = table.metadata
        self._begin(table, self._begun, built(table.world, self._begun, replacement_of(self._begun)))

    def commit(self) -> TableMetadata:
        """Put what was made in the place of what is there. Returns: the metadata that was sent.

        Raises: any `IcebergError`; what the updates have written is deleted then where that is safe. What they had
        noted for deletion goes in any case.
        """
        self._refuse_unfinished("commit transaction")
        backoff = Backoff.of(self._world, self._begun.properties)
        try:
            while True:
                try:
                    self._attempt()
                    return self._current
                except IcebergError as error:
                    if not (self._may_retry(error) and backoff.may_retry()):
                        self._clean_updates_after(error)
                        raise
                    backoff.wait()
        finally:
            self._delete(self.deleted)

    def _intend(self) -> None:
        self._world.notes.intend(TO_RETRY if self._attempts else TO_TRY)
        self._attempts += 1

    def _attempt(self) -> None:
        self._intend()
        self._base = self._table.ops.refresh()
        if self._base is not self._begun:
            self._world.coverage.hit(coverage.REPLACED_UNSEEN)
        self._table.ops.commit(self._current, replaces=self._begun)

    def _clean_updates_after(self, error: IcebergError) -> None:
        """Source: `commitReplaceTransaction` (`cleanAllUpdates` after a `CleanableFailure`)."""
        clean = self._may_clean(error)
        self._world.coverage.hit(coverage.CLEANED_AFTER_FAILURE if clean else coverage.KEPT_AFTER_FAILURE)
        if clean:
            self._clean_updates()


def replace_table(table: IcebergTable, rows: Rows) -> CommandResult:
    """Replace a table that was loaded by one with one data file. Raises: any `IcebergError`."""
    begun = table.metadata.current_snapshot_id
    return commit_with_rows(table, ReplaceTransaction(table), rows, begun)


def commit_with_rows(
    table: IcebergTable, transaction: ReplaceTransaction, rows: Rows, begun: int | None
) -> CommandResult:
    """Commit a transaction with one data file. Raises: any `IcebergError`.

    Args: `begun`: the snapshot that the transaction began at.
    """
    try:
        staged = transaction.table()
        update = FastAppend(staged).append_file(write_data_file(staged, rows))
        transaction.add(update)
        update.commit()
        table.command = CommandResult(begun, update.snapshot_id)
        transaction.commit()
    except IcebergError as error:
        error.result = table.command or CommandResult(begun)
        raise
    return CommandResult(begun, update.snapshot_id, update.snapshot_id)
