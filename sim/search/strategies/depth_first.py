"""Depth-first exhaustive exploration by re-execution, pruned where a state of the world was met before.

A state is everything that the future can depend on: the services' contents, what each task has observed, the order of
the client events so far, the faults still allowed. Its key is compared for equality, never by a lossy hash, so pruning
is sound for deterministic tasks. A run that reaches a known state stops there (`Pruned`): what follows was explored.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING

from sim.kernel.errors import NondeterminismError

if TYPE_CHECKING:
    from sim.kernel.choices import SoFar
    from sim.kernel.task import Call


class Pruned(Exception):
    """The run reached a state that an earlier run of this exploration has been in."""


class DepthFirst:
    """One exploration over many runs: call `begin` before a run, `advance` after it until that returns False.

    Args: `state_key` gives the world's key at a pick (None switches pruning off: every schedule runs).
    """

    def __init__(self, state_key: Callable[[], Hashable] | None = None) -> None:
        self._state_key = state_key
        self._path: list[list[int]] = []
        self._depth = 0
        self.states: set[Hashable] = set()
        self.deepest = 0

    def begin(self) -> None:
        """Start a run from the root, along the current path."""
        self._depth = 0

    def _next(self, options: int) -> int:
        if self._depth == len(self._path):
            self._path.append([0, options])
            self.deepest = max(self.deepest, len(self._path))
        chosen, before = self._path[self._depth]
        if before != options:
            raise NondeterminismError(f"choice {self._depth}: expected {before} options as before, got {options}")
        self._depth += 1
        return chosen

    def pick(self, ready: Sequence[Call], so_far: SoFar) -> int:
        if self._state_key is not None and self._depth == len(self._path):
            key = self._state_key()
            if key in self.states:
                raise Pruned
            self.states.add(key)
        return self._next(len(ready))

    def choose(self, name: str, options: int) -> int:
        """Faults are explored; other draws (latency, jitter) take their first value: stated in the bounds."""
        return self._next(options) if name.startswith("fault:") else 0

    def advance(self) -> bool:
        """Move to the next unexplored path; False when all of them have been run."""
        del self._path[self._depth :]
        while self._path and self._path[-1][0] + 1 >= self._path[-1][1]:
            self._path.pop()
        if not self._path:
            return False
        self._path[-1][0] += 1
        return True
