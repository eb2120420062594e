"""Archiving on the real Hudi 1.2.0, step by step as simulated."""

import pytest

from tests.live.hudi.agreement import both, found

pytestmark = pytest.mark.live


def test_found_schedule_does_the_same_to_the_real_hudi(hudi):
    """Everybody is told that all is well, and an update is lost."""
    live = both(hudi, *found("archive-conflict"))
    assert {outcome for _, outcome in live.outcomes} == {"ok"}
