"""Simulated time: simpy's heap of timers, in whole milliseconds, with a bound on what a run may do.

Choices: simpy's own `step` would set the clock back to a timer that a sleep has overtaken; ours lets it go off late.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop
from typing import NoReturn

import simpy

from sim.kernel.errors import StepLimitReached


class Timers(simpy.Environment):
    """A clock that moves from timer to timer. `steps` counts timers and, in the kernel, picked calls."""

    def __init__(self, max_steps: int) -> None:
        super().__init__(initial_time=0)
        self._now: int = 0  # simpy keeps whole milliseconds whole
        self.max_steps = max_steps
        self.steps = 0

    def at(self, time_ms: int, action: Callable[[], None], about: str) -> None:
        """Do `action` when the clock reaches `time_ms`; `about` says whose timer it is."""
        timer = self.timeout(max(0, time_ms - self._now), about)
        timer.callbacks.append(lambda _: action())

    def step(self) -> None:
        """Let the next timer go off."""
        time_ms, _, _, timer = heappop(self._queue)
        if time_ms > self._now:
            self._now = time_ms
        self.steps += 1
        if self.steps > self.max_steps:
            self.too_long(f"the timer of {timer.value}")
        callbacks, timer.callbacks = timer.callbacks, None
        for callback in callbacks:
            callback(timer)

    def timers(self) -> tuple[tuple[int, str], ...]:
        """When the pending timers (pauses, daemons' sleeps) are due and whose they are, in order."""
        return tuple((item[0], item[3].value) for item in sorted(self._queue))

    def too_long(self, last: str) -> NoReturn:
        """The run has made too many steps."""
        raise StepLimitReached(f"run: expected at most {self.max_steps} steps, got more; the last was {last}")
