"""Rolling `main` back to a time: to the ancestor with the latest time before it.

Ancestors are told by their own times, which their writers' clocks gave: if one was ahead, that is not the snapshot that
was main at the time. Unlike a roll-back to a snapshot, each attempt looks at the ancestry again, to
which a snapshot that has expired does not belong.

Source: `core/SetSnapshotOperation.java` of 1.11.0 (`rollbackToTime`, `findLatestAncestorOlderThan`, `apply`).
"""

from model.iceberg.errors import InvalidOperation
from model.iceberg.metadata import TableMetadata, ancestors
from model.iceberg.references import SetSnapshot
from model.iceberg.table import IcebergTable


class RollBackToTime(SetSnapshot):
    """Sets `main` to its latest ancestor before a time.

    Raises: `InvalidOperation` if it has none; from its commit, `ValidationFailed` if main does not descend from it any
    more.
    """

    def __init__(self, table: IcebergTable, timestamp_ms: int) -> None:
        super().__init__(table, latest_before(table.metadata, timestamp_ms))

    def _meet(self, base: TableMetadata) -> None:
        self._refuse_no_ancestor(base)
        super()._meet(base)


def latest_before(base: TableMetadata, timestamp_ms: int) -> int:
    """The id of main's ancestor with the latest time before that; of equal times, the newest in line.

    Raises: `InvalidOperation` if there is none.
    """
    older = [each for each in ancestors(base, base.current) if 0 < each.timestamp_ms < timestamp_ms]
    if not older:
        raise InvalidOperation(f"roll back to time {timestamp_ms}: expected a snapshot before it, main has none")
    return max(older, key=lambda each: each.timestamp_ms).snapshot_id
