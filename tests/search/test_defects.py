"""Defects: what breaks is expected to break, what helps to hold, and the page has their rows."""

import pytest

from lakeproof.scenarios import built_in
from lakeproof.verdicts import defect_row, defects
from sim.search.defect import Defect
from tests.unit.lakeproof.scenario_files import ROOT

PAGE = (ROOT / "docs/verdicts.md").read_text().splitlines()


@pytest.mark.parametrize("defect", defects(), ids=lambda defect: defect.scenario)
def test_a_defect_breaks_and_its_remedy_holds(defect: Defect) -> None:
    """As their scenarios say, which the default search confirms."""
    assert built_in()[defect.scenario].expect == "violated"
    assert defect.helps
    assert {built_in()[remedy].expect for remedy in defect.helps} == {"holds"}
    assert defect_row(defect) in PAGE
