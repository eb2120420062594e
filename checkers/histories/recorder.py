"""Writes down what clients did (invoke / ok / fail / info) while it happens, and the versions that the table shows.

Time is handed in: a clock that is asked once for each event, or a time beside it. So are the versions' names: `start`,
`commit` and `parent` may be the protocol's own (snapshot ids, instants), which are replaced by the dense ordinals of
the lineage when the events are asked for, or those ordinals themselves.

Choices:
* Rows are plain tuples until somebody asks for events: the simulator makes tens of thousands of them a second.
* A call that cannot be right (an operation completed twice or never invoked, a second invocation of a process that
  waits for an answer, values of other types) is refused at once: RecorderError. After `close` nothing is refused, and
  nothing counts: tasks that are ended with the run may still say something.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from checkers.errors import HistoryError
from checkers.histories.history import FAIL, INFO, INVOKE, OK, SETUP, VERSION, Event, History, Read, Write
from checkers.histories.recording import (
    NAMES,
    TEXTS,
    RecorderError,
    check_completion,
    check_invocation,
    check_reads,
    check_writes,
    said,
)

Reads = Sequence[tuple[str, str | None, int | None]] | Sequence[Read]
Writes = Sequence[tuple[str, str | None]]
Name = int | str | None
Row = tuple[Any, ...]
"""process, type, op, f, arg, start, commit, snapshot, parent, reads, writes, error; versions still by their names."""


def _no_clock() -> int:
    return 0


class Recorder:
    """The history of one run, in the order in which its events happened.

    Example: `op = record.invoke("w1", "update", "row 1"); record.ok(op, start=0, commit=1)`.

    Args: `now_ms` is the clock, in milliseconds. `time_ms`, of every verb, is when the event happened, if not now.

    Every verb raises RecorderError if what it is told cannot be.
    """

    __slots__ = ("_claims", "_closed", "_now_ms", "_ops", "_times", "_waiting", "rows")

    def __init__(self, now_ms: Callable[[], int] = _no_clock) -> None:
        self.rows: list[Row] = []
        self._now_ms = now_ms
        self._ops: list[Row] = []
        self._waiting: dict[str, int] = {}
        self._closed = False
        self._claims: dict[Name, int] = {}
        self._times: list[int] = []

    def setup(self, writes: Writes, name: Name = 0) -> int:
        """Record the content before the first operation: version 0, under its own name. Returns its operation."""
        op = len(self._ops)
        check_writes(writes)
        row = (SETUP, OK, op, "insert", "", None, 0, name, None, (), writes, None)
        self._claims.setdefault(name, op)
        self._ops.append(row)
        self._add(row, None)
        return op

    def invoke(self, process: str, f: str, arg: str | None = "", time_ms: int | None = None) -> int:
        """Record an invocation. Returns the operation's number, to be named at its completion."""
        if process.__class__ is not str or f.__class__ is not str or arg.__class__ not in TEXTS:
            check_invocation(process, f, arg)
        if process in self._waiting:
            raise RecorderError("invoke", f"a completion of {process}'s operation", f"a second invocation, {f}")
        op = len(self._ops)
        row = (process, INVOKE, op, f, arg, None, None, None, None, (), (), None)
        self._ops.append(row)
        self._waiting[process] = op
        self._add(row, time_ms)
        return op

    def ok(
        self,
        op: int,
        *,
        start: Name = None,
        commit: Name = None,
        parent: Name = None,
        reads: Reads = (),
        writes: Writes = (),
        arg: str | None = None,
        snapshot: str | None = None,
        time_ms: int | None = None,
    ) -> None:
        """Record that an operation succeeded: it worked on version `start` and made version `commit`.

        Args: `arg` says more about the operation than was known when it was invoked; `snapshot` is the version's name
        where `commit` is its ordinal.
        """
        self.complete(op, OK, start, commit, parent, reads, writes, None, arg, snapshot, time_ms)

    def fail(
        self,
        op: int,
        error: str,
        *,
        start: Name = None,
        reads: Reads = (),
        writes: Writes = (),
        time_ms: int | None = None,
    ) -> None:
        """Record that an operation certainly had no effect; `writes` is what it would have done."""
        self.complete(op, FAIL, start, None, None, reads, writes, error, None, None, time_ms)

    def info(
        self,
        op: int,
        error: str,
        *,
        start: Name = None,
        commit: Name = None,
        reads: Reads = (),
        writes: Writes = (),
        snapshot: str | None = None,
        time_ms: int | None = None,
    ) -> None:
        """Record that an operation's outcome is unknown; `commit` is the version that it would have made."""
        self.complete(op, INFO, start, commit, None, reads, writes, error, None, snapshot, time_ms)

    def complete(
        self,
        op: int,
        kind: str,
        start: Name = None,
        commit: Name = None,
        parent: Name = None,
        reads: Reads = (),
        writes: Writes = (),
        error: str | None = None,
        arg: str | None = None,
        snapshot: str | None = None,
        time_ms: int | None = None,
    ) -> None:
        """Record a completion of any kind: OK, FAIL or INFO."""
        if start.__class__ not in NAMES or commit.__class__ not in NAMES or error.__class__ not in TEXTS or arg:
            check_completion(start, commit, error, arg)
        if reads:
            check_reads(reads)
        if writes:
            check_writes(writes)
        if op.__class__ is not int or not -1 < op < len(self._ops):
            return self._refuse(op, kind)
        asked = self._ops[op]
        if self._waiting.get(asked[0]) != op:
            return self._refuse(op, kind)
        del self._waiting[asked[0]]
        name = snapshot or (commit if kind != FAIL else None)
        row = (asked[0], kind, op, asked[3], arg or asked[4], start, commit, name, parent, reads, writes, error)
        if kind != FAIL:
            self._claims.setdefault(name, op)
        self._add(row, time_ms)

    def _refuse(self, op: Any, kind: str) -> None:
        if self._closed:
            return
        if isinstance(op, int) and not isinstance(op, bool) and 0 <= op < len(self._ops):
            raise RecorderError(kind, f"one completion of operation {op}", "a second one")
        raise RecorderError(kind, "the number of an operation, as `invoke` returned it", said(op))

    def read(
        self, process: str, start: Name, reads: Reads, error: str | None = None, time_ms: int | None = None
    ) -> int:
        """Record a whole read at once: failed if `error` is given. Returns the operation's number."""
        op = self.invoke(process, "read", "", time_ms)
        if error is None:
            self.ok(op, start=start, reads=reads, time_ms=time_ms)
        else:
            self.fail(op, error, start=start, time_ms=time_ms)
        return op

    def version(
        self,
        ordinal: int,
        snapshot: Name = None,
        parent: Name = None,
        label: str = "",
        *,
        op: int | None = None,
        time_ms: int | None = None,
    ) -> None:
        """Record one version of the lineage, as the table gives it.

        Args: `label` is the table's own word for what was done; `op` the operation that made the version, -1 = nobody
        known; None: the one that claimed to commit `snapshot`.

        Raises: HistoryError if there is no operation `op`.
        """
        maker = self.op_of(snapshot) if op is None else op
        if maker >= len(self._ops):
            raise HistoryError(f"version {ordinal}", "a recorded operation", str(op))
        self._add(("lineage", VERSION, maker, "version", label, None, ordinal, snapshot, parent, (), (), None), time_ms)

    def close(self, why: str = "its process died") -> None:
        """Complete what is still open: nobody knows the outcome. `why` says so in a few words."""
        for op in sorted(self._waiting.values()):
            self.info(op, f"{self._ops[op][0]}: {why}")
        self._closed = True

    def op_of(self, snapshot: Name) -> int:
        """The operation that claimed to commit the version of this name; -1 if none did."""
        return -1 if snapshot is None else self._claims.get(snapshot, -1)

    def keys(self) -> list[str]:
        """Every key that the history has mentioned, in the order of first mention."""
        found: dict[str, None] = {}
        for row in self.rows:
            for read in row[9]:
                found[read[0]] = None
            for write in row[10]:
                found[write[0]] = None
        return list(found)

    def events(self, ordinals: Mapping[Any, int] | None = None) -> tuple[Event, ...]:
        """What was recorded so far.

        Args: `ordinals` are the places in the lineage of the names that were used; None: every number is its own.
        """
        ordinal_of = _own if ordinals is None else ordinals.get
        return tuple([
            _invocation(index, time_ms, row) if row[1] == INVOKE else _event(index, time_ms, row, ordinal_of)
            for index, (time_ms, row) in enumerate(zip(self._times, self.rows, strict=True))
        ])  # fmt: skip

    def history(self, ordinals: Mapping[Any, int] | None = None) -> History:
        """What was recorded so far, as a history."""
        return History(self.events(ordinals))

    def _add(self, row: Row, time_ms: int | None) -> None:
        self.rows.append(row)
        self._times.append(self._now_ms() if time_ms is None else time_ms)


def _invocation(index: int, time_ms: int, row: Row) -> Event:
    """The event of a row that knows nothing yet."""
    return tuple.__new__(Event, (index, time_ms, *row[:5], None, None, None, None, (), (), None, None))


def _event(index: int, time_ms: int, row: Row, ordinal_of: Callable[[Any], int | None]) -> Event:
    process, kind, op, f, arg, start, commit, snapshot, parent, reads, writes, error = row
    return tuple.__new__(Event, (  # what Event(...) does, in half the time
        index, time_ms, process, kind, op, f, arg,
        None if start is None else ordinal_of(start),
        commit if commit is None or kind == VERSION or process == SETUP else ordinal_of(commit),
        None if snapshot is None else str(snapshot),
        None if parent is None else str(parent),
        tuple([Read(*read) for read in reads]) if reads else (),
        tuple([Write(*write) for write in writes]) if writes else (), error, None,
    ))  # fmt: skip


def _own(name: Name) -> int | None:
    return name if isinstance(name, int) else None
