"""What the clients of one live run did and were told, noted while it happens."""

import threading
import time
from typing import Generic, Literal, Protocol, TypeVar

OK: Literal["ok"] = "ok"


class Noted(Protocol):
    """A statement that its client sent, and the outcome that it was told."""

    @property
    def actor(self) -> str:
        """Who sent it."""
        ...

    @property
    def outcome(self) -> str:
        """`OK`, or what it was told instead."""
        ...

    @property
    def invoked(self) -> int:
        """Its place in the order over all actors."""
        ...


Command = TypeVar("Command", bound=Noted)


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
