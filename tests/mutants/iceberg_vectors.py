"""Mutants of vectors that share a file. Source: `model.iceberg.tables.write_vectors`, `model.iceberg.merging`."""

from collections.abc import Sequence
from typing import Any

from model.iceberg import position_deletes
from model.iceberg.files import DeleteFile, Partition, Position, container
from model.iceberg.merging import RewriteFiles
from model.iceberg.table import IcebergTable
from model.iceberg.tables import write_vectors
from tests.mutants.damage import replaced
from tests.mutants.mutant import Mutant


def named_by_file(table: IcebergTable, parts: Sequence[tuple[tuple[Position, ...], Partition]]) -> list[DeleteFile]:
    """Vectors that nothing tells apart but their file."""
    return [one._replace(path=container(one.path)) for one in write_vectors(table, parts)]


def left_there(self: RewriteFiles, _: Any) -> RewriteFiles:
    """The vectors of what is replaced are nobody's business."""
    return self


VECTORS: tuple[Mutant, ...] = (
    replaced(
        "vectors-named-by-file",
        position_deletes,
        "write_vectors",
        named_by_file,
        "a vector goes, or is not there, with another one of its file",
    ),
    replaced("compaction-leaves-vectors", RewriteFiles, "delete_vector", left_there, "vectors of files that are gone"),
)
