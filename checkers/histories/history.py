"""A history: what clients asked, what they were told, and the versions that the table itself names.

Terms follow Jepsen and Elle: a process invokes an operation and later completes it with `ok`, `fail` (certainly not
applied, says the system) or `info` (outcome unknown). Versions are dense ordinals of the table's own lineage, 0 being
the initial content; with them the version order is a fact and need not be inferred.

Source: Elle (Kingsbury, Alvaro, VLDB 2020) for histories; Crooks et al. (PODC 2017) for checks against stated versions.

Choices:
* An invocation without a completion is an operation of unknown outcome.
* The initial content is an `ok` operation of process `setup` with commit 0; it needs no invocation.
* A process may go on after `info`; in Jepsen it would get a new name.
* Events are named tuples: the simulator makes tens of thousands of them a second.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from checkers.errors import HistoryError

INVOKE, OK, FAIL, INFO, VERSION = "invoke", "ok", "fail", "info", "version"
TYPES = (INVOKE, OK, FAIL, INFO, VERSION)
SETUP = "setup"
FINAL = "r-final"


class Read(NamedTuple):
    """A key that an operation read and what it saw: None = absent. `version` None = to be resolved from the value."""

    key: str
    value: str | None
    version: int | None = None


class Write(NamedTuple):
    """The logical effect on one key, on top of whatever version precedes the commit: None = deleted."""

    key: str
    value: str | None


class Event(NamedTuple):
    """One row of a history. `op` pairs an invocation with its completion; in a `version` row it names the maker or -1.

    `start` is the version that the operation worked on, `commit` the one that it made (in a `version` row: its own
    ordinal); `snapshot` and `parent` are the protocol's names of them. `order` says how reads and writes follow each
    other inside the operation, a letter each, as in "wrw"; None = not known.
    """

    index: int  # type: ignore[assignment]  # the field's name in Jepsen; tuple.index is not used on events
    time_ms: int
    process: str
    type: str
    op: int
    f: str
    arg: str | None = None
    start: int | None = None
    commit: int | None = None
    snapshot: str | None = None
    parent: str | None = None
    reads: tuple[Read, ...] = ()
    writes: tuple[Write, ...] = ()
    error: str | None = None
    order: str | None = None


class Op(NamedTuple):
    """An invocation with its completion. `completed` and `completed_ms` are None if the outcome is unknown."""

    id: int
    process: str
    f: str
    arg: str | None
    type: str
    invoked: int
    completed: int | None
    invoked_ms: int
    completed_ms: int | None
    start: int | None
    commit: int | None
    snapshot: str | None
    parent: str | None
    reads: tuple[Read, ...]
    writes: tuple[Write, ...]
    error: str | None
    order: str | None = None


class Pairing(NamedTuple):
    """Row numbers: `completions[i]` completes `invokes[i]`, -1 = never; `versions` are the rows of the lineage."""

    invokes: list[int]
    completions: list[int]
    versions: list[int]


def pair(types: Sequence[str], processes: Sequence[str], ids: Sequence[int]) -> Pairing:
    """Pair invocations with completions, in order of invocation.

    Raises: HistoryError if a type is unknown, a process has two invocations outstanding, a completion has no
    invocation of the same operation, an operation's number is negative, or two operations share one.
    """
    waiting: dict[str, int] = {}
    invokes: list[int] = []
    completions: list[int] = []
    versions: list[int] = []
    for row, kind in enumerate(types):
        process = processes[row]
        if kind == INVOKE:
            if process in waiting:
                raise HistoryError(f"row {row}", f"a completion of {process}'s operation", "a second invocation")
            waiting[process] = len(invokes)
            invokes.append(row)
            completions.append(-1)
        elif kind == VERSION:
            versions.append(row)
        elif kind in TYPES:
            position = waiting.pop(process, None)
            if position is not None and ids[invokes[position]] == ids[row]:
                completions[position] = row
            elif position is None and process == SETUP:
                invokes.append(row)
                completions.append(row)
            else:
                got = "none" if position is None else f"operation {ids[invokes[position]]}"
                raise HistoryError(f"row {row}", f"an earlier invocation of operation {ids[row]} by {process}", got)
        else:
            raise HistoryError(f"row {row}", f"a type in {', '.join(TYPES)}", repr(kind))
    _reject_bad_numbers([ids[row] for row in invokes], invokes)
    return Pairing(invokes, completions, versions)


def _reject_bad_numbers(ids: list[int], rows: list[int]) -> None:
    if ids and min(ids) < 0:
        number, row = min(zip(ids, rows, strict=True))
        raise HistoryError(f"row {row}", "an operation number from 0 (-1 is nobody, in a version row)", str(number))
    if len(set(ids)) != len(ids):
        first = dict(zip(reversed(ids), reversed(rows), strict=True))
        number, row = next((number, row) for number, row in zip(ids, rows, strict=True) if first[number] != row)
        raise HistoryError(
            f"row {row}", "a number of its own for each operation", f"{number}, used in row {first[number]}"
        )


def _op(invoke: Event, done: Event | None) -> Op:
    index, time_ms, process, _, op, f, arg, start, commit, snapshot, parent, reads, writes, error, order = invoke
    if done is None:
        return Op(
            op, process, f, arg, INFO, index, None, time_ms, None,
            start, commit, snapshot, parent, reads, writes, error, order,
        )  # fmt: skip
    ended, ended_ms, _, kind, _, _, said, at, made, name, before, seen, wrote, why, follow = done
    known = kind != INFO
    row = (
        op, process, f, arg if said is None else said, kind, index, ended if known else None,
        time_ms, ended_ms if known else None, start if at is None else at, commit if made is None else made,
        name or snapshot, before or parent, seen or reads, wrote or writes, why, follow or order,
    )  # fmt: skip
    return tuple.__new__(Op, row)  # what Op(*row) does, in half the time


class History:
    """Events in order, the operations that they pair into (cached), and the lineage rows by version.

    Args: `events`, in order of `index`. Raises (when `ops` is first asked for): HistoryError, as `pair` says.
    """

    __slots__ = ("_events", "_ops", "_pairing")

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._events: tuple[Event, ...] = tuple(events)
        self._pairing: Pairing | None = None
        self._ops: tuple[Op, ...] | None = None

    @property
    def events(self) -> tuple[Event, ...]:
        return self._events

    @property
    def pairing(self) -> Pairing:
        if self._pairing is None:
            self._pairing = pair(*self._columns())
        return self._pairing

    @property
    def ops(self) -> tuple[Op, ...]:
        """Operations in order of invocation."""
        if self._ops is None:
            pairing, events = self.pairing, self.events
            self._ops = tuple(
                [
                    _op(events[invoke], None if done < 0 else events[done])
                    for invoke, done in zip(pairing.invokes, pairing.completions, strict=True)
                ]
            )
        return self._ops

    @property
    def versions(self) -> tuple[Event, ...]:
        """The lineage rows, as the table gave them."""
        events = self.events
        return tuple([events[row] for row in self.pairing.versions])

    def _columns(self) -> tuple[list[str], list[str], list[int]]:
        """Type, process and operation of each row: what pairing needs."""
        events = self.events
        return [e.type for e in events], [e.process for e in events], [e.op for e in events]

    def __len__(self) -> int:
        return len(self._events)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History) and self.events == other.events

    def __repr__(self) -> str:
        return f"History({len(self)} events)"
