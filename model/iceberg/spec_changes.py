"""Updates of partition specs as a commit over REST asks for them; `model.iceberg.changes` has the others.

Source: `core/MetadataUpdate.java` (`AddPartitionSpec`, `SetDefaultPartitionSpec`), `core/TableMetadata.java`
(`Builder.addPartitionSpec`, `setDefaultPartitionSpec`) of 1.11.0.
"""

from typing import TYPE_CHECKING, NamedTuple

from model.iceberg.errors import ValidationFailed
from model.iceberg.partitioning import Partitioning, PartitionSpec

if TYPE_CHECKING:
    from model.iceberg.metadata import TableMetadata


class AddPartitionSpec(NamedTuple):
    """`add-spec`, and `set-default-spec` to it."""

    spec: PartitionSpec

    def applied_to(self, table: "TableMetadata") -> "TableMetadata":
        """The table with a spec of these fields as its default."""
        added = table.partitioning.with_default(self.spec.fields, self.spec.field_ids)
        return table._replace(partitioning=added)


class SetDefaultPartitionSpec(NamedTuple):
    """`set-default-spec` to one that the table has."""

    spec_id: int

    def applied_to(self, table: "TableMetadata") -> "TableMetadata":
        """The table with that default. Raises: `ValidationFailed` if it has no such spec."""
        if all(spec.spec_id != self.spec_id for spec in table.partitioning.specs):
            raise ValidationFailed(f"set default spec: expected a spec of the table, got {self.spec_id}")
        return table._replace(partitioning=table.partitioning._replace(default_id=self.spec_id))


OfSpecs = AddPartitionSpec | SetDefaultPartitionSpec


def changes_of_specs(base: Partitioning, updated: Partitioning) -> tuple[OfSpecs, ...]:
    """The updates that make `updated` of `base`."""
    known = {spec.spec_id for spec in base.specs}
    added = tuple([AddPartitionSpec(spec) for spec in updated.specs if spec.spec_id not in known])
    if added or updated.default_id == base.default_id:
        return added
    return (SetDefaultPartitionSpec(updated.default_id),)
