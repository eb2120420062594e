"""Defects: what breaks is expected to break, what helps to hold, and the page has their rows."""

import pytest

from lakeproof.scenarios import built_in
from lakeproof.verdicts import NO_HINT, blind, defect_row, defects, hint_words, search_row
from sim.search.defect import Defect, hints_of
from sim.search.explore import default_plan
from sim.world.fault_spaces import REGISTER, wide
from sim.world.scenario import FaultSpace
from tests.unit.lakeproof.scenario_files import ROOT, holds

PAGE = (ROOT / "docs/verdicts.md").read_text().splitlines()


@pytest.mark.parametrize("defect", defects(), ids=lambda defect: defect.scenario)
def test_a_defect_breaks_and_its_remedy_holds(defect: Defect) -> None:
    """As their scenarios say, which the default search confirms."""
    assert built_in()[defect.scenario].expect == "violated"
    assert defect.helps
    assert {built_in()[remedy].expect for remedy in defect.helps} == {"holds"}
    assert defect_row(defect) in PAGE


@pytest.mark.parametrize("defect", defects(), ids=lambda defect: defect.scenario)
def test_the_page_says_what_it_took_to_find_a_defect(defect: Defect) -> None:
    """How many schedules, from which space; the seconds are the machine's that made the page."""
    result = default_plan(blind(defect))
    assert result.as_expected
    assert [line for line in PAGE if line.startswith(search_row(result))]


def test_the_page_says_what_the_searches_were_told_beforehand() -> None:
    """That none was given a hint stands there only if it is so."""
    assert hint_words([blind(defect) for defect in defects()]) in "\n".join(PAGE)


def test_what_a_scenario_chooses_for_its_search_is_a_hint() -> None:
    """One property of many, a fault and its victim by name, where to switch; a wide space is none."""
    told = holds(
        faults=FaultSpace({"commit": ("late",)}, 1, ("w1",)), yield_points=("commit",), properties=("readable",)
    )
    assert hints_of(told) == ("the property", "the fault", "whom it hits", "its steps")
    blind = holds(faults=wide(REGISTER), properties=("readable", "no-lost-update"))
    assert hints_of(blind) == ()
    assert hint_words([blind]) == NO_HINT
    assert hint_words([blind, told]).startswith("1 of 2 searches were given no hint")
