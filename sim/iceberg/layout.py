"""Statements of the Java API that change what a table says of itself, and none of its rows."""

from __future__ import annotations

from dataclasses import dataclass

from model.iceberg.sort_orders import Fields, SortField


@dataclass(frozen=True, slots=True)
class DropColumn:
    """Java API `updateSchema` without one column, which was added before."""

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


Layout = DropColumn | SortBy | MoveTo


def describe(statement: Layout) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words."""
    match statement:
        case DropColumn(name):
            return "drop column", name
        case MoveTo(folder):
            return "move", f"to {folder}"
        case SortBy(columns, descending):
            return "sort", f"by {', '.join(columns)}{' descending' if descending else ''}" if columns else "by nothing"
