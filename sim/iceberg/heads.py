"""The versions of a table whose main is moved by hand: every place that main has been at, in order.

Where snapshots are managed, main's ancestry does not tell what was committed: a roll-back takes it back to where it has
been, and an expiry makes it end early. So a version is what main pointed at after one commit, and the one that a client
began with is the last time that main was there before the client's own commit. Main may be nowhere: over REST an expiry
can take it away.

Choices: what a statement does to main is written by it, as far as it could see it: a roll-back takes back the rows of
the commits that main had when it was begun, and no others. Rows of branches and of staged snapshots are no part of the
history. What files hold is looked up beside the clients, who are charged no call for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from model.iceberg.catalog import LastSeen
from model.iceberg.files import Rows
from model.iceberg.metadata import Snapshot, TableMetadata
from model.iceberg.metastore import Loaded
from model.iceberg.result import CommandResult, Effect
from model.iceberg.schemas import schema_ids
from model.ports import Absent
from sim.iceberg.ages import RollBackToTime
from sim.iceberg.creating import NO_TABLE, CreateTable, DropTable, PurgeTable, PutTable
from sim.iceberg.live_rows import live_rows
from sim.iceberg.managing import MAIN, ManageSnapshots, Managing, OfRefs, Publish, ReplaceTable, last_place, versions_of
from sim.iceberg.seen import snapshots_of
from sim.world.simulation import Simulation

NO_MAIN = "no main"


class Heads:
    """The places of main in a race. Args: `table`: its name."""

    def __init__(self, simulation: Simulation, table: str) -> None:
        self._simulation, self._table = simulation, table

    @property
    def chain(self) -> list[tuple[int, TableMetadata | None, int | None]]:
        """The catalog's version, the metadata and main's snapshot each time that main has moved, oldest first; where
        the table was dropped, None and the drop."""
        found: list[tuple[int, TableMetadata | None, int | None]] = []
        for version in self._simulation.services.register.history.get(self._table, ()):
            if isinstance(version.value, Absent):
                found.append((version.version, None, version.value.by))
                continue
            head = version.value.current_snapshot_id
            if not found or found[-1][2] != head:
                found.append((version.version, version.value, head))
        return found

    def place(self, snapshot: int | None, before: int | None = None) -> int | None:
        """Source: `last_place`. Who began with no snapshot began where there was no table, or no main."""
        nowhere = snapshot is None
        heads = [None if nowhere and metadata is None else head for _, metadata, head in self.chain]
        return last_place(heads, snapshot, before)

    def places(self, result: CommandResult, version: int | None) -> CommandResult:
        """A result in places in place of snapshots. Args: `version`: the catalog's, that its commit has made."""
        own = None if result.commit is None and not result.took_main else self.place(result.commit)
        if version is not None and result.commit is not None:
            own = next((place for place, (number, _, _) in enumerate(self.chain) if number == version), None)
        start = self.place(result.start, own)
        if own and self.chain[own][1] is None:  # what is dropped is whatever is there
            start = own - 1
        return result._replace(start=start, commit=own, parent=None if own is None else own - 1)

    def rows(self, metadata: TableMetadata, snapshot_id: int | None) -> Rows | None:
        """The rows of a snapshot; None if a file of it is missing."""
        snapshot, store = metadata.snapshot(snapshot_id), self._simulation.services.store
        return () if snapshot is None else rows_at({**store.buried, **store.objects}, snapshot)

    def planned(self, metadata: TableMetadata | None, statement: object) -> tuple[Rows | None, ...]:
        """The rows of the snapshots that say what a statement does to main."""
        if metadata is None:
            return ()
        return tuple([self.rows(metadata, one) for one in versions_of(snapshots_of(metadata), statement)])

    def done(
        self, statement: object, result: CommandResult, planned: tuple[Rows | None, ...], version: int | None,
        sent_at: int = 0,
    ) -> CommandResult:  # fmt: skip
        """A result in places, with what a statement that moves main writes.

        Args: `planned`: as above; `version`: the catalog's, that its commit has made; `sent_at`: the catalog's when it
        looked refs up, which is when it was sent, or, by the Java API, before the race (0).
        """
        placed = self.places(result, version)
        if placed.commit is None or not isinstance(statement, Managing):
            return placed
        before, after = planned if len(planned) == 2 else (self._rows_at(placed.start), planned[0] if planned else None)
        if isinstance(statement, OfRefs | ManageSnapshots):  # nothing can have been committed since it was begun
            before, after = self._rows_at(placed.commit - 1), self._rows_at(placed.commit)
        if isinstance(statement, RollBackToTime):  # which it finds out when it is begun
            after = self._rows_at(placed.commit)
        if isinstance(statement, Publish):
            after = self._published(statement.ref, sent_at, placed.commit)
        if isinstance(statement, ReplaceTable | CreateTable | PutTable):
            after = statement.rows
        if isinstance(statement, PutTable):  # it is refused where anything is
            before = ()
        if isinstance(statement, PurgeTable):  # whose files are gone by now
            before = planned[0]
        if isinstance(statement, DropTable):
            after = ()
        return placed._replace(writes=difference(before, after))

    def _published(self, ref: str, sent_at: int, place: int) -> Rows | None:
        """The rows that main was to have: those that it has, if the ref was there since the statement was sent; else
        those of the ref as it was then."""
        history = self._simulation.services.register.history[self._table]
        known = [one.value for one in history if one.version >= sent_at and isinstance(one.value, TableMetadata)]
        targets = [dict(metadata.refs).get(ref) for metadata in known]
        if self.chain[place][2] in targets:
            return self._rows_at(place)
        return self.rows(known[0], targets[0])

    def _rows_at(self, place: int | None) -> Rows | None:
        """The rows that main had at a place."""
        if place is None:
            return None
        _, metadata, head = self.chain[place]
        return () if metadata is None else self.rows(metadata, head)

    def version_of(self, operations: object, picked: int | None, actor: str, since: int) -> int:
        """The catalog's version that a client has made last, or else seen.

        Args: `picked`: the snapshot that a cherry-pick has committed, or moved main to: it came with its version, or
        was its head last at that one. Who looks for it, or for left-overs, has seen a newer one by then, and so has who
        loads the table again after a commit (`model.iceberg.manage.seen_after`); `actor`, `since`: as `moved_by`.
        """
        history = self._simulation.services.register.history[self._table]
        if picked is not None:
            return next(number for number, _, head in reversed(self.chain) if head == picked)
        made = self._made_by(actor, since)
        last = operations.last if isinstance(operations, LastSeen) else None
        assert last is not None, "expected a client that has committed"
        if not isinstance(last, Loaded):
            version: int = last.version
            return next((one.version for one in reversed(history) if one.version in made), version)
        return next(one.version for one in reversed(history) if one.value is last.value)

    def moved_by(self, actor: str, since: int) -> int | None:
        """The first place that main has come to by an actor's commits. Args: `since`: how many steps were traced before
        them."""
        made = self._made_by(actor, since)
        return next((place for place, (number, _, _) in enumerate(self.chain) if number in made), None)

    def _made_by(self, actor: str, since: int) -> set[object]:
        """The catalog's versions that an actor's commits were answered with."""
        steps = [row for row in self._simulation.kernel.trace[since:] if row[1:3] == (actor, "commit")]
        return {getattr(outcome, "version", outcome) for *_, outcome, _ in steps}

    def published(self, result: CommandResult, actor: str, since: int) -> CommandResult:
        """The result of a staged append, which is no part of main; but who was told wrongly that it was refused, and
        tries again, has main set to it."""
        place = self.moved_by(actor, since)
        return result if place is None else result._replace(commit=place, parent=place - 1)

    def record(self, makers: Mapping[int | None, int], moved: Mapping[int | None, int]) -> None:
        """Record the lineage. Args: `makers`: operations by snapshots that they have made, unclaimed or twice; `moved`:
        by place that they have moved main to, though they were refused."""
        for place, (_, metadata, head) in enumerate(self.chain):
            self._simulation.ordinals[place] = place
            above = place - 1 if place else None
            snapshot = None if metadata is None else metadata.current
            operation = NO_TABLE if metadata is None else NO_MAIN if snapshot is None else snapshot.operation
            self._simulation.record.version(place, place, above, operation, op=moved.get(place, makers.get(head)))


