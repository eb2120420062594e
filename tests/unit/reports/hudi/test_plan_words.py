"""What is said of who carries out a plan that somebody else may be at."""

from tests.unit.reports.hudi.test_renderer import sentences


def test_who_carries_out_a_plan_asks_whether_somebody_does():
    """A plan has nobody whose earlier try it could be, also one of a log compaction."""
    expected = "c1 looks for the heartbeat of 000003: there is none, so nobody is at it."
    assert expected in sentences("mor-logs-taken-beat", "c1:end c2:end")
