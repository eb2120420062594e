"""The partition specs of a table, which of them new files are of, and how one more comes to be.

A file is of the spec that it was written by, for good; whoever loads the table writes by its default spec. A field
that is removed is gone in the next spec; in format 1, where field ids are places, it stays as a `void` transform. A
spec that the table had before is taken up again under its old id.

Source: specification of the table format, partition evolution; `core/BaseUpdatePartitionSpec.java`,
`core/TableMetadata.java` (`Builder.addPartitionSpecInternal`, `reuseOrCreateNewSpecId`) of 1.11.0.

Choices: every field is of `id`, and at most one of a spec is not void. A field is known by its transform alone: names
follow from it. So from format 2 on, where a field that an older spec has is taken up under its old id, that spec is.
"""

from collections.abc import Collection
from typing import Literal, NamedTuple

from model.iceberg.buckets import Bucket
from model.iceberg.files import LEAST, MOST, IdRange, Partition, Row, Rows

BEFORE_FIRST_FIELD = 999
"""What `last-partition-id` is where no field has an id."""


class Field(NamedTuple):
    """A partition field. Args: `width`: how many ids a partition of `truncate` has; how many buckets there are."""

    transform: Literal["truncate", "void", "bucket"]
    width: int = 0


VOID = Field("void")


class PartitionSpec(NamedTuple):
    """One spec: its id, its fields and their ids."""

    spec_id: int
    fields: tuple[Field, ...] = ()
    field_ids: tuple[int, ...] = ()

    @property
    def field(self) -> Field | None:
        """The field that is not void; None: it has no partitions."""
        return next((field for field in self.fields if field != VOID), None)

    def partition_of(self, row_id: int) -> Partition:
        """The partition of a row that is written by this spec."""
        field = self.field
        if field is None:
            return IdRange(LEAST, MOST, self.spec_id) if self.spec_id else None
        of = Bucket.of if field.transform == "bucket" else IdRange.of
        return of(row_id, field.width, self.spec_id)

    def divided(self, rows: Rows) -> dict[Partition, Rows]:
        """The rows by their partition, in the order in which these come first."""
        parts: dict[Partition, list[Row]] = {}
        for row in rows:
            parts.setdefault(self.partition_of(row[0]), []).append(row)
        return {partition: tuple(part) for partition, part in parts.items()}


class Partitioning(NamedTuple):
    """The specs of a table, by id; the default one; and the last field id that was given away."""

    specs: tuple[PartitionSpec, ...]
    default_id: int
    last_field_id: int

    @property
    def spec(self) -> PartitionSpec:
        """The default spec."""
        return next(spec for spec in self.specs if spec.spec_id == self.default_id)

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of the specs."""
        return tuple([spec.spec_id for spec in self.specs])

    def without(self, ids: Collection[int]) -> "Partitioning":
        """Without these specs. Source: `TableMetadata.Builder.removeSpecs`."""
        return self._replace(specs=tuple([spec for spec in self.specs if spec.spec_id not in ids]))

    def evolved(self, field: Field | None, format_version: int) -> "Partitioning":
        """With `field` in the place of what the default spec has (None: in that of nothing), as the default."""
        fields = self._kept(field, format_version)
        if field is not None and (field not in [known for known, _ in fields]):
            fields.append((field, self.last_field_id + 1))
        return self.with_default(tuple([known for known, _ in fields]), tuple([number for _, number in fields]))

    def _kept(self, field: Field | None, format_version: int) -> list[tuple[Field, int]]:
        """What is left of the default spec's fields. Source: `BaseUpdatePartitionSpec.apply`."""
        kept: list[tuple[Field, int]] = []
        for known, number in zip(self.spec.fields, self.spec.field_ids, strict=True):
            if known in (VOID, field):
                kept.append((known, number))
            elif format_version < 2:
                kept.append((VOID, number))
        return kept

    def with_default(self, fields: tuple[Field, ...], field_ids: tuple[int, ...]) -> "Partitioning":
        """With the spec of these fields as the default, which is added if there is none like it."""
        like = [spec.spec_id for spec in self.specs if spec.fields == fields]
        if like:
            return self._replace(default_id=like[0])
        new = PartitionSpec(max(self.ids) + 1, fields, field_ids)
        return Partitioning((*self.specs, new), new.spec_id, max(self.last_field_id, *field_ids, BEFORE_FIRST_FIELD))


UNPARTITIONED = Partitioning((PartitionSpec(0),), 0, BEFORE_FIRST_FIELD)


Transform = Literal["truncate", "bucket"]


def partitioned_by(width: int, transform: Transform = "truncate") -> Partitioning:
    """Those of a new table with so many ids a partition, or so many buckets; 0: it has no partitions."""
    if not width:
        return UNPARTITIONED
    first = BEFORE_FIRST_FIELD + 1
    return Partitioning((PartitionSpec(0, (Field(transform, width),), (first,)),), 0, first)
