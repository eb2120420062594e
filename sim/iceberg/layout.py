"""Statements of the Java API that change what a table says of itself, and none of its rows."""

from __future__ import annotations

from dataclasses import dataclass

from model.iceberg.sort_orders import Fields, SortField
from sim.iceberg import columns
from sim.iceberg.columns import OfColumns


@dataclass(frozen=True, slots=True)
class DropColumn:
    """Java API `updateSchema` without one column, which was added before."""

    name: str


@dataclass(frozen=True, slots=True)
class UnsetProperty:
    """Java API `updateProperties` without one property, of a name as `SetProperty` has, but for the format."""

    name: str


@dataclass(frozen=True, slots=True)
class SortBy:
    """Java API `replaceSortOrder` by these columns, all of them ascending, or `descending`; (): by none."""

    columns: tuple[str, ...] = ()
    descending: bool = False

    @property
    def fields(self) -> Fields:
        """The fields of the order."""
        return tuple([SortField(name, self.descending) for name in self.columns])


@dataclass(frozen=True, slots=True)
class MoveTo:
    """Java API `updateLocation` to a folder of this name, which no other table has."""

    folder: str


@dataclass(frozen=True, slots=True)
class SetStatistics:
    """Java API `updateStatistics` to a file of this `name`, for the snapshot `back` commits below the head that was
    loaded; a file that the table has is named again, another one is written. `of_partitions`:
    `updatePartitionStatistics`."""

    name: str
    back: int = 0
    of_partitions: bool = False


@dataclass(frozen=True, slots=True)
class RemoveStatistics:
    """Java API `updateStatistics().removeStatistics`, or the same of partitions; the snapshot as in `SetStatistics`."""

    back: int = 0
    of_partitions: bool = False


OfStatistics = SetStatistics | RemoveStatistics
Layout = DropColumn | UnsetProperty | SortBy | MoveTo | OfStatistics | OfColumns


def describe(statement: Layout) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words."""
    match statement:
        case _ if isinstance(statement, OfColumns):
            return columns.describe(statement)
        case DropColumn(name):
            return "drop column", name
        case UnsetProperty(name):
            return "unset", name
        case MoveTo(folder):
            return "move", f"to {folder}"
        case SetStatistics(name, back):
            return "set statistics", f"{name}, {back} back{_of_partitions(statement)}"
        case RemoveStatistics(back):
            return "remove statistics", f"{back} back{_of_partitions(statement)}"
        case SortBy(by, descending):
            return "sort", f"by {', '.join(by)}{' descending' if descending else ''}" if by else "by nothing"


def _of_partitions(statement: OfStatistics) -> str:
    return ", of partitions" if statement.of_partitions else ""
