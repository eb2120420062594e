"""Probabilistic concurrency testing: random task priorities with a few random change points.

A bug of depth d is hit with probability at least 1 / (n * k^(d-1)) per run, n tasks and k steps. It finds what the
random walk does not: one task that stands still for a long time.

Source: Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sim.search.strategies.random_walk import RandomWalk

if TYPE_CHECKING:
    from sim.kernel.choices import SoFar
    from sim.kernel.task import Call


class PriorityWalk(RandomWalk):
    """The ready call of the task with the highest priority; `depth - 1` times the running task drops to the bottom.

    Args: `steps` is the expected length of a run, over which the change points are drawn.
    """

    def __init__(self, seed: int, depth: int = 2, steps: int = 60, fault_rate: float = 0.2) -> None:
        super().__init__(seed, fault_rate)
        self._priority: dict[str, float] = {}
        self._changes = {int(self._random.random() * steps): -float(i) for i in range(1, depth)}
        self._picks = 0

    def pick(self, ready: Sequence[Call], so_far: SoFar) -> int:
        best, index = -1e9, 0
        for i, call in enumerate(ready):
            name = call.task.name
            if name not in self._priority:
                self._priority[name] = self._random.random()
            if self._priority[name] > best:
                best, index = self._priority[name], i
        change = self._changes.get(self._picks)
        self._picks += 1
        if change is not None:
            self._priority[ready[index].task.name] = change
        return index


def walk_of(seed: int, steps: int = 60, fault_rate: float = 0.2) -> RandomWalk:
    """Make the walk of a seed: even seeds walk at random, odd ones by priorities, of depth 2 to 4.

    Args: `steps` is the expected length of a run (from 1); `fault_rate` is how often a call is hit (0 to 1).
    """
    if seed % 2 == 0:
        return RandomWalk(seed, fault_rate)
    return PriorityWalk(seed, 2 + seed // 2 % 3, steps, fault_rate)
