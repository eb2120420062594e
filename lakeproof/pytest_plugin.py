"""A pytest fixture that searches a scenario, and fails with the explanation and the command that replays the failure.

    def test_transfer(lakeproof):
        lakeproof.check(scenario)

`pytest TEST --lakeproof-replay SCHEDULE` plays one schedule instead of searching: the last line of every failure says
so. A run folder is left for failures only, below `runs` or `--lakeproof-out`.

Choices: nothing is imported before the fixture is used; a verdict that is unknown fails, since nothing was shown.
"""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lakeproof.investigate import Investigation
    from lakeproof.scenarios import Found
    from sim.search.result import Result
    from sim.search.run import Run
    from sim.world.scenario import Scenario


def pytest_addoption(parser: pytest.Parser) -> None:
    """The plugin's options."""
    group = parser.getgroup("lakeproof")
    group.addoption("--lakeproof-out", default="runs", metavar="DIR", help="where failing checks leave run folders")
    group.addoption("--lakeproof-replay", metavar="SCHEDULE", help="play this schedule instead of searching")


@pytest.fixture
def lakeproof(request: pytest.FixtureRequest) -> "LakeproofFixture":
    """Checks scenarios: `lakeproof.check(scenario)`."""
    replay = request.config.getoption("--lakeproof-replay")
    out = Path(request.config.getoption("--lakeproof-out"))
    return LakeproofFixture(request.node.nodeid, out, Path(replay) if replay else None)


class LakeproofFixture:
    """What the fixture `lakeproof` is. `out`: where run folders go; `schedule`: to be played instead of a search."""

    def __init__(self, test: str, out: Path, schedule: Path | None = None) -> None:
        self._test = test
        self._out = out
        self._schedule = schedule

    def check(
        self,
        scenario: "Scenario | str",
        *,
        mode: str = "plan",
        budget: int | None = None,
        seeds: range | None = None,
        yield_points: "Sequence[str] | None" = None,
        strict: bool = False,
    ) -> "Result | Run":
        """Search a scenario (or a built-in one, by name); fail the test unless the verdict is the expected one.

        Args: `mode` is plan, exhaustive or random; `budget` is the greatest number of runs (from 1; None: as the
        command `run`); `seeds` are those of mode random; `yield_points` are the operations that are steps (None: as the
        scenario says; ("*",): every port call); `strict`: a violation fails, also one that the scenario expects.

        Returns: what the search found; with `--lakeproof-replay`, the run.
        """
        from lakeproof.errors import CommandError, one_line
        from sim.kernel.schedule import ScheduleError

        problem = ""
        try:
            found = _found(scenario)
            if self._schedule is not None:
                return self._replay(found, self._schedule)
            searched = _searched(found, mode, budget, seeds, yield_points)
        except (CommandError, ScheduleError) as error:
            problem = one_line(error)
        if problem:  # outside the handler, or pytest would show the exception once more
            pytest.fail(problem, pytrace=False)
        if searched.code or (strict and searched.result.verdict == "violated"):
            pytest.fail(self._explanation(found, searched, strict), pytrace=False)
        return searched.result

    def _explanation(self, found: "Found", searched: "Investigation", strict: bool) -> str:
        from lakeproof.folder import SCHEDULE, new_folder
        from lakeproof.outcome import finish, store
        from reports.pages.text import terminal_lines

        outcome = store(found, searched, new_folder(self._out, found.scenario.name), 0.0)
        finish(outcome)
        lines = [*terminal_lines(outcome.record, outcome.standing(strict)), "", f"run folder: {outcome.folder.path}"]
        return "\n".join([*lines, self._command(outcome.folder / SCHEDULE)])

    def _command(self, schedule: Path) -> str:
        return shlex.join(["pytest", self._test, "--lakeproof-replay", str(schedule)])

    def _replay(self, found: "Found", schedule: Path) -> "Run":
        from lakeproof.inputs import read_schedule
        from lakeproof.investigate import play_file
        from lakeproof.protocols import renderer_of
        from reports.explanation.explain import explain
        from reports.pages.text import story_lines

        steps = read_schedule(schedule)
        if steps.scenario != found.scenario.name:
            pytest.fail(
                f"schedule {schedule}: expected one of {found.scenario.name}, got {steps.scenario}", pytrace=False
            )
        run = play_file(found.scenario, steps, schedule)
        verdict = run.verdict()
        if verdict.violations:
            said = [f"{violation.property}: {violation.anomaly}" for violation in verdict.violations]
            sentences = verdict.violations[0].sentences
            lines = [*said, *story_lines(explain(run, renderer_of(run.scenario))), *sentences, self._command(schedule)]
            pytest.fail("\n".join(lines), pytrace=False)
        return run


def _found(scenario: "Scenario | str") -> "Found":
    from lakeproof.scenarios import Found, find

    return find(scenario)[0] if isinstance(scenario, str) else Found(scenario)


def _searched(
    found: "Found", mode: str, budget: int | None, seeds: range | None, yield_points: "Sequence[str] | None"
) -> "Investigation":
    """Raises: `CommandError`, also for what cannot be searched so."""
    from lakeproof.errors import UsageProblem
    from lakeproof.investigate import MODES, RANDOM, Knobs, investigate

    if mode not in MODES:
        raise UsageProblem(f"mode: expected one of {', '.join(MODES)}, got {mode!r}")
    if seeds is not None and mode != RANDOM:
        raise UsageProblem(f"seeds: expected mode={RANDOM!r} beside them, got mode={mode!r}")
    if isinstance(yield_points, str):
        raise UsageProblem(f"yield_points: expected several names, as in ('load', 'commit'), got {yield_points!r}")
    if budget is not None and budget < 1:
        raise UsageProblem(f"budget: expected a number of runs from 1, got {budget!r}")
    knobs = Knobs(
        mode,
        Knobs().seeds if seeds is None else seeds,
        Knobs().budget if budget is None else budget,
        None if yield_points is None else tuple(yield_points),
    )
    return investigate(found.scenario, knobs)
