"""One scenario, searched: the result, the run that shows it best, and the schedule that replays that run.

A violation is shrunk. Where nothing is violated, the run to show is the smallest one that hits every counter: the
conflict that was survived. Either is shown at the steps of the scenario's live counterpart, if it does the same there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from time import monotonic

from lakeproof.errors import AS_EXPECTED, UNKNOWN, VIOLATED, BadInput, Mismatch, UsageProblem, one_line
from lakeproof.operations import require_known, require_yield_points
from lakeproof.scenarios import blaming
from sim.kernel.choices import PICK
from sim.kernel.errors import NondeterminismError, SimulationError
from sim.kernel.schedule import Divergence, Schedule, ScheduleError, parse
from sim.search.explore import BUDGET, Progress, default_plan, deviating, exhaustive, portfolio, same_twice
from sim.search.projection import Shown, shown
from sim.search.result import Result
from sim.search.run import Run, Runner
from sim.search.script import EVERY
from sim.search.shrink import BUDGET as SHRINK_RUNS
from sim.search.shrink import Shrunk, shrink
from sim.world.scenario import Scenario

PLAN, EXHAUSTIVE, RANDOM = MODES = ("plan", "exhaustive", "random")
WITNESS_DEVIATIONS, WITNESS_RUNS = 2, 2_000


@dataclass(frozen=True, slots=True)
class Knobs:
    """How to search. `budget` is how many schedules the search runs at most, in all its phases; what comes on top is
    bounded by itself, and named. `yield_points` None: as the scenario says; ("*",): every port call. `seconds` end the
    search when they are over (None: never). `max_steps` end a run (None: as the scenario says)."""

    mode: str = PLAN
    seeds: range = range(1_000)
    budget: int = BUDGET
    yield_points: tuple[str, ...] | None = None
    determinism: bool = True
    seconds: float | None = None
    max_steps: int | None = None

    def applied(self, scenario: Scenario) -> Scenario:
        """The scenario at the chosen yield points, with the chosen bound of a run."""
        bounded = scenario if self.max_steps is None else replace(scenario, max_steps=self.max_steps)
        return with_yield_points(bounded, self.yield_points)

    def shown(self, scenario: Scenario) -> dict[str, str]:
        """The parameters of the search and of the scenario."""
        knobs = {"search": self.mode, "budget": self.budget_words}
        if self.seconds is not None:
            knobs["time"] = f"{self.seconds:.6g} s"
        if self.max_steps is not None:
            knobs["max_steps"] = f"{self.max_steps:,}"
        if self.mode == RANDOM:
            knobs["seeds"] = f"{self.seeds.start}..{self.seeds.stop - 1}"
        knobs["yield_points"] = " ".join(scenario.yield_points or ("every port call",))
        knobs["faults"] = str(scenario.faults)
        return knobs | dict(scenario.parameters or (("lease", f"{scenario.lease_ms} ms"),))

    @property
    def budget_words(self) -> str:
        """What is bounded by the budget, and what is not."""
        twice = "3 to see that runs repeat, and " if self.determinism else ""
        return (
            f"{self.budget:,} runs of the search; on top of them {twice}at most {SHRINK_RUNS:,} to make a violation "
            f"small or {WITNESS_RUNS:,} to choose the run to show"
        )


@dataclass(frozen=True, slots=True)
class Investigation:
    """`shown` is the run to show, with its proof; `digest` that of the determinism check ("": not made)."""

    scenario: Scenario
    knobs: Knobs
    result: Result
    shown: Shown
    digest: str

    @property
    def run(self) -> Run:
        """The run to show."""
        return self.shown.run

    @property
    def schedule(self) -> Schedule:
        """What replays the run to show."""
        return self.shown.schedule

    @property
    def shown_knobs(self) -> dict[str, str]:
        """Every chosen parameter, for the top of a report."""
        checked = (
            f"seed {self.knobs.seeds.start} twice and from its tape: {self.digest}" if self.digest else "not checked"
        )
        return {**self.knobs.shown(self.scenario), "live counterpart": self.shown.live, "determinism": checked}

    @property
    def code(self) -> int:
        """The exit code: the verdict against what the scenario expects."""
        return verdict_code(self.result)


def investigate(
    scenario: Scenario, knobs: Knobs, *, file: Path | None = None, progress: Progress | None = None
) -> Investigation:
    """Search a scenario. `file` is the user's own file, to be blamed for what it raises.

    Raises: `Mismatch` if the code under test is not deterministic, `BadInput` if the user's own code raised,
    `UsageProblem` or `BadInput` if yield points or a space of faults names operations that do not exist.
    """
    at_yield_points = knobs.applied(scenario)
    with blaming(file):
        _require_operations(at_yield_points, knobs, file)
        digest = twice(at_yield_points, knobs.seeds.start) if knobs.determinism else ""
        result = _search(at_yield_points, knobs, _until(knobs.seconds, progress))
        best = _best(result)
        best = best._replace(run=_replayed(at_yield_points, best))
    return Investigation(at_yield_points, knobs, result, best, digest)


@dataclass(frozen=True, slots=True)
class Generated(Investigation):
    """What a sweep of generated scenarios found, as the search of the smallest one that breaks.

    Args: `chosen` are the parameters of the sweep and of the scenario, for the top of a report.
    """

    chosen: tuple[tuple[str, str], ...] = ()

    @property
    def shown_knobs(self) -> dict[str, str]:
        """Every chosen parameter."""
        return {**dict(self.chosen), "live counterpart": self.shown.live}


def of_generated(result: Result, run: Run, shrunk: Shrunk | None, chosen: Mapping[str, str]) -> Generated:
    """A failure of a generated scenario, at the steps of its live counterpart if it does the same there.

    Args: `result` is what was searched, and `run` fails; `shrunk` says how small it is (None: not known); `chosen` are
    the parameters of the search.

    Raises: `Mismatch` if its own schedule does not replay it.
    """
    best = shown(run, shrunk)
    best = best._replace(run=_replayed(result.scenario, best))
    scenario = result.scenario
    faults = {"yield_points": " ".join(scenario.yield_points or ("every port call",)), "faults": str(scenario.faults)}
    told = {**chosen, **faults, **dict(scenario.parameters)}
    return Generated(scenario, Knobs(determinism=False), result, best, "", tuple(told.items()))


def _best(result: Result) -> Shown:
    """The run to show: the weakest failure, shrunk; else the first run that did not end; else a witness."""
    failing = result.weakest
    if failing is not None:
        shrunk = shrink(Runner(result.scenario), failing)
        return shown(shrunk.run, shrunk)
    return shown(result.endless or witness(result.scenario, 1 if result.out_of_time else WITNESS_RUNS))


def _until(seconds: float | None, progress: Progress | None) -> Progress | None:
    """The same progress, which ends a search after so many seconds from now."""
    if seconds is None:
        return progress
    end = monotonic() + seconds

    def told(count: int) -> bool:
        if progress is not None:
            progress(count)
        return monotonic() >= end

    return told


def _require_operations(scenario: Scenario, knobs: Knobs, file: Path | None) -> None:
    """Every operation that the yield points and the faults name must be one."""
    source = f"scenario {scenario.name}" if file is None else f"scenario file {file}: {scenario.name}"
    if knobs.yield_points is not None:
        require_yield_points(scenario, f"--yield-points {','.join(knobs.yield_points)}", UsageProblem)
    else:
        require_yield_points(scenario, f"{source}: yield points", BadInput)
    if scenario.faults.limit:
        require_known(scenario, tuple(scenario.faults.kinds), f"{source}: faults", BadInput)


def with_yield_points(scenario: Scenario, yield_points: tuple[str, ...] | None) -> Scenario:
    """The scenario at other yield points; None leaves it as it is."""
    return (
        scenario
        if yield_points is None
        else replace(scenario, yield_points=None if yield_points == EVERY else yield_points)
    )


def twice(scenario: Scenario, seed: int) -> str:
    """Run a seed twice and once from its tape; the digest. Raises: `Mismatch` if they differ."""
    try:
        return same_twice(scenario, seed)
    except NondeterminismError as error:
        raise Mismatch(f"scenario {scenario.name}: not deterministic: {one_line(error)}") from None
    except SimulationError as error:
        if type(error) is not SimulationError:
            raise
        raise Mismatch(f"scenario {scenario.name}: not deterministic: {one_line(error)}") from None


def _search(scenario: Scenario, knobs: Knobs, progress: Progress | None) -> Result:
    if knobs.mode == EXHAUSTIVE:
        return exhaustive(scenario, limit=knobs.budget, progress=progress)
    if knobs.mode == RANDOM:
        return portfolio(scenario, seeds=knobs.seeds[: knobs.budget - 1], progress=progress)
    return default_plan(scenario, budget=knobs.budget, progress=progress)


def verdict_code(result: Result) -> int:
    """0 if the search says what the scenario expects, 2 if it cannot say, 1 if it says something else.

    A search by seeds never can say that something holds: it is 0 if nothing was found where nothing is expected.
    """
    if result.as_expected or (result.nothing_found and result.scenario.expect == "holds"):
        return AS_EXPECTED
    return UNKNOWN if result.verdict == "unknown" else VIOLATED


def witness(scenario: Scenario, runs: int) -> Run:
    """The run with the fewest deviations that hits every counter; else the one that hits most, of so many runs."""
    best: tuple[int, Run] | None = None
    for run in _few_deviations(scenario, runs):
        hit = sum(1 for name in scenario.counters if run.coverage.get(name))
        if best is None or hit > best[0]:
            best = (hit, run)
        if hit == len(scenario.counters):
            break
    assert best is not None
    return best[1]


def _few_deviations(scenario: Scenario, runs: int) -> Iterator[Run]:
    return (run for _, run in islice(deviating(Runner(scenario), WITNESS_DEVIATIONS), runs))


def play(scenario: Scenario, schedule: Schedule) -> Run:
    """Play a schedule at its own yield points, annotated. Raises: `Divergence` where it cannot be followed."""
    return Runner(with_yield_points(scenario, schedule.yield_points), annotated=True).play(schedule.steps)


def play_file(scenario: Scenario, schedule: Schedule, path: Path) -> Run:
    """Play what was read from a file. Raises: `BadInput` where it cannot be followed, or names what does not exist."""
    require_yield_points(
        with_yield_points(scenario, schedule.yield_points), f"schedule {path}: # yield-points", BadInput
    )
    try:
        return play(scenario, schedule)
    except (Divergence, ScheduleError) as error:
        raise BadInput(f"schedule {path}: {error}") from None


def _replayed(scenario: Scenario, best: Shown) -> Run:
    """Play the schedule as a file would hold it. Returns: what is shown. Raises: `Mismatch` unless it is the same run;
    where the run drew what no schedule names (a jitter), unless it ends the same."""
    try:
        again = play(scenario, parse(str(best.schedule)))
    except Divergence as error:
        raise Mismatch(f"scenario {scenario.name}: its own schedule cannot be followed: {one_line(error)}") from None
    if again.failure != best.run.failure or check_words(again) != check_words(best.run):
        raise Mismatch(
            f"scenario {scenario.name}: expected its schedule to end in {best.run.failure or 'no failure'}, "
            f"got {again.failure or 'no failure'}"
        )
    if again.digest() != best.run.digest() and not draws_more(best.run):
        raise Mismatch(f"scenario {scenario.name}: expected its schedule to give the run that was found, got another")
    return again


def draws_more(run: Run) -> bool:
    """Whether a run drew something that a schedule does not name: it names picks and faults."""
    return any(chosen and name != PICK and not name.startswith("fault:") for name, _, chosen in run.tape)


def check_words(run: Run) -> tuple[tuple[str, ...], ...]:
    """Every broken property of a run, in sentences."""
    return tuple(violation.sentences for violation in run.verdict().violations)
