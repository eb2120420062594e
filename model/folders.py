"""Tables that are folders of a file system, as a protocol asks for them. Source: iceberg/3.2."""

from typing import Any, NamedTuple, Protocol

from model.registers import Body


class NumberedVersion(NamedTuple):
    """A version of a table in a folder: its number, its value, and which change of what readers see it was.

    `version` counts for who tells what happened; no client asks for it.
    """

    number: int
    value: Any
    version: int


class FolderTables(Protocol):
    """Tables that are folders, with numbered versions.

    `replaces`: a rename takes the place of what is there; `look` writes what is to be renamed, says in which folder
    that is, and raises `CasLost` if there is a version `number`; the `commit` that is told where raises it if that
    folder is gone.
    `load` gives the newest version from the `known` one on (None: from the hinted one on), or raises `NotFound` if
    that one is not there (`Refused` if it is hinted at); `commit` makes the version `number`, or raises `CasLost` if
    that is refused, and hints at it unless `hints` is false; `hint` does that alone, and asks for nothing; `prune`
    deletes the file of a version, if it is there; `drop` deletes the folder with all that it holds, and says whether
    there was one: `by` names the drop for who tells what happened.
    """

    replaces: bool

    def load(self, name: str, known: int | None) -> NumberedVersion: ...
    def look(self, name: str, number: int) -> int: ...
    def commit(self, name: str, number: int, value: Body, *, hints: bool = True, made: int | None = None) -> int: ...
    def hint(self, name: str, number: int) -> None: ...
    def prune(self, name: str, number: int) -> None: ...
    def drop(self, name: str, by: int) -> bool: ...
