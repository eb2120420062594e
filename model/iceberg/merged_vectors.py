"""Deletion vectors of one data file that one commit is given: they are merged into a new one, which is committed.

So are two of one file that are the same. Source: `MergingSnapshotProducer.mergeDVs`, `core/DVUtil.java`
(`mergeAndWriteDVsIfRequired`, `validateCanMerge`) of 1.11.0; apache/iceberg#15006.

Choices: they are read one after the other. As shipped, nobody deletes what was merged, neither the new file after a
failure, nor those that it was made from (apache/iceberg#17307).
"""

from collections.abc import Callable, Iterable, Mapping

from model.iceberg import coverage
from model.iceberg.errors import InvalidOperation
from model.iceberg.files import AnyDeletes, DeleteFile, delete_file
from model.iceberg.meanings import POSITIONS
from model.iceberg.table import IcebergTable


class AddedDeletes:
    """The delete files that a commit is given: vectors as often as they are, others once (`DeleteFileSet`)."""

    def __init__(self) -> None:
        self._others: dict[str, AnyDeletes] = {}
        self._vectors: dict[str, list[DeleteFile]] = {}

    def add(self, file: AnyDeletes) -> None:
        """Take one more. Source: `MergingSnapshotProducer.addInternal`."""
        if isinstance(file, DeleteFile) and file.is_vector:
            self._vectors.setdefault(file.lower, []).append(file)
        else:
            self._others.setdefault(file.path, file)

    def __bool__(self) -> bool:
        return bool(self._others or self._vectors)

    @property
    def given(self) -> tuple[AnyDeletes, ...]:
        """All of them."""
        return (*[each for of_file in self._vectors.values() for each in of_file], *self._others.values())

    @property
    def vectors_of(self) -> tuple[str, ...]:
        """The data files that a vector is of."""
        return tuple(self._vectors)

    @property
    def committed(self) -> int:
        """How many are committed."""
        return len(self._vectors) + len(self._others)

    def merged(self, table: IcebergTable, name: str, numbers: Mapping[str, int]) -> tuple[AnyDeletes, ...]:
        """Those that are committed; new vectors are written for data files that have several.

        Args: `name`: of the file that they are written to; `numbers`: as of `refuse_unlike`.

        Raises: `InvalidOperation` if several cannot be merged; any `IcebergError` of the files.
        """
        again = {path: of_file for path, of_file in self._vectors.items() if len(of_file) > 1}
        alone = [of_file[0] for of_file in self._vectors.values() if len(of_file) == 1]
        for of_file in again.values():
            refuse_unlike(of_file, numbers)
        return (*alone, *self._written(table, name, again), *self._others.values())

    def _written(self, table: IcebergTable, name: str, again: Mapping[str, list[DeleteFile]]) -> list[DeleteFile]:
        """Source: `DVUtil.readAndMergeDVs`, `DVUtil.writeDVs`: one file for all of them."""
        if not again:
            return []
        table.world.coverage.hit(coverage.VECTORS_MERGED)
        found = [positions_of(table.files.positions, of_file) for of_file in again.values()]
        path = f"{table.location}/data/{name}"
        table.files.write(path, tuple([each for positions in found for each in positions]), POSITIONS)
        firsts = [of_file[0] for of_file in again.values()]
        paths = [path] if len(firsts) == 1 else [f"{path}#{place}" for place in range(len(firsts))]
        made = zip(paths, found, firsts, strict=True)
        return [delete_file(at, positions, first.partition, is_vector=True) for at, positions, first in made]


def positions_of(
    read: Callable[[DeleteFile], Iterable[tuple[str, int]]], vectors: Iterable[DeleteFile]
) -> tuple[tuple[str, int], ...]:
    """The positions of all of them, each once."""
    return tuple(sorted({position for vector in vectors for position in read(vector)}))


def refuse_unlike(vectors: Iterable[DeleteFile], numbers: Mapping[str, int]) -> None:
    """Raise `InvalidOperation` for vectors of different partitions, specs or sequence numbers.

    Args: `numbers`: of those that have a data sequence number of their own, by their paths.

    Source: `DVUtil.validateCanMerge`.
    """
    if len({(vector.partition, numbers.get(vector.path)) for vector in vectors}) > 1:
        raise InvalidOperation("merge deletion vectors: expected one partition and sequence number, they differ")
