"""The figures of the live study of caches, from what clients saw and the order that the log has."""

from model.hive.lists import ValidWriteIdList
from real_backend.hive.study import COLUMNS, History, Plan, Window, cells_of
from real_backend.hive.study_load import Change, Look, Seen
from sim.hive import study_cache

T = "study.t0"
FIRST, SECOND = Change(T, "a", 1, 100.0), Change(T, "b", 2, 200.0)
SEES_ONE, SEES_BOTH = ValidWriteIdList(T, 1), ValidWriteIdList(T, 2)


def history_of(*order):
    """The two changes in this order, noted by their writers the other way round."""
    return History(Seen([SECOND, FIRST]), order or ("a", "b"))


def row(window, history=None):
    """The live row of one window, by column."""
    cells = cells_of(Plan(windows=1, window_s=10.0), [window], history or history_of())
    return {name: getattr(cell, "mean", cell) for name, cell in zip(COLUMNS, cells, strict=True)}


def look(value, writes=SEES_BOTH, at_ms=250.0, reader="r0", own=""):
    """A read of the table."""
    return Look(reader, T, value, at_ms, 2.0, writes, own)


def test_a_read_is_behind_by_what_was_committed_and_is_missing():
    """Since the first of them was committed."""
    found = row(Window((look("0"), look("b")), 0))
    assert (found["reads"], found["behind mean, versions"], found[study_cache.STALE]) == (2, 1.0, 75.0)
    assert found[study_cache.MISSED] == 50.0


def test_a_change_that_was_committed_after_the_answer_is_not_missed():
    """Nor one that the list does not have, though it was committed."""
    assert row(Window((look("a", SEES_ONE, at_ms=150.0),), 0))[study_cache.STALE] == 0.0
    late = row(Window((look("a", SEES_ONE),), 0))
    assert (late[study_cache.STALE], late[study_cache.MISSED]) == (50.0, 0.0)


def test_the_log_says_which_change_is_newer():
    """Not when its writer knew."""
    assert row(Window((look("a"),), 0), history_of("b", "a"))[study_cache.STALE] == 0.0
    assert row(Window((look("b"),), 0), history_of("b", "a"))[study_cache.STALE] == 150.0


def test_a_reader_goes_backwards_alone():
    """Another reader that is behind is not one that went back."""
    looks = (look("b"), look("a", at_ms=251.0), look("a", at_ms=252.0, reader="r1"))
    assert round(row(Window(looks, 0))[study_cache.BACKWARDS], 1) == 33.3


def test_own_reads_are_the_writers():
    """They count among what fell through, and in no other figure but their own."""
    looks = (look("a", own="b"), look("b", own="b"), look("b"), look("b"))
    found = row(Window(looks, 1))
    assert (found["reads"], found[study_cache.OWN], found[study_cache.FELL]) == (2, 50.0, 25.0)
    assert (found[study_cache.RATE], found[study_cache.READ_TIME]) == (0.2, 2.0)


def test_a_window_without_reads_has_no_figures():
    """And no division by nothing."""
    found = row(Window((), 0))
    assert (found["reads"], found[study_cache.STALE], found[study_cache.OWN]) == (0, None, None)
