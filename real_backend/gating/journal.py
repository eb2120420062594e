"""What the clients of one live run did and were told, noted while it happens."""

import threading
import time
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

OK: Literal["ok"] = "ok"


@dataclass(frozen=True, slots=True)
class Sent:
    """One statement as its client saw it.

    `invoked` and `completed` are places in one order over all statements of the run, also given in milliseconds since
    its begin; `completed` is None if the client died.
    """

    actor: str
    statement: Any
    outcome: str
    invoked: int
    completed: int | None
    invoked_ms: int
    completed_ms: int


Command = TypeVar("Command", bound=Sent)


class Journal(Generic[Command]):
    """Collects the commands of a run, in one order over all actors."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._begun = time.perf_counter()
        self._order = 0
        self._commands: list[Command] = []

    @property
    def seconds(self) -> float:
        """Since the journal was opened."""
        return time.perf_counter() - self._begun

    @property
    def now_ms(self) -> int:
        """The same in whole milliseconds."""
        return int(self.seconds * 1000)

    def next(self) -> int:
        """The next place in the order."""
        with self._lock:
            self._order += 1
            return self._order

    def note(self, command: Command) -> None:
        """Keep a command that has ended."""
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


class Played:
    """What every live run has, beside what its system left."""

    __slots__ = ()
    trace: tuple[str, ...]
    """The steps, with faults and outcomes."""

    @property
    def steps(self) -> tuple[str, ...]:
        """The trace without what came of each step: `w1.load`, `w1.commit!503-after-retry`."""
        return tuple(step.split("=", 1)[0] for step in self.trace)
