"""The versions of a table of PyIceberg, as a history names them.

As long as main only grows, its versions are the snapshots of its ancestry, but for those that were never current: one
commit may add several, one behind the other. Where snapshots are managed, its ancestry does not tell what was
committed: a roll-back takes main back to where it has been, and an expiry may take it away. A version is then a place
at which main was after a commit, in the order of the catalog, as in `sim.iceberg.heads`; it may be nowhere. Where
branches are written to, it is the place of main and of all of these.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pyiceberg.table import Table

from checkers.histories.recorder import Name
from model.iceberg.metadata import MAIN
from sim.iceberg.creating import NO_TABLE
from sim.iceberg.heads import NO_MAIN
from sim.iceberg.python.ports import DROPPED, Sent
from sim.world.simulation import Simulation

Commits = Sequence[Sent]
"""What a catalog was asked for, for one statement."""


def head(table: Table) -> int | None:
    """The snapshot that main is at; None if there is none."""
    snapshot = table.current_snapshot()
    return None if snapshot is None else snapshot.snapshot_id


class Snapshots:
    """Versions are named by their snapshots. Args: `first`: the one that the race begins with."""

    def __init__(self, simulation: Simulation, first: int | None) -> None:
        self._simulation, self.first = simulation, first
        self._inside: set[int] = set()
        self._known: set[int] = set()

    def start(self, table: Table) -> Name:
        """The version that a table is at."""
        return head(table)

    def note(self, commits: Commits) -> None:
        """What a statement has asked for, which has ended in some way."""
        self._inside.update(_inside(commits))

    def made(self, commits: Commits, table: Table) -> tuple[Name, Name]:
        """The version that a statement has made, and that below it, if its table has it; none if it made none."""
        made = commits[-1].snapshots if commits else ()
        first = table.snapshot_by_id(made[0]) if made else None
        return (made[-1] if made else None, None if first is None else first.parent_snapshot_id)

    def close(self, table: Table) -> None:
        """Nothing is committed any more: `table` is as the race has left it."""
        self._chain = _since(_ancestry(table), self.first)
        self._known = {snapshot.snapshot_id for snapshot in self._chain}

    def landed(self, commits: Commits) -> Name:
        """The version that a statement of unknown outcome made, if it made one."""
        self.note(commits)
        heads = [added[-1] for added, _ in reversed(commits) if added]
        return next((made for made in heads if made in self._known), None)

    def record(self) -> None:
        """Record the versions."""
        ordinals: dict[Name, int] = self._simulation.ordinals
        below = None
        for ordinal, snapshot in enumerate([one for one in self._chain if one.snapshot_id not in self._inside]):
            ordinals[snapshot.snapshot_id] = ordinal
            self._simulation.record.version(ordinal, snapshot.snapshot_id, below, _operation(snapshot))
            below = snapshot.snapshot_id


class Places:
    """Versions are named by the places at which main was, from 0.

    Args: `locations`: the metadata files so far; `branches`: those beside main whose places these are, too.
    """

    first: Name = 0

    def __init__(
        self, simulation: Simulation, locations: Callable[[], Sequence[str]], branches: Sequence[str] = ()
    ) -> None:
        self._simulation, self._locations, self.names = simulation, locations, (MAIN, *branches)

    @property
    def _moves(self) -> list[tuple[int, list[Any]]]:
        """The catalog's version and the branches' snapshots, main's first, as each move of one has left them; the drop
        in main's place where the table was dropped."""
        found: list[tuple[int, list[Any]]] = []
        objects = self._simulation.services.store.objects
        for number, location in enumerate(self._locations()):
            if location.startswith(DROPPED):
                found.append((number, [location, *[None for _ in self.names[1:]]]))
                continue
            refs = json.loads(objects[location]).get("refs", {})
            heads = [refs.get(name, {}).get("snapshot-id") for name in self.names]
            if not found or found[-1][1] != heads:
                found.append((number, heads))
        return found

    @property
    def locations(self) -> Sequence[str]:
        """The metadata files, and the drops, so far."""
        return self._locations()

    @property
    def last(self) -> int:
        """The newest version."""
        return len(self._moves) - 1

    @property
    def drops(self) -> list[int]:
        """The catalog's versions that are drops."""
        return [number for number, location in enumerate(self._locations()) if location.startswith(DROPPED)]

    def number_of(self, place: int) -> int:
        """The catalog's version that a place came with."""
        return self._moves[place][0]

    def start(self, table: Table) -> Name:
        """The version that a table is at."""
        locations = self._locations()
        return self._place_at(max(at for at, one in enumerate(locations) if one == table.metadata_location))

    def _place_at(self, version: int) -> int:
        """The place that the branches were at with a version of the catalog."""
        return sum(number <= version for number, _ in self._moves) - 1

    @property
    def put_back(self) -> int | None:
        """The place whose metadata file the catalog has named anew last, where it had named another one since; None if
        it has not."""
        *before, last = self._locations()
        return self._place_at(before.index(last)) if last in before and before[-1] != last else None

    def note(self, commits: Commits) -> None:
        """As above; every place is a version."""

    def made(self, commits: Commits, _: Table | None = None) -> tuple[Name, Name]:
        """The version that a statement has made, and that below it; none if it has moved no branch."""
        place = self._place(commits)
        return (None, None) if place is None else (place, place - 1)

    def close(self, table: Table) -> None:
        """As above."""

    def is_absent(self, place: int) -> bool:
        """Whether there was no table at a place."""
        return self._locations()[self.number_of(place)].startswith(DROPPED)

    def landed(self, commits: Commits) -> Name:
        """The version that a statement of unknown outcome made, if it made one."""
        return self._place(commits)

    def number(self, commits: Commits) -> int:
        """The catalog's version that a statement has made last; -1 if it made none."""
        sent = {location for _, location in commits}
        return max([number for number, location in enumerate(self._locations()) if location in sent], default=-1)

    def _place(self, commits: Commits) -> int | None:
        sent, locations = {location for _, location in commits}, self._locations()
        made = [place for place, (number, _) in enumerate(self._moves) if place and locations[number] in sent]
        return made[0] if made else None

    def record(self) -> None:
        """Record the versions."""
        for place, (_, heads) in enumerate(self._moves):
            self._simulation.ordinals[place] = place
            above = place - 1 if place else None
            self._simulation.record.version(place, place, above, _left(heads[0]))


def _left(head: Any) -> str:
    if head is None:
        return NO_MAIN
    return NO_TABLE if isinstance(head, str) else ""


def _inside(commits: Commits) -> Iterable[int]:
    """The snapshots of these commits that others of the same commit stand on."""
    return [name for added, _ in commits for name in added[:-1]]


def _ancestry(table: Table) -> list[Any]:
    """The head of main and its ancestors, oldest first."""
    chain: list[Any] = []
    snapshot = table.current_snapshot()
    while snapshot is not None:
        chain.append(snapshot)
        parent = snapshot.parent_snapshot_id
        snapshot = table.snapshot_by_id(parent) if parent is not None else None
    return chain[::-1]


def _since(chain: list[Any], first: int | None) -> list[Any]:
    """The chain from this snapshot on: what was before it is the table's history, and no version of the race."""
    return chain[next((place for place, one in enumerate(chain) if one.snapshot_id == first), 0) :]


def _operation(snapshot: Any) -> str:
    return snapshot.summary.operation.value if snapshot.summary else ""
