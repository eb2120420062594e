"""A transaction: updates that are applied to metadata of its own, and one commit of what they have made of it.

Each update is told that it loads and replaces the table, and gets the transaction's metadata instead. Its files are
written, and what it takes for left-overs is only noted. The commit refreshes the table; if it is not as it was at the
beginning, every update is applied again, in order, to what is there now, with its own validation. A lost race is tried
again; an update that cannot be applied again ends the transaction. After success what was noted is deleted, but for the
files of snapshots that were committed; after a definite failure all that was written goes; after any other, nothing.

Source: iceberg/5; `core/BaseTransaction.java` of 1.11.0 (`commitSimpleTransaction`, `applyUpdates`,
`TransactionTableOperations`, `checkLastOperationCommitted`), `core/TableMetadata.java` (`updateSnapshotLog`).

Choices: transactions that replace a table are in `replace_table`, those that create one in `new_table`;
`manageSnapshots` is a transaction of its own. An update loads by the operations that it was made with, as its base
upstream is its own field. If nothing is to be deleted, no file of committed snapshots is read: no outcome depends on
it. The files are deleted one after another, each error by itself suppressed (`CatalogUtil.deleteFiles`). A commit of
the very metadata that was loaded is the catalog's business: most ask nothing (`BaseMetastoreTableOperations.commit`,
"Nothing to commit"), a REST catalog is sent a commit without changes.
"""

from contextlib import suppress
from typing import Protocol

from model.iceberg import coverage
from model.iceberg.backoff import Backoff
from model.iceberg.deferring_files import DeferringFiles
from model.iceberg.errors import CommitFailed, CommitStateUnknown, IcebergError, InvalidOperation, may_clean
from model.iceberg.meanings import Loads
from model.iceberg.metadata import TableMetadata, ancestors
from model.iceberg.producer import FOR_LEFTOVERS, TO_RETRY, TO_TRY, SnapshotProducer
from model.iceberg.table import IcebergTable

TO_BEGIN = Loads("plan")


class PendingUpdate(Protocol):
    """A change to a table: a `SnapshotProducer`, or one of `updates`. It can be committed again."""

    def commit(self) -> object:
        """Apply the change to the table as it is now."""


class UpdateFailed(Exception):
    """An update met `CommitFailed` when it was applied again, so that another attempt would meet it again.

    Source: `BaseTransaction.PendingUpdateFailedException`.
    """

    def __init__(self, error: CommitFailed) -> None:
        super().__init__(str(error))
        self.error = error


