"""The claims of the design document and of Impala, judged: what each comes to on the variant that it names."""

import pytest

from lakeproof.verdicts import claim_row
from sim.hive.claims import CHANGED, CLAIMS, FRESH, MONOTONIC, OPTIMISATION, OUTDATED, OWN_WRITES, SEMANTIC
from sim.hive.claims_impala import CONSISTENT, IN_FLIGHT, LATEST, OLDER, SAME_ID, SYNC, WHEN_STALE
from sim.hive.scenarios import HIVE
from sim.search.claims import CONFIRMED, REFUTED, ClaimRow, judge
from tests.unit.lakeproof.scenario_files import ROOT

pytestmark = pytest.mark.search

EXPECTED = {
    MONOTONIC: [REFUTED, REFUTED, REFUTED, REFUTED],
    OWN_WRITES: [CONFIRMED, REFUTED, REFUTED],
    FRESH: [REFUTED, CONFIRMED, REFUTED],
    OUTDATED: [CONFIRMED, REFUTED],
    CHANGED: [REFUTED, CONFIRMED],
    SEMANTIC: [CONFIRMED, REFUTED],
    OPTIMISATION: [REFUTED, CONFIRMED],
    LATEST: [CONFIRMED, REFUTED, CONFIRMED],
    WHEN_STALE: [REFUTED, CONFIRMED],
    IN_FLIGHT: [REFUTED, CONFIRMED],
    CONSISTENT: [REFUTED, CONFIRMED, REFUTED],
    SAME_ID: [REFUTED, CONFIRMED],
    OLDER: [REFUTED, CONFIRMED],
    SYNC: [REFUTED],
}


@pytest.fixture(scope="module")
def rows() -> list[ClaimRow]:
    """Every claim, judged once."""
    return [judge(claim) for claim in CLAIMS]


@pytest.mark.parametrize("text", EXPECTED)
def test_the_claims_that_the_document_rests_on(rows: list[ClaimRow], text: str) -> None:
    """In the order of the variants: of the document's, the reference or the words first, then what differs."""
    assert [row.verdict for row in rows if row.claim.text == text] == EXPECTED[text]


def test_every_claim_is_decided_and_every_refutation_has_its_smallest_schedule(rows: list[ClaimRow]) -> None:
    """Nothing is left unknown; what was searched replays by name; the page of verdicts has these rows."""
    assert {row.verdict for row in rows} == {CONFIRMED, REFUTED}
    assert len(rows) == 57
    page = (ROOT / "docs/verdicts.md").read_text().splitlines()
    assert [row.claim.text for row in rows if claim_row(row) not in page] == []
    for row in rows:
        if row.verdict == REFUTED:
            assert row.found
            assert row.claim.evidence is not None or (row.schedule and row.replay)


def test_refuted_claims_can_be_replayed_from_the_catalog(rows: list[ClaimRow]) -> None:
    """A schedule names a scenario that comes with the product."""
    assert {row.scenario for row in rows if row.scenario} <= {scenario.name for scenario in HIVE}
