"""What a live run of a Hudi workload left: plain data."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from real_backend.gating.journal import Played, Sent
from real_backend.hudi.read_back import Completed, Left, Restored, Rollback
from real_backend.hudi.rust_reader import ReadTwice
from real_backend.hudi.table import Rows
from sim.hudi.statements import Statement
from sim.hudi.workload import HudiWorkload

CRASHED: Literal["crashed"] = "crashed"


class Seen(NamedTuple):
    """What a write found at its start: the newest completed instant, its base files, and its rows.

    `bases`: (file id, instant) of the slices that it merges with; `rows`: the values of its own keys, None for a key
    that no visible file holds; `hidden`: the keys of all that an overwrite or a deletion takes the place of; on a
    merge-on-read table their values are in `rows` then.
    """

    newest: str | None
    bases: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, str | None], ...]
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Command(Sent):
    """One statement as its client saw it.

    `instant` is its requested time; `asked` when it asked for its commit, None if it did not; `rows` what a read
    returned.
    """

    statement: Statement
    instant: str | None
    seen: Seen | None
    asked: int | None
    rows: Rows | None


class Written(NamedTuple):
    """Data files and their bytes that one actor wrote, and how much of that no completed instant holds in the end."""

    actor: str
    files: int
    size_bytes: int
    wasted_files: int
    wasted_bytes: int


@dataclass(frozen=True, slots=True)
class HudiLiveRun(Played):
    """One run on the real Hudi, and the table as it was read back at its end.

    `outcomes`: per actor "ok", "crashed", or "ExceptionName: message" of its first statement that failed; `trace`: the
    steps with faults and outcomes; `instants`: completed writes in completion order; `missing`: files that they name
    and that do not exist; `rollbacks`: those that completed; `rows` is None if the table cannot be
    read, `unreadable` then says why; `again`: what a second reader read, if there is one; `slices`: file id and instant
    of each slice that a reader sees; `unkept`: what is wrong with savepoints, "kind: text" (None: there is none);
    `mislisted`: the same of the metadata table, and `gone` of columns; `restores`: all of them, and `taken_back`: what
    was completed, and is not any more.
    """

    workload: HudiWorkload
    outcomes: tuple[tuple[str, str], ...]
    trace: tuple[str, ...]
    instants: tuple[Completed, ...]
    rows: Rows | None
    unreadable: str | None
    again: ReadTwice | None
    slices: tuple[tuple[str, str], ...]
    missing: tuple[str, ...]
    rollbacks: tuple[Rollback, ...]
    left: Left
    written: tuple[Written, ...]
    seconds: float
    commands: tuple[Command, ...]
    unkept: tuple[str, ...] | None = None
    restores: tuple[Restored, ...] = ()
    taken_back: tuple[Completed, ...] = ()
    mislisted: tuple[str, ...] | None = None
    gone: tuple[str, ...] = ()

    def outcome(self, actor: str) -> str:
        """The outcome of one actor."""
        return dict(self.outcomes)[actor]

    def error(self, actor: str) -> str:
        """The class of the exception that ended an actor, without its message; "ok" or "crashed" otherwise."""
        return self.outcome(actor).split(":", 1)[0]

    @property
    def makers(self) -> tuple[str | None, ...]:
        """Who made the completed instants, in completion order; the table's first one is None's."""
        return tuple(instant.actor for instant in self.instants)

    @property
    def rolled_back(self) -> tuple[str, ...]:
        """The requested times of the instants that were rolled back."""
        return tuple(rollback.target for rollback in self.rollbacks)

    def value(self, key: int) -> str | None:
        """The value of a row in the end; None if it is absent. Raises: `LookupError` if the table is unreadable."""
        if self.rows is None:
            raise LookupError(f"row {key}: expected a table that can be read, got: {self.unreadable}")
        return dict(self.rows).get(str(key))
