"""What PyIceberg 0.12.0 is asked of a table's columns, but for those that it adds or drops.

Source: `pyiceberg/table/update/schema.py` (`rename_column`, `update_column`, `move_after`, `add_column`).
"""

from __future__ import annotations

from pydantic import TypeAdapter
from pyiceberg.table import Transaction
from pyiceberg.types import IntegerType, NestedField, PrimitiveType, StructType

from sim.iceberg.columns import (
    AddField,
    AddStruct,
    AddTyped,
    ChangeType,
    MoveColumn,
    OfColumns,
    RenameColumn,
    WidenColumn,
)

NEW = -1
"""The id of a field that has none yet: the library gives it one."""


def change_columns(transaction: Transaction, step: OfColumns) -> None:
    """Carry it out. Raises: what the library raises."""
    with transaction.update_schema() as update:
        match step:
            case RenameColumn(name, to):
                update.rename_column(name, to)
            case AddTyped(name, of):
                update.add_column(name, _primitive(of))
            case WidenColumn() | ChangeType():
                update.update_column(step.name, field_type=_primitive(step.to))
            case MoveColumn(name, after):
                update.move_after(name, after)
            case AddStruct(name, field):
                update.add_column(name, StructType(NestedField(NEW, field, IntegerType(), required=False)))
            case AddField(struct, name):
                update.add_column((struct, name), IntegerType())


def _primitive(of: str) -> PrimitiveType:
    """A type by its name in metadata."""
    return TypeAdapter(PrimitiveType).validate_python(of)
