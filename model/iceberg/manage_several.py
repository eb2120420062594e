"""A `ManageSnapshots` with several changes: all of them are made in one transaction, and committed at once.

Changes of refs are gathered in one update, which is made on what the transaction has when the first of them is asked
for, and committed to it before another change is made, or at last. As any commit in between refuses that update, it
refuses all of them: a roll-back that is asked for together with a tag goes over no commit that it has not seen.

Source: `core/SnapshotManager.java` of 1.11.0 (`updateSnapshotReferencesOperation`, `commitIfRefUpdatesExist`).
"""

from collections.abc import Callable, Sequence

from model.iceberg.errors import IcebergError
from model.iceberg.manage import Making
from model.iceberg.references import UpdateReferences
from model.iceberg.result import CommandResult
from model.iceberg.table import IcebergTable
from model.iceberg.transaction import Transaction


class SnapshotManager:
    """The changes of one `ManageSnapshots`; making it loads the table."""

    def __init__(self, table: IcebergTable) -> None:
        self._transaction = Transaction(table)
        self._refs: UpdateReferences | None = None
        self.begun = self._transaction.current.current_snapshot_id

    def change(self, making: Making) -> None:
        """Roll back, or cherry-pick, on what the changes so far have made. Raises: as the change."""
        self._commit_refs()
        update = making(self._transaction.table())
        self._transaction.add(update)
        update.commit()

    def change_refs(self, changing: Callable[[UpdateReferences], object]) -> None:
        """Change a branch or a tag. Raises: as the change."""
        if self._refs is None:
            self._refs = UpdateReferences(self._transaction.table())
            self._transaction.add(self._refs)
        changing(self._refs)

    def _commit_refs(self) -> None:
        if self._refs is not None:
            self._refs.commit()
            self._refs = None

    def commit(self) -> CommandResult:
        """Commit all changes. Returns: as `manage`. Raises: as the commit of a transaction."""
        self._commit_refs()
        self._transaction.commit()
        base, current = self._transaction.base.current_snapshot_id, self._transaction.current.current_snapshot_id
        return CommandResult(self.begun, commit=current if base != current else None)


Change = Callable[[SnapshotManager], object]


def manage_several(table: IcebergTable, changes: Sequence[Change]) -> CommandResult:
    """Make these changes, one after the other, and commit them at once. Returns, raises: as `SnapshotManager`."""
    manager = SnapshotManager(table)
    try:
        for change in changes:
            change(manager)
        return manager.commit()
    except IcebergError as error:
        error.result = CommandResult(manager.begun)
        raise
