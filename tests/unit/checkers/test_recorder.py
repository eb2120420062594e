"""The recorder refuses what cannot be when it is told, in the caller's own line."""

import traceback

import pytest

from checkers.histories.history import Read, Write
from checkers.histories.recorder import Recorder
from checkers.histories.recording import RecorderError


def _invoked():
    recorder = Recorder()
    return recorder, recorder.invoke("w1", "write")


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ({"reads": 5}, "record.reads: expected a list or tuple of (key, value, version), got 5 (int)"),
        ({"reads": "x"}, "record.reads: expected a list or tuple of (key, value, version), got 'x' (str)"),
        ({"reads": {"x": "1"}}, "record.reads: expected a list or tuple"),
        ({"reads": ["x"]}, "record.reads: expected entries (key, value, version), got 'x' (str)"),
        ({"reads": [("x",)]}, "record.reads: expected entries (key, value, version), got ('x',) (tuple)"),
        ({"reads": [("x", 1, None)]}, "record.reads: expected a value of x that is text or None, got 1 (int)"),
        ({"reads": [(1, "1", None)]}, "record.reads: expected a key that is text in (key, value, version), got 1"),
        ({"reads": [("x", "1", "v")]}, "record.reads: expected a version of x that is a number or None, got 'v' (str)"),
        ({"reads": [("x", "1", True)]}, "record.reads: expected a version of x that is a number or None, got True"),
        ({"writes": [("x", 1)]}, "record.writes: expected a value of x that is text or None, got 1 (int)"),
        ({"writes": [("x", "1", 2)]}, "record.writes: expected entries (key, value), got ('x', '1', 2) (tuple)"),
        ({"start": [1]}, "record.start: expected a version's number or its name, got [1] (list)"),
        ({"commit": {}}, "record.commit: expected a version's number or its name, got {} (dict)"),
        ({"commit": 1.5}, "record.commit: expected a version's number or its name, got 1.5 (float)"),
        ({"arg": 7}, "record.arg: expected text, got 7 (int)"),
    ],
)  # fmt: skip
def test_what_no_client_can_have_been_told_is_refused(told, text):
    """What was expected, and what was there."""
    recorder, op = _invoked()
    with pytest.raises(RecorderError) as refused:
        recorder.ok(op, **told)
    assert str(refused.value).startswith(text)


def test_an_operation_ends_once_and_one_that_nobody_began_never():
    """Whatever its number is taken for."""
    recorder, op = _invoked()
    recorder.fail(op, "no")
    with pytest.raises(RecorderError, match=r"record\.ok: expected one completion of operation 0, got a second one"):
        recorder.ok(op)
    for stranger in (7, -1, "0", None, True, [0]):
        with pytest.raises(RecorderError, match=r"record\.info: expected the number of an operation"):
            recorder.info(stranger, "?")


def test_a_process_asks_for_one_thing_at_a_time():
    """And may ask again when it was answered."""
    recorder, op = _invoked()
    with pytest.raises(RecorderError, match=r"expected a completion of w1's operation, got a second invocation, read"):
        recorder.invoke("w1", "read")
    recorder.ok(op)
    assert recorder.invoke("w1", "read") == 1


@pytest.mark.parametrize("asked", [(1, "write"), ("w1", None), ("w1", "write", 5)])
def test_an_invocation_is_text(asked):
    """Process, function and argument."""
    with pytest.raises(RecorderError, match=r"record\.invoke: expected .* to be text"):
        Recorder().invoke(*asked)


def test_the_traceback_has_the_line_of_the_call():
    """That is what a user's file is blamed by."""
    recorder, op = _invoked()
    with pytest.raises(RecorderError) as refused:
        recorder.ok(op, reads=5)
    lines = [frame.line for frame in traceback.extract_tb(refused.value.__traceback__) if frame.filename == __file__]
    assert lines == ["recorder.ok(op, reads=5)"]


def test_what_is_said_after_the_end_counts_for_nothing():
    """A task that is ended with its run may still run its own cleaning up."""
    recorder, op = _invoked()
    recorder.close()
    recorder.ok(op)
    assert [event.type for event in recorder.events()] == ["invoke", "info"]


def test_tuples_and_their_named_kin_are_taken():
    """With and without the version of a read."""
    recorder, op = _invoked()
    recorder.ok(
        op, start="a", commit="b", reads=[("x", "1"), Read("y", None), ("z", None, 0)], writes=(Write("x", "2"),)
    )
    assert recorder.events({"a": 0, "b": 1})[1].reads == (Read("x", "1"), Read("y", None), Read("z", None, 0))
