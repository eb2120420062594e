"""Changes of a table's partition spec, sort order, location, columns and properties, as calls of Iceberg's Java API."""

from typing import Any

from real_backend.jvm.jvm import Jvm
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
from sim.iceberg.layout import DropColumn, MoveTo, SortBy, UnsetProperty
from sim.iceberg.statements import UpdateSpec

VOID = "void"
MOVED = "memory:/moved/"
"""Below which tables are that were moved."""


def update_spec(jvm: Jvm, maker: Any, spec: Any, given: UpdateSpec) -> Any:
    """The update that takes away what the default spec has, and partitions by so many ids each, or
    so many buckets, if any.

    Args: `maker`: the Java table or transaction; `spec`: its default spec.
    """
    update = maker.updateSpec()
    for field in spec.fields():
        if str(field.transform()) != VOID:
            update = update.removeField(str(field.name()))
    if not given.width:
        return update
    return update.addField(getattr(jvm.iceberg.expressions.Expressions, given.transform)("id", given.width))


def update_layout(jvm: Jvm, maker: Any, given: DropColumn | UnsetProperty | OfColumns | MoveTo | SortBy) -> Any:
    """The update that changes columns, properties, sort order or location.

    Args: `maker`: the Java table or transaction.
    """
    if isinstance(given, DropColumn):
        return maker.updateSchema().deleteColumn(given.name)
    if isinstance(given, OfColumns):
        return _update_columns(jvm, maker.updateSchema(), given)
    if isinstance(given, UnsetProperty):
        return maker.updateProperties().remove(given.name)
    if isinstance(given, MoveTo):
        return maker.updateLocation().setLocation(f"{MOVED}{given.folder}")
    update, nulls = maker.replaceSortOrder(), jvm.iceberg.NullOrder
    for name in given.columns:
        column = jvm.iceberg.expressions.Expressions.ref(name)
        update = update.desc(column, nulls.NULLS_LAST) if given.descending else update.asc(column, nulls.NULLS_FIRST)
    return update


def _update_columns(jvm: Jvm, update: Any, given: OfColumns) -> Any:
    types = jvm.iceberg.types.Types
    match given:
        case RenameColumn(name, to):
            return update.renameColumn(name, to)
        case AddTyped(name, of):
            return update.addColumn(name, types.fromPrimitiveString(of))
        case WidenColumn() | ChangeType():
            return update.updateColumn(given.name, types.fromPrimitiveString(given.to))
        case MoveColumn(name, after):
            return update.moveAfter(name, after)
        case AddStruct(name, field):
            inner = types.NestedField.optional(1, field, types.IntegerType.get())
            fields = jvm.java.java.util.ArrayList()
            fields.add(inner)
            return update.addColumn(name, types.StructType.of(fields))
        case AddField(struct, name):
            return update.addColumn(struct, name, types.IntegerType.get())
