"""Mutants of the replacement of partitions. Source: `model.iceberg.replace_partitions`."""

from model.iceberg.expressions import TRUE, Expression
from model.iceberg.files import DataFile
from model.iceberg.manifest_filter import ManifestFilter
from model.iceberg.replace_partitions import ReplacePartitions
from tests.mutants.damage import left_out, replaced
from tests.mutants.mutant import Mutant


def drops_data_alone(self: ReplacePartitions, file: DataFile) -> ReplacePartitions:
    """Delete files of the partition stay."""
    self.data_filter.drop_partition(file.partition)
    self.add_data(file)
    return self


def everything(_: ReplacePartitions) -> Expression:
    """The whole table is validated, whichever partitions are replaced."""
    return TRUE


PARTITIONS: tuple[Mutant, ...] = (
    left_out("drops-no-partition", ManifestFilter, "drop_partition", "what was to be replaced stays"),
    replaced("keeps-deletes-of-partition", ReplacePartitions, "add_file", drops_data_alone, "delete files pile up"),
    left_out("append-only-ignored", ManifestFilter, "_refuse_any", "what must not be removed goes"),
    replaced(
        "all-partitions-validated", ReplacePartitions, "_replaced", property(everything),
        "commits to other partitions refuse a replacement",
    ),
    left_out(
        "partitions-data-not-validated", ReplacePartitions, "validate_no_conflicting_data",
        "concurrent inserts into the partition vanish",
    ),
    left_out(
        "partitions-deletes-not-validated", ReplacePartitions, "validate_no_conflicting_deletes",
        "rows that were deleted meanwhile come back",
    ),
    left_out("partitions-of-nothing-allowed", ReplacePartitions, "_refuse_nothing_added", "an overwrite of nothing"),
)  # fmt: skip
