"""Mutants of Spark's rewrites of position deletes. Source: `model.iceberg.rewrite_position_deletes`."""

from collections.abc import Container

from model.iceberg import rewrite_position_deletes
from model.iceberg.files import DeleteFile, Partition, Position
from model.iceberg.replace_deletes import ReplaceDeletes
from model.iceberg.rewrite_position_deletes import Group
from model.iceberg.table import IcebergTable
from model.iceberg.tables import write_delete_file
from tests.mutants.damage import left_out, never, replaced
from tests.mutants.mutant import Mutant

KEPT = rewrite_position_deletes._kept


class _Everything:
    def __contains__(self, _: object) -> bool:
        return True


def keeps_all(table: IcebergTable, group: Group, _: Container[str]) -> dict[str, tuple[Position, ...]]:
    """Whether a data file is there does not matter."""
    return KEPT(table, group, _Everything())


def lowest(group: Group) -> int:
    """The number of the oldest delete file."""
    return min([number for number, _ in group])


def as_in_format_2(
    table: IcebergTable, kept: dict[str, tuple[Position, ...]], partition: Partition
) -> list[DeleteFile]:
    """Position delete files, whatever the format is."""
    return [write_delete_file(table, positions, partition) for positions in kept.values()]


POSITION_DELETES: tuple[Mutant, ...] = (
    left_out(
        "rewritten-deletes-may-be-gone", ReplaceDeletes, "fail_missing_delete_paths", "a data file has two vectors"
    ),
    replaced(
        "rewritten-at-the-lowest-number", rewrite_position_deletes, "_number_of", lowest, "deleted rows come back"
    ),
    replaced("deletes-of-nothing-kept", rewrite_position_deletes, "_kept", keeps_all, "deletes of nothing pile up"),
    replaced("vectors-rewritten-again", rewrite_position_deletes, "_are_vectors", never, "a commit for nothing"),
    replaced(
        "rewritten-in-format-2", rewrite_position_deletes, "_write", as_in_format_2, "no deletes of format 3"
    ),
    left_out(
        "rewritten-deletes-of-any-format", ReplaceDeletes, "_refuse_other_format",
        "deletes that no reader of the format knows",
    ),
)  # fmt: skip
