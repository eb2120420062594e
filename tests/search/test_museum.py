"""The museum's exhibits exist, break what they are there for, and what helps holds."""

import re
from pathlib import Path

import pytest

from sim.explore import ladder
from sim.scenarios import catalog

PAGE = Path(__file__).resolve().parents[2] / "docs" / "museum.md"
ROWS = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if re.match(r"\| `", line)]


@pytest.mark.parametrize("row", ROWS, ids=[row.split("`")[1] for row in ROWS])
def test_exhibit_breaks_and_its_remedy_holds(row: str) -> None:
    """Both verdicts come from the default search, today."""
    exhibit, *remedies = re.findall(r"`([a-z]+/[\w-]+)`", row)
    assert ladder(catalog()[exhibit]).verdict == "violated"
    assert remedies
    assert {ladder(catalog()[remedy]).verdict for remedy in remedies} == {"holds"}
