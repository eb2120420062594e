"""Records what clients did (invoke / ok / fail / info) and, at the end, the versions that the table shows.

Start and commit may be given as version numbers, or as the protocol's own names of versions (snapshot ids); names are
replaced by the dense ordinals of the lineage when the run is over. An operation whose process died gets no completion
of its own: it is closed as `info`, outcome unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from checkers.histories.history import Event, Read, Write
from sim.kernel.kernel import Kernel

Reads = Sequence[tuple[str, str | None, int | None]]
Writes = Sequence[tuple[str, str | None]]
Name = int | str | None
Row = tuple[Any, ...]  # process, type, op, f, arg, start, commit, snapshot, parent, reads, writes, error


class Recorder:
    """The history of one run, in the order in which the events happened."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._rows: list[Row] = []
        self._ops: list[Row] = []
        self._completed: set[int] = set()
        self._times: list[int] = []
        self.places: list[int] = []
        self._order = 0
        self.number: Callable[[Any], int] | None = None

    def setup(self, writes: Writes, name: Name = 0) -> None:
        """The content before the first operation: version 0, under the protocol's own name for it."""
        row = ("setup", "ok", len(self._ops), "insert", "", None, name, name, None, (), writes, None)
        self._completed.add(len(self._ops))
        self._ops.append(row)
        self._add(row)

    def invoke(self, process: str, f: str, arg: str = "") -> int:
        """Start an operation; returns its number."""
        op = len(self._ops)
        row = (process, "invoke", op, f, arg, None, None, None, None, (), (), None)
        self._ops.append(row)
        self._add(row)
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
    ) -> None:
        """The operation succeeded: it worked on version `start` and created version `commit`.

        Args: `arg` says more about the operation than was known when it was invoked.
        """
        self._complete(op, "ok", start, commit, parent, reads, writes, None, arg)

    def fail(self, op: int, error: str, *, start: Name = None, reads: Reads = (), writes: Writes = ()) -> None:
        """The operation definitely had no effect; `writes` is what it would have done."""
        self._complete(op, "fail", start, None, None, reads, writes, error)

    def info(
        self, op: int, error: str, *, start: Name = None, commit: Name = None, reads: Reads = (), writes: Writes = ()
    ) -> None:
        """The outcome is unknown; `commit` is the name that the version would have."""
        self._complete(op, "info", start, commit, None, reads, writes, error)

    def version(self, commit: int, snapshot: Name, parent: Name, label: str = "") -> None:
        """One version of the lineage, as the table gives it; `label` is the table's own word for what was done."""
        op = self.op_of(snapshot)
        self._add(("lineage", "version", op, "version", label, None, commit, snapshot, parent, (), (), None))

    def op_of(self, snapshot: Name) -> int:
        """The operation that claimed to commit this version; -1 if none did."""
        return next((r[2] for r in self._rows if r[7] == snapshot and r[1] in ("ok", "info")), -1)

    def keys(self) -> list[str]:
        """Every key that the history has mentioned, in the order of first mention."""
        found: dict[str, None] = {}
        for row in self._rows:
            found.update(dict.fromkeys(read[0] for read in row[9]))
            found.update(dict.fromkeys(write[0] for write in row[10]))
        return list(found)

    def order_key(self) -> int:
        """A number for the order of the client events so far (exhaustive mode)."""
        return self._order

    def finish(self, ordinals: Mapping[Name, int]) -> tuple[Event, ...]:
        """Close what is open as unknown, replace version names by ordinals and return the history."""
        for op, row in enumerate(self._ops):
            if op not in self._completed:
                self.info(op, f"{row[0]}: its process died")
        return tuple(
            Event(
                i, time_ms, process, kind, op, f, arg, _ordinal(start, ordinals),
                commit if kind == "version" else _ordinal(commit, ordinals), _text(snapshot), _text(parent),
                tuple([Read(*read) for read in reads]) if reads else (),
                tuple([Write(*write) for write in writes]) if writes else (), error,
            )
            for i, (time_ms, (process, kind, op, f, arg, start, commit, snapshot, parent, reads, writes, error))
            in enumerate(zip(self._times, self._rows, strict=True))
        )  # fmt: skip

    def _complete(self, op: int, kind: str, start: Name, commit: Name, parent: Name, reads: Reads, writes: Writes,
                  error: str | None, more: str | None = None) -> None:  # fmt: skip
        process, _, _, f, arg = self._ops[op][:5]
        snapshot = commit if kind != "fail" else None
        self._completed.add(op)
        self._add((process, kind, op, f, more or arg, start, commit, snapshot, parent, reads, writes, error))

    def _add(self, row: Row) -> None:
        self._rows.append(row)
        self._times.append(self._kernel.now)
        self.places.append(len(self._kernel.trace))
        if self.number is not None:
            *known, reads, writes, error = row
            self._order = self.number((self._order, *known, tuple(map(tuple, reads)), tuple(map(tuple, writes)), error))


def _ordinal(name: Name, ordinals: Mapping[Name, int]) -> int | None:
    return ordinals.get(name) if ordinals else (name if isinstance(name, int) else None)


def _text(name: Name) -> str | None:
    return None if name is None else str(name)
