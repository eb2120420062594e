"""Searching a scenario: exhaustively, by number of deviations, and with a portfolio of seeded strategies.

The default plan is: all schedules with 0, 1 and 2 deviations (a smallest counterexample, a printable statement), then
every schedule, then a portfolio by seed. Its budget is for all of them together, and so is its count of schedules.

Whoever is told of its progress can end a search, when time runs out: what was found by then is its result.

Choices: a search ends at the first failure of the property that the scenario expects to break. A failure of another
one is kept, and the phase goes on: what is reported is the weakest property that broke.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sim.kernel.errors import SimulationError
from sim.kernel.escape import guarded
from sim.search.result import Result
from sim.search.run import Run, Runner
from sim.search.strategies import DepthFirst, Deviation, Deviations, Pruned, RandomWalk, walk_of
from sim.world.scenario import Scenario
from sim.world.words import counted

Progress = Callable[[int], bool | None]
"""Is told how many runs were made; returns True if there is no time for more."""
BUDGET = 40_000
"""How many schedules the default plan runs at most."""


@guarded()
def exhaustive(
    scenario: Scenario, *, limit: int = 1_000_000, stop_at_failure: bool = False, prune: bool = True,
    progress: Progress | None = None, each: Callable[[Run], None] | None = None,
) -> Result:  # fmt: skip
    """Run every schedule, depth first.

    Args: `scenario` is searched; `limit` bounds the runs (from 1; if it is hit, the result is not complete);
    `stop_at_failure` ends the search at the first failure that is looked for; `prune` cuts a run off at a state met
    before; `progress` is called with 1 after each run, `each` with each run that was not cut off.

    Returns: what was found, with the number of states if `prune` is set.
    """
    runner = Runner(scenario, exhaustive=prune)
    search = DepthFirst(runner.state_key if prune else None)
    result = Result(scenario, "depth first")
    for _ in range(limit):
        search.begin()
        try:
            run = runner.run(search)
            result.indeterminate += not result.add(run) and run.indeterminate
            if each is not None:
                each(run)
        except Pruned:
            result.count(runner.coverage)
        _tell(progress, result)
        if result.endless_runs or (stop_at_failure and result.settled):
            break
        if not search.advance():
            result.complete = True
            break
        if result.out_of_time:
            break
    if not result.complete:
        result.method = f"{counted(result.schedules, 'run')} depth first"
    result.states = len(search.states)
    result.exhaustive = result.schedules
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
    """All schedules with 0, 1, ... `at_most` deviations, in that order, until the first failure that is looked for."""
    runner = runner or Runner(scenario)
    result = Result(scenario, f"at most {counted(at_most, 'deviation')}")
    for deviations, run in deviating(runner, at_most):
        if result.add(run) and not deviations:
            result.default_fails = True
        _tell(progress, result)
        if result.settled or result.schedules >= limit or result.out_of_time:
            break
    if result.out_of_time:
        result.method = f"{counted(result.schedules, 'run')} with {result.method}"
    return result


def _tell(progress: Progress | None, result: Result) -> None:
    """Say that a run was made, and note it if it was the last one that there was time for."""
    if progress is not None and progress(1):
        result.out_of_time = True


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
def portfolio(scenario: Scenario, *, seeds: range, progress: Progress | None = None, judged: bool = True) -> Result:
    """Run the default schedule, to see how long a run is, and seeds, half random walks, half priority walks of depth 2
    to 4, until the first failure that is looked for.

    Args: `scenario` is searched; `seeds` are the seeds, in order; `progress` is called with 1 at each run; `judged`
    counts the runs that cannot be judged, too.

    Returns: what was found; never complete.
    """
    runner = Runner(scenario)
    result = Result(scenario, f"portfolio of {counted(len(seeds), 'seed')}")

    def settled_by(run: Run) -> bool:
        _tell(progress, result)
        if not result.add(run) and judged:
            result.indeterminate += run.indeterminate
        if result.out_of_time:
            result.method = f"portfolio of {counted(result.seeds, 'seed')}"
        return result.settled or result.out_of_time

    first = runner.run(Deviations())
    result.default_fails = first.failure is not None
    if settled_by(first):
        return result
    for seed in seeds:
        result.seeds += 1
        if settled_by(runner.run(walk_of(seed, max(1, first.steps)))):
            break
    return result


def default_plan(scenario: Scenario, *, budget: int = BUDGET, progress: Progress | None = None) -> Result:
    """Search by the default plan: 0, 1 and 2 deviations; then, if nothing failed, every schedule; then a portfolio.

    A scenario that is too large for the exhaustive phase within the budget ends with the portfolio and is `unknown` at
    best: it cannot be called "holds".

    Args: `scenario` is searched; `budget` bounds the runs (from 1): a quarter of them, rounded up, is for the first
    phase, an eighth (from 16 on) is kept for the portfolio, and the rest is for the exhaustive phase; `progress` is
    called with 1 after each run.

    Returns: what the phases found; its counts are those of all phases that ran.
    """
    result = by_deviations(scenario, 2, limit=-(-budget // 4), progress=progress)
    kept = budget // 8 if budget >= 16 else 0
    left = budget - kept - result.schedules
    if left > 0 and not result.over:
        every = exhaustive(scenario, limit=left, stop_at_failure=True, progress=progress)
        every.include(result)
        result = every
    if kept and not result.over:
        some = portfolio(scenario, seeds=range(kept - 1), progress=progress, judged=False)
        some.include(result)
        result = some
    return result


def same_twice(scenario: Scenario, seed: int) -> str:
    """Run a seed twice and once from its tape; returns the digest, raises `SimulationError` if they differ."""
    runner = Runner(scenario)
    one, two = runner.run(RandomWalk(seed)), runner.run(RandomWalk(seed))
    three = runner.replay(one.tape)
    digests = (one.digest(), two.digest(), three.digest())
    if len(set(digests)) != 1:
        raise SimulationError(f"seed {seed}: expected one digest of two runs and a replay, got {', '.join(digests)}")
    return digests[0]
