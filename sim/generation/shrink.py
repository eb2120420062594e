"""Making a generated failure small: fewer and simpler draws first, then the schedule of what is left.

A draw of 0 is the simplest, and what is missing on a tape is 0: so a tape is made shorter, parts of it are left out or
set to 0, single draws are lowered, as long as the scenario that it makes still fails in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sim.generation.draws import DIGITS, replayed
from sim.generation.generator import Generator, Settings
from sim.kernel.escape import guarded
from sim.search.explore import by_deviations
from sim.search.run import Run, Runner
from sim.search.shrink import BUDGET, Shrunk, shrink
from sim.search.strategies import walk_of
from sim.world.scenario import Scenario

RUNS_EACH = 120
"""How many runs may be made to see whether a smaller scenario fails."""


@dataclass(frozen=True, slots=True)
class Smallest:
    """The smallest failure found.

    Args: `scenario` fails and `shrunk` is its smallest failing run; `executions` counts the runs that were made on the
    way; `settled`: no single draw can be left out or lowered (within `RUNS_EACH` runs each), else runs ran out.
    """

    scenario: Scenario
    shrunk: Shrunk
    executions: int
    settled: bool


class _Shrinker:
    def __init__(
        self, generator: Generator, rules: str, text: str, run: Run, budget: int, settings: Settings,
        faults: tuple[str, ...] | None, stop: Callable[[], bool],
    ) -> None:  # fmt: skip
        self.generator = generator
        self.rules = rules
        self.settings = settings
        self.allowed = faults
        self.text = text
        self.best = run
        self.failure = run.failure
        self.faults = len(run.injected)
        self.left = budget
        self.stop = stop
        self.tried = {text}

    def attempt(self, text: str) -> bool:
        """Keep this tape if the scenario that it makes fails in the same way, with no more faults."""
        text = text.rstrip("0")
        if text in self.tried or self.is_over():
            return False
        self.tried.add(text)
        try:
            scenario, draws = self.generator.drawn(replayed(text), self.settings, self.rules)
        except ValueError:  # draws that do not fit together
            return False
        if draws.text != text:  # what is pinned stays as it is, and what was asked for no more is gone
            text = draws.text
            if text in self.tried or (len(text), text) >= (len(self.text), self.text):
                return False
            self.tried.add(text)
        if self.allowed is not None and not set(scenario.faults.names) <= set(self.allowed):
            return False
        run = self._failing(scenario)
        if run is None:
            return False
        self.text, self.best, self.faults = text, run, len(run.injected)
        return True

    def is_over(self) -> bool:
        """Whether no more runs may be made."""
        return self.left <= 0 or self.stop()

    def _failing(self, scenario: Scenario) -> Run | None:
        """A run of the scenario that fails as it should, few deviations first, then walks."""
        runner = Runner(scenario)
        result = by_deviations(scenario, 1, limit=RUNS_EACH // 2, runner=runner)
        self.left -= result.schedules
        for run in result.failures.values():
            if self._same(run):
                return run
        for seed in range(RUNS_EACH // 2):
            if self.stop():
                break
            self.left -= 1
            run = runner.run(walk_of(seed))
            if self._same(run):
                return run
        return None

    def _same(self, run: Run) -> bool:
        return run.failure == self.failure and len(run.injected) <= self.faults

    def drop_parts(self) -> None:
        """Leave out elements of lists: a writer, a statement."""
        at = 0
        while True:
            _, draws = self.generator.drawn(replayed(self.text), self.settings, self.rules)
            parts = sorted(draws.parts, key=lambda part: part[0] - part[1])
            if at >= len(parts):
                return
            start, end = parts[at]
            last = _last_of_list(end, parts)
            before, rest, after = self.text[:start], self.text[end:last], self.text[last:]
            # A list that was as long as can be says nowhere that it ends: with one element less it must.
            at = 0 if self.attempt(before + rest + after) or self.attempt(f"{before}{rest}0{after}") else at + 1

    def shorten(self) -> None:
        """Leave parts of the tape out, or set them to zero, long parts first."""
        size = max(1, len(self.text) // 2)
        while size:
            start = 0
            while start < len(self.text):
                before, after = self.text[:start], self.text[start + size :]
                if not (self.attempt(before + after) or self.attempt(before + "0" * size + after)):
                    start += size
            size //= 2

    def lower(self) -> None:
        """Lower single draws."""
        for at, digit in enumerate(self.text):
            for lower in DIGITS[: DIGITS.index(digit)]:
                if at < len(self.text) and self.attempt(self.text[:at] + lower + self.text[at + 1 :]):
                    break


def _last_of_list(end: int, parts: list[tuple[int, int]]) -> int:
    """Returns: where the list ends of which an element ends here."""
    ends = dict(parts)
    while end in ends:
        end = ends[end]
    return end


@guarded()
def shrink_all(
    generator: Generator, failing: Run, *, budget: int = 20_000, settings: Settings | None = None,
    faults: Sequence[str] | None = None, stop: Callable[[], bool] = lambda: False,
) -> Smallest:  # fmt: skip
    """Make a failure of a generated scenario small, draws first.

    Args: `generator` made the scenario of `failing`; `budget` bounds the runs over all (from 1); `settings` are pinned:
    the smallest failure has them, too (None: it has what it needs), and no other kinds of `faults` (None: any);
    `stop`: no more runs are made as soon as it says so.

    Returns: the smallest failure found; it has the same failure key.

    Raises: `ValueError` if the run does not fail, or no generator made its scenario.
    """
    _, _, rules, text = failing.scenario.name.split("/")
    generator.again(failing.scenario.name)
    allowed = None if faults is None else tuple(faults)
    work = _Shrinker(generator, rules, text, failing, budget, settings or {}, allowed, stop)
    before = None
    while before != work.text and not work.is_over():
        before = work.text
        work.drop_parts()
        work.shorten()
        work.lower()
    scenario = work.best.scenario
    shrunk = shrink(Runner(scenario), work.best, budget=BUDGET, stop=stop)
    return Smallest(scenario, shrunk, budget - work.left + shrunk.executions, not work.is_over())
