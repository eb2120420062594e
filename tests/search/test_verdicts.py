"""Every built-in scenario gives the verdict that it names, by the default plan, with the bounds of docs/verdicts.md."""

import pytest

from lakeproof.scenarios import built_in
from lakeproof.verdicts import scenario_row
from sim.search.explore import default_plan
from sim.search.result import broken_by
from sim.world.scenario import Scenario
from tests.unit.lakeproof.scenario_files import ROOT

pytestmark = pytest.mark.search
PAGE = (ROOT / "docs/verdicts.md").read_text().splitlines()


@pytest.mark.parametrize("scenario", built_in().values(), ids=list(built_in()))
def test_default_plan_gives_the_expected_verdict_and_the_documented_bounds(scenario: Scenario) -> None:
    """The weakest property that breaks is the one that the scenario names; "holds" has no reason against it."""
    result = default_plan(scenario)
    assert result.verdict == scenario.expect
    assert result.as_expected
    assert (broken_by(result.weakest) if result.weakest else None) == scenario.broken
    assert scenario_row(result) in PAGE
