"""Writing a history while it happens: numbers rows and operations, and keeps each process's outstanding call.

Choices: time is the caller's own (simulated or measured); a recorder never looks at a clock.
"""

from typing import Any

from checkers.errors import HistoryError
from checkers.histories.history import FAIL, INFO, INVOKE, OK, SETUP, VERSION, Event, History, Read, Write


class Recorder:
    """Collects events. Example: `op = r.invoke("w1", "update", "row 1"); r.ok(op, start=0, commit=1)`."""

    __slots__ = ("_invokes", "events")

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._invokes: list[Event] = []

    def setup(self, writes: tuple[Write, ...], snapshot: str | None = None) -> int:
        """Record the initial content as version 0. Returns the operation's number."""
        op = len(self._invokes)
        event = Event(len(self.events), 0, SETUP, OK, op, "insert", None, None, 0, snapshot, None, (), writes)
        self._invokes.append(event)
        self.events.append(event)
        return op

    def invoke(self, process: str, f: str, arg: str | None = None, time_ms: int = 0) -> int:
        """Record an invocation. Returns the operation's number, to be named at its completion."""
        op = len(self._invokes)
        event = Event(len(self.events), time_ms, process, INVOKE, op, f, arg)
        self._invokes.append(event)
        self.events.append(event)
        return op

    def ok(self, op: int, **known: Any) -> None:
        """Record an acknowledged operation; see `complete` for what may be known."""
        self.complete(op, OK, **known)

    def fail(self, op: int, error: str, **known: Any) -> None:
        """Record a refused operation: the system says that it was not applied."""
        self.complete(op, FAIL, error=error, **known)

    def info(self, op: int, error: str, **known: Any) -> None:
        """Record an operation whose outcome is unknown."""
        self.complete(op, INFO, error=error, **known)

    def complete(self, op: int, kind: str, time_ms: int = 0, **known: Any) -> None:
        """Complete `op`. `known`: start, commit, snapshot, parent, reads, writes, error (fields of `Event`)."""
        begun = self._invokes[op]
        event = Event(len(self.events), time_ms, begun.process, kind, op, begun.f, begun.arg)
        self.events.append(event._replace(**known) if known else event)

    def read(
        self, process: str, start: int | None, reads: tuple[Read, ...], error: str | None = None, time_ms: int = 0
    ) -> int:
        """Record a whole read at once: failed if `error` is given. Returns the operation's number."""
        op = self.invoke(process, "read", None, time_ms)
        if error is None:
            self.ok(op, start=start, reads=reads, time_ms=time_ms)
        else:
            self.fail(op, error, start=start, time_ms=time_ms)
        return op

    def version(
        self, ordinal: int, op: int = -1, snapshot: str | None = None, parent: str | None = None, time_ms: int = 0
    ) -> None:
        """Record one row of the table's lineage: version `ordinal`, made by operation `op` (-1 = by nobody we know)."""
        if op >= len(self._invokes):
            raise HistoryError(f"version {ordinal}", "a recorded operation", str(op))
        self.events.append(
            Event(len(self.events), time_ms, "lineage", VERSION, op, "version", None, None, ordinal, snapshot, parent)
        )

    def history(self) -> History:
        """What was recorded so far."""
        return History(self.events)
