"""Histories from papers, from other checkers' issues and from the hermitage of anomalies, with their known verdicts."""

import json
from pathlib import Path

import pytest

from checkers.histories.notation import history
from checkers.properties import STRONGER
from checkers.verdict import INVALID, VALID, check

ROWS = json.loads((Path(__file__).parents[2] / "vectors" / "published_histories.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_a_published_history_has_its_published_verdict(row):
    """Property by property, against any order of commits; what only contradicts stated versions is told apart."""
    asked = [*row["holds"], *row["broken"]]
    source = history(row["history"])
    verdict = check(source, asked)
    broken = {v.property for v in verdict.violations if not v.anomaly.endswith("@stated")}
    got = {name: INVALID if name in broken else VALID for name in asked}
    assert got == {**dict.fromkeys(row["holds"], VALID), **dict.fromkeys(row["broken"], INVALID)}


def test_every_level_is_kept_and_broken_by_some_published_history():
    """Plain levels; a name that is no property would be refused above."""
    plain = {name for name in STRONGER if not name.startswith("strong-")} - {"session-guarantees"}
    for outcome in ("holds", "broken"):
        named = {name for row in ROWS for name in row[outcome]}
        assert {name for name in plain if not name.startswith("no-")} <= named, outcome
