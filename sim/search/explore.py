"""Searching a scenario: exhaustively, by number of deviations, and with a portfolio of seeded strategies.

The default plan is: all schedules with 0, 1 and 2 deviations (a smallest counterexample, a printable statement), then
a portfolio by seed. Every search says what it covered; a "holds" with a counter at zero is no "holds".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from checkers.verdict import indeterminate
from sim.kernel.errors import SimulationError
from sim.kernel.escape import guarded
from sim.search.run import Run, Runner
from sim.search.strategies import DepthFirst, Deviation, Deviations, PriorityWalk, Pruned, RandomWalk
from sim.world.scenario import Scenario

Progress = Callable[[int], None]


@dataclass(slots=True)
class Result:
    """What a search found and covered.

    Args: `scenario` is what was searched and `method` how, in words; `schedules` counts the runs and `states` the
    distinct states met (0: not counted); `complete`: within `bounds`, nothing is left unexplored; `cut_short` counts
    runs that hit the step limit, `indeterminate` those that could not be judged; `coverage` is how often each counter
    was hit in all runs; `failures` has the first run of each failure key, and `failed` counts all failing runs.
    """

    scenario: Scenario
    method: str
    schedules: int = 0
    states: int = 0
    complete: bool = False
    cut_short: int = 0
    indeterminate: int = 0
    coverage: dict[str, int] = field(default_factory=dict)
    failures: dict[str, Run] = field(default_factory=dict)
    failed: int = 0

    @property
    def uncovered(self) -> tuple[str, ...]:
        """The counters that stayed zero and, unless a failure ended the search, the faults that were never injected."""
        faults = () if self.failures else self.scenario.faults.names
        names = (*self.scenario.counters, *(f"fault {kind}" for kind in faults))
        return tuple(name for name in names if not self.coverage.get(name))

    @property
    def verdict(self) -> str:
        """`violated`, `holds` (complete, every counter hit), or `unknown`."""
        if self.failures:
            return "violated"
        sure = self.complete and not (self.uncovered or self.cut_short or self.indeterminate)
        return "holds" if sure else "unknown"

    @property
    def bounds(self) -> str:
        """The sentence in parentheses that belongs to every verdict."""
        parts = [self.scenario.bounds] if self.scenario.bounds else []
        if self.scenario.faults.limit:
            parts.append(str(self.scenario.faults))
        yield_points = self.scenario.yield_points
        parts.append(f"steps: {' and '.join(yield_points) if yield_points else 'every port call'}")
        states = f", {_count(self.states, 'distinct state')}" if self.states else ""
        parts.append(_count(self.schedules, "schedule") + states)
        parts.append("complete" if self.complete else f"not exhaustive: {self.method}")
        if self.uncovered:
            parts.append(f"never happened: {', '.join(self.uncovered)}")
        if self.cut_short:
            parts.append(f"{_count(self.cut_short, 'run')} hit the step limit")
        if self.indeterminate:
            parts.append(f"{_count(self.indeterminate, 'run')} left indeterminate")
        return "; ".join(parts)

    def count(self, coverage: dict[str, int]) -> None:
        """Count a schedule and its `coverage` (counter: hits), also if it was cut off at a state met before."""
        self.schedules += 1
        for name, count in coverage.items():
            self.coverage[name] = self.coverage.get(name, 0) + count

    def include(self, other: Result) -> None:
        """Count what `other`, another search of the same scenario, covered."""
        before = self.schedules
        self.count(other.coverage)
        self.schedules = before + other.schedules
        self.states = max(self.states, other.states)
        self.cut_short += other.cut_short
        self.indeterminate += other.indeterminate

    def add(self, run: Run) -> bool:
        """Count `run`. Returns: True if it is a failure of a new kind."""
        self.count(run.coverage)
        if not run.complete:
            self.cut_short += 1
        key = run.failure
        if key is None:
            return False
        self.failed += 1
        return self.failures.setdefault(key, run) is run


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


@guarded()
def exhaustive(
    scenario: Scenario, *, limit: int = 1_000_000, stop_at_failure: bool = False, prune: bool = True,
    progress: Progress | None = None, each: Callable[[Run], None] | None = None,
) -> Result:  # fmt: skip
    """Run every schedule, depth first.

    Args: `scenario` is searched; `limit` bounds the runs (from 1; if it is hit, the result is not complete);
    `stop_at_failure` ends the search at the first failure; `prune` cuts a run off at a state met before; `progress` is
    called with 1 after each run, `each` with each run that was not cut off.

    Returns: what was found, with the number of states if `prune` is set.
    """
    runner = Runner(scenario, exhaustive=prune)
    search = DepthFirst(runner.state_key if prune else None)
    result = Result(scenario, "depth first")
    for _ in range(limit):
        search.begin()
        try:
            run = runner.run(search)
            if not result.add(run) and run.failure is None and indeterminate(run.events, scenario.properties):
                result.indeterminate += 1
            if each is not None:
                each(run)
        except Pruned:
            result.count(runner.coverage)
        if progress is not None:
            progress(1)
        if result.failures and stop_at_failure:
            break
        if not search.advance():
            result.complete = True
            break
    result.states = len(search.states)
    return result


@guarded()
def by_deviations(
    scenario: Scenario,
    at_most: int,
    *,
    limit: int = 20_000,
    progress: Progress | None = None,
    runner: Runner | None = None,
) -> Result:
    """All schedules with 0, 1, ... `at_most` deviations, in that order, until the first failure."""
    runner = runner or Runner(scenario)
    result = Result(scenario, f"at most {_count(at_most, 'deviation')}")
    for _, run in deviating(runner, at_most):
        if progress is not None:
            progress(1)
        if result.add(run) or result.schedules >= limit:
            break
    return result


def deviating(runner: Runner, at_most: int) -> Iterator[tuple[tuple[Deviation, ...], Run]]:
    """Yield every schedule with at most `at_most` deviations once, fewest first, each with its run."""
    level: list[tuple[Deviation, ...]] = [()]
    for depth in range(at_most + 1):
        following: list[tuple[Deviation, ...]] = []
        for deviations in level:
            strategy = Deviations(deviations)
            yield deviations, runner.run(strategy)
            if depth < at_most:
                first = deviations[-1].at + 1 if deviations else 0
                for at in range(first, len(strategy.widths)):
                    following += [(*deviations, Deviation(at, o)) for o in range(1, strategy.widths[at])]
        level = following


@guarded()
def portfolio(scenario: Scenario, *, seeds: range, progress: Progress | None = None) -> Result:
    """Run seeds, half random walks, half priority walks of depth 2 to 4, until the first failure.

    Args: `scenario` is searched; `seeds` are the seeds, in order; `progress` is called with 1 at each.

    Returns: what was found; never complete.
    """
    runner = Runner(scenario)
    result = Result(scenario, f"portfolio of {_count(len(seeds), 'seed')}")
    steps = max(1, runner.run(Deviations()).steps)
    for seed in seeds:
        strategy = RandomWalk(seed) if seed % 2 == 0 else PriorityWalk(seed, 2 + seed // 2 % 3, steps)
        if progress is not None:
            progress(1)
        if result.add(runner.run(strategy)):
            break
    return result


def default_plan(scenario: Scenario, *, budget: int = 20_000, progress: Progress | None = None) -> Result:
    """Search by the default plan: 0, 1 and 2 deviations; then, if nothing failed, every schedule; then a portfolio.

    A scenario that is too large for the exhaustive phase within the budget ends with the portfolio and is `unknown` at
    best: it cannot be called "holds".

    Args: `scenario` is searched; `budget` bounds the runs of each of the first two phases, and a quarter of it the
    portfolio's seeds; `progress` is called with 1 after each run.

    Returns: what the phase found that decided, or all of them together.
    """
    first = by_deviations(scenario, 2, limit=budget, progress=progress)
    if first.failures:
        return first
    second = exhaustive(scenario, limit=budget, stop_at_failure=True, progress=progress)
    if second.failures or second.complete:
        return second
    third = portfolio(scenario, seeds=range(budget // 4), progress=progress)
    if not third.failures:
        third.method = f"{first.method}, {_count(second.schedules, 'run')} depth first, {third.method}"
        third.include(first)
        third.include(second)
    return third


def same_twice(scenario: Scenario, seed: int) -> str:
    """Run a seed twice and once from its tape; returns the digest, raises `SimulationError` if they differ."""
    runner = Runner(scenario)
    one, two = runner.run(RandomWalk(seed)), runner.run(RandomWalk(seed))
    three = runner.replay(one.tape)
    digests = (one.digest(), two.digest(), three.digest())
    if len(set(digests)) != 1:
        raise SimulationError(f"seed {seed}: expected one digest of two runs and a replay, got {', '.join(digests)}")
    return digests[0]
