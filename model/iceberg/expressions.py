"""Row filters, and what file metrics say about them: no row may match, some may, all must.

Source: `api/.../expressions/InclusiveMetricsEvaluator.java` and `StrictMetricsEvaluator.java`; for position
delete files the partition is all there is, because their column bounds are of (path, position), never of the table's
columns; those of equality deletes are of the columns that are compared.

Choices: the predicates that the modelled commands push down: `true`, `false`, `id = n`, an id range, a partition, and
their disjunction.
`id` is never null. A partition is an identity transform of a column that has no other part in the model, or a range or
a bucket of ids: a filter of ids is projected on it (`Transform.project`, `projectStrict`). The bounds of a data file
say as much as a range that it is of; a bucket says more.
"""

from dataclasses import dataclass

from model.iceberg.buckets import Bucket
from model.iceberg.files import AnyDeletes, Bounds, DataFile, EqualityDeleteFile, IdRange, OfIds, Partition
from model.iceberg.manifest_bounds import may_have


@dataclass(frozen=True, slots=True)
class Expression:
    """A row filter. This base matches every row: it is `true`."""

    def matches(self, row_id: int, partition: Partition = None) -> bool:
        """Whether a row matches."""
        return True

    def may_match(self, file: DataFile) -> bool:
        """Whether the file's metrics leave it possible that a row matches (inclusive)."""
        return True

    def must_match(self, file: DataFile) -> bool:
        """Whether the file's metrics prove that every row matches (strict)."""
        return True

    def may_match_within(self, bounds: Bounds | None) -> bool:
        """Whether a manifest of partitions between these (None: of any) may have files with matching rows."""
        return True

    def may_match_delete(self, file: AnyDeletes) -> bool:
        """Whether a delete file can apply to matching rows, as far as its partition says."""
        return True

    def must_match_delete(self, file: AnyDeletes) -> bool:
        """Whether a delete file can apply to matching rows only."""
        return True


@dataclass(frozen=True, slots=True)
class _AlwaysFalse(Expression):
    def matches(self, row_id: int, partition: Partition = None) -> bool:
        return False

    def may_match_within(self, bounds: Bounds | None) -> bool:
        return False

    def may_match(self, file: DataFile) -> bool:
        return False

    def must_match(self, file: DataFile) -> bool:
        return False

    def may_match_delete(self, file: AnyDeletes) -> bool:
        return False

    def must_match_delete(self, file: AnyDeletes) -> bool:
        return False


TRUE = Expression()
FALSE: Expression = _AlwaysFalse()


@dataclass(frozen=True, slots=True)
class IdBetween(Expression):
    """`low <= id AND id <= high`."""

    low: int
    high: int

    def matches(self, row_id: int, partition: Partition = None) -> bool:
        return self.low <= row_id <= self.high

    def may_match(self, file: DataFile) -> bool:
        if isinstance(file.partition, Bucket) and not file.partition.may_have(self.low, self.high):
            return False
        return file.lower <= self.high and self.low <= file.upper

    def must_match(self, file: DataFile) -> bool:
        return self.low <= file.lower and file.upper <= self.high

    def may_match_within(self, bounds: Bounds | None) -> bool:
        if bounds is None:
            return True
        least, most = bounds
        if isinstance(least, Bucket):
            return self.low != self.high or may_have(bounds, Bucket.of(self.low, least.buckets))
        if isinstance(least, IdRange) and isinstance(most, IdRange):
            return least.low <= self.high and self.low <= most.high
        return True

    def may_match_delete(self, file: AnyDeletes) -> bool:
        if isinstance(file.partition, OfIds) and not file.partition.may_have(self.low, self.high):
            return False
        return not isinstance(file, EqualityDeleteFile) or (file.lower <= self.high and self.low <= file.upper)

    def must_match_delete(self, file: AnyDeletes) -> bool:
        if isinstance(file.partition, OfIds) and file.partition.is_within(self.low, self.high):
            return True
        return isinstance(file, EqualityDeleteFile) and self.low <= file.lower and file.upper <= self.high


def id_equals(row_id: int) -> Expression:
    """`id = row_id`."""
    return IdBetween(row_id, row_id)


@dataclass(frozen=True, slots=True)
class InPartition(Expression):
    """`p = value`, where the table is partitioned by the identity of `p`, or the rows of a range or bucket of ids."""

    value: str | OfIds

    def matches(self, row_id: int, partition: Partition = None) -> bool:
        return partition == self.value

    def may_match_within(self, bounds: Bounds | None) -> bool:
        return may_have(bounds, self.value)

    def may_match(self, file: DataFile) -> bool:
        return file.partition == self.value

    def must_match(self, file: DataFile) -> bool:
        return file.partition == self.value

    def may_match_delete(self, file: AnyDeletes) -> bool:
        return file.partition == self.value

    def must_match_delete(self, file: AnyDeletes) -> bool:
        return file.partition == self.value


@dataclass(frozen=True, slots=True)
class _Either(Expression):
    left: Expression
    right: Expression

    def matches(self, row_id: int, partition: Partition = None) -> bool:
        return self.left.matches(row_id, partition) or self.right.matches(row_id, partition)

    def may_match_within(self, bounds: Bounds | None) -> bool:
        return self.left.may_match_within(bounds) or self.right.may_match_within(bounds)

    def may_match(self, file: DataFile) -> bool:
        return self.left.may_match(file) or self.right.may_match(file)

    def must_match(self, file: DataFile) -> bool:
        return self.left.must_match(file) or self.right.must_match(file)

    def may_match_delete(self, file: AnyDeletes) -> bool:
        return self.left.may_match_delete(file) or self.right.may_match_delete(file)

    def must_match_delete(self, file: AnyDeletes) -> bool:
        return self.left.must_match_delete(file) or self.right.must_match_delete(file)


def either(left: Expression, right: Expression) -> Expression:
    """`left OR right`, simplified as far as Iceberg does."""
    if left is FALSE or right is TRUE:
        return right
    return left if right is FALSE or left is TRUE else _Either(left, right)
