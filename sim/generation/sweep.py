"""Sweeping a generated scenario: every schedule of a small one, else the default order, few deviations and walks.

A sweep is no proof, but of a scenario that is `complete`. It looks at so many schedules of so many scenarios as it can:
it begins with a few and goes on, twice as many each time, while they show pairs of accesses that it has not seen. What
it does is decided by the scenario and its plan, never by a clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from math import prod

from sim.generation.causes import operations_of
from sim.generation.coverage import Pair, kinds_of, pairs_of
from sim.kernel.escape import guarded
from sim.kernel.trace import Row
from sim.search.result import Evidence
from sim.search.run import Run, Runner
from sim.search.strategies import DepthFirst, Deviation, Deviations, PriorityWalk, Pruned, RandomWalk, walk_of
from sim.world.scenario import Scenario

FAULT = "fault:"
MOST_FAULTS = 0.2
"""How often a call is hit at most: less where a run has many, so that late calls are hit as often as early ones."""
EXHAUSTIVE, DEVIATIONS, RANDOM, PRIORITIES = "exhaustive", "deviations", "random", "priorities"
STRATEGIES = (EXHAUSTIVE, DEVIATIONS, RANDOM, PRIORITIES)
SMALL = 10_000
"""A scenario is tried whole if the numbers of options of the default order's choices have at most this product: two in
three of those that have less end within 200 schedules, and few of the others."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a scenario is swept: `first` schedules (from 1) in any case, `most` at the utmost (fewer of a scenario that
    has a weight), by these `strategies`; the default order is always the first."""

    first: int = 24
    most: int = 384
    strategies: tuple[str, ...] = STRATEGIES


@dataclass(slots=True)
class Swept:
    """What the sweep of a scenario has shown.

    Args: `schedules`, `steps`: what was run; `failures`: the first run of each failure key, `found_at` how many
    schedules had been run then; `failed` counts all failing runs; `indeterminate`, `endless` count runs that could not
    be judged and did not end; `coverage` sums the hits of each counter; `pairs` are the pairs of accesses met, and
    `operations` the kinds of what actors did in the default schedule; `complete`: every schedule was run; `evidence` is
    what actors were told; `digest` is equal if, and only if, all runs were.
    """

    scenario: Scenario
    schedules: int = 0
    steps: int = 0
    failed: int = 0
    indeterminate: int = 0
    endless: int = 0
    failures: dict[str, Run] = field(default_factory=dict)
    found_at: dict[str, int] = field(default_factory=dict)
    coverage: dict[str, int] = field(default_factory=dict)
    pairs: set[Pair] = field(default_factory=set)
    operations: tuple[str, ...] = ()
    complete: bool = False
    evidence: Evidence = field(default_factory=Evidence)
    digest: str = ""

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of pairs of accesses that were met."""
        return frozenset(kinds_of(self.pairs))

    def add(self, run: Run) -> bool:
        """Count a run. Returns: whether it has shown anything new."""
        if not self.schedules:
            self.operations = operations_of(run)
        self.steps += run.steps
        if not self.evidence.wrote:
            self.evidence.look(run)
        self.endless += not run.complete
        self.indeterminate += run.indeterminate
        if run.failure is not None:
            self.failed += 1
            if run.failure not in self.failures:
                self.failures[run.failure], self.found_at[run.failure] = run, self.schedules
        return self.count(run.coverage, run.trace)

    def count(self, coverage: Mapping[str, int], trace: Sequence[Row]) -> bool:
        """Count a schedule, also if it was cut off at a state met before. Returns: whether it has met a new pair."""
        self.schedules += 1
        for name, hits in coverage.items():
            self.coverage[name] = self.coverage.get(name, 0) + hits
        before = len(self.pairs)
        self.pairs |= pairs_of(trace)
        return len(self.pairs) > before


class _Sweeper:
    def __init__(self, scenario: Scenario, plan: Plan) -> None:
        self.swept = Swept(scenario)
        self.plan = plan
        self.most = max(plan.first, plan.most // scenario.weight)
        self.runner = Runner(scenario)
        self.hash = blake2b(digest_size=12)
        self.longest = 1
        self.fault_rate = MOST_FAULTS

    def look(self, run: Run) -> bool:
        self.hash.update(repr((run.tape, run.events)).encode())
        return self.swept.add(run)

    def sweep(self) -> Swept:
        widths = self.usual()
        if EXHAUSTIVE in self.plan.strategies and prod(widths) <= SMALL:
            self.exhaust()
        if not self.swept.complete:
            if DEVIATIONS in self.plan.strategies:
                self.deviate(widths)
            if RANDOM in self.plan.strategies or PRIORITIES in self.plan.strategies:
                self.walk()
        self.swept.digest = self.hash.hexdigest()
        return self.swept

    def usual(self) -> list[int]:
        """Run the default schedule. Returns: how many options each of its choices has."""
        usual = Deviations()
        run = self.runner.run(usual)
        self.look(run)
        self.longest = max(1, run.steps)
        sites = sum(name.startswith(FAULT) for name, _, _ in run.tape)
        if sites:
            self.fault_rate = min(MOST_FAULTS, (self.swept.scenario.faults.limit + 0.5) / sites)
        return usual.widths

    def exhaust(self) -> None:
        """Run every schedule, depth first, each cut off at a state that was met before, if half of the most suffice."""
        runner = Runner(self.swept.scenario, exhaustive=True)
        search = DepthFirst(runner.state_key)
        while self.swept.schedules < self.plan.most // 2 and not self.swept.endless:
            search.begin()
            try:
                self.look(runner.run(search))
            except Pruned:
                self.swept.count(runner.coverage, runner.trace)
            if not search.advance():
                self.swept.complete = not self.swept.endless
                return

    def walk(self) -> None:
        """Walk as long as it shows anything new."""
        goal, seed = self.plan.first, self.swept.scenario.first_walk
        while self.swept.schedules < self.most and not self.swept.endless:
            fresh = False
            while self.swept.schedules < min(goal, self.most):
                fresh |= self.look(self.runner.run(self.walk_of(seed)))
                seed += 1
            if not fresh and self.swept.schedules >= goal:
                break
            goal *= 2

    def walk_of(self, seed: int) -> RandomWalk:
        if PRIORITIES not in self.plan.strategies:
            return RandomWalk(seed, self.fault_rate)
        if RANDOM not in self.plan.strategies:
            return PriorityWalk(seed, 2 + seed % 3, self.longest, self.fault_rate)
        return walk_of(seed, self.longest, self.fault_rate)

    def deviate(self, widths: list[int]) -> None:
        """Run half of the first schedules with one deviation from the default one, spread over all there are."""
        single = [Deviation(at, option) for at, width in enumerate(widths) for option in range(1, width)]
        wanted = self.plan.first // 2 - 1
        for number in range(min(wanted, len(single))):
            deviation = single[number if len(single) <= wanted else _spread(number, wanted, len(single))]
            self.look(self.runner.run(Deviations((deviation,))))


def _spread(number: int, wanted: int, there: int) -> int:
    """The place of one of so many that are wanted, all over those that are there, and not always the same option."""
    return min(there - 1, (2 * number + 1) * there // (2 * wanted))


@guarded()
def sweep(scenario: Scenario, plan: Plan = Plan()) -> Swept:
    """Sweep a scenario by a plan. Returns: what it has shown; the same for the same scenario and plan."""
    return _Sweeper(scenario, plan).sweep()
