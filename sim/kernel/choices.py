"""The one source of nondeterminism. Every pick, fault, latency and draw goes through it and is recorded on a tape.

A strategy answers; `Choices` records. An entry is (name, options, chosen): the name is "pick" for scheduling, else what
was drawn ("fault:w1.commit", "latency:put", "jitter"). Replaying a tape needs nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from sim.kernel.errors import NondeterminismError

if TYPE_CHECKING:
    from sim.kernel.task import Call, Task
    from sim.kernel.trace import Row

Entry = tuple[str, int, int]
Tape = tuple[Entry, ...]
PICK = "pick"


class SoFar(Protocol):
    """What a strategy may know of the run: the tasks that were started, and the trace as far as it goes."""

    @property
    def tasks(self) -> Sequence[Task]: ...
    @property
    def trace(self) -> Sequence[Row]: ...


class Strategy(Protocol):
    """Who runs next, and what else happens. Option 0 of a draw is always the quiet one (no fault, shortest time).

    A strategy with a true attribute `sees_all` is asked also when only one call is ready.
    """

    def pick(self, ready: Sequence[Call], so_far: SoFar) -> int:
        """Index into `ready`, which holds at least two calls."""
        ...

    def choose(self, name: str, options: int) -> int:
        """A number in [0, options) for a draw with at least two options."""
        ...


class Choices:
    """A strategy with a recorder. The kernel, whose inner loop it is, asks for picks and records them by itself."""

    __slots__ = ("sees_all", "strategy", "tape")

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.sees_all: bool = getattr(strategy, "sees_all", False)
        self.tape: list[Entry] = []

    def choose(self, name: str, options: int) -> int:
        """Draw a number in [0, options); 0 without a record if there is no choice."""
        if options <= 1:
            return 0
        chosen = self.strategy.choose(name, options)
        self.tape.append((name, options, chosen))
        return chosen


class ReplayTape:
    """The strategy that repeats a tape, and raises `NondeterminismError` at the first choice that differs."""

    def __init__(self, tape: Sequence[Entry]) -> None:
        self._tape = tape
        self._next = 0

    def done(self) -> None:
        """Raises `NondeterminismError` if the run made fewer choices than the tape."""
        if self._next < len(self._tape):
            raise NondeterminismError(f"replay: expected {len(self._tape)} choices, got {self._next}")

    def _take(self, name: str, options: int) -> int:
        wanted = self._tape[self._next] if self._next < len(self._tape) else ("nothing more", 0, 0)
        if wanted[:2] != (name, options):
            raise NondeterminismError(
                f"replay: choice {self._next}: expected {wanted[0]!r} of {wanted[1]}, got {name!r} of {options}"
            )
        self._next += 1
        return wanted[2]

    def pick(self, ready: Sequence[Call], so_far: SoFar) -> int:
        return self._take(PICK, len(ready))

    def choose(self, name: str, options: int) -> int:
        return self._take(name, options)
