"""Defects: what breaks is expected to break, and what helps to hold (verdicts: `test_verdicts.py`)."""

import re
from pathlib import Path

import pytest

from lakeproof.scenarios import built_in

PAGE = Path(__file__).resolve().parents[2] / "docs" / "defects.md"
ROWS = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if re.match(r"\| `", line)]


@pytest.mark.parametrize("row", ROWS, ids=[row.split("`")[1] for row in ROWS])
def test_exhibit_breaks_and_its_remedy_holds(row: str) -> None:
    """As their scenarios say, which the default search confirms."""
    exhibit, *remedies = re.findall(r"`([a-z]+/[\w-]+)`", row)
    assert built_in()[exhibit].expect == "violated"
    assert remedies
    assert {built_in()[remedy].expect for remedy in remedies} == {"holds"}
