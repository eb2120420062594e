"""Updates of partition specs as a commit over REST asks for them; `model.iceberg.changes` has the others.

Source: `core/MetadataUpdate.java` (`AddPartitionSpec`, `SetDefaultPartitionSpec`, `RemovePartitionSpecs`),
`core/TableMetadata.java` (`Builder.addPartitionSpec`, `setDefaultPartitionSpec`, `removeSpecs`) of 1.11.0.
"""

from typing import TYPE_CHECKING, NamedTuple

from model.iceberg.errors import InvalidOperation, ValidationFailed
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
        if self.spec_id not in table.partitioning.ids:
            raise ValidationFailed(f"set default spec: expected a spec of the table, got {self.spec_id}")
        return table._replace(partitioning=table.partitioning._replace(default_id=self.spec_id))


class RemovePartitionSpecs(NamedTuple):
    """`remove-partition-specs`: whether a manifest is of one is not asked."""

    ids: tuple[int, ...]

    def applied_to(self, table: "TableMetadata") -> "TableMetadata":
        """The table without them. Raises: `InvalidOperation` if one is its default."""
        if table.partitioning.default_id in self.ids:
            raise InvalidOperation(f"remove specs {self.ids}: expected none that is the default one")
        return table._replace(partitioning=table.partitioning.without(self.ids))


OfSpecs = AddPartitionSpec | SetDefaultPartitionSpec | RemovePartitionSpecs


def changes_of_specs(base: Partitioning, updated: Partitioning) -> tuple[OfSpecs, ...]:
    """The updates that make `updated` of `base`."""
    found: list[OfSpecs] = [AddPartitionSpec(spec) for spec in updated.specs if spec.spec_id not in base.ids]
    if not found and updated.default_id != base.default_id:
        found.append(SetDefaultPartitionSpec(updated.default_id))
    gone = tuple([spec_id for spec_id in base.ids if spec_id not in updated.ids])
    return (*found, RemovePartitionSpecs(gone)) if gone else tuple(found)