class Transaction:
    """One transaction on a table (`newTransaction`), to be used once; making it loads the table."""

    def __init__(self, table: IcebergTable) -> None:
        table.world.notes.intend(TO_BEGIN)
        loaded = table.ops.refresh()
        self._begin(table, loaded, loaded)

    def _begin(self, table: IcebergTable, base: TableMetadata, current: TableMetadata) -> None:
        self._table, self._world = table, table.world
        self._base, self._current = base, current
        self._updates: list[PendingUpdate] = []
        self._deleted: dict[str, None] = {}
        self._all_applied = True
        self._attempts = 0
        self.location = current.location
        """Where updates write: by what was staged last, even when they are applied again (`tempOps`)."""

    @property
    def base(self) -> TableMetadata:
        """The metadata that the updates were applied to last: that of the beginning, until the commit has refreshed."""
        return self._base

    @property
    def current(self) -> TableMetadata:
        """The metadata that the updates so far have made; nobody else sees it before the commit."""
        return self._current

    @property
    def below(self) -> int | None:
        """The snapshot that the transaction's own are on top of; the table has those already if no race was lost."""
        own = {update.snapshot_id for update in self._updates if isinstance(update, SnapshotProducer)}
        chain = ancestors(self._current, self._current.current)
        return next((each.snapshot_id for each in chain if each.snapshot_id not in own), None)

    @property
    def updates(self) -> tuple[PendingUpdate, ...]:
        """The updates so far, in the order in which they are applied again."""
        return tuple(self._updates)

    @property
    def deleted(self) -> tuple[str, ...]:
        """The files whose deletion was put off."""
        return tuple(self._deleted)

    def table(self) -> IcebergTable:
        """The table as the transaction has it, for one update to be made with."""
        table = IcebergTable(self._world, Staged(self), self._table.files.location, self._table.rules)
        table.files = DeferringFiles(self._world, self._table.files.location, self._deleted)
        return table

    def add(self, update: PendingUpdate) -> None:
        """Add an update; it is applied when it is committed, before the next one is added.

        Args: `update` was made with a `table()` of it. Raises: `InvalidOperation` if the last one is not committed.
        """
        self._refuse_unfinished(f"create new {type(update).__name__}")
        self._updates.append(update)
        self._all_applied = False

    def _refuse_unfinished(self, what: str) -> None:
        """Source: `checkLastOperationCommitted`, `commitTransaction`."""
        if not self._all_applied:
            self._world.coverage.hit(coverage.UPDATE_NOT_COMMITTED)
            raise InvalidOperation(f"{what}: expected the last operation to be committed, it has not been")

    def stage(self, base: TableMetadata, updated: TableMetadata) -> None:
        """Take what an update made of `base` for the transaction's metadata. The catalog is not asked.

        Raises: `CommitFailed` if the update has not seen the transaction's metadata.
        """
        self._refuse_outdated(base)
        self._current = self._without_intermediates(updated)
        self._all_applied = True
        self.location = updated.location

    def _refuse_outdated(self, base: TableMetadata) -> None:
        """Source: `TransactionTableOperations.commit` ("Table metadata refresh is required"): by identity."""
        if base is not self._current:
            self._world.coverage.hit(coverage.REFRESH_REQUIRED)
            raise CommitFailed("stage: expected an update of the transaction's metadata, a refresh is required")

    def _without_intermediates(self, updated: TableMetadata) -> TableMetadata:
        """The metadata whose history has, of the transaction's snapshots, the current one.

        Source: iceberg/1.1; `TableMetadata.Builder.updateSnapshotLog` (`intermediateSnapshotIdSet`).
        """
        before, head = frozenset([each.snapshot_id for each in self._base.snapshots]), updated.current_snapshot_id
        log = tuple([each for each in updated.snapshot_log if each in before or each == head])
        return updated if log == updated.snapshot_log else updated._replace(snapshot_log=log)

    def commit(self) -> TableMetadata:
        """Commit what the updates have made (`commitTransaction`). Returns: the table's metadata after it.

        Raises: `InvalidOperation` if the last update has not been committed; any `IcebergError`, of the commit or of an
        update that was applied again; files have been cleaned up where that is safe.
        """
        self._refuse_unfinished("commit transaction")
        if self._current is self._base:
            return self._base
        backoff = Backoff.of(self._world, self._base.properties)
        before = frozenset([snapshot.snapshot_id for snapshot in self._base.snapshots])
        while True:
            try:
                self._attempt()
                break
            except UpdateFailed as failed:
                self._clean_up()
                raise failed.error from failed
            except IcebergError as error:
                if not (self._may_retry(error) and backoff.may_retry()):
                    self._clean_after(error)
                    raise
                backoff.wait()
        self._clean_leftovers(before)
        return self._current

    def _attempt(self) -> None:
        self._world.notes.intend(TO_RETRY if self._attempts else TO_TRY)
        self._attempts += 1
        refreshed = self._table.ops.refresh()
        if refreshed is not self._base:
            self._apply_again(refreshed)
        self._table.ops.commit(self._current)

    def _apply_again(self, refreshed: TableMetadata) -> None:
        """Source: `applyUpdates`: the table has changed, so every update is applied to it as it is now, in order."""
        self._world.coverage.hit(coverage.UPDATES_APPLIED_AGAIN)
        self._base = self._current = refreshed
        for update in self._updates:
            try:
                update.commit()
            except CommitFailed as error:
                self._end_with(error)

    def _end_with(self, error: CommitFailed) -> None:
        """Source: `PendingUpdateFailedException`: it would be refused again, whatever is loaded."""
        self._world.coverage.hit(coverage.UPDATE_FAILED_AGAIN)
        raise UpdateFailed(error) from error

    def _may_retry(self, error: IcebergError) -> bool:
        """Source: iceberg/5.2: a lost race is tried again, and nothing else."""
        if not isinstance(error, CommitFailed):
            return False
        self._world.coverage.hit(coverage.TRANSACTION_RETRY)
        return True

    def _clean_after(self, error: IcebergError) -> None:
        clean = self._may_clean(error)
        self._world.coverage.hit(coverage.CLEANED_AFTER_FAILURE if clean else coverage.KEPT_AFTER_FAILURE)
        if clean:
            self._clean_up()

    def _may_clean(self, error: IcebergError) -> bool:
        """Source: iceberg/5.2 (clean-up rule after an error); #8397."""
        if self._table.rules.strict_transaction_cleanup:
            return may_clean(error, gone_keeps_files=self._table.rules.gone_keeps_files)
        return not isinstance(error, CommitStateUnknown)

    def _clean_up(self) -> None:
        """Delete everything that the updates have written, and what they had noted for deletion."""
        self._clean_updates()
        self._delete(self.deleted)

    def _clean_updates(self) -> None:
        for update in self._updates:
            if isinstance(update, SnapshotProducer):
                update.clean_all()

    def _clean_leftovers(self, before: frozenset[int]) -> None:
        """Delete what was noted, but for files of the snapshots that are committed."""
        if not self._deleted:
            return self._look_for_snapshots(before)
        self._world.notes.intend(FOR_LEFTOVERS)
        try:
            committed = self._committed_files(before)
        except IcebergError:
            self._world.coverage.hit(coverage.CLEANUP_FAILED)
            return
        if committed is not None:
            return self._delete(self._uncommitted(committed))
        self._world.coverage.hit(coverage.CLEANUP_SKIPPED)

    def _uncommitted(self, committed: frozenset[str]) -> tuple[str, ...]:
        """What was noted and is not committed: an appended manifest may be merged by one attempt alone."""
        if not committed.isdisjoint(self._deleted):
            self._world.coverage.hit(coverage.NOTED_BUT_COMMITTED)
        return tuple([path for path in self._deleted if path not in committed])

    def _look_for_snapshots(self, before: frozenset[int]) -> None:
        """Ask for what is current, as who looks for his snapshots does; that may be a load."""
        if any(each.snapshot_id not in before for each in self._current.snapshots):
            with suppress(IcebergError):
                _ = self._table.ops.current

    def _committed_files(self, before: frozenset[int]) -> frozenset[str] | None:
        """The manifest lists and manifests of the snapshots that are new; None if the table does not have them all.

        Source: `committedFiles`: a manifest that one attempt did not need may serve a later one.
        """
        found: list[str] = []
        for snapshot in self._current.snapshots:
            if snapshot.snapshot_id not in before:
                saved = self._table.ops.current.snapshot(snapshot.snapshot_id)
                if saved is None:
                    return None
                found.append(saved.manifest_list)
                found += [manifest.path for manifest in self._table.files.manifests(saved)]
        return frozenset(found)

    def _delete(self, paths: tuple[str, ...]) -> None:
        for path in paths:
            with suppress(IcebergError):
                self._table.files.delete(path)


class Staged:
    """`TableOperations` of one update of a transaction. Source: `BaseTransaction.TransactionTableOperations`."""

    __slots__ = ("_base", "_transaction")

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._base = transaction.current

    @property
    def seen(self) -> TableMetadata:
        """The transaction's metadata."""
        return self._transaction.current

    @property
    def current(self) -> TableMetadata:
        """The transaction's metadata."""
        return self._transaction.current

    @property
    def location(self) -> str:
        """That of the transaction."""
        return self._transaction.location

    def refresh(self) -> TableMetadata:
        """The transaction's metadata, which the next commit is based on; the catalog is not asked."""
        self._base = self._transaction.current
        return self._base

    def commit(self, updated: TableMetadata, replaces: TableMetadata | None = None) -> None:
        """Give the transaction this metadata in place of what was refreshed last."""
        self._transaction.stage(self._base, updated)
