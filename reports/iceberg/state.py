"""What a trace shows of an Iceberg table: its head, its files, who wrote and who deleted them.

Choices: contents are known as far as some actor wrote or read them; what was never touched in the run stays unknown,
and nothing is said about it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from model.iceberg.files import DATA, DELETED, DataFile, ManifestEntry, ManifestFile, Position
from model.iceberg.metadata import Snapshot, TableMetadata
from model.ports import Versioned
from reports.explanation.renderer import Traced

DATA_ROWS, POSITIONS, MANIFEST, MANIFEST_LIST, OTHER = "rows", "positions", "manifest", "manifest list", "other"


def content_of(body: Any) -> str:
    """What kind of file a body is."""
    if not isinstance(body, tuple) or isinstance(body, TableMetadata) or not body:
        return OTHER
    first = body[0]
    if isinstance(first, ManifestFile):
        return MANIFEST_LIST
    if isinstance(first, ManifestEntry):
        return MANIFEST
    if isinstance(first, tuple) and len(first) == 2:
        return POSITIONS if isinstance(first[0], str) else DATA_ROWS
    return OTHER


def metadata_in(value: Any) -> TableMetadata | None:
    """The table metadata that a register's value is or holds."""
    inner = value.value if isinstance(value, Versioned) else value
    return inner if isinstance(inner, TableMetadata) else None


class Move(NamedTuple):
    """`actor` set main from `then` to `now`: `back` to a snapshot that was there, or over one that it did not know."""

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
    bodies: dict[str, Any] = field(default_factory=dict)
    writers: dict[str, str] = field(default_factory=dict)
    deleters: dict[str, str] = field(default_factory=dict)
    makers: dict[int, str] = field(default_factory=dict)
    moves: list[Move] = field(default_factory=list)

    def learn(self, row: Traced) -> None:
        """Take in one step."""
        if row.point in ("get", "put", "create") and row.outcome == "ok" and not row.is_reply:
            body = row.value if row.point == "get" else row.args[1]
            self.bodies[row.resource] = body
            if row.point != "get":
                self.writers[row.resource] = row.actor
        elif row.point == "delete" and row.outcome == "ok":
            self.deleters[row.resource] = row.actor
        elif row.point == "load" and row.fault != "stale" and metadata_in(row.value):
            self.head = metadata_in(row.value)
        elif row.point == "commit" and row.outcome == "ok" and len(row.args) > 2 and metadata_in(row.args[2]):
            self._committed(row.actor, metadata_in(row.args[2]))

    def _committed(self, actor: str, updated: TableMetadata | None) -> None:
        before, self.head = self.head, updated
        if updated is None or updated.current_snapshot_id is None:
            return
        now, then = updated.current_snapshot_id, before.current_snapshot_id if before else None
        if before is not None and before.snapshot(now) is not None and now != then:
            self.moves.append(Move(actor, then, now, True))
        elif then is not None and updated.snapshot(then) is None:
            self.moves.append(Move(actor, then, now, False))
        self.makers.setdefault(now, actor)

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

    def rows_at(self, positions: tuple[Position, ...]) -> str:
        """ "position 0 of data/101 (row 1 = 'a')" for each position."""
        texts = []
        for path, position in positions:
            rows = self.bodies.get(path)
            known = rows is not None and content_of(rows) == DATA_ROWS and position < len(rows)
            row = f" (row {rows[position][0]} = {rows[position][1]!r})" if known and rows is not None else ""
            texts.append(f"position {position} of {self.file(path)}{row}")
        return " and ".join(texts)

    def manifests(self, snapshot: Snapshot | None) -> tuple[ManifestFile, ...] | None:
        """The manifest list of a snapshot; None if its content is unknown."""
        return () if snapshot is None else self.bodies.get(snapshot.manifest_list)

    def live(self, snapshot: Snapshot | None) -> tuple[list[DataFile], list[tuple[str, ManifestEntry]]] | None:
        """The live data files of a snapshot and its live delete files by path; None if some content is unknown."""
        manifests = self.manifests(snapshot)
        if manifests is None or any(manifest.path not in self.bodies for manifest in manifests):
            return None
        data: list[DataFile] = []
        deletes: list[tuple[str, ManifestEntry]] = []
        for manifest in manifests:
            for entry in self.bodies[manifest.path]:
                if entry.status != DELETED and manifest.content == DATA:
                    data.append(entry.file)
                elif entry.status != DELETED:
                    deletes.append((entry.file.path, entry))
        return data, deletes

    def needed_by_head(self) -> Iterator[str]:
        """Every path that a reader of the current snapshot opens, as far as it is known."""
        head = self.head.current if self.head else None
        if head is None:
            return
        yield head.manifest_list
        for manifest in self.manifests(head) or ():
            yield manifest.path
            for entry in self.bodies.get(manifest.path, ()):
                if entry.status != DELETED:
                    yield entry.file.path

    def remover_of(self, path: str) -> int | None:
        """The snapshot that removed a data file, if a manifest says so."""
        for body in self.bodies.values():
            if content_of(body) == MANIFEST:
                for entry in body:
                    if entry.status == DELETED and entry.file.path == path:
                        removed_by: int = entry.snapshot_id
                        return removed_by
        return None

    def adder_of(self, path: str) -> int | None:
        """The snapshot that added a file, if a manifest says so."""
        for body in self.bodies.values():
            if content_of(body) == MANIFEST:
                for entry in body:
                    if entry.status != DELETED and entry.file.path == path:
                        added_by: int = entry.snapshot_id
                        return added_by
        return None
