"""First-come (the quiet run) and the seeded uniform random walk."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.kernel.choices import SoFar
    from sim.kernel.task import Call


class FirstCome:
    """The call that has waited longest; no fault; the shortest latency."""

    def pick(self, ready: Sequence[Call], so_far: SoFar) -> int:
        return 0

    def choose(self, name: str, options: int) -> int:
        return 0


class RandomWalk:
    """Each ready call with equal probability; each fault site is injected with probability `fault_rate`.

    Source: the baseline of SCTBench (Thomson et al., TOPC 2016); strong on optimistic retry loops.
    """

    def __init__(self, seed: int, fault_rate: float = 0.2) -> None:
        self._random = random.Random(seed)
        self._draw = self._random.random
        self._fault_rate = fault_rate

    def pick(self, ready: Sequence[Call], so_far: SoFar) -> int:
        draw = self._draw
        return int(draw() * len(ready))

    def choose(self, name: str, options: int) -> int:
        if name.startswith("fault:"):
            if self._random.random() >= self._fault_rate:
                return 0
            return 1 + int(self._random.random() * (options - 1))
        return int(self._random.random() * options)
