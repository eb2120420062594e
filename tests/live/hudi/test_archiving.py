"""Archiving on the real Hudi 1.2.0, step by step as simulated."""

import pytest

from tests.live.hudi.agreement import both, found

pytestmark = pytest.mark.live


def test_found_schedule_does_the_same_to_the_real_hudi(hudi):
    """Everybody is told that all is well, and an update is lost."""
    live = both(hudi, *found("archive-conflict"))
    assert {outcome for _, outcome in live.outcomes} == {"ok"}


def test_what_was_rolled_back_is_read_from_the_real_hudi(hudi):
    """Its writer has been refused; the other one is told that all is well. hudi-rs reads what was committed."""
    live = both(hudi, *found("archive-rolled-back"), read_alike=False)
    assert live.error("w1") not in ("ok", "crashed")
    assert live.outcome("w2") == "ok"
    assert live.value(1) == "A"
    assert dict(live.again.rows)["1"] == "a"
