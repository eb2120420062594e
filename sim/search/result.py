"""What a search found and covered, and whether that is enough to say that something holds.

A "holds" rests on something: properties were asked, actors recorded what they did, something was acknowledged, every
schedule ran to its end and could be judged, every counter was hit. What is missing is a reason, in words, and the
verdict is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from checkers.histories.history import FAIL, INFO, OK, SETUP
from checkers.properties import RANK
from sim.kernel.trace import loop_of
from sim.search.run import Run
from sim.world.scenario import Scenario
from sim.world.words import counted

MOST_NAMED = 6  # more operations than this are told by their number; the parameters of a search name them
ENDLESS_RUNS = 5  # after so many that did not end a search is over: the others will not end either, and take very long
NO_PROPERTY = "no property was asked"
NOTHING_RECORDED = "no actor recorded an operation"
NOTHING_ACKNOWLEDGED = "no operation was ever acknowledged"
NO_WRITE_ACKNOWLEDGED = "no write was ever acknowledged"


@dataclass(slots=True)
class Evidence:
    """What actors were told in the runs that were looked at: whether they `recorded` an operation, were told that one
    was done, `tried` a write that was refused or left open, and `wrote` one that was acknowledged."""

    recorded: bool = False
    answered: bool = False
    tried: bool = False
    wrote: bool = False

    def look(self, run: Run) -> None:
        """Take in a run's operations."""
        for event in run.events[: run.acted]:
            if event.process == SETUP:
                continue
            self.recorded = True
            if event.type == OK:
                self.answered = True
                if event.writes:
                    self.wrote = True
                    return
            elif event.writes and event.type in (FAIL, INFO):
                self.tried = True

    def include(self, other: Evidence) -> None:
        """Take in what another search has seen."""
        self.recorded |= other.recorded
        self.answered |= other.answered
        self.tried |= other.tried
        self.wrote |= other.wrote

    @property
    def missing(self) -> str:
        """What a verdict would have to rest on, in words; "" if nothing is missing."""
        if not self.recorded:
            return NOTHING_RECORDED
        if not self.answered:
            return NOTHING_ACKNOWLEDGED
        return NO_WRITE_ACKNOWLEDGED if self.tried and not self.wrote else ""


