"""What a run has shown of an Iceberg table up to a step: its head, its files, who made which snapshot and deleted what.

Choices: contents are known as far as some client wrote or read them; what was never touched in the run stays unknown,
and nothing is said about it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from model.iceberg import meanings
from model.iceberg.files import DATA, DELETED, DataFile, ManifestEntry, ManifestFile, Position, Rows
from model.iceberg.metadata import Snapshot, TableMetadata
from reports.explanation.renderer import Traced


class Move(NamedTuple):
    """Main went from `then` to `now`, which does not descend from it.

    `actor` set it: `back` to a snapshot that was there, or over one that it did not know. "" is nobody that the run
    shows: a fenced commit found it at `now`.
    """

    actor: str
    then: int | None
    now: int | None
    back: bool


@dataclass(slots=True)
class TableState:
    """The table as the steps so far have shown it. `names` are the short names of snapshots ("s1").

    `moves`: who took commits out of the table's history.
    """

    names: Mapping[int, str]
    head: TableMetadata | None = None
    contents: dict[str, meanings.Content] = field(default_factory=dict)
    deleters: dict[str, str] = field(default_factory=dict)
    makers: dict[int, str] = field(default_factory=dict)
    moves: list[Move] = field(default_factory=list)
    answers: dict[str, object] = field(default_factory=dict)

    def learn(self, row: Traced) -> None:
        """Take in what one step means."""
        for meaning in row.meanings if row.outcome == "ok" else ():
            if isinstance(meaning, meanings.Sees):
                self.head = self.head or meaning.metadata
            elif isinstance(meaning, meanings.Content):
                self.contents[meaning.path] = meaning
            elif isinstance(meaning, meanings.DeletesLeftover):
                self.deleters[meaning.path] = row.actor
            elif isinstance(meaning, meanings.Commits) and row.kind == "commit" and not self.repeats(row, meaning):
                self._committed(row, meaning)

    def repeats(self, row: Traced, commit: meanings.Commits) -> bool:
        """Whether an answer is a stored one: the key and the version are those of an earlier answer."""
        return commit.key is not None and self.answers.get(commit.key) == row.value

    def before(self, commit: meanings.Commits) -> TableMetadata:
        """What an accepted commit replaced: its base, if the service compared that, else whatever was there."""
        return commit.base if commit.fenced or self.head is None else self.head

    def set_back(self, commit: meanings.Commits) -> Move | None:
        """How the table came to be at the base of a commit, if the run does not show it."""
        then, now = self.head.current_snapshot_id if self.head else None, commit.base.current_snapshot_id
        return Move("", then, now, True) if commit.fenced and then is not None and then != now else None

    def _committed(self, row: Traced, commit: meanings.Commits) -> None:
        before, updated = self.before(commit), commit.updated
        by_nobody = self.set_back(commit)
        if by_nobody is not None:
            self.moves.append(by_nobody)
        if commit.key is not None:
            self.answers[commit.key] = row.value
        self.head = updated
        now, then = updated.current_snapshot_id, before.current_snapshot_id
        if now is None:
            return
        if before.snapshot(now) is not None and now != then:
            self.moves.append(Move(row.actor, then, now, True))
        elif then is not None and updated.snapshot(then) is None:
            self.moves.append(Move(row.actor, then, now, False))
        self.makers.setdefault(now, row.actor)

    def name(self, snapshot_id: int | None) -> str:
        """The short name of a snapshot, or its id if it is not in the final lineage."""
        if snapshot_id is None:
            return "the empty table"
        return self.names.get(snapshot_id, f"snapshot {snapshot_id}")

    def file(self, path: str) -> str:
        """A path without the table's location."""
        for folder in ("/data/", "/metadata/"):
            if folder in path:
                return folder[1:] + path.split(folder, 1)[1]
        return path

    def rows(self, path: str) -> Rows:
        """The rows of a data file; none if they are not known."""
        content = self.contents.get(path)
        return content.rows if isinstance(content, meanings.DataRows) else ()

    def positions(self, path: str) -> tuple[Position, ...]:
        """The positions of a position delete file; none if they are not known."""
        content = self.contents.get(path)
        return content.positions if isinstance(content, meanings.PositionDeletes) else ()

    def rows_at(self, positions: tuple[Position, ...]) -> str:
        """ "position 0 of data/101 (row 1 = 'a')" for each position."""
        texts = []
        for path, position in positions:
            known = self.rows(path)[position : position + 1]
            row = f" (row {known[0][0]} = {known[0][1]!r})" if known else ""
            texts.append(f"position {position} of {self.file(path)}{row}")
        return " and ".join(texts)

    def manifests(self, snapshot: Snapshot | None) -> tuple[ManifestFile, ...] | None:
        """The manifest list of a snapshot; None if its content is unknown."""
        content = self.contents.get(snapshot.manifest_list) if snapshot is not None else None
        return content.manifests if isinstance(content, meanings.ManifestList) else () if snapshot is None else None

    def entries(self, path: str) -> tuple[ManifestEntry, ...] | None:
        """The entries of a manifest; None if its content is unknown."""
        content = self.contents.get(path)
        return content.entries if isinstance(content, meanings.Manifest) else None

    def live(self, snapshot: Snapshot | None) -> tuple[list[DataFile], list[str]] | None:
        """The live data files of a snapshot, and the paths of its live delete files; None if some are not known."""
        data: list[DataFile] = []
        deletes: list[str] = []
        manifests = self.manifests(snapshot)
        for manifest in manifests or ():
            entries = self.entries(manifest.path)
            if entries is None:
                return None
            live = [entry.file for entry in entries if entry.status != DELETED]
            if manifest.content == DATA:
                data += [file for file in live if isinstance(file, DataFile)]
            else:
                deletes += [file.path for file in live]
        return None if manifests is None else (data, deletes)

    def needed_by_head(self) -> Iterator[str]:
        """Every path that a reader of the current snapshot opens, as far as it is known."""
        head = self.head.current if self.head else None
        if head is None:
            return
        yield head.manifest_list
        for manifest in self.manifests(head) or ():
            yield manifest.path
            yield from [entry.file.path for entry in self.entries(manifest.path) or () if entry.status != DELETED]

    def changed_by(self, path: str, *, removed: bool) -> int | None:
        """The snapshot that added, or removed, a data file, if a manifest says so."""
        for content in self.contents.values():
            if isinstance(content, meanings.Manifest):
                for entry in content.entries:
                    if entry.file.path == path and (entry.status == DELETED) == removed:
                        return entry.snapshot_id
        return None