def difference(before: Rows | None, after: Rows | None) -> tuple[Effect, ...]:
    """What makes one content of another: rows that are new or changed, and those that are gone; nothing if one of them
    is not known."""
    if before is None or after is None:
        return ()
    old, new = joined(before), joined(after)
    changed = [(key, value) for key, value in new.items() if old.get(key) != value]
    return tuple(sorted([*changed, *[(key, None) for key in old if key not in new]], key=lambda effect: effect[0]))


def joined(rows: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Values by id; those of rows that have one id are joined by "|"."""
    found: dict[int, str] = {}
    for key, value in sorted(rows):
        found[key] = f"{found[key]}|{value}" if key in found else value
    return found


def rows_at(objects: Mapping[str, Any], snapshot: Snapshot) -> Rows | None:
    """The live rows of a snapshot; None if a file of it is missing."""
    try:
        return tuple([each.row for each in live_rows(objects, snapshot)])
    except KeyError:
        return None


def rows_of_refs(objects: dict[str, Any], metadata: TableMetadata) -> list[str]:
    """What each ref but main is at, in words."""
    found = []
    for name, target in metadata.refs:
        snapshot = metadata.snapshot(target)
        if name != MAIN and snapshot is not None:
            kind = "tag" if name in metadata.tags else "branch"
            nobody_reads = kind == "tag" and snapshot.schema_id not in schema_ids(metadata)
            found.append(ref_words(kind, name, None if nobody_reads else rows_at(objects, snapshot)))
    return found


def ref_words(kind: str, name: str, rows: Rows | None) -> str:
    """A ref and its rows. Args: `rows`: None if a file is missing."""
    text = "cannot be read" if rows is None else "has " + ", ".join(f"{key} = {value}" for key, value in sorted(rows))
    return f"{kind} {name} {text}"


__all__ = [
    "NO_MAIN", "Heads", "Managing", "difference", "joined", "ref_words", "rows_at", "rows_of_refs",
]  # fmt: skip
