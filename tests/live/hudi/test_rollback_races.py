"""Rollbacks of what is only requested, on the real Hudi 1.2.0, step by step as simulated."""

import pytest

from tests.live.hudi.agreement import left_unreadable

pytestmark = pytest.mark.live


def test_overwrite_beside_a_rollback_makes_the_real_table_unreadable(hudi):
    """The rollback succeeds, and the writer is refused. hudi-rs, which reads no plans, reads the table."""
    live = left_unreadable(hudi, "rollback-overwrite", "Error reading clustering plan")
    assert dict(live.outcomes)["w1"] != "ok"
    assert live.again is not None
    assert live.again.rows == (("1", "a"), ("2", "b"))
