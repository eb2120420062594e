"""Every built-in scenario gives the verdict that it names, by the default plan, with the bounds of docs/verdicts.md.

The largest searches are begun only: `make verdicts` makes them whole.
"""

import re

import pytest

from lakeproof.scenarios import built_in
from lakeproof.verdicts import scenario_row
from sim.search.explore import by_deviations, default_plan
from sim.search.result import broken_by
from sim.world.scenario import Scenario
from tests.unit.lakeproof.scenario_files import ROOT

pytestmark = pytest.mark.search
PAGE = (ROOT / "docs/verdicts.md").read_text().splitlines()
MOST = 6_000
"""Larger searches, by what the page says of them, are made whole by `make verdicts`, and begun here."""
BEGUN = 1_000


def size_of(scenario: Scenario) -> int:
    """The schedules of a scenario's search, by its row of the page; 0 if it ended with what it found."""
    row = next((line for line in PAGE if line.startswith(f"| `{scenario.name}` | {scenario.summary} | ")), "")
    found = re.search(r"; ([\d,]+) schedules, ", row)
    return int(found[1].replace(",", "")) if found else 0


LARGE = [scenario for scenario in built_in().values() if size_of(scenario) > MOST]
OTHERS = [scenario for scenario in built_in().values() if scenario not in LARGE]


@pytest.mark.parametrize("scenario", LARGE, ids=[scenario.name for scenario in LARGE])
def test_a_large_search_begins_as_the_page_says(scenario: Scenario) -> None:
    """Nothing breaks within its first schedules, and the page has the scenario as one that holds."""
    assert by_deviations(scenario, 2, limit=BEGUN).verdict != "violated"
    assert scenario.expect == "holds"
    assert any(line.startswith(f"| `{scenario.name}` | {scenario.summary} | holds | ") for line in PAGE)


def test_only_few_searches_are_left_to_the_page() -> None:
    """Of all scenarios, one in ten at most."""
    assert 0 < len(LARGE) * 10 < len(built_in())


@pytest.mark.parametrize("scenario", OTHERS, ids=[scenario.name for scenario in OTHERS])
def test_default_plan_gives_the_expected_verdict_and_the_documented_bounds(scenario: Scenario) -> None:
    """The weakest property that breaks is the one that the scenario names; "holds" has no reason against it."""
    result = default_plan(scenario)
    assert result.verdict == scenario.expect
    assert result.as_expected
    assert (broken_by(result.weakest) if result.weakest else None) == scenario.broken
    assert scenario_row(result) in PAGE
