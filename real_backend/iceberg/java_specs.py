"""Changes of a table's partition spec, as calls of Iceberg's Java API."""

from typing import Any

from real_backend.jvm.jvm import Jvm

VOID = "void"


def update_spec(jvm: Jvm, maker: Any, spec: Any, width: int) -> Any:
    """The update that takes away what the default spec has, and partitions by so many ids each, if any.

    Args: `maker`: the Java table or transaction; `spec`: its default spec.
    """
    update = maker.updateSpec()
    for field in spec.fields():
        if str(field.transform()) != VOID:
            update = update.removeField(str(field.name()))
    return update.addField(jvm.iceberg.expressions.Expressions.truncate("id", width)) if width else update
