"""Simulated tables that are folders of a file system: numbered versions, a hint at the newest, and files beside them.

Renames refuse a target that is there, or replace it; where they replace it, whoever commits looks first.

A load reads the hint, if its caller knows no version, and looks for the next numbers; a commit makes the next version
unless one of that number is in the way, and hints at it, unless that is done by a call of its own; a drop deletes the
folder with all that it holds, and no table has to be there for a commit. Where it looks first, its metadata file is in
the folder by then, and has to be there for the rename. What a new reader would see is appended to the
register of that name, for who reads the lineage at the end.

Source: HDFS, whose `rename` refuses an existing target and whose recursive `delete` is one step; `rename` of POSIX, and
of Hadoop's `RawLocalFileSystem`, which replaces it.

Choices: a load, a look, a commit, a hint and a drop are one step each, and so is the deletion of a version. A commit
that comes between the rename of another one and its hint, where these are one call, and a reader there, see what they
would see after it. A hint at a version that nobody has made, and one into a folder that is gone, is none.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from model.ports import Absent, CasLost, NotFound, NumberedVersion, Refused
from sim.kernel.kernel import Kernel
from sim.kernel.task import CAS, READ, WRITE
from sim.services.base import Interner, Service
from sim.services.register import RegisterService
from sim.services.store import ObjectStore


class Folder(NamedTuple):
    """What a folder holds: its versions by number, and the hint at one of them. `made`: which folder of that name it
    is; there was a drop between two that differ."""

    versions: tuple[tuple[int, Any], ...] = ()
    hint: int = 0
    made: int = 0

    def newest_from(self, number: int) -> int:
        """The last number in an unbroken row from this one on; one less if it is not there."""
        numbers = [each for each, _ in self.versions]
        while number in numbers:
            number += 1
        return number - 1

    @property
    def seen(self) -> Any:
        """What a new reader sees; None if the hinted version is not there."""
        return dict(self.versions).get(max(self.hint, self.newest_from(self.hint)))


class FolderTables(Service):
    """Implements `model.ports.FolderTables`; steps are `load`, `look`, `commit`, `hint` and `prune`.

    Args: `replaces`: a rename takes the place of what is there.
    """

    def __init__(
        self, kernel: Kernel, interner: Interner | None, register: RegisterService, store: ObjectStore,
        *, replaces: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(kernel, interner)
        self.replaces = replaces
        self._register, self._store = register, store
        self._folders: dict[str, Folder] = {}

    def load(self, name: str, known: int | None) -> NumberedVersion:
        found: NumberedVersion = self.kernel.call("load", name, READ, self._load, name, known)
        return found

    def look(self, name: str, number: int) -> int:
        made: int = self.kernel.call("look", name, WRITE, self._look, name, number)
        return made

    def commit(self, name: str, number: int, value: Any, *, hints: bool = True, made: int | None = None) -> int:
        version: int = self.kernel.call("commit", name, CAS, self._commit, name, number, value, hints, made)
        return version

    def hint(self, name: str, number: int) -> None:
        self.kernel.call("hint", name, WRITE, self._hint, name, number)

    def prune(self, name: str, number: int) -> None:
        self.kernel.call("prune", name, WRITE, self._prune, name, number)

    def drop(self, name: str, by: int) -> bool:
        found: bool = self.kernel.call("commit", name, CAS, self._drop, name, by)
        return found

    def _load(self, name: str, known: int | None) -> NumberedVersion:
        folder = self._folders.get(name, Folder())
        first = folder.hint if known is None else known
        newest = folder.newest_from(first)
        if newest < first or not newest:
            hinted = known is None and first
            raise (Refused if hinted else NotFound)(
                f"table {name}: expected a metadata file of version {first}, got none"
            )
        return NumberedVersion(newest, dict(folder.versions)[newest], self._register.newest(name))

    def _folder(self, name: str) -> Folder:
        return self._folders.get(name) or Folder(made=self._register.newest(name))

    def _look(self, name: str, number: int) -> int:
        folder = self._folder(name)
        if number in dict(folder.versions):
            raise CasLost(f"table {name}: expected no version {number}, there is one")
        if name not in self._folders:
            self._put(name, folder)
        return folder.made

    def _commit(self, name: str, number: int, value: Any, hints: bool, made: int | None) -> int:
        folder = self._folder(name)
        if made is None and not self.replaces:
            self._look(name, number)
        if made is not None and folder.made != made:
            raise CasLost(f"table {name}: expected a file to rename in its folder, which was deleted")
        others = [version for version in folder.versions if version[0] != number]
        changed = Folder((*others, (number, value)), number if hints else folder.hint, folder.made)
        self._put(name, changed)
        seen = changed.seen
        return self._register.append(name, value if seen is None else seen)

    def _hint(self, name: str, number: int) -> None:
        folder = self._folders.get(name)
        if folder is None:
            return
        moved = folder._replace(hint=number)
        self._put(name, moved)
        if moved.seen is not None and moved.seen is not folder.seen:
            self._register.append(name, moved.seen)

    def _prune(self, name: str, number: int) -> None:
        folder = self._folders.get(name)
        if folder is not None:
            left = tuple([version for version in folder.versions if version[0] != number])
            self._put(name, folder._replace(versions=left))

    def _put(self, name: str, folder: Folder) -> None:
        self._folders[name] = folder
        self._wrote(name, folder)

    def _drop(self, name: str, by: int) -> bool:
        if not self._folders.get(name, Folder()).versions:
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
