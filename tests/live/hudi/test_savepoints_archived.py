"""Archiving beside savepoints on the real Hudi 1.2.0, step by step as simulated."""

import pytest

from tests.live.hudi.agreement import both, both_at_random, found

pytestmark = pytest.mark.live
EACH = 3


def test_the_commit_of_a_savepoint_is_archived(hudi):
    """Everybody is told that all is well, and the savepoint is of a commit that no restore finds."""
    live = both(hudi, *found("archive-savepoint"))
    assert {outcome for _, outcome in live.outcomes} == {"ok"}
    assert live.unkept


def test_what_was_restored_is_archived_and_the_table_is_empty(hudi):
    """Everybody is told that all is well, and nobody reads a row, hudi-rs neither."""
    live = both(hudi, *found("archive-restored"))
    assert {outcome for _, outcome in live.outcomes} == {"ok"}
    assert live.rows == ()


@pytest.mark.parametrize("name", ["archive-savepoint", "archive-restored"])
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows, also where the archiver comes at another time."""
    both_at_random(hudi, name, EACH, tries=1_000)
