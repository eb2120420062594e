"""Mutants of the Hadoop catalog. Source: `model.iceberg.hadoop`."""

from collections.abc import Callable
from typing import Any

from model.iceberg.hadoop import HadoopOperations
from model.iceberg.metadata import TableMetadata
from sim.services.folder_tables import Folder, FolderTables
from tests.mutants.damage import replaced
from tests.mutants.mutant import Mutant


def replaces_the_number(self: FolderTables, name: str, number: int, value: Any) -> int:
    """A rename that replaces what is there."""
    folder = self._folders.get(name, Folder())
    others = tuple([each for each in folder.versions if each[0] != number])
    self._put(name, folder._replace(versions=others))
    return _commit(self, name, number, value)


def numbers_from_the_newest(self: HadoopOperations, number: int, base: TableMetadata, updated: TableMetadata) -> None:
    """The next number after whatever is there, not after what the commit was built on."""
    found = self._world.folders.load(self._name, None) if number > 1 else None
    _take(self, number if found is None else found.number + 1, base, updated)


_commit: Callable[..., int] = FolderTables._commit
_take: Callable[..., None] = HadoopOperations._take

HADOOP: tuple[Mutant, ...] = (
    replaced("hadoop-rename-replaces", FolderTables, "_commit", replaces_the_number, "lost updates (#1014)"),
    replaced("hadoop-next-number", HadoopOperations, "_take", numbers_from_the_newest, "lost updates"),
)  # fmt: skip
