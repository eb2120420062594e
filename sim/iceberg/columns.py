"""Statements of the Java API that change a table's schema, but for columns that are added to it or dropped."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RenameColumn:
    """Java API `updateSchema` with another name of one column, which was added before and is not sorted by."""

    name: str
    to: str


@dataclass(frozen=True, slots=True)
class WidenColumn:
    """Java API `updateColumn`: a column that was added as an `int` is a `long`."""

    name: str

    @property
    def to(self) -> str:
        """The type that it comes to have, as of `ChangeType`."""
        return "long"


@dataclass(frozen=True, slots=True)
class AddTyped:
    """Java API `updateSchema` by one column of a type: "long", "float", "double", or "decimal(9, 2)"."""

    name: str
    of: str


@dataclass(frozen=True, slots=True)
class ChangeType:
    """Java API `updateColumn`: a column that was added is of another type, as of `AddTyped`, or "int"."""

    name: str
    to: str


@dataclass(frozen=True, slots=True)
class MoveColumn:
    """Java API `updateSchema` with one column right behind another one (`moveAfter`), neither in a struct."""

    name: str
    after: str


@dataclass(frozen=True, slots=True)
class AddStruct:
    """Java API `updateSchema` by a struct of one column."""

    name: str
    field: str


@dataclass(frozen=True, slots=True)
class AddField:
    """Java API `updateSchema` by one column in a struct."""

    struct: str
    name: str


OfColumns = RenameColumn | WidenColumn | AddTyped | ChangeType | MoveColumn | AddStruct | AddField


def describe(statement: OfColumns) -> tuple[str, str]:
    """The history's name of a statement, and its argument in words."""
    match statement:
        case RenameColumn(name, to):
            return "rename column", f"{name} to {to}"
        case WidenColumn(name):
            return "widen column", name
        case AddTyped(name, of):
            return "add typed column", f"{name} {of}"
        case ChangeType(name, to):
            return "change type", f"{name} to {to}"
        case MoveColumn(name, after):
            return "move column", f"{name} behind {after}"
        case AddStruct(name, field):
            return "add struct", f"{name} of {field}"
        case AddField(struct, name):
            return "add field", f"{name} in {struct}"
