"""The page of claims: all of them at a glance, what each was judged on, bounds that can be read."""

import re

import pytest

from reports.pages.claims import ClaimsRecord, ShownClaim, bounds_of, claims_page, live_words
from tests.unit.reports.test_html import outline

OPERATIONS = tuple(f"operation_{number}" for number in range(14))
BOUNDS = f"2 replicas; steps: {' and '.join(OPERATIONS)}; 5 schedules; complete | 1 replica; steps: load; complete"


def claim(number, variant, verdict, live="no"):
    """A judged claim: its text is the same on every variant."""
    return ShownClaim(
        number, "reads are <fresh>", "a document, 1", "freshness", variant, "holds", verdict, "", BOUNDS, None, "x/y",
        "", live, "",
    )  # fmt: skip


@pytest.fixture(scope="module")
def text():
    """One claim on two variants, with opposite verdicts."""
    test = "tests/live/x/test_y.py::test_cache_serves_what_is_gone[shipped]"
    rows = (claim(1, "as designed", "confirmed"), claim(2, "as shipped", "refuted", test))
    return claims_page(ClaimsRecord("0", "hive", rows, "lakeproof claims hive"))


def test_a_table_on_top_has_every_claim_and_jumps_to_it(text):
    """With what it was judged on, since one sentence may have two verdicts."""
    table = text[text.index("<table>") : text.index("</table>")]
    assert re.findall(r'href="#(claim-\d)"', table) == re.findall(r'id="(claim-\d)"', text) == ["claim-1", "claim-2"]
    assert all(word in table for word in ("as designed", "as shipped", "confirmed", "refuted"))
    assert "reads are &lt;fresh&gt;" in table
    outline(text)


def test_what_a_claim_was_judged_on_stands_under_it(text):
    """Not in the small print."""
    assert text.count('<p class="judged">judged on: as ') == 2


def test_a_long_list_of_operations_is_folded_away():
    """It is counted, and there for who asks."""
    assert bounds_of(BOUNDS) == (
        ("2 replicas; steps: 14 operations; 5 schedules; complete", ", ".join(OPERATIONS)),
        ("1 replica; steps: load; complete", ""),
    )
    assert bounds_of("all lists of 3 ids") == (("all lists of 3 ids", ""),)


def test_the_live_test_is_told_in_words(text):
    """And named below them; where there is none, this is said."""
    assert live_words("tests/live/x/test_y.py::test_reads_are_stale[a-b]") == "reads are stale (a-b)"
    assert live_words("no") == ""
    assert "cache serves what is gone (shipped)<br>" in text
    assert "not replayed on the real system" in text
