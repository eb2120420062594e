"""What the document of Iceberg's transactions claims, judged: each row of docs/verdicts.md is what comes out."""

import pytest

from lakeproof.protocols import claims_of
from lakeproof.verdicts import claim_row
from sim.iceberg import claim_code_looks
from sim.search.claims import CONFIRMED, REFUTED, UNKNOWN, Claim, judge
from tests.unit.lakeproof.scenario_files import ROOT

CLAIMS = claims_of("iceberg")
PAGE = (ROOT / "docs/verdicts.md").read_text().splitlines()


def _id(claim: Claim) -> str:
    return f"{claim.text[-40:]} ({claim.variant[:40]})"


@pytest.mark.search
@pytest.mark.parametrize("claim", CLAIMS, ids=_id)
def test_a_claim_is_judged_as_the_page_says(claim):
    """None is left open; what is refuted has an example or a schedule."""
    row = judge(claim)
    assert claim_row(row) in PAGE
    assert row.verdict != UNKNOWN
    assert row.verdict == CONFIRMED or row.found or claim.predicts == "violated"


@pytest.mark.parametrize(
    ("look", "verdict"),
    [("created_where_a_table_is", CONFIRMED), ("created_where_a_table_comes", REFUTED),
     ("merging_keeps_what_lives", CONFIRMED), ("fast_append_keeps_all", REFUTED), ("holds_every_update", CONFIRMED),
     ("commits_with_an_open_update", CONFIRMED), ("another_commits_meanwhile", REFUTED)],
)  # fmt: skip
def test_what_a_run_answers(look, verdict):
    """Each looks at one run, and says what is wrong with the sentence."""
    assert bool(getattr(claim_code_looks, look)()) == (verdict == REFUTED)
