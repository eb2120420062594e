"""What the clients of one live run did and were told, noted while it happens."""

import threading
import time
from dataclasses import dataclass

from real_backend.gating.gate import Gate, Passed
from real_backend.iceberg.live_run import OK, Command
from sim.iceberg.workload import Statement

LOAD, COMMIT = "load", "commit"


@dataclass(slots=True)
class Entry:
    """A statement that has begun; `first` is how many steps the gate had passed by then."""

    actor: str
    statement: Statement
    first: int
    invoked: int
    invoked_ms: int
    start: int | None


class Journal:
    """Collects the commands of a run in one order over all actors.

    Args: `load` and `commit` are the gate's names of the steps that read and that replace the table's metadata.
    """

    def __init__(self, load: str = LOAD, commit: str = COMMIT) -> None:
        self._load, self._commit = load, commit
        self._lock = threading.Lock()
        self._begun = time.perf_counter()
        self._order = 0
        self._commands: list[Command] = []

    @property
    def seconds(self) -> float:
        """Since the journal was opened."""
        return time.perf_counter() - self._begun

    def begin(self, gate: Gate, actor: str, statement: Statement, start: int | None = None) -> Entry:
        """A statement is sent. `start`: the snapshot that it plans on, if that is known before its first load."""
        return Entry(actor, statement, len(gate.trace), self._next(), int(self.seconds * 1000), start)

    def end(self, gate: Gate, entry: Entry, outcome: str) -> None:
        """The client has its outcome."""
        own = [passed for passed in gate.trace[entry.first :] if passed.at.actor == entry.actor]
        start = entry.start if entry.start is not None else _version(own, self._load, first=True)
        commit = _version(own, self._commit, first=False)
        completed, now_ms = self._next(), int(self.seconds * 1000)
        command = Command(
            entry.actor, entry.statement, outcome, start, commit, entry.invoked, completed, entry.invoked_ms, now_ms
        )
        with self._lock:
            self._commands.append(command)

    @property
    def commands(self) -> tuple[Command, ...]:
        """In the order in which they were sent."""
        with self._lock:
            return tuple(sorted(self._commands, key=lambda command: command.invoked))

    def outcomes(self, actors: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """Per actor: the first outcome that is not "ok", else "ok"."""
        bad: dict[str, str] = {}
        for command in self.commands:
            if command.outcome != OK:
                bad.setdefault(command.actor, command.outcome)
        return tuple((actor, bad.get(actor, OK)) for actor in actors)

    def _next(self) -> int:
        with self._lock:
            self._order += 1
            return self._order


def _version(own: list[Passed], operation: str, *, first: bool) -> int | None:
    seen = [passed.version for passed in own if passed.at.operation == operation and passed.version is not None]
    return int(seen[0 if first else -1]) if seen else None
