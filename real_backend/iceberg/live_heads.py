"""A run whose versions are the places that main has been at, in the order in which it moved: `sim.iceberg.heads`, live.

Choices: the rows of a version are read when main has just been moved there, since an expiry may take them away.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from real_backend.iceberg.live_run import Command, LiveRun, Version
from sim.iceberg.creating import NO_TABLE, DropTable, PutTable
from sim.iceberg.heads import NO_MAIN
from sim.iceberg.managing import last_place
from sim.iceberg.sql_statements import RewriteInCommits
from sim.iceberg.workload import Rows


class Moved(NamedTuple):
    """One commit that has moved main: whose it was, which of his statements, and where main is then."""

    actor: str
    number: int
    snapshot: int | None
    operation: str
    rows: Rows | None


@dataclass
class Moves:
    """Notes where main goes. Args: `rows_at` reads the table at a snapshot; it may raise. `first`: where main is."""

    rows_at: Callable[[int], Rows]
    first: int | None = None
    made: list[Moved] = field(default_factory=list)

    def note(self, actor: str, number: int, snapshot: Any) -> None:
        """Main is at this snapshot now (Java's; None: nowhere), by the commit of an actor's statement."""
        name = None if snapshot is None else int(snapshot.snapshotId())
        if name == (self.made[-1].snapshot if self.made else self.first):
            return
        if name is None:
            self.made.append(Moved(actor, number, None, NO_MAIN, ()))
            return
        try:
            rows: Rows | None = self.rows_at(name)
        except Exception:
            rows = None
        self.made.append(Moved(actor, number, name, str(snapshot.operation()), rows))

    def drop(self, actor: str, number: int) -> None:
        """The table is gone, by an actor's statement."""
        self.made.append(Moved(actor, number, None, NO_TABLE, ()))


def places(first: int, moves: Sequence[Moved]) -> Mapping[int | None, int]:
    """The first place of each snapshot that main has been at."""
    found: dict[int | None, int] = {first: 0}
    for place, move in enumerate(moves, 1):
        found.setdefault(move.snapshot, place)
    return found


def by_heads(run: LiveRun, first: int | None, operation: str, rows: Rows, moves: Sequence[Moved]) -> LiveRun:
    """The run with places of main in place of snapshots.

    Args: `first`: the snapshot that it began with (None: no table), `operation`: what that was made by, `rows`: its
    rows.
    """
    lineage = [Version(0, 0, None, operation, None)]
    lineage += [Version(place, place, place - 1, move.operation, move.actor) for place, move in enumerate(moves, 1)]
    heads: list[int | None] = [first, *[move.snapshot for move in moves]]
    own: dict[tuple[str, int], list[int]] = {}
    for place, move in enumerate(moves, 1):
        own.setdefault((move.actor, move.number), []).append(place)
    numbers: dict[str, int] = {}
    commands = []
    for command in run.commands:
        number = numbers[command.actor] = numbers.get(command.actor, -1) + 1
        made = own.get((command.actor, number), [])
        several = isinstance(command.statement, RewriteInCommits)
        commit, also = (made[-1], tuple(made[:-1])) if made and several else (made[0] if made else None, ())
        start = last_place(heads, command.start, commit)
        if commit and isinstance(command.statement, DropTable | PutTable):  # what is dropped is whatever is there
            start = commit - 1
        commands.append(replace(command, start=start, commit=commit, also=also))
    contents = (rows, *[move.rows for move in moves])
    return replace(run, lineage=tuple(lineage), commands=tuple(commands), contents=contents)


__all__ = ["Command", "Moved", "Moves", "by_heads", "places"]
