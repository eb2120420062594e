"""Mutants of Iceberg's transactions. Source: iceberg/5; J14 is what `PendingUpdateFailedException` was made for."""

from model.iceberg.deferring_files import DeferringFiles
from model.iceberg.errors import CommitFailed, CommitStateUnknown, IcebergError
from model.iceberg.metadata import TableMetadata
from model.iceberg.table import IcebergTable
from model.iceberg.transaction import PendingUpdate, Transaction
from tests.mutants.damage import left_out, never, replaced
from tests.mutants.mutant import Mutant


def commits_what_it_has(self: Transaction, refreshed: TableMetadata) -> None:
    """What was staged goes over whatever is there now."""
    self._base = refreshed


def applies_the_last(self: Transaction, refreshed: TableMetadata) -> None:
    """The last update alone."""
    _with_updates(self, refreshed, self._updates[-1:])


def applies_backwards(self: Transaction, refreshed: TableMetadata) -> None:
    """The last update first."""
    _with_updates(self, refreshed, self._updates[::-1])


def _with_updates(self: Transaction, refreshed: TableMetadata, updates: list[PendingUpdate]) -> None:
    every, self._updates = self._updates, updates
    _apply_again(self, refreshed)
    self._updates = every


def tries_again(_: Transaction, error: CommitFailed) -> None:
    """As after a lost race."""
    raise error


def retries_unknown(self: Transaction, error: IcebergError) -> bool:
    """Another attempt after an unknown outcome."""
    return _may_retry(self, error) or isinstance(error, CommitStateUnknown)


def cleans_if_unknown(_: Transaction, error: IcebergError) -> bool:
    """Clean-up after an unknown outcome, too."""
    return error.cleanable or isinstance(error, CommitStateUnknown)


def deletes(self: DeferringFiles, path: str) -> None:
    """The file itself, at once."""
    super(DeferringFiles, self).delete(path)


def own_table(self: Transaction) -> IcebergTable:
    """The table itself in place of the transaction's."""
    self._all_applied = True
    return self._table


_apply_again, _may_retry = Transaction._apply_again, Transaction._may_retry

TRANSACTIONS = (
    replaced(
        "updates-not-applied-again", Transaction, "_apply_again", commits_what_it_has, "the winner's commit is lost"
    ),
    replaced("last-update-applied-again", Transaction, "_apply_again", applies_the_last, "half of a transaction"),
    replaced("updates-applied-again-backwards", Transaction, "_apply_again", applies_backwards, "another result"),
    replaced(
        "failed-update-tried-again", Transaction, "_end_with", tries_again, "success without its updates (J14)"
    ),
    left_out("outdated-updates-staged", Transaction, "_refuse_outdated", "an update of old metadata undoes others"),
    left_out("unfinished-updates-allowed", Transaction, "_refuse_unfinished", "an update is left out in silence"),
    replaced(
        "intermediates-in-history", Transaction, "_without_intermediates", lambda _, updated: updated,
        "time travel to half of a transaction",
    ),
    Mutant(
        "updates-committed-one-by-one", "half of a transaction is read",
        ((Transaction, "table", own_table), (Transaction, "add", lambda *_: None)),
    ),
    replaced("transaction-not-tried-again", Transaction, "_may_retry", never, "a lost race is a failure"),
    replaced(
        "unknown-transaction-tried-again", Transaction, "_may_retry", retries_unknown,
        "an unknown outcome is tried again",
    ),
    replaced("transaction-keeps-files", Transaction, "_may_clean", never, "files of failed transactions stay"),
    replaced(
        "transaction-cleans-after-unknown", Transaction, "_may_clean", cleans_if_unknown,
        "an unknown outcome deletes committed files",
    ),
    replaced(
        "transaction-deletes-at-once", DeferringFiles, "delete", deletes,
        "files go before the outcome is known",
    ),
)  # fmt: skip
