"""The change of a table's partition spec.

Source: `core/BaseUpdatePartitionSpec.java` of 1.11.0: its base is that of its making, and it has no loop, so that any
commit in between refuses it; over REST, where only what a commit requires is compared, another change of the spec does.

Choices: a field that is not there is missed when the change is committed, not before.
"""

from model.iceberg.clock_rule import built
from model.iceberg.errors import InvalidOperation
from model.iceberg.partitioning import Field
from model.iceberg.table import IcebergTable


class UpdatePartitionSpec:
    """Puts a partition field in the place of what the default spec has that was current when this was made."""

    def __init__(self, table: IcebergTable) -> None:
        self._table = table
        self._base = table.ops.current
        self._field: Field | None = None
        self._removed: Field | None = None

    def partition_by(self, field: Field | None) -> "UpdatePartitionSpec":
        """Write by this field from now on; None: without partitions."""
        self._field = field
        return self

    def remove_field(self, field: Field | None) -> "UpdatePartitionSpec":
        """Have it refused unless this field is there (None: it is not asked). Source: `removeField`."""
        self._removed = field
        return self

    def commit(self) -> None:
        """Commit on the metadata that this was made with. Raises: any `IcebergError`."""
        base = self._base
        there = base.partitioning.spec.field
        if self._removed not in (None, there):
            raise InvalidOperation(f"update spec: expected {self._removed} to remove, got {there}")
        evolved = base.partitioning.evolved(self._field, base.format_version)
        self._table.ops.commit(built(self._table.world, base, base._replace(partitioning=evolved)))
