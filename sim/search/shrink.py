"""Making a failing schedule small: fewest deviations from the default order, with the same failure key.

Several passes to a fixpoint (delete blocks, shift what follows, lower options), then, if the budget allows, every
schedule with fewer deviations is run, after which the result is proven minimal. The budget is for all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.kernel.choices import PICK, ReplayTape, Tape
from sim.kernel.escape import guarded
from sim.search.explore import deviating
from sim.search.run import Run, Runner
from sim.search.strategies.deviations import Deviation, Deviations, default_index

if TYPE_CHECKING:
    from sim.kernel.choices import SoFar
    from sim.kernel.task import Call

SHIFTS = (-1, 1, -2, 2, -4, 4)
BUDGET = 3_000
"""How many runs it may take to make a failing run small, and to prove that nothing smaller fails."""
MANY = 8  # options of one choice that are tried in turn; draws of a time can have hundreds


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The smallest failing run found.

    Args: `run` is that run and `deviations` are its steps that are not the default ones; `executions` counts the runs
    that were made; `proven`: no schedule with fewer deviations fails with this key.

    Schedules and faults are enumerated, other draws (jitter, say) are not: a run that needs one is never proven.
    """

    run: Run
    deviations: tuple[Deviation, ...]
    executions: int
    proven: bool


class _Tracker(ReplayTape):
    """Replays a tape and writes down where it departs from the default order."""

    def __init__(self, tape: Tape) -> None:
        super().__init__(tape)
        self.deviations: list[Deviation] = []
        self._position = 0

    def pick(self, ready: Sequence[Call], so_far: SoFar) -> int:
        index = super().pick(ready, so_far)
        default = default_index(ready, so_far)
        if index != default:
            self.deviations.append(Deviation(self._position, index + 1 if index < default else index))
        self._position += 1
        return index

    def choose(self, name: str, options: int) -> int:
        chosen = super().choose(name, options)
        if chosen:
            self.deviations.append(Deviation(self._position, chosen))
        self._position += 1
        return chosen


class _Shrinker:
    def __init__(self, runner: Runner, failing: Run, budget: int, stop: Callable[[], bool]) -> None:
        self.runner = runner
        self.budget = budget
        self.stop = stop
        self.key = failing.failure
        self.best = failing
        tracker = _Tracker(failing.tape)
        runner.run(tracker)
        self.deviations = tuple(tracker.deviations)
        self.executions = 1

    def attempt(self, deviations: tuple[Deviation, ...]) -> bool:
        """Keep `deviations` if they fail in the same way, and there is budget to find out."""
        if self._is_over():
            return False
        self.executions += 1
        run = self.runner.run(Deviations(deviations))
        if run.failure != self.key:
            return False
        self.best, self.deviations = run, deviations
        return True

    def _is_over(self) -> bool:
        return self.executions >= self.budget or self.stop()

    def delete_blocks(self) -> None:
        size = max(1, len(self.deviations) // 2)
        while size:
            start = 0
            while start < len(self.deviations):
                kept = self.deviations[:start], self.deviations[start + size :]
                if not self._without(*kept):
                    start += size
            size //= 2

    def _without(self, before: tuple[Deviation, ...], after: tuple[Deviation, ...]) -> bool:
        return self.attempt(before + after) or any(
            self.attempt(before + tuple(Deviation(d.at + by, d.option) for d in after))
            for by in (SHIFTS if after else ())
        )

    def lower_options(self) -> None:
        for i, deviation in enumerate(self.deviations):
            for option in range(1, min(deviation.option, 1 + MANY)):
                if self.attempt((*self.deviations[:i], Deviation(deviation.at, option), *self.deviations[i + 1 :])):
                    break

    def prove(self) -> bool:
        """Run everything with fewer deviations; True if that was completed (finding a smaller one on the way)."""
        fewer = len(self.deviations) - 1
        if fewer < 0:
            return True
        names = [self.best.tape[deviation.at][0] for deviation in self.deviations if deviation.at < len(self.best.tape)]
        if not all(name == PICK or name.startswith("fault:") for name in names):
            return False
        if self._is_over():
            return False
        for deviations, run in deviating(self.runner, fewer):
            self.executions += 1
            if run.failure == self.key:
                self.best, self.deviations = run, deviations
                return True  # fewest come first, so nothing smaller exists
            if self._is_over():
                return False
        return True


@guarded()
def shrink(runner: Runner, failing: Run, *, budget: int = BUDGET, stop: Callable[[], bool] = lambda: False) -> Shrunk:
    """Make a failing run small; the result fails with the same key.

    Args: `runner` plays the scenario of `failing`; `budget` bounds the runs that are made (from 2); `stop`: no more
    of them are made as soon as it says so.

    Returns: the smallest failing run found. Raises: `ValueError` if `failing` does not fail.
    """
    if failing.failure is None:
        raise ValueError(
            f"run of {failing.scenario.name}: expected one that violates a property, got one that does not"
        )
    work = _Shrinker(runner, failing, budget, stop)
    if not work.attempt(work.deviations):
        return Shrunk(failing, work.deviations, work.executions, False)
    before = None
    while before != work.deviations:
        before = work.deviations
        work.delete_blocks()
        work.lower_options()
    proven = work.prove()
    return Shrunk(work.best, work.deviations, work.executions, proven)
