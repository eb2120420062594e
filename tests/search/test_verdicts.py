"""Every built-in scenario gives the verdict that it names, by the default search, with the documented bounds."""

import re

import pytest

from lakeproof.scenarios import built_in
from sim.search.explore import Result, default_plan
from sim.world.scenario import Scenario
from tests.unit.lakeproof.scenario_files import ROOT

pytestmark = pytest.mark.search
PAGE, README = (ROOT / "docs/verdicts.md").read_text(), (ROOT / "README.md").read_text()
MOST_NAMED = 6


def row(result: Result) -> str:
    """A scenario's line in docs/verdicts.md. Steps that are not named are every port call."""
    scenario, violated = result.scenario, result.verdict == "violated"
    bounds = [scenario.bounds, str(scenario.faults) if scenario.faults.limit else ""]
    steps = scenario.yield_points or ()
    named = ", ".join(steps) if len(steps) <= MOST_NAMED else f"{len(steps)} operations"
    bounds.append(f"steps: {named}" if steps else "")
    states = f", {result.states:,} distinct states" if result.states else ""
    bounds.append(f"{result.schedules:,} schedule{'' if result.schedules == 1 else 's'}{states}")
    bounds.append("first violation" if violated else "complete")
    verdict = f"violated: {scenario.broken}" if violated else result.verdict
    return f"| `{scenario.name}` | {scenario.summary} | {verdict} | {'; '.join(filter(None, bounds))} |"


@pytest.mark.parametrize("scenario", built_in().values(), ids=list(built_in()))
def test_default_search_gives_the_expected_verdict_and_the_documented_bounds(scenario: Scenario) -> None:
    """A violation is of the property that the scenario names; "holds" is complete and every counter was hit."""
    result = default_plan(scenario)
    assert result.verdict == scenario.expect
    assert {key.split("/")[0] for key in result.failures} == ({scenario.broken} if scenario.broken else set())
    assert row(result) in PAGE.splitlines()
    in_readme = re.search(rf"^\| `{scenario.name}` \|.*?([\d,]+) schedules?, complete", README, re.MULTILINE)
    assert in_readme is None or in_readme[1] == f"{result.schedules:,}"
