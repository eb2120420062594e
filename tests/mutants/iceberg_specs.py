"""Mutants of partition specs, and of what goes by the spec of a file (`model.iceberg.partitioning`)."""

from collections.abc import Collection, Mapping, Sequence

from model.iceberg import (
    api,
    buckets,
    commit_context,
    expire,
    files,
    new_table,
    replace_partitions,
    replace_table,
    spark,
)
from model.iceberg.buckets import Bucket
from model.iceberg.commit_context import CommitContext
from model.iceberg.expressions import IdBetween
from model.iceberg.files import (
    ADDED,
    AnyDeletes,
    DataFile,
    EqualityDeleteFile,
    IdRange,
    ManifestEntry,
    ManifestFile,
    Partition,
)
from model.iceberg.manifest_filter import ManifestFilter
from model.iceberg.manifest_merge import ManifestMerger
from model.iceberg.metadata import TableMetadata
from model.iceberg.overwrite import OverwriteFiles
from model.iceberg.partitioning import Field, Partitioning, PartitionSpec
from model.iceberg.spark_changes import Change, Found, Isolation, Written, copy_on_write
from model.iceberg.table import IcebergTable
from model.iceberg.update_spec import UpdatePartitionSpec
from tests.mutants.damage import left_out, replaced
from tests.mutants.iceberg_row_ids import MERGED
from tests.mutants.mutant import Mutant

_kept = Partitioning._kept
_copy_on_write = copy_on_write


def as_in_format_1(self: Partitioning, field: Field | None, _: int) -> list[tuple[Field, int]]:
    """What is removed leaves a void field."""
    return _kept(self, field, 1)


def as_in_format_2(self: Partitioning, field: Field | None, _: int) -> list[tuple[Field, int]]:
    """What is removed leaves nothing."""
    return _kept(self, field, 2)


def always_added(self: Partitioning, fields: tuple[Field, ...], field_ids: tuple[int, ...]) -> Partitioning:
    """A spec is new, whatever the table had."""
    new = PartitionSpec(max([spec.spec_id for spec in self.specs]) + 1, fields, field_ids)
    return Partitioning((*self.specs, new), new.spec_id, max(self.last_field_id, *field_ids, 0))


def in_one_manifest(
    self: CommitContext,
    content: str,
    added: Collection[DataFile | AnyDeletes],
    number: int | None,
    _: Mapping[str, int],
) -> list[ManifestFile]:
    """Files of all specs in one manifest."""
    entries = tuple([ManifestEntry(ADDED, self.snapshot_id, number, file) for file in added])
    return [self.write_manifest(content, entries)]


def of_any_spec(self: EqualityDeleteFile, file: DataFile) -> bool:
    """Equality deletes are of whatever may have their ids."""
    return self.lower <= file.upper and file.lower <= self.upper


def dropped_by_rows(self: ManifestFilter, partition: Partition) -> None:
    """Whatever has the rows of the partition goes."""
    assert isinstance(partition, IdRange)
    self.remove_by_row_filter(IdBetween(partition.low, partition.high))


def as_they_are(_: ManifestMerger, manifests: Sequence[ManifestFile]) -> list[ManifestFile]:
    """Nothing is merged, whatever its spec."""
    return list(manifests)


def by_remainder(row_id: int, count: int) -> int:
    """An id is not hashed."""
    return row_id % count


def may_have_unhashed(self: Bucket, low: int, high: int) -> bool:
    """A filter is projected to the bucket of an id that is not hashed."""
    return low != high or low % self.buckets == self.number


def may_have_any(_: Bucket, low: int, high: int) -> bool:
    """No filter is projected."""
    return True


def never(_: object) -> bool:
    """No partition is that of all rows."""
    return False


def by_the_newest_spec(
    table: IcebergTable, found: list[Found], change: Change, start: int | None, isolation: Isolation, _: PartitionSpec
) -> tuple[OverwriteFiles, Written]:  # fmt: skip
    """A session writes by the spec of the table as it is known by now."""
    return _copy_on_write(table, found, change, start, isolation, table.metadata.partitioning.spec)


def not_missed(self: UpdatePartitionSpec, _: Field | None) -> UpdatePartitionSpec:
    """What is removed need not be there."""
    return self


IN_SQL: tuple[Mutant, ...] = (
    replaced(
        "copy-on-write-by-the-newest-spec", spark, "copy_on_write", by_the_newest_spec, "files of another spec",
    ),
    replaced(
        "missing-field-not-missed", UpdatePartitionSpec, "remove_field", not_missed, "another's change is replaced"
    ),
)  # fmt: skip

REPLACEMENT = replace_table.replacement_of


def keeps_spec(base: TableMetadata) -> TableMetadata:
    """All else is as in a new table."""
    return REPLACEMENT(base)._replace(partitioning=base.partitioning)


SPECS: tuple[Mutant, ...] = (
    replaced("removed-field-is-void", Partitioning, "_kept", as_in_format_1, "specs grow with each change"),
    replaced("removed-field-is-gone", Partitioning, "_kept", as_in_format_2, "fields of format 1 change places"),
    replaced("specs-never-taken-up", Partitioning, "with_default", always_added, "the same partitions twice"),
    replaced("one-manifest-for-all-specs", CommitContext, "write_added", in_one_manifest, "files of another spec"),
    replaced("deletes-of-any-spec", EqualityDeleteFile, "may_apply_to", of_any_spec, "other specs lose rows"),
    replaced(
        "partitions-dropped-by-rows", ManifestFilter, "drop_partition", dropped_by_rows, "files of other specs go"
    ),
    replaced("old-specs-not-merged", ManifestMerger, "merge", as_they_are, "manifests pile up"),
    replaced("new-specs-looked-into", ManifestFilter, "_opens_of_new_spec", lambda *_: True, "kinder than upstream"),
    replaced("whole-replaced-by-spec", replace_partitions, "is_whole", never, "what older specs have stays"),
    replaced("buckets-not-hashed", buckets, "bucket_of", by_remainder, "other clients look into other files"),
    replaced("filters-not-hashed", Bucket, "may_have", may_have_unhashed, "rows that match are not seen"),
    replaced("filters-not-projected", Bucket, "may_have", may_have_any, "what cannot match is looked into"),
    replaced("no-delete-is-global", files, "is_whole", never, "rows of older specs stay"),
    replaced(
        "manifests-not-passed-over", commit_context, "bounds_of", lambda _: None, "kinder than upstream to old deletes"
    ),
    left_out("unknown-specs-read", ManifestFilter, "_refuse_unknown_spec", "kinder than upstream"),
    MERGED,
    replaced("replacement-keeps-spec", new_table, "replacement_of", keeps_spec, "a new table by an old table's spec"),
    left_out("snapshots-of-no-schema-read", api, "refuse_unknown_schema", "nobody reads it by its id"),
    replaced("unused-schemas-stay", expire, "without_unused", lambda table: table, "an expiry commits nothing"),
)
BY_NAME = {mutant.name: mutant for mutant in SPECS}
