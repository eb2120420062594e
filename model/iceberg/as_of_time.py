"""Which snapshot main was at, at a time: by the table's history, whatever main has come from since.

Source: `SnapshotUtil.snapshotIdAsOfTime`, `nullableSnapshotIdAsOfTime` of 1.11.0 (the last entry of the snapshot log
that is not later), `SnapshotScan.asOfTime`.

Choices: whoever asks, asks for a time before the table was given times: what it has logged since is later.
"""

from typing import NamedTuple

from model.iceberg.errors import InvalidOperation
from model.iceberg.metadata import TableMetadata


class AsOf(NamedTuple):
    """What is asked for: where main was at a time."""

    time_ms: int


def snapshot_as_of(metadata: TableMetadata, at: AsOf) -> int:
    """The snapshot that main was at. Raises: `InvalidOperation` if the history does not go as far back."""
    logged = zip(metadata.snapshot_log, metadata.logged_ms, strict=False)
    found = [snapshot for snapshot, logged_ms in logged if logged_ms <= at.time_ms]
    if not found:
        raise InvalidOperation(f"read as of {at.time_ms}: expected a snapshot that was main's by then, there is none")
    return found[-1]
