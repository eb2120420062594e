"""Folders that vanish while they are searched, and writers of the study that are stopped. No JVM."""

import os
import shutil
import threading

import pytest

from real_backend.gating.journal import OK
from real_backend.hudi.storage import files_below
from real_backend.hudi.study_figures import EARLY, Measured, Try
from real_backend.hudi.study_race import Order, Race

WAIT_S = 5.0


@pytest.fixture
def vanishing(tmp_path, monkeypatch):
    """A folder of two; `p1` is deleted when somebody is about to look into it."""
    for partition in ("p1", "p2"):
        (tmp_path / partition).mkdir()
    (tmp_path / "p2" / "f.parquet.marker.MERGE").touch()
    scandir = os.scandir

    def deleting(path):
        if str(path).endswith("p1"):
            monkeypatch.setattr(os, "scandir", scandir)
            shutil.rmtree(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", deleting)
    return tmp_path


def test_folder_that_vanishes_holds_nothing(vanishing):
    """What is beside it is found all the same."""
    assert list(files_below(vanishing)) == ["f.parquet.marker.MERGE"]
    assert not (vanishing / "p1").exists()
    assert list(files_below(vanishing / "p1")) == []


def test_second_writer_comes_after_the_first_marker_although_folders_vanish(vanishing):
    """A marker of another partition lets it go."""
    order = Order(vanishing, held=False)
    ends = threading.Timer(WAIT_S, order.answered.set)
    ends.start()
    assert order.hold("w2", "create", "inflight") is None
    assert not order.answered.is_set()
    ends.cancel()
    ends.join()


def refused(actor):
    """A try that another writer stood in the way of."""
    raise ConnectionError(actor)


def test_stopped_writer_does_not_try_again():
    """Neither the one that waits between two tries nor the one that has not begun."""
    answered = threading.Event()
    race = Race(refused, answered, tries=3, between_s=4 * WAIT_S)
    writer = threading.Thread(target=race.write, args=("w1",), daemon=True)
    writer.start()
    assert answered.wait(WAIT_S)
    race.stop()
    writer.join(WAIT_S)
    race.write("w2")
    assert not writer.is_alive()
    assert [each.actor for each in race.tries] == ["w1"]
    assert race.ended == {"w1", "w2"}


def test_refused_writer_tries_as_often_as_it_may():
    """The twin: nobody stops it."""
    race = Race(refused, threading.Event(), tries=3, between_s=0.001)
    race.write("w1")
    assert [each.outcome for each in race.tries] == ["ConnectionError: w1"] * 3


def measured(*tries):
    """A run with these tries of its writers, and nothing else of interest."""
    return Measured(100, "direct", tuple(Try(*one) for one in tries), 0, 0, 0, 0, None)


def test_an_early_refusal_is_a_false_alarm_if_nobody_else_was_at_work():
    """w2's first try meets w1's; the next two begin when w1 has committed; a late refusal is none."""
    refused = [("w2", begun_s, begun_s + 1, f"{EARLY}: x") for begun_s in (1.0, 4.0, 6.0)]
    run = measured(refused[0], ("w1", 0.0, 3.0, OK), *refused[1:], ("w2", 8.0, 9.0, OK))
    assert (len(run.refused), run.false_alarms, run.to_commits_s) == (3, 2, 9.0)
    assert measured(("w1", 0.0, 3.0, OK), ("w2", 4.0, 5.0, "HoodieWriteConflictException: x")).false_alarms == 0


def test_without_both_commits_there_is_no_time_to_them():
    """A writer that gave up leaves a gap, not a zero."""
    assert measured(("w1", 0.0, 3.0, OK), ("w2", 1.0, 2.0, f"{EARLY}: x")).cells[-1] is None
