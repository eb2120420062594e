"""The metadata table seen as a table: its files, below a folder of the data table's, and notes of its steps."""

from typing import Any

from model.hudi.meanings import Enters, TakesBack
from model.hudi.metadata_slices import OfMetadata
from model.ports import FileSystem, Meaning, Notes


class Below:
    """The files below a folder."""

    def __init__(self, files: FileSystem, folder: str) -> None:
        self._files = files
        self._folder = folder

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._files, name)
        return lambda path, *rest: call(f"{self._folder}/{path}", *rest)

    def rename(self, source: str, target: str) -> bool:
        """As the port."""
        return self._files.rename(f"{self._folder}/{source}", f"{self._folder}/{target}")


class OwnNotes:
    """Notes of steps on the metadata table, which must not be taken for those on the data table."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    def intend(self, meaning: Meaning) -> None:
        if isinstance(meaning, Enters | TakesBack):
            self._notes.intend(OfMetadata(meaning.instant, meaning.action, meaning.state))
        elif isinstance(meaning, OfMetadata):
            self._notes.intend(meaning)

    def learn(self, meaning: Meaning) -> None:
        """What is learnt of it says nothing of the data table."""
