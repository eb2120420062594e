"""The snapshots of a Java table, as who has loaded it sees them."""

from typing import Any

from sim.iceberg.seen import Snapshots


def snapshots_seen(table: Any) -> Snapshots:
    """Those of a table, or of a transaction's."""
    head = table.currentSnapshot()
    parents = {int(each.snapshotId()): _number(each.parentId()) for each in table.snapshots()}
    return Snapshots(None if head is None else int(head.snapshotId()), parents)


def _number(told: Any) -> int | None:
    return None if told is None else int(told)
