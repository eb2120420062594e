"""What a run has shown of an Iceberg table up to a step: its head, its files, who made which snapshot and deleted what.

Choices: contents are known as far as some client wrote or read them; what was never touched in the run stays unknown,
and nothing is said about it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from model.iceberg import meanings
from model.iceberg.existence import DROPPED
from model.iceberg.files import (
    DELETED,
    AnyDeletes,
    DataFile,
    EqualityDeleteFile,
    ManifestEntry,
    ManifestFile,
    Position,
    Rows,
)
from model.iceberg.metadata import Snapshot, TableMetadata
from reports.explanation.renderer import Traced
from reports.iceberg.applied import as_applied


class Move(NamedTuple):
    """Main went from `then` to `now`, which does not descend from it.

    `actor` set it: `back` to a snapshot that was there, or over one that it did not know. "": no commit of the run did,
    but one was accepted on `now`.
    """

    actor: str
    then: int | None
    now: int | None
    back: bool


def contents(row: Traced) -> Iterator[tuple[str, str, Any]]:
    """(kind, path, body) of the file that a step has read or written, if it has."""
    for meaning in row.meanings:
        if isinstance(meaning, meanings.Content) and row.outcome == "ok":
            yield meaning.kind, row.resource, row.value if row.kind == "read" else row.args[1]


@dataclass(slots=True)
class TableState:
    """The table as the steps so far have shown it. `names` are the short names of snapshots ("s1").

    `rows`, `positions`, `ids`, `entries`, `manifests`, `metadata`, `statistics`: contents of files by path; `moves`:
    who took commits out of the table's history; `answers`: what services said to which idempotency key.
    """

    names: Mapping[int, str]
    head: TableMetadata | None = None
    rows: dict[str, Rows] = field(default_factory=dict)
    positions: dict[str, tuple[Position, ...]] = field(default_factory=dict)
    ids: dict[str, tuple[int, ...]] = field(default_factory=dict)
    entries: dict[str, tuple[ManifestEntry, ...]] = field(default_factory=dict)
    manifests: dict[str, tuple[ManifestFile, ...]] = field(default_factory=dict)
    metadata: dict[str, TableMetadata] = field(default_factory=dict)
    statistics: dict[str, str] = field(default_factory=dict)
    deleters: dict[str, str] = field(default_factory=dict)
    makers: dict[int, str] = field(default_factory=dict)
    moves: list[Move] = field(default_factory=list)
    answers: dict[str, object] = field(default_factory=dict)

    def read(self, row: Traced) -> None:
        """Take in the body that a step has read or written."""
        for kind, path, body in contents(row):
            getattr(self, kind)[path] = body

    def learn(self, row: Traced) -> None:
        """Take in all that one step means."""
        self.read(row)
        for meaning in row.meanings if row.outcome == "ok" else ():
            match meaning:
                case meanings.Sees(metadata):
                    self.head = self.head or metadata
                case meanings.DeletesLeftover():
                    self.deleters[row.resource] = row.actor
                case meanings.Commits() if row.kind == "commit" and not self.repeats(row, meaning):
                    self._committed(row, as_applied(row, meaning))

    def repeats(self, row: Traced, commit: meanings.Commits) -> bool:
        """Whether an answer is a stored one: the key and the version are those of an earlier answer."""
        return commit.key is not None and self.answers.get(commit.key) == row.value

    def before(self, commit: meanings.Commits) -> TableMetadata:
        """What an accepted commit replaced: its base, if the service compared that, else whatever was there."""
        return commit.base if commit.fenced or self.head is None else self.head

    def _committed(self, row: Traced, commit: meanings.Commits) -> None:
        before, updated = self.before(commit), commit.updated
        now, then = updated.current_snapshot_id, before.current_snapshot_id
        shown = self.head.current_snapshot_id if self.head else then
        if shown != then:
            self.moves.append(Move("", shown, then, True))
        if before.snapshot(now) is not None and now != then:
            self.moves.append(Move(row.actor, then, now, True))
        elif then is not None and updated.snapshot(then) is None:
            self.moves.append(Move(row.actor, then, now, False))
        self.head = updated
        if commit.key is not None:
            self.answers[commit.key] = row.value
        if now is not None:
            self.makers.setdefault(now, row.actor)

    def name(self, snapshot_id: int | None) -> str:
        """The short name of a snapshot, or its id if it is not in the final lineage."""
        if snapshot_id is None:
            return "the empty table"
        return self.names.get(snapshot_id, f"snapshot {snapshot_id}")

    def named(self, metadata: TableMetadata | None) -> str:
        """The short name of the snapshot that is current in some metadata."""
        if metadata is DROPPED:
            return "no table"
        return self.name(metadata.current_snapshot_id if metadata else None)

    def file(self, path: str) -> str:
        """A path without the table's location."""
        for folder in ("/data/", "/metadata/"):
            if folder in path:
                return folder[1:] + path.split(folder, 1)[1]
        return path

    def rows_at(self, positions: tuple[Position, ...]) -> str:
        """ "position 0 of data/101 (row 1 = 'a')" for each position."""
        texts = []
        for path, position in positions:
            known = self.rows.get(path, ())[position : position + 1]
            row = f" (row {known[0][0]} = {known[0][1]!r})" if known else ""
            texts.append(f"position {position} of {self.file(path)}{row}")
        return " and ".join(texts)

    def live(self, snapshot: Snapshot | None) -> tuple[list[DataFile], list[str]] | None:
        """The live data files of a snapshot, and the paths of its live delete files; None if some are not known."""
        manifests = () if snapshot is None else self.manifests.get(snapshot.manifest_list)
        if manifests is None or any(manifest.path not in self.entries for manifest in manifests):
            return None
        files = [file for file, _ in self._numbered(snapshot)]
        data = [file for file in files if isinstance(file, DataFile)]
        return data, [file.path for file in files if not isinstance(file, DataFile)]

    def _numbered(self, snapshot: Snapshot | None) -> Iterator[tuple[DataFile | AnyDeletes, int]]:
        """The live files of a snapshot, and their sequence numbers."""
        for manifest in () if snapshot is None else self.manifests.get(snapshot.manifest_list, ()):
            for entry in self.entries.get(manifest.path, ()):
                if entry.status != DELETED:
                    number = manifest.sequence_number if entry.sequence_number is None else entry.sequence_number
                    yield entry.file, number or 0

    def taken_out(self, snapshot: Snapshot | None, path: str, identifier: int) -> tuple[str, int, int] | None:
        """The equality delete that takes a row out of a data file: its path, its number, and the data file's."""
        files = list(self._numbered(snapshot))
        own = next((number for file, number in files if file.path == path), None)
        for file, number in files:
            newer = own is not None and isinstance(file, EqualityDeleteFile) and file.is_of(number, own)
            if newer and identifier in self.ids.get(file.path, ()):
                return file.path, number, own or 0
        return None

    def needed_by_head(self) -> Iterator[str]:
        """Every path that a reader of the current snapshot opens, as far as it is known."""
        head = self.head.current if self.head else None
        if head is None:
            return
        yield head.manifest_list
        for manifest in self.manifests.get(head.manifest_list, ()):
            yield manifest.path
            yield from [entry.file.path for entry in self.entries.get(manifest.path, ()) if entry.status != DELETED]

    def changed_by(self, path: str, *, removed: bool) -> int | None:
        """The snapshot that added, or removed, a data file, if a manifest says so."""
        entries = (entry for known in self.entries.values() for entry in known if entry.file.path == path)
        return next((entry.snapshot_id for entry in entries if (entry.status == DELETED) == removed), None)