@dataclass(slots=True)
class Result:
    """What a search found and covered.

    Args: `scenario` is what was searched and `method` how, in words; `schedules` counts the runs of all phases, and
    `exhaustive` those of the phase that runs every schedule; `states` are the distinct states that it met (0: not
    counted); `complete`: within `bounds`, nothing is left unexplored; `cut_short` counts runs that hit the step limit,
    `stuck` those in which nobody could go on, and `endless` is the first of them all; `indeterminate` counts those that
    could not be judged; `seeds` are those that were run; `coverage` is how often each counter was hit in all runs;
    `evidence` is what actors were told; `failures` has the first run of each failure key, and `found_at` how many
    schedules had been run then, it included; `failed` counts all failing runs; `default_fails`: the default schedule,
    the first of all, is one of `failures`; `out_of_time`: time ran out before the search was at its end.
    """

    scenario: Scenario
    method: str
    schedules: int = 0
    exhaustive: int = 0
    states: int = 0
    complete: bool = False
    cut_short: int = 0
    stuck: int = 0
    endless: Run | None = None
    indeterminate: int = 0
    seeds: int = 0
    coverage: dict[str, int] = field(default_factory=dict)
    evidence: Evidence = field(default_factory=Evidence)
    failures: dict[str, Run] = field(default_factory=dict)
    found_at: dict[str, int] = field(default_factory=dict)
    failed: int = 0
    default_fails: bool = False
    out_of_time: bool = False

    # -- what was found --------------------------------------------------------------------------------------------

    @property
    def verdict(self) -> str:
        """`violated`, `holds` (complete, and there are no `reasons` against it), or `unknown`."""
        if self.failures:
            return "violated"
        return "unknown" if self.reasons else "holds"

    @property
    def weakest(self) -> Run | None:
        """The first run that breaks the weakest of the properties that were seen to break; None if none was."""
        runs = self.failures.values()
        return min(runs, key=lambda run: RANK[broken_by(run)], default=None)

    @property
    def settled(self) -> bool:
        """Whether there is nothing more to look for: the property that is expected to break has broken, or, if none is
        expected to, any; or runs do not end."""
        expected = self.scenario.broken
        found = any(expected in (None, broken_by(run)) for run in self.failures.values())
        return found or self.endless_runs

    @property
    def endless_runs(self) -> bool:
        """Whether so many runs did not end that no more are made."""
        return self.cut_short >= ENDLESS_RUNS

    @property
    def over(self) -> bool:
        """Whether no further phase can say more."""
        return bool(self.failures) or self.complete or self.endless_runs or self.out_of_time

    @property
    def found_within(self) -> int:
        """How many schedules were run until the weakest failure was met; 0 if there is none."""
        weakest = self.weakest
        return 0 if weakest is None or weakest.failure is None else self.found_at[weakest.failure]

    @property
    def no_search_needed(self) -> bool:
        """Whether the weakest failure is that of the default schedule."""
        return self.default_fails and self.found_within == 1

    @property
    def found_words(self) -> str:
        """How many schedules it took to find it: "12 schedules", "1 schedule, the default one: no search needed"."""
        default = ", the default one: no search needed" if self.no_search_needed else ""
        return counted(self.found_within, "schedule") + default

    @property
    def as_expected(self) -> bool:
        """Whether this is what the scenario expects: of a violation, that the weakest broken property is the one that
        it names; of an unknown one, that all is known but what nothing was acknowledged of."""
        expect, weakest = self.scenario.expect, self.weakest
        if weakest is not None:
            return expect == "violated" and self.scenario.broken in (None, broken_by(weakest))
        if expect == "unknown":
            return self.reasons in ((NOTHING_ACKNOWLEDGED,), (NO_WRITE_ACKNOWLEDGED,))
        return self.verdict == expect

    # -- what it rests on ------------------------------------------------------------------------------------------

    @property
    def uncovered(self) -> tuple[str, ...]:
        """The counters that stayed zero and, unless a failure ended the search, the faults that were never injected."""
        faults = () if self.failures else _reachable(self.scenario)
        names = (*self.scenario.counters, *(f"fault {kind}" for kind in faults))
        return tuple(name for name in names if not self.coverage.get(name))

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it cannot be said that the properties hold, in words; none if it can."""
        return tuple(self._reasons())

    def _reasons(self) -> Iterator[str]:
        if self.cut_short:
            yield self._livelock()
        if self.stuck:
            yield self._deadlock()
        if self.out_of_time and not self.complete:
            yield f"time ran out after {counted(self.schedules, 'schedule')}"
        if not self.complete:
            yield f"not exhaustive: {self.method}"
        missing = self.evidence.missing if self.scenario.properties else NO_PROPERTY
        if missing:
            yield missing
        if self.uncovered:
            yield f"never happened: {', '.join(self.uncovered)}"
        if self.indeterminate:
            yield f"{counted(self.indeterminate, 'run')} left indeterminate"

    def _livelock(self) -> str:
        loop = loop_of(self.endless.trace) if self.endless is not None and not self.endless.stuck else ""
        going_on = f", going on with {loop}" if loop else ""
        runs, steps = counted(self.cut_short, "run"), counted(self.scenario.max_steps, "step")
        return f"livelock: {runs} did not end within {steps}{going_on}"

    def _deadlock(self) -> str:
        names = ", ".join(self.endless.unfinished) if self.endless is not None and self.endless.stuck else "actors"
        return f"deadlock: {counted(self.stuck, 'run')} ended with {names} waiting for ever"

    @property
    def nothing_found(self) -> str:
        """What a search by seeds alone that found nothing can say: "nothing was found in 1,000 seeds"; "" if it found
        something, if more is missing than the rest of the schedules, or if it was to run every schedule."""
        if self.failures or self.exhaustive or not self.seeds or self.reasons != (f"not exhaustive: {self.method}",):
            return ""
        return f"nothing was found in {counted(self.seeds, 'seed')}"

    @property
    def bounds(self) -> str:
        """The sentence in parentheses that belongs to every verdict."""
        parts = [self.scenario.bounds] if self.scenario.bounds else []
        if self.scenario.faults.limit:
            parts.append(str(self.scenario.faults))
        yield_points = self.scenario.yield_points
        parts.append(f"steps: {_steps(yield_points)}")
        parts.append(self.size)
        if self.complete:
            parts.append("complete")
        return "; ".join([*parts, *self.reasons])

    @property
    def size(self) -> str:
        """How many schedules say what is said: all of them if they were all run, else every one that ran."""
        states = f", {counted(self.states, 'distinct state')}" if self.states else ""
        return counted(self.exhaustive if self.complete else self.schedules, "schedule") + states

    # -- counting --------------------------------------------------------------------------------------------------

    def count(self, coverage: dict[str, int]) -> None:
        """Count a schedule and its `coverage` (counter: hits), also if it was cut off at a state met before."""
        self.schedules += 1
        self._cover(coverage)

    def include(self, before: Result) -> None:
        """Count what `before`, an earlier phase of the same search, ran and covered."""
        self.method = f"{before.method}, {self.method}"
        self.found_at = before.found_at | {key: before.schedules + at for key, at in self.found_at.items()}
        self.failures = before.failures | self.failures
        self.default_fails |= before.default_fails
        self.schedules += before.schedules
        self.exhaustive += before.exhaustive
        self.states = max(self.states, before.states)
        self.cut_short += before.cut_short
        self.stuck += before.stuck
        self.endless = before.endless or self.endless
        self.indeterminate += before.indeterminate
        self.failed += before.failed
        self.evidence.include(before.evidence)
        self._cover(before.coverage)

    def add(self, run: Run) -> bool:
        """Count `run`. Returns: True if it is a failure of a new kind."""
        self.count(run.coverage)
        if not self.evidence.wrote:
            self.evidence.look(run)
        if not run.complete:
            self.cut_short += not run.stuck
            self.stuck += run.stuck
            self.endless = self.endless or run
        key = run.failure
        if key is None:
            return False
        self.failed += 1
        if key in self.failures:
            return False
        self.failures[key], self.found_at[key] = run, self.schedules
        return True

    def _cover(self, coverage: dict[str, int]) -> None:
        for name, count in coverage.items():
            self.coverage[name] = self.coverage.get(name, 0) + count


def broken_by(run: Run) -> str:
    """Returns: the weakest property that a failing run breaks."""
    return (run.failure or "").partition("/")[0]


def _reachable(scenario: Scenario) -> tuple[str, ...]:
    """The kinds of faults that have to happen: every one that is named; of a wide space those that some step has."""
    steps, faults = scenario.yield_points, scenario.faults
    if not faults.words or steps is None:
        return faults.names
    at_steps = {kind for operation, kinds in faults.kinds.items() if operation in steps for kind in kinds}
    return tuple([kind for kind in faults.names if kind in at_steps])


def _steps(yield_points: tuple[str, ...] | None) -> str:
    """The operations that are steps, in words."""
    if not yield_points:
        return "every port call"
    return " and ".join(yield_points) if len(yield_points) <= MOST_NAMED else f"{len(yield_points)} operations"
