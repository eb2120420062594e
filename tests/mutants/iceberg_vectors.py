"""Mutants of vectors that share a file. Source: `model.iceberg.tables.write_vectors`, `model.iceberg.merging`."""

from collections.abc import Sequence
from typing import Any

from model.iceberg import merged_vectors, position_deletes
from model.iceberg.files import AnyDeletes, DeleteFile, Partition, Position, container
from model.iceberg.merged_vectors import AddedDeletes
from model.iceberg.merging import MergingProducer, RewriteFiles
from model.iceberg.table import IcebergTable
from model.iceberg.tables import write_vectors
from tests.mutants.damage import left_out, replaced
from tests.mutants.mutant import Mutant

WRITTEN_ONCE = MergingProducer._new_delete_manifests


def named_by_file(table: IcebergTable, parts: Sequence[tuple[tuple[Position, ...], Partition]]) -> list[DeleteFile]:
    """Vectors that nothing tells apart but their file: a set has the first one of each."""
    found: dict[str, DeleteFile] = {}
    for one in write_vectors(table, parts):
        found.setdefault(container(one.path), one._replace(path=container(one.path)))
    return list(found.values())


def left_there(self: RewriteFiles, _: Any) -> RewriteFiles:
    """The vectors of what is replaced are nobody's business."""
    return self


def all_of_them(self: AddedDeletes, *_: Any) -> tuple[AnyDeletes, ...]:
    """What is given is committed."""
    return self.given


def of_the_first(read: Any, vectors: list[DeleteFile]) -> tuple[Position, ...]:
    """The first vector's alone."""
    return tuple(sorted(read(vectors[0])))


def anew(self: MergingProducer) -> Any:
    """Each attempt merges, and writes its manifests."""
    self._new_deletes.clear()
    return WRITTEN_ONCE(self)


VECTORS: tuple[Mutant, ...] = (
    replaced(
        "vectors-named-by-file",
        position_deletes,
        "write_vectors",
        named_by_file,
        "a vector goes, or is not there, with another one of its file",
    ),
    replaced("compaction-leaves-vectors", RewriteFiles, "delete_vector", left_there, "vectors of files that are gone"),
    replaced(
        "vectors-not-merged",
        AddedDeletes,
        "merged",
        all_of_them,
        "a table that cannot be scanned",
    ),
    replaced("first-vector-wins", merged_vectors, "positions_of", of_the_first, "deleted rows come back"),
    left_out("vectors-merged-anyway", merged_vectors, "refuse_unlike", "vectors of files that are none"),
    replaced("vectors-merged-again", MergingProducer, "_new_delete_manifests", anew, "files that nobody needs"),
)
