"""Restores on the real Hudi 1.2.0, step by step as simulated."""

import pytest

from tests.live.hudi.agreement import both, both_at_random, found, left_unreadable

pytestmark = pytest.mark.live
EACH = 2


def test_found_schedule_does_the_same_to_the_real_hudi(hudi):
    """Everybody is told that all is well, and a row is back that the restore has taken back."""
    live = both(hudi, *found("restore-beside"))
    assert {outcome for _, outcome in live.outcomes} == {"ok"}
    assert (live.value(1), live.value(2)) == ("A", "B")


def test_what_a_savepoint_names_is_deleted_by_the_restore_to_it(hudi):
    """Everybody is told that all is well; who inserts, saves and restores has lost his own row."""
    live = both(hudi, *found("restore-named"))
    assert {outcome for _, outcome in live.outcomes} == {"ok"}
    assert (live.value(3), live.value(4)) == ("A", None)


def test_overwrite_beside_a_restore_makes_the_real_table_unreadable(hudi):
    """The restore is told that all is well. hudi-rs, which reads no plans, reads the table."""
    live = left_unreadable(hudi, "restore-overwrite", "Error reading clustering plan")
    assert dict(live.outcomes)["w1"] == "ok"
    assert live.again is not None
    assert live.again.rows == (("1", "a"), ("2", "b"))


@pytest.mark.parametrize("name", ["restore-beside", "restore"])
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows, of runs in an order drawn at random."""
    both_at_random(hudi, name, EACH)
