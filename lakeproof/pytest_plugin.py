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

    def check(self, scenario: "Scenario | str", *, mode: str = "plan", budget: int = 40_000) -> "Result | Run":
        """Search a scenario (or a built-in one, by name); fail the test unless the verdict is the expected one.

        Args: `mode` is plan, exhaustive or random; `budget` is the greatest number of runs.
        Returns: what the search found; with `--lakeproof-replay`, the run.
        """
        from lakeproof.errors import CommandError
        from lakeproof.investigate import Knobs, investigate

        try:
            found = _found(scenario)
            if self._schedule is not None:
                return self._replay(found, self._schedule)
            knobs = Knobs(mode, budget=budget)
            searched = investigate(found.scenario, knobs)
        except CommandError as error:
            pytest.fail(str(error), pytrace=False)
        if searched.code:
            pytest.fail(self._explanation(found, searched), pytrace=False)
        return searched.result

    def _explanation(self, found: "Found", searched: "Investigation") -> str:
        from lakeproof.folder import SCHEDULE, new_folder
        from lakeproof.outcome import finish, store
        from reports.pages.text import terminal_lines

        outcome = store(found, searched, new_folder(self._out, found.scenario.name), 0.0)
        finish(outcome)
        lines = [*terminal_lines(outcome.record), "", f"run folder: {outcome.folder.path}"]
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
