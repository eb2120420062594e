"""What PyIceberg 0.12.0 is asked of what a table says of itself: columns, a sort order, a place, statistics.

Source: `pyiceberg/table/update/schema.py` (`delete_column`), `pyiceberg/table/update/sorting.py`,
`pyiceberg/table/update/statistics.py`, `pyiceberg/table/__init__.py` (`Transaction.update_location`).

Choices: statistics are of the head that was loaded; nobody reads their file, so there is none.
"""

from __future__ import annotations

from pyiceberg.table import Table, Transaction
from pyiceberg.table.statistics import StatisticsFile
from pyiceberg.transforms import IdentityTransform

from sim.iceberg.layout import DropColumn, MoveTo, RemoveStatistics, SetStatistics, SortBy
from sim.iceberg.python.ports import LOCATION


def lay_out(transaction: Transaction, step: DropColumn | SortBy | MoveTo) -> None:
    """Drop a column, sort by others, or move. Raises: what the library raises; it cannot move a table."""
    match step:
        case DropColumn(name):
            with transaction.update_schema() as update:
                update.delete_column(name)
        case SortBy(columns, descending):
            with transaction.update_sort_order() as order:
                for name in columns:
                    (order.desc if descending else order.asc)(name, IdentityTransform())
        case MoveTo(folder):
            transaction.update_location(f"{LOCATION}/{folder}")


def remove_property(table: Table, name: str) -> None:
    """Take a property away. Raises: `ValueError`; the library raises `KeyError` if it is not there."""
    try:
        with table.transaction() as transaction:
            transaction.remove_properties(name)
    except KeyError as error:
        raise ValueError(f"property {name}: KeyError, it is not there") from error


def of_statistics(table: Table, step: SetStatistics | RemoveStatistics) -> None:
    """Name a statistics file of the head, or none any more."""
    head = table.current_snapshot()
    if head is None:
        raise ValueError("main: expected a snapshot, got none: it is gone")
    with table.update_statistics() as update:
        if isinstance(step, RemoveStatistics):
            update.remove_statistics(head.snapshot_id)
        else:
            update.set_statistics(_file(step.name, head.snapshot_id))


def _file(name: str, snapshot: int) -> StatisticsFile:
    said = {
        "snapshot-id": snapshot,
        "statistics-path": f"{LOCATION}/t/metadata/{name}.stats",
        "file-size-in-bytes": 64,
        "file-footer-size-in-bytes": 32,
        "blob-metadata": [],
    }
    return StatisticsFile.model_validate(said)
