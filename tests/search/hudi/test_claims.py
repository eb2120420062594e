"""RFC-56's claims, judged by search: which stand, which fall, and with which schedule."""

from types import SimpleNamespace
from typing import Any

import pytest

from lakeproof.protocols import claims_of
from lakeproof.verdicts import claim_row
from sim.hudi import claims as hudi_claims
from sim.hudi import claims_bloom, claims_of_work, claims_server
from sim.hudi.scenarios import HUDI
from sim.search.claims import CONFIRMED, REFUTED, Claim, judge
from tests.unit.lakeproof.scenario_files import ROOT

CLAIMS = claims_of("hudi")
PAGE = (ROOT / "docs/verdicts.md").read_text().splitlines()
BUILT_IN = {scenario.name for scenario in HUDI}
REFUTED_CLAIMS = {
    (hudi_claims.ONLY_ONE, "as shipped (1.2.0): lock, check, unlock, create"),
    (hudi_claims.NOT_MISSED, "as the document says, smaller instants only"),
    (claims_server.MADE_UP_FOR, "as shipped (1.2.0)"),
    (claims_server.NECESSARY, claims_server.SHIPPED_FINDS_NONE),
    (claims_bloom.PICKS_OUT, claims_bloom.MARKER_FIRST),
    (claims_bloom.PICKS_OUT, f"{claims_bloom.BLOOM_FIRST}, and a second one"),
    (hudi_claims.ALIVE, "as shipped (1.2.0)"),
    (hudi_claims.DETECTED, "as shipped (1.2.0), default conflict strategy"),
    (hudi_claims.ISOLATED, "as shipped (1.2.0), with a cleaner and one heartbeat write that fails"),
    (hudi_claims.ISOLATED, "the same with the option that prefers writers"),
    (hudi_claims.FILE_LOCK_WORKS, "as shipped (1.2.0)"),
    (claims_of_work.EARLIER, claims_of_work.OFF),
    (claims_of_work.CONSISTENT, "as shipped (1.2.0), the check before the commit"),
    ("`hoodie.write.lock.early.conflict.async.checker.batch.interval` default 30000", claims_of_work.AS_SHIPPED),
}


def _id(claim: Claim) -> str:
    return f"{claim.text[:40]} ({claim.variant[:40]})"


def expected(claim: Claim) -> str:
    """The verdict that this file states for a claim."""
    return REFUTED if (claim.text, claim.variant) in REFUTED_CLAIMS else CONFIRMED


def test_the_four_claims_that_the_document_stands_on_are_there() -> None:
    """One writer at a time, only a delay, missed by markers alone, same keys out of scope."""
    texts = {claim.text for claim in CLAIMS}
    assert {hudi_claims.ONLY_ONE, hudi_claims.MISSES, hudi_claims.SAME_KEYS} <= texts
    assert any(text.startswith("The downside is") for text in texts)


@pytest.mark.parametrize("claim", CLAIMS, ids=_id)
def test_built_in_scenarios_say_what_the_row_says(claim: Claim) -> None:
    """A claim falls where its scenario's expected verdict is not the one that it predicts (the searches are tested)."""
    for scenario in claim.scenarios:
        if scenario.name in BUILT_IN:
            assert (scenario.expect == claim.predicts) == (expected(claim) == CONFIRMED)
            assert claim.property in (*scenario.properties, "")


@pytest.mark.search
@pytest.mark.parametrize("claim", CLAIMS, ids=_id)
def test_a_claim_is_judged_as_the_page_says(claim: Claim) -> None:
    """Searched, or answered by all runs of a race or a setting's default; what breaks has a schedule."""
    row = judge(claim)
    assert claim_row(row) in PAGE
    assert row.verdict == expected(claim)
    broken = any(scenario.expect == "violated" for scenario in claim.scenarios)
    assert (row.schedule is not None) == broken


def test_a_group_that_is_in_two_partitions_is_told() -> None:
    """A marker below one, its file in another one: then the listing of one folder would not be sufficient."""
    files = [".hoodie/.temp/001/p/1/fg1_0-0-0_001.parquet.marker.MERGE", "p/2/fg1_0-0-0_001.parquet"]
    run: Any = SimpleNamespace(trace=[(0, "w1", "create", path) for path in files])
    assert claims_of_work.group_in_two_places(run).startswith("p/2/fg1")
    run.trace[1] = (0, "w1", "create", "p/1/fg1_0-0-0_001.parquet")
    assert claims_of_work.group_in_two_places(run) == ""
