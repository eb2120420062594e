"""Restores of the real Hudi 1.2.0 beside a writer, and archiving after them: who was taken back is read in the end."""

import pytest

from tests.live.hudi.agreement import both, both_at_random, found, left_unreadable

pytestmark = pytest.mark.live
EACH = 2


def test_who_was_taken_back_is_read_when_others_have_archived(hudi):
    """The write is refused, its file is there, and so is what it wrote, for whoever reads."""
    live = both(hudi, *found("restore-archived"))
    assert dict(live.outcomes)["w2"] != "ok"
    assert live.rows is not None
    assert ("1", "B") in live.rows


def test_who_was_taken_back_makes_the_table_unreadable_when_others_have_archived(hudi):
    """The metadata table lists the file that the restore has deleted; who lists folders reads all others."""
    live = left_unreadable(hudi, "metadata-restore-archived", "does not exist")
    assert dict(live.outcomes)["w2"] != "ok"
    assert live.again is not None
    assert live.again.rows is not None


@pytest.mark.parametrize("name", ["restore-archived", "metadata-restore-archived"])
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows, also where the restore comes at another time."""
    both_at_random(hudi, name, EACH, tries=1_000)
