"""The line of metadata files that led to the table as it is, and the files that are off it.

A metadata file logs those before it, so every file says what it was made from. The table's line is the log of the
current file, and further back the logs of those. A file off the line was once written by somebody who wanted to commit.
If another file was made from it, then a writer read it from the catalog: it was the table's, and was overwritten. If
not, then it is a commit that was refused, or one that was overwritten before anybody built on it: files cannot say.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from checkers.iceberg.autopsy.records import Remains, Snapshot, Version


class Stray(NamedTuple):
    """A readable metadata file off the line.

    Args: `fork` is the file of the line that it goes back to, None if it goes back to none; `winner` the file that the
    line has after that, None if the line ends there. `was_current`: another file was made from it. `added` are the
    snapshots that it brought; `lost` those of them that no readable file of the line has; `is_seen`: all files that the
    line has after the fork can be read, so that nothing of it can have landed unseen.
    """

    file: str
    fork: str | None
    winner: str | None
    was_current: bool
    added: tuple[Snapshot, ...]
    lost: tuple[Snapshot, ...]
    is_seen: bool


class Lineage:
    """The line, oldest first, and the strays, in the order of their numbers.

    Attributes: `line` has all files that logs name, also those that cannot be read; `pairs` are versions of the line
    that follow each other and can both be read.
    """

    def __init__(self, remains: Remains) -> None:
        self._versions = remains.versions
        self.line = tuple(_line(remains.versions, remains.current))
        self._places = {file: place for place, file in enumerate(self.line)}
        self._ids = {id_ for file in self.line if file in self._versions for id_ in self._versions[file].snapshots}
        self._logged = {
            entry.metadata_file
            for file, version in self._versions.items()
            for entry in version.metadata_log
            if entry.metadata_file != file
        }
        off = sorted((v for f, v in self._versions.items() if f not in self._places), key=age)
        self.strays = tuple([self._stray(version) for version in off])

    def pairs(self) -> Iterator[tuple[Version, Version]]:
        """Versions of the line that follow each other."""
        for before, after in zip(self.line, self.line[1:], strict=False):
            if before in self._versions and after in self._versions:
                yield self._versions[before], self._versions[after]

    def before(self, file: str) -> Version | None:
        """The version that a file was made from, if it can be read."""
        place = self._places.get(file)
        if place is not None:
            return self._versions.get(self.line[place - 1]) if place else None
        return self._versions.get(self._versions[file].parent or "")

    def _stray(self, version: Version) -> Stray:
        fork = self._fork(version)
        place = len(self.line) if fork is None else self._places[fork] + 1
        winner = self.line[place] if place < len(self.line) else None
        base = self._versions.get(version.parent or "")
        known = self._ids if base is None else base.snapshots
        added = [snapshot for id_, snapshot in version.snapshots.items() if id_ not in known]
        lost = [snapshot for snapshot in added if snapshot.snapshot_id not in self._ids]
        is_seen = all(file in self._versions for file in self.line[place:])
        return Stray(version.file, fork, winner, version.file in self._logged, tuple(added), tuple(lost), is_seen)

    def _fork(self, version: Version) -> str | None:
        """The newest file of the line in a stray's own log, or in the logs of those in it."""
        seen: set[str] = set()
        todo = [version.file]
        while todo:
            file = todo.pop()
            if file in self._places:
                return file
            if file not in seen and file in self._versions:
                seen.add(file)
                todo += [entry.metadata_file for entry in self._versions[file].metadata_log]
        return None


def age(version: Version) -> tuple[int, int, str]:
    """What sorts versions from old to new where no log does."""
    return version.number if version.number is not None else -1, version.header.last_updated_ms or 0, version.file


def _line(versions: Mapping[str, Version], current: str) -> list[str]:
    line = [current]
    while True:
        oldest = next((place for place, file in enumerate(line) if file in versions), None)
        if oldest is None:
            return line
        log = [entry.metadata_file for entry in versions[line[oldest]].metadata_log]
        log = log[: log.index(line[0])] if oldest and line[0] in log else log if not oldest else []
        older = [file for file in dict.fromkeys(log) if file not in line]
        if not older:
            return line
        line = older + line


def ancestry(head: int | None, *known: Mapping[int, Snapshot]) -> Iterator[int]:
    """A snapshot and its ancestors, newest first, as far as they are known; the last may be known by its id only."""
    seen: set[int] = set()
    while head is not None and head not in seen:
        seen.add(head)
        yield head
        snapshot = next((each[head] for each in known if head in each), None)
        head = snapshot.parent_snapshot_id if snapshot else None
