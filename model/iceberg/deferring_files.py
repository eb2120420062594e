"""The table's files as a transaction has them, which deletes when its outcome is known."""

from model.iceberg.storage import TableFiles
from model.ports import World


class DeferringFiles(TableFiles):
    """The table's files as updates of a transaction have them: to delete a file is to note it.

    Source: `BaseTransaction.enqueueDelete`: a manifest that this attempt does not need may serve the next.
    """

    __slots__ = ("_deleted",)

    def __init__(self, world: World, location: str, deleted: dict[str, None]) -> None:
        super().__init__(world, location)
        self._deleted = deleted

    def delete(self, path: str) -> None:
        """Note the file; the transaction deletes it when its outcome is known."""
        self._deleted[path] = None
