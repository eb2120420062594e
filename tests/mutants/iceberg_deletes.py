"""Mutants of equality deletes. Source: iceberg/1.3; `core/DeleteFileIndex.java`, `core/BaseRewriteFiles.java`."""

from model.iceberg.files import DataFile, DeleteFile, EqualityDeleteFile
from model.iceberg.merging import RewriteFiles
from tests.mutants.damage import left_out, replaced


def of_the_partition(self: EqualityDeleteFile, file: DataFile) -> bool:
    """Every file of the partition, whatever its bounds."""
    return self.partition == file.partition


EQUALITY_DELETES = (
    replaced(
        "equality-deletes-of-their-own-rows", EqualityDeleteFile, "is_of", DeleteFile.is_of,
        "an upsert deletes the row that it brings",
    ),
    replaced(
        "equality-deletes-without-bounds", EqualityDeleteFile, "may_apply_to", of_the_partition,
        "a conflict with files that have no such id",
    ),
    replaced(
        "rewrite-ignores-equality-deletes", RewriteFiles, "ignores_equality_deletes", True,
        "an equality delete that was committed meanwhile is undone (J16)",
    ),
    left_out(
        "rewrite-numbers-not-pinned", RewriteFiles, "data_sequence_number",
        "the sequence number of the start is promised, and not kept",
    ),
)  # fmt: skip
