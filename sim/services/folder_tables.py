"""Simulated tables that are folders of a file system: numbered versions, a hint at the newest, and files beside them.

A load reads the hint, if its caller knows no version, and looks for the next numbers; a commit makes the next version
unless there is one of that number, and hints at it; a drop deletes the folder with all that it holds, and no table has
to be there for a commit. What a new reader would see is appended to the register of that name, for who reads the
lineage at the end.

Source: HDFS, whose `rename` refuses an existing target and whose recursive `delete` is one step.

Choices: a load, a commit and a drop are one step each. A commit that comes between the rename of another one and its
hint, and a reader there, see what they would see after it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from model.ports import Absent, CasLost, NotFound, NumberedVersion
from sim.kernel.kernel import Kernel
from sim.kernel.task import CAS, READ
from sim.services.base import Interner, Service
from sim.services.register import RegisterService
from sim.services.store import ObjectStore


class Folder(NamedTuple):
    """What a folder holds: its versions by number, and the hint at one of them."""

    versions: tuple[tuple[int, Any], ...] = ()
    hint: int = 0

    def newest_from(self, number: int) -> int:
        """The last number in an unbroken row from this one on; one less if it is not there."""
        numbers = [each for each, _ in self.versions]
        while number in numbers:
            number += 1
        return number - 1


class FolderTables(Service):
    """Implements `model.ports.FolderTables`; steps are `load` and `commit`."""

    def __init__(
        self, kernel: Kernel, interner: Interner | None, register: RegisterService, store: ObjectStore
    ) -> None:
        super().__init__(kernel, interner)
        self._register, self._store = register, store
        self._folders: dict[str, Folder] = {}

    def load(self, name: str, known: int | None) -> NumberedVersion:
        found: NumberedVersion = self.kernel.call("load", name, READ, self._load, name, known)
        return found

    def commit(self, name: str, number: int, value: Any) -> int:
        version: int = self.kernel.call("commit", name, CAS, self._commit, name, number, value)
        return version

    def drop(self, name: str, by: int) -> bool:
        found: bool = self.kernel.call("commit", name, CAS, self._drop, name, by)
        return found

    def _load(self, name: str, known: int | None) -> NumberedVersion:
        folder = self._folders.get(name, Folder())
        first = folder.hint if known is None else known
        newest = folder.newest_from(first)
        if newest < first or not newest:
            raise NotFound(f"table {name}: expected a metadata file of version {first}, got none")
        return NumberedVersion(newest, dict(folder.versions)[newest], self._register.newest(name))

    def _commit(self, name: str, number: int, value: Any) -> int:
        folder = self._folders.get(name, Folder())
        if any(each == number for each, _ in folder.versions):
            raise CasLost(f"table {name}: expected no version {number}, there is one")
        self._folders[name] = made = Folder((*folder.versions, (number, value)), number)
        self._wrote(name, made)
        return self._register.append(name, dict(made.versions)[made.newest_from(number)])

    def _drop(self, name: str, by: int) -> bool:
        if name not in self._folders:
            return False
        del self._folders[name]
        self._removed(name)
        self._store.delete_below(f"{name}/")
        self._register.append(name, Absent(by))
        return True

    def _contents(self) -> dict[str, Folder]:
        return dict(self._folders)

    def _replace(self, contents: dict[str, Folder]) -> None:
        self._folders = dict(contents)
