"""Folders that vanish while they are searched, and writers of the study that are stopped. No JVM."""

import os
import shutil
import threading
import time

import pytest

from model.hudi.names import TEMP, TIMELINE
from real_backend.errors import Abandoned
from real_backend.gating.journal import OK
from real_backend.hudi.storage import files_below
from real_backend.hudi.study import Plan, notes_of
from real_backend.hudi.study_figures import COLUMNS, EARLY, Measured, Try
from real_backend.hudi.study_race import POLL_S, Order, Race

WAIT_S = 240.0


def mark(table, instant, partition):
    """A marker of this instant."""
    folder = table / TEMP / instant / partition
    folder.mkdir(parents=True)
    (folder / "f.parquet.marker.MERGE").touch()


@pytest.fixture
def vanishing(tmp_path, monkeypatch):
    """A table with two folders of markers; `p1` is deleted when somebody is about to look into it."""
    (tmp_path / TEMP / "001" / "p1").mkdir(parents=True)
    mark(tmp_path, "001", "p2")
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
    gone = vanishing / TEMP / "001" / "p1"
    assert list(files_below(vanishing)) == ["f.parquet.marker.MERGE"]
    assert not gone.exists()
    assert list(files_below(gone)) == []


def test_second_writer_comes_after_the_first_marker_although_folders_vanish(vanishing):
    """A marker of another partition lets it go."""
    assert Order(vanishing).hold("w2", "create", "inflight") is None


def test_a_look_for_data_files_waits_for_nobody(tmp_path):
    """The first writer has marked the partition by then; what the second one lists is the table itself."""
    mark(tmp_path, "001", "r")
    thread, ended = started(Order(tmp_path, held="qr").look, "w2", "/r")
    thread.join(WAIT_S / 60)
    assert ended == [None]


def started(body, *arguments):
    """`body` on a thread of its own; what came of it will be in the list: None, or what was raised."""
    ended = []

    def run():
        try:
            ended.append(body(*arguments))
        except Abandoned as error:
            ended.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread, ended


@pytest.fixture
def table(tmp_path):
    """w1 has marked `r`, w2 has its instant."""
    (tmp_path / TIMELINE).mkdir(parents=True)
    for instant in ("001", "002"):
        (tmp_path / TIMELINE / f"{instant}.commit.requested").touch()
    mark(tmp_path, "001", "r")
    return tmp_path


def test_task_that_meets_a_marker_is_refused_when_the_one_beside_it_has_made_its_own(table):
    """Not before: then all that a try can mark is marked, however its threads run."""
    order = Order(table, held="qr")
    thread, ended = started(order.look, "w2", f"/{TEMP}/001/r")
    thread.join(3 * POLL_S)
    assert ended == []
    mark(table, "002", "q")
    thread.join(WAIT_S)
    assert ended == [None]


def test_tasks_that_all_meet_a_marker_do_not_wait_for_each_other_for_ever(table):
    """Each of them has come as far as it can."""
    mark(table, "001", "q")
    order = Order(table, held="qr")
    thread, ended = started(order.look, "w2", f"/{TEMP}/001/r")
    order.look("w2", f"/{TEMP}/001/q")
    thread.join(WAIT_S)
    assert ended == [None]


def test_whoever_looks_at_own_markers_or_where_there_are_none_goes_on(table):
    """As do listings of other folders, and w1."""
    mark(table, "002", "r")
    order = Order(table, held="qr")
    for actor, folder in (("w2", "002/r"), ("w2", "001/q"), ("w2", "001"), ("w2", ""), ("w1", "001/r")):
        order.look(actor, f"/{TEMP}/{folder}")
    order.look("w2", f"/{TIMELINE}")


@pytest.mark.parametrize("where", [("w1", "create", "data"), ("w2", "create", "inflight")])
def test_writer_of_a_run_that_is_given_up_is_abandoned_where_it_stands(tmp_path, where):
    """And at every later operation."""
    order = Order(tmp_path, held="qr")
    thread, ended = started(order.hold, *where)
    order.abandon("the run is over")
    thread.join(WAIT_S)
    assert [str(error) for error in ended] == ["the run is over"]
    with pytest.raises(Abandoned):
        order.hold("w1", "rename", "completed")


def refused(actor):
    """A try that another writer stood in the way of."""
    raise ConnectionError(actor)


def test_stopped_writer_does_not_try_again():
    """Neither the one that waits between two tries nor the one that has not begun."""
    answered = threading.Event()
    race = Race(refused, answered, tries=3, between_s=10 * WAIT_S)
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
    """The opposite: nobody stops it."""
    race = Race(refused, threading.Event(), tries=3, between_s=0.001)
    race.write("w1")
    assert [each.outcome for each in race.tries] == ["ConnectionError: w1"] * 3


def test_refused_writer_tries_again_when_nobody_else_is_at_work():
    """With something to do in between: it is done then."""
    answered, commits, seen = threading.Event(), threading.Event(), []

    def save(actor):
        if actor == "w2":
            raise ConnectionError(actor)
        commits.wait(WAIT_S)

    race = Race(save, answered, tries=2, between_s=0, between=lambda: seen.append(len(race.tries)))
    first, _ = started(race.write, "w1")
    while "w1" not in race.at_work:
        time.sleep(POLL_S)
    second, _ = started(race.write, "w2")
    assert answered.wait(WAIT_S)
    second.join(3 * POLL_S)
    assert [each.actor for each in race.tries] == ["w2"]
    commits.set()
    for thread in (first, second):
        thread.join(WAIT_S)
    assert [each.actor for each in race.tries] == ["w2", "w1", "w2"]
    assert seen == [2]


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
    assert (
        measured(("w1", 0.0, 3.0, OK), ("w2", 1.0, 2.0, f"{EARLY}: x")).cells[COLUMNS.index("seconds to both commits")]
        is None
    )


def test_the_live_study_says_how_often_it_measured():
    """Once is too little for an interval."""
    assert "Each case is measured once: there are no intervals." in notes_of(Plan())
