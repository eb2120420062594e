"""Commits under a lock that their writer knew to be lost, in rows of a trace."""

import pytest

from sim.iceberg.lost_locks import unlocked

REPLIES = {"beat/reply": "heartbeat/reply", "beat": "heartbeat", "lost": "heartbeat"}


def rows(text: str):
    """Rows of writer w1, and of his heartbeat, in order: "lost" is a beat that is told that the lock is gone."""
    names = text.split()
    return [
        (0, "w1-heartbeat" if name in REPLIES else "w1", REPLIES.get(name, name), "t", (),
         "NotLocked" if name == "lost" else None, "")
        for name in names
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "done", "found"), [
    ("lock get_table beat alter_table unlock", True, 0),
    ("lock lost get_table alter_table unlock", False, 1),
    ("lock lost get_table unlock", False, 0),
    ("lock get_table lost alter_table unlock", False, 0),
    ("lock get_table lost alter_table unlock", True, 1),
    ("lock get_table alter_table lost unlock", True, 0),
    ("lock get_table alter_table lost alter_table/reply unlock", True, 1),
    ("lock get_table alter_table lost alter_table/reply unlock", False, 0),
    ("lock lost get_table beat/reply alter_table unlock", False, 0),
    ("lock lost beat/reply get_table alter_table unlock", False, 1),
    ("lock lost get_table unlock lock get_table alter_table unlock", True, 0),
    ("lock get_table lost alter_table unlock lock get_table alter_table unlock", True, 0),
    ("get_table alter_table", True, 0),
])  # fmt: skip
def test_what_was_done_without_the_lock(text, done, found):
    """Whoever was told before he altered, or before he was answered; each attempt has a lock of its own."""
    assert len(unlocked(rows(text), "w1", done=done)) == found


def test_others_have_locks_of_their_own():
    """What another writer has lost is not his."""
    assert unlocked(rows("lock lost get_table alter_table unlock"), "w2", done=True) == []
